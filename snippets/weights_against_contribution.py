import numpy as np

from attention_core import softmax

scores = np.array([2.0, 1.0, 0.0])
values = np.array([[0.1, 0.0], [0.0, 2.0], [3.0, 0.0]])
residual = np.array([5.0, 1.0])  # what the token carries past the attention layer
readout = np.array([1.0, 0.2])  # a later layer reads the sum with these factors

weights = softmax(scores)
contributions = weights * (values @ readout)  # what each key adds to the number that is read
result = (residual + weights @ values) @ readout

print("weights                  ", weights.round(3))
print("contributions of the keys", contributions.round(3))
print("contribution of residual ", (residual @ readout).round(3))
print("result                   ", result.round(3))
