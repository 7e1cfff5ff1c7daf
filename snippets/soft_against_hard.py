import numpy as np

from attention_core import softmax

scores = np.array([2.0, 1.5, 0.0])
values = np.array([10.0, 20.0, 30.0])


def soft(scores, values):
    return softmax(scores) @ values


def hard(scores, values):
    return values[np.argmax(scores)]


def slopes(result_at, x, step=1e-6):
    """Nudge each entry of x up and down, and see how much the result moves."""
    nudges = step * np.eye(len(x))
    return np.array([(result_at(x + n) - result_at(x - n)) / (2 * step) for n in nudges])


def by_score(search):
    return slopes(lambda s: search(s, values), scores)


def by_value(search):
    return slopes(lambda v: search(scores, v), values)


for search in (soft, hard):
    print(search.__name__)
    print("  result  ", round(float(search(scores, values)), 3))
    print("  by score", by_score(search).round(3) + 0.0)
    print("  by value", by_value(search).round(3) + 0.0)
