"""NaN and infinity: silent behind a mask, visible in their own row, nowhere else."""

import numpy as np
import torch
import torch.nn.functional as F

from attention_core import online_softmax_attention, scaled_dot_product_attention
from tests.core.bugcases.layers import identity_layer

FORMS = (scaled_dot_product_attention, online_softmax_attention)


def test_nonfinite_02_nan_in_a_hidden_key_does_not_leak():
    """pytorch/pytorch issue #101967: there it does, with a boolean mask as with an added -inf."""
    query, value = [[1.0, 0.0]], [[10.0, 0.0], [0.0, 10.0]]
    key = np.array([[1.0, 0.0], [np.nan, 1.0]])
    for attention in FORMS:
        for mask in (np.array([[True, False]]), np.array([[0.0, -np.inf]])):
            assert attention(query, key, value, mask).tolist() == [[10.0, 0.0]]
            assert attention(query, np.eye(2), key, mask).tolist() == [[1.0, 0.0]]


def test_nonfinite_03_what_fills_the_padding_does_not_matter():
    """pytorch/pytorch issue #64525: all NaN with a padding mask."""
    near, far = 0.6697615493266569, 0.3302384506733431
    keep = np.array([[True, True, False]])
    for filler in (1e10, 1e-10, 0.0):
        x = np.array([[1.0, 0.0], [0.0, 1.0], [filler, filler]])
        for attention in FORMS:
            output = attention(x, x, x, keep)[:2]
            np.testing.assert_allclose(output, [[near, far], [far, near]], rtol=1e-12)
        output, _ = identity_layer(2, 1)(x, mask=keep)
        np.testing.assert_allclose(output[:2], [[near, far], [far, near]], rtol=1e-12)


def test_nonfinite_04_infinity_in_one_query_spoils_that_row_only():
    """jax-ml/jax issue #21495: softmax of inf is NaN."""
    query = np.array([[np.inf, 0.0], [1.0, 0.0]])
    key, value = np.eye(2), 10 * np.eye(2)
    theirs = F.scaled_dot_product_attention(*map(torch.from_numpy, (query, key, value))).numpy()
    for attention in FORMS:
        output = attention(query, key, value)
        assert np.isnan(output[0]).all()
        np.testing.assert_allclose(output[1], [6.697615493266569, 3.302384506733431], rtol=1e-12)
        np.testing.assert_allclose(output, theirs, rtol=1e-12)
