from itertools import product

import numpy as np

from attention_core import softmax

d_model, num_heads = 64, 4
d_k = d_model // num_heads  # each head compares queries and keys of this width

cases = np.array(list(product((-1.0, 1.0), repeat=d_k)))
dot_products = cases.sum(axis=1)
typical = np.array([1.5, 0.5, -0.5, -1.5]) * np.sqrt(d_k)  # spread as d_k features spread scores

for name, width in (("d_k", d_k), ("d_model", d_model)):
    print(f"divided by sqrt({name}) = {np.sqrt(width):.0f}")
    print("  variance:", (dot_products / np.sqrt(width)).var().round(3))
    print("  weights: ", softmax(typical / np.sqrt(width)).round(3))
