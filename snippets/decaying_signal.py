import numpy as np

from attention_core import softmax

KEPT_PER_STEP = 0.9  # what a recurrent state keeps of itself at each step
ATTENTION_STEPS = 1  # each token looks at every other directly


def signal_after(steps):
    state = 1.0  # the first token writes a 1, and nothing else is written
    for _ in range(steps):
        state = KEPT_PER_STEP * state
    return state


def scores_of_last(n):
    scores = np.zeros(n)
    scores[0] = 8.0  # the last token's query fits the first token's key
    return scores


lengths = (2, 10, 50, 200)
print("tokens  rnn_steps  rnn_signal  attention_steps  attention_weight")
for n in lengths:
    signal = signal_after(n - 1)
    weight = softmax(scores_of_last(n))[0]
    print(f"{n:6d}  {n - 1:9d}  {signal:10.3f}  {ATTENTION_STEPS:15d}  {weight:16.3f}")
