import numpy as np

from attention_core import softmax

scores = np.log([9.0, 1.0])  # chosen so that the weights are 0.9 and 0.1
values = np.array([[0.0, 0.0], [4.0, -2.0]])


def empty_value(token):
    emptied = values.copy()
    emptied[token] = 0.0  # the token is still weighted, but hands over nothing
    return softmax(scores) @ emptied


def hide_key(token):
    hidden = scores.copy()
    hidden[token] = -np.inf  # the token is not seen, and the other takes its share
    return softmax(hidden) @ values


print("as it is                ", (softmax(scores) @ values).round(3) + 0.0)
for token in (0, 1):
    print(f"token {token + 1}: value emptied  ", empty_value(token).round(3) + 0.0)
    print(f"token {token + 1}: key hidden     ", hide_key(token).round(3) + 0.0)
