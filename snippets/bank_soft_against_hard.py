import numpy as np

from attention_core import bank, softmax

X = bank.tokens("river")


def scaled_scores(W_q, W_k):
    return (X @ W_k) @ (X[3] @ W_q) / np.sqrt(4)  # bank asks


def soft(scores, values):
    return softmax(scores) @ values


def hard(scores, values):
    return values[np.argmax(scores)]


def slopes(result_at, x, step=1e-6):
    """Nudge each entry of x up and down, and see how much the result moves."""
    found = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        nudge = np.zeros(x.shape)
        nudge[place] = step
        found[place] = (result_at(x + nudge) - result_at(x - nudge)) / (2 * step)
    return found


def gradients(search):
    """Give the slopes of the geography in bank's output by all that it is made from."""
    W_q, W_k, W_v = bank.W_q, bank.W_k, bank.W_v
    s, v = scaled_scores(W_q, W_k), (X @ W_v)[:, 0]  # geography alone
    return {
        "scores": slopes(lambda x: search(x, v), s),
        "Values": slopes(lambda x: search(s, x), v),
        "W_q": slopes(lambda W: search(scaled_scores(W, W_k), v), W_q),
        "W_k": slopes(lambda W: search(scaled_scores(W_q, W), v), W_k),
        "W_v": slopes(lambda W: search(s, (X @ W)[:, 0]), W_v),
    }


by_soft, by_hard = gradients(soft), gradients(hard)
for name, found in {"soft": by_soft, "hard": by_hard}.items():
    print(name)
    for by in ("scores", "Values"):
        print(f"  by {by}", found[by].round(2) + 0.0)
    for by in ("W_q", "W_k", "W_v"):
        print(f"  by {by}, largest", np.abs(found[by]).max().round(2))

V = X @ bank.W_v
near_match = scaled_scores(bank.W_q, bank.W_k)
near_match[3] = 2.2  # bank itself now fits nearly as well as river
print("scores with a near match", near_match.round(2))
print("  soft output", soft(near_match, V).round(2))
print("  hard output", hard(near_match, V).round(2))
