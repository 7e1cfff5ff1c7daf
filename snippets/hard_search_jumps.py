import numpy as np

from attention_core import softmax

values = np.array([10.0, 20.0, 30.0])


def scores_with(second):
    return np.array([2.0, second, 0.0])


def hard(second):
    return values[np.argmax(scores_with(second))]


def soft(second):
    return softmax(scores_with(second)) @ values


second_scores = (1.8, 1.9, 2.1, 2.2)
print("second_score  hard    soft")
for second in second_scores:
    print(f"{second:12.1f}  {hard(second):4.1f}  {soft(second):6.3f}")
