import numpy as np

from attention_core import softmax

KEPT_PER_STEP = 0.9  # what a recurrent state keeps of itself at each step

print("tokens  rnn_steps  rnn_signal  attention_steps  attention_weight")
for n in (2, 10, 50, 200):
    state = 1.0  # the first token writes a 1 into the state, and nothing else is written
    for _ in range(n - 1):
        state = KEPT_PER_STEP * state

    scores = np.zeros(n)
    scores[0] = 8.0  # the last token's query fits the first token's key
    weight = softmax(scores)[0]
    print(f"{n:6d}  {n - 1:9d}  {state:10.3f}  {1:15d}  {weight:16.3f}")
