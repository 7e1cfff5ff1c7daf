import numpy as np

from attention_core import softmax

# d_k is 4, so the divisor is 2: halving a binary number loses no digit.
scores = np.array([6.0, 4.0, 3.0])
scaled = scores / np.sqrt(4)

print("nothing was rounded:", np.array_equal(scaled * np.sqrt(4), scores))
print("weights with divisor   ", softmax(scaled).round(3))
print("weights without divisor", softmax(scores).round(3))
