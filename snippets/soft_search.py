import numpy as np

from attention_core import softmax

# Four notes in a drawer. Features of a key: is it about water, is it about money.
keys = np.array([[3.0, 0.0], [2.0, 1.0], [0.0, 3.0], [0.0, 0.0]])
values = np.array([10.0, 20.0, 30.0, 40.0])
query = np.array([1.0, 0.0])  # asks for water

scores = keys @ query
weights = softmax(scores / np.sqrt(2))

print("scores ", scores)
print("weights", weights.round(3))
print("hard search returns", values[np.argmax(scores)])
print("soft search returns", round(float(weights @ values), 3))
