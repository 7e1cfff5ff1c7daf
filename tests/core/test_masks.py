import re

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch.nn.attention.bias import causal_lower_right, causal_upper_left

from attention_core import causal_mask, scaled_dot_product_attention


def test_the_lower_triangle_with_its_diagonal_is_visible():
    assert causal_mask(3).astype(int).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]


def test_a_single_token_sees_itself():
    assert causal_mask(1).tolist() == [[True]]


def test_upper_left_puts_the_first_query_at_the_first_key():
    mask = causal_mask(2, 5, alignment="upper_left")
    assert mask.astype(int).tolist() == [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0]]


def test_lower_right_puts_the_last_query_at_the_last_key():
    mask = causal_mask(2, 5, alignment="lower_right")
    assert mask.astype(int).tolist() == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]


def test_more_queries_than_keys_leave_the_first_rows_empty_when_aligned_lower_right():
    mask = causal_mask(3, 2, alignment="lower_right")
    assert mask.astype(int).tolist() == [[0, 0], [1, 0], [1, 1]]


@pytest.mark.parametrize(("n_query", "n_key"), [(2, 7), (5, 5)])
def test_both_alignments_agree_with_pytorch(n_query, n_key):
    rng = np.random.default_rng(0)
    query, key, value = (rng.normal(size=(n, 3)) for n in (n_query, n_key, n_key))
    for alignment, bias in (("upper_left", causal_upper_left), ("lower_right", causal_lower_right)):
        mask = causal_mask(n_query, n_key, alignment=alignment)
        theirs = F.scaled_dot_product_attention(
            *(torch.from_numpy(x)[None, None] for x in (query, key, value)), bias(n_query, n_key)
        )
        ours = scaled_dot_product_attention(query, key, value, mask)
        np.testing.assert_allclose(ours, theirs[0, 0].numpy(), rtol=1e-12)


def test_numpy_integers_count_as_whole_numbers():
    assert causal_mask(np.int64(2)).shape == (2, 2)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((2, 3), ValueError, "n_query is 2 and n_key is 3; different lengths need alignment="),
        ((-1,), ValueError, "causal_mask: n_query is -1; it must be at least 0"),
        ((2, -1), ValueError, "causal_mask: n_key is -1; it must be at least 0"),
        ((2.0,), TypeError, "causal_mask: n_query is 2.0 (float); it must be a whole number"),
        ((True,), TypeError, "causal_mask: n_query is True"),
        (("3",), TypeError, "causal_mask: n_query is '3' (str)"),
    ],
)
def test_bad_lengths_are_named(arguments, error, message):
    with pytest.raises(error, match=re.escape(message)):
        causal_mask(*arguments)


def test_an_unknown_alignment_is_named():
    with pytest.raises(ValueError, match="alignment is 'left'; it must be 'upper_left' or"):
        causal_mask(2, alignment="left")
