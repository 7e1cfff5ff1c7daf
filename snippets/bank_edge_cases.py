import numpy as np

from attention_core import bank, scaled_dot_product_attention

trace = bank.lesson("river")
RIVER, BANK = 2, 3

print("bank to itself:", trace.weights[BANK, BANK].round(2))
print("each token to itself:", trace.weights.diagonal().round(2))

rows_sum_to_1 = all(
    np.allclose(bank.lesson(sentence, mode).weights.sum(axis=1), 1.0, rtol=0, atol=1e-12)
    for sentence in bank.sentences
    for mode in ("scaled", "unscaled", "uniform")
)
print("rows sum to 1 in both sentences and all modes:", rows_sum_to_1)
print("the rounded row of bank sums to", trace.weights[BANK].round(2).sum().round(2))

for asks, key, name in ((BANK, RIVER, "bank -> river"), (RIVER, BANK, "river -> bank")):
    score, weight = trace.scaled_scores[asks, key], trace.weights[asks, key]
    print(f"{name}: score {score:.2f}, weight {weight:.2f}")


def attend(X):
    return scaled_dot_product_attention(X @ bank.W_q, X @ bank.W_k, X @ bank.W_v)


X = bank.tokens("river")
order = [BANK, RIVER, 0, 1]  # bank river by the
places = np.array([[0.0], [0.1], [0.2], [0.3]])  # belong to the place, not to the token
moved = np.allclose(attend(X[order]), attend(X)[order], rtol=0, atol=1e-12)
moved_with_places = np.allclose(
    attend(X[order] + places), attend(X + places)[order], rtol=0, atol=1e-12
)
print("outputs move with their tokens:", moved)
print("the same with positions added: ", moved_with_places)
