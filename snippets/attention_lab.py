import numpy as np

from attention_core import softmax

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # 3 tokens, 2 features each
Q = K = V = X

# --8<-- [start:score]
scores = Q @ K.T
# --8<-- [end:score]
# --8<-- [start:normalise]
weights = softmax(scores / np.sqrt(2))
# --8<-- [end:normalise]
# --8<-- [start:mix]
output = weights @ V
# --8<-- [end:mix]

print("attention_lab")
print("scores")
print(scores)
print("weights")
print(weights.round(3))
print("output")
print(output.round(3))
