import numpy as np

from attention_core import bank, softmax

print("dimensions:", ", ".join(bank.dimensions))
# --8<-- [start:input]
X = bank.tokens("river")  # (4 tokens, 4 dimensions): by, the, river, bank
# --8<-- [end:input]
# --8<-- [start:project]
Q, K, V = X @ bank.W_q, X @ bank.W_k, X @ bank.W_v
query = Q[3]  # bank asks
# --8<-- [end:project]
# --8<-- [start:score]
scores = K @ query  # one dot product for each Key
scaled = scores / np.sqrt(4)
# --8<-- [end:score]
# --8<-- [start:normalise]
powers = np.exp(scaled)
weights = powers / powers.sum()
# --8<-- [end:normalise]
# --8<-- [start:mix]
parts = weights[:, None] * V  # (4 tokens, 4 dimensions): what each token hands over
output = parts.sum(axis=0)  # the same as weights @ V
# --8<-- [end:mix]
# --8<-- [start:parallel]
all_scaled = Q @ K.T / np.sqrt(4)  # (4 that ask, 4 Keys)
all_weights = softmax(all_scaled)  # each row by itself, over the Keys
outputs = all_weights @ V
# --8<-- [end:parallel]

for name, matrix in {"X": X, "W_q": bank.W_q, "K": K, "V": V}.items():
    print(name)
    print(matrix)
print("query  ", query)
print("scores ", scores.round(2))
print("scaled ", scaled.round(2))
print("powers ", powers.round(2))
print("weights", weights.round(2))
print("output ", output.round(2))
print("all scaled scores")
print(all_scaled.round(2))
print("all weights")
print(all_weights.round(2))
