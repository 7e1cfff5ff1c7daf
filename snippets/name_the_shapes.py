import numpy as np

from attention_core import attention_trace

n_query, n_key, d_k, d_v = 2, 5, 3, 7
rng = np.random.default_rng(0)

trace = attention_trace(
    query=rng.normal(size=(n_query, d_k)),
    key=rng.normal(size=(n_key, d_k)),
    value=rng.normal(size=(n_key, d_v)),
)

for name in ("query", "key", "value", "scores", "weights", "output"):
    print(f"{name:7s}", getattr(trace, name).shape)
