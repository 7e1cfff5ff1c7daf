import numpy as np

from attention_core import bank, softmax

trace = bank.lesson("river")
RIVER, BANK = 2, 3

for role in ("query", "key", "value"):
    print(f"{role:5} of bank:", getattr(trace, role)[BANK])
print("its Query with its own Key:  ", trace.scores[BANK, BANK].round(2))
print("its Query with river's Key:  ", trace.scores[BANK, RIVER].round(2))

wrong = softmax(trace.scaled_scores, axis=0)  # over the tokens that ask
print("row sums over the Keys:      ", trace.weights.sum(axis=1).round(2))
print("row sums over the wrong axis:", wrong.sum(axis=1).round(2))

lossless = np.array_equal(trace.scores / 2 * 2, trace.scores)
print("halving the scores loses no digit:", lossless)
