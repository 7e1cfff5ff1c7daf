from itertools import product

import numpy as np

# Features that are +1 or -1 with equal chance: mean 0, variance 1. So is each product q_i * k_i.
# Every case is counted, so these variances are exact, not sampled.
print("d_k  cases  variance  variance of score / sqrt(d_k)")
for d_k in (1, 2, 4, 8, 16):
    cases = np.array(list(product((-1.0, 1.0), repeat=d_k)))
    dot_products = cases.sum(axis=1)
    scaled = dot_products / np.sqrt(d_k)
    print(f"{d_k:3d}  {len(cases):5d}  {dot_products.var():8.1f}  {scaled.var():29.1f}")
