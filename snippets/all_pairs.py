import numpy as np

from attention_core import attention_trace

print("tokens  scores")
for n in (50, 100, 200, 400):
    tokens = np.zeros((n, 4))  # what the tokens hold does not matter for the count
    trace = attention_trace(tokens, tokens, tokens)
    print(f"{n:6d}  {trace.scores.size:6d}")
