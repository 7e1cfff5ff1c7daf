"""Attention written as loops over single numbers: slow, plain, and independent of the package."""

import math

import numpy as np


def softmax_of_list(scores):
    """Softmax of a list of floats; nothing but -inf gives zeros."""
    largest = max(scores, default=-math.inf)
    if largest == -math.inf:
        return [0.0] * len(scores)
    powers = [math.exp(score - largest) for score in scores]
    return [power / sum(powers) for power in powers]


def attention_by_loops(query, key, value, keep=None, scale=None):
    """Attention of one sequence, ``(n_query, d_k)``, ``(n_key, d_k)``, ``(n_key, d_v)``."""
    n_query, d_k = query.shape
    n_key, d_v = value.shape
    scale = 1 / math.sqrt(d_k) if scale is None else scale
    output = np.zeros((n_query, d_v))
    for i in range(n_query):
        scores = []
        for j in range(n_key):
            score = scale * sum(float(query[i, c]) * float(key[j, c]) for c in range(d_k))
            scores.append(score if keep is None or keep[i, j] else -math.inf)
        weights = softmax_of_list(scores)
        for c in range(d_v):
            output[i, c] = sum(weights[j] * float(value[j, c]) for j in range(n_key))
    return output
