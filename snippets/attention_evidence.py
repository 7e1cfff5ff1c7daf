import numpy as np

from attention_core import attention_trace

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
W_q = np.array([[1.0, 0.5], [0.0, 1.0]])
W_k = np.array([[0.5, 1.0], [1.0, 0.0]])
W_v = np.array([[1.0, -0.5], [0.5, 1.0]])

other_X = X.copy()
other_X[-1] = 9.0  # another last token: for all the others, another future


def trace_of(X, W_v):
    return attention_trace(X @ W_q, X @ W_k, X @ W_v, is_causal=True)


def close(a, b):
    return np.allclose(a, b, rtol=1e-12, atol=1e-12)


trace = trace_of(X, W_v)
other_content = trace_of(X, 2 * W_v)
other_future = trace_of(other_X, W_v)
d_k = trace.key.shape[-1]

print("score rule ", close(trace.scaled_scores, trace.query @ trace.key.T / np.sqrt(d_k)))
print("weight rule", trace.weights.sum(axis=1).round(6))
print("output rule", close(trace.output, trace.weights @ trace.value))
print("QKV rule   ", np.array_equal(other_content.weights, trace.weights))
print("           ", np.array_equal(other_content.output, 2 * trace.output))
print("mask rule  ", trace.weights[~trace.mask])
print("LLM bridge ", np.array_equal(other_future.output[:-1], trace.output[:-1]))

print("weights")
print(trace.weights.round(3))
print("output")
print(trace.output.round(3))
