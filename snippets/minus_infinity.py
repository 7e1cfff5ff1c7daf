import numpy as np

from attention_core import softmax

row = np.array([1.2, 2.1, -np.inf])  # token 2 asks; token 3 lies in the future

powers = np.exp(row - row.max())  # the largest score is subtracted: the weights stay the same
weights = powers / powers.sum()

print("powers ", powers.round(3), "sum", powers.sum().round(3))
print("weights", weights.round(3))
print("exactly zero:", weights[2] == 0.0)

# A finite penalty only makes a key expensive. A score that is high enough pays for it.
high, penalty = 15.0, -10.0
print("fill -inf:   ", softmax([0.0, -np.inf]).round(3))
print("penalty -10: ", softmax([0.0, high + penalty]).round(3))
