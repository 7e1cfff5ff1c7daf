import re

import numpy as np
import pytest

from attention_core import (
    MultiHeadAttention,
    attention_trace,
    causal_mask,
    combine_masks,
    padding_mask,
)


def test_lengths_worked_by_hand():
    mask = padding_mask([3, 0, 1], 3)
    assert mask.astype(int).tolist() == [[[1, 1, 1]], [[0, 0, 0]], [[1, 0, 0]]]
    assert mask.dtype == np.bool_


def test_padding_hides_columns_even_where_every_size_is_the_same():
    zeros = np.zeros((3, 3, 5))
    weights = attention_trace(zeros, zeros, zeros, padding_mask([1, 2, 3], 3)).weights
    for sample, length in enumerate((1, 2, 3)):
        assert (weights[sample, :, length:] == 0.0).all()
        np.testing.assert_allclose(weights[sample, :, :length], 1 / length, rtol=1e-15)


def test_padding_reaches_every_head_with_or_without_a_written_head_axis():
    layer = MultiHeadAttention(6, 3, rng=np.random.default_rng(0))
    x = np.random.default_rng(1).normal(size=(2, 5, 6))
    mask = padding_mask([5, 2], 5)
    plain, weights = layer(x, mask=mask, average_attn_weights=False)
    written, _ = layer(x, mask=mask[:, np.newaxis])
    assert np.array_equal(plain, written)
    assert (weights[1, :, :, 2:] == 0.0).all()


def test_no_sequences_and_no_keys_are_allowed():
    assert padding_mask([], 3).shape == (0, 1, 3)
    assert padding_mask([0, 0], 0).shape == (2, 1, 0)
    assert padding_mask(np.array([2], dtype=np.uint8), np.int64(2)).tolist() == [[[True, True]]]


def test_boolean_masks_join_by_and():
    one = np.array([[True, True, False]])
    other = np.array([[True, False, False], [False, True, True]])
    joined = combine_masks(one, other)
    assert joined.tolist() == [[True, False, False], [False, True, False]]
    assert joined.dtype == np.bool_


def test_additive_masks_are_summed_and_minus_infinity_wins():
    joined = combine_masks([[0.5, -np.inf, 2.0]], [[0.25, 3.0, -np.inf]])
    assert joined.tolist() == [[0.75, -np.inf, -np.inf]]


def test_a_boolean_and_an_additive_mask_make_an_additive_one():
    joined = combine_masks([[True, False, True]], np.array([[-1.0, 2.0, -np.inf]], np.float32))
    assert joined.tolist() == [[-1.0, -np.inf, -np.inf]]
    assert joined.dtype == np.float32


def test_two_axes_are_queries_and_keys_beside_masks_with_more():
    joined = combine_masks(causal_mask(3), padding_mask([2, 1], 3))
    assert joined.shape == (2, 3, 3)
    assert joined[1].astype(int).tolist() == [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
    heads = np.ones((2, 5, 1, 1), dtype=bool)
    assert combine_masks(heads, causal_mask(3)).shape == (2, 5, 3, 3)


def test_one_mask_alone_is_copied():
    keep = np.array([[True, False]])
    joined = combine_masks(keep)
    joined[...] = False
    assert keep.tolist() == [[True, False]]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_two_masks_of_the_lowest_number_still_hide_and_raise_no_warning(dtype):
    lowest = np.array([[0.0, np.finfo(dtype).min]], dtype=dtype)
    joined = combine_masks(lowest, lowest)
    trace = attention_trace([[0.0]], [[0.0], [0.0]], [[3.0], [5.0]], joined)
    assert trace.weights.tolist() == [[1.0, 0.0]]


def test_three_axes_beside_four_are_refused_since_they_would_meet_the_heads():
    with pytest.raises(ValueError, match=re.escape("the shapes (2, 1, 3), (2, 2, 1, 3) do not")):
        combine_masks(padding_mask([1, 2], 3), np.ones((2, 2, 1, 3), dtype=bool))


def test_the_number_of_a_wrong_mask_is_named():
    keep = np.ones((2, 2), dtype=bool)
    with pytest.raises(TypeError, match="combine_masks: mask 2 has dtype int64"):
        combine_masks(keep, np.ones((2, 2), dtype=int))
    with pytest.raises(ValueError, match="combine_masks: mask 3 is a float mask of only 0 and 1"):
        combine_masks(keep, keep, np.eye(2))
