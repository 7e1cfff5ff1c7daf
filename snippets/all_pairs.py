import numpy as np

from attention_core import attention_trace


def scores_of(n):
    tokens = np.zeros((n, 4))  # what the tokens hold does not matter for the count
    return attention_trace(tokens, tokens, tokens).scores


lengths = (50, 100, 200, 400)
print("tokens  scores")
for n in lengths:
    print(f"{n:6d}  {scores_of(n).size:6d}")
