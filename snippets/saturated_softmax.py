import numpy as np

from attention_core import softmax

typical = np.array([1.5, 0.5, -0.5, -1.5])  # scores for d_k = 1; their spread grows with sqrt(d_k)


def slope(weights):
    jacobian = np.diag(weights) - np.outer(weights, weights)  # d weights / d scores
    return np.abs(jacobian).max()


print("     |      without divisor    |     with divisor")
print(" d_k | largest weight    slope | largest weight    slope")
for d_k in (1, 4, 16, 64, 256):
    row = f"{d_k:4d}"
    for divisor in (1.0, np.sqrt(d_k)):
        weights = softmax(typical * np.sqrt(d_k) / divisor)
        row += f" | {weights.max():14.3f}  {slope(weights):7.1e}"
    print(row)
