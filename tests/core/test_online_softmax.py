import math
import tracemalloc

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_core import causal_mask, online_softmax_attention, scaled_dot_product_attention
from tests.core.oracles import attention_by_loops


def draw(*shape, dtype=np.float64):
    return np.random.default_rng([3, *shape]).normal(size=shape).astype(dtype)


def test_two_blocks_worked_by_hand():
    # scores ln 1, then ln 3: the second block raises the largest score, so the first sum is
    # corrected by 1/3; the weights are 1/4 and 3/4
    key = [[0.0], [math.log(3.0)]]
    output = online_softmax_attention([[1.0]], key, [[8.0], [4.0]], block_size=1)
    np.testing.assert_allclose(output, [[5.0]], rtol=1e-15)
    falling = online_softmax_attention([[1.0]], key[::-1], [[4.0], [8.0]], block_size=1)
    np.testing.assert_allclose(falling, [[5.0]], rtol=1e-15)


@pytest.mark.parametrize("block_size", [1, 2, 3, 5, 11, 512])
def test_it_agrees_with_pytorch_and_with_loops_for_every_block_size(block_size):
    query, key, value = draw(2, 3, 5, 7), draw(2, 3, 11, 7), draw(2, 3, 11, 13)
    keep = draw(5, 11) > -0.5
    ours = online_softmax_attention(query, key, value, keep, block_size=block_size)
    tensors = map(torch.from_numpy, (query, key, value, keep))
    theirs = F.scaled_dot_product_attention(*tensors)
    np.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-10, atol=1e-14)
    loops = attention_by_loops(query[1, 2], key[1, 2], value[1, 2], keep)
    np.testing.assert_allclose(ours[1, 2], loops, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("block_size", [1, 2, 3, 7, 8])
def test_is_causal_needs_no_mask_and_joins_with_one(block_size):
    x, keep = draw(2, 7, 5), draw(2, 7, 7) > 0
    plain = online_softmax_attention(x, x, x, is_causal=True, block_size=block_size)
    expected = scaled_dot_product_attention(x, x, x, causal_mask(7))
    np.testing.assert_allclose(plain, expected, rtol=1e-12)
    for mask in (keep, np.where(keep, 0.5, -np.inf)):
        joined = online_softmax_attention(x, x, x, mask, is_causal=True, block_size=block_size)
        expected = scaled_dot_product_attention(x, x, x, keep & causal_mask(7))
        np.testing.assert_allclose(joined, expected, rtol=1e-12)


def test_a_first_block_without_a_visible_key_does_no_harm():
    query, key, value = draw(3, 5), draw(7, 5), draw(7, 2)
    keep = np.zeros((3, 7), dtype=bool)
    keep[0, 6] = True
    keep[1, :] = True
    output = online_softmax_attention(query, key, value, keep, block_size=2)
    np.testing.assert_allclose(output[0], value[6], rtol=1e-15)
    assert output[2].tolist() == [0.0, 0.0]
    np.testing.assert_allclose(
        output[1], scaled_dot_product_attention(query, key, value)[1], rtol=1e-12
    )


def test_scores_that_rise_and_fall_by_thousands_between_blocks_do_not_overflow():
    scores = np.array([-2000.0, 3000.0, 1.0, 3000.0, -4000.0, 5.0])
    output = online_softmax_attention(
        [[1.0]], scores[:, np.newaxis], np.eye(6), scale=1.0, block_size=1
    )
    assert output.tolist() == [[0.0, 0.5, 0.0, 0.5, 0.0, 0.0]]


def test_infinite_values_meet_as_they_do_in_the_direct_form():
    value = np.array([[np.inf, np.inf, 1.0], [-np.inf, 2.0, 1.0], [0.0, np.nan, 1.0]])
    query, key = np.zeros((2, 1)), np.zeros((3, 1))
    keep = np.array([[True, True, True], [False, True, False]])
    for block_size in (1, 2, 3):
        output = online_softmax_attention(query, key, value, keep, block_size=block_size)
        assert np.isnan(output[0, :2]).all()
        assert output[1].tolist() == [-np.inf, 2.0, 1.0]


def test_no_keys_and_no_queries():
    none = online_softmax_attention(np.ones((3, 5)), np.ones((0, 5)), np.ones((0, 2)))
    assert none.tolist() == [[0.0, 0.0]] * 3
    assert online_softmax_attention(np.ones((0, 5)), draw(2, 5), draw(2, 3)).shape == (0, 3)
    assert online_softmax_attention(*[np.ones((0, 2, 3))] * 3).shape == (0, 2, 3)


def test_float16_products_beyond_its_range_do_not_overflow():
    query = np.full((1, 4), 200.0, dtype=np.float16)
    key = np.array([[200.0] * 4, [199.0] * 4], dtype=np.float16)
    output = online_softmax_attention(query, key, np.eye(2, dtype=np.float16))
    assert output.tolist() == [[1.0, 0.0]]
    assert output.dtype == np.float16


def peak_of(function, *arguments, **options):
    tracemalloc.start()
    try:
        function(*arguments, **options)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("is_causal", [False, True])
def test_memory_stays_far_below_that_of_an_n_by_n_matrix_and_grows_as_n(is_causal):
    peaks = []
    for n in (512, 2048):
        x = draw(n, 2, dtype=np.float32)
        peaks.append(peak_of(online_softmax_attention, x, x, x, is_causal=is_causal, block_size=64))
    assert peaks[1] < 2048 * 2048 * 4 / 20
    assert peaks[1] < 4.5 * peaks[0]


def test_is_causal_never_looks_at_the_keys_of_the_future():
    x = draw(6, 3)
    x[2:] = np.nan
    output = online_softmax_attention(x, x, x, is_causal=True, block_size=2)
    assert np.isfinite(output[:2]).all()
    assert np.isnan(output[2:]).all()


def test_the_default_block_size_gives_the_result_of_a_small_one():
    x = draw(600, 3)
    whole = online_softmax_attention(x, x, x, is_causal=True)
    small = online_softmax_attention(x, x, x, is_causal=True, block_size=97)
    np.testing.assert_allclose(whole, small, rtol=1e-10, atol=1e-13)


def test_a_scale_that_brings_the_products_into_range_does_so_in_both_forms():
    query, key, value = [[1e200]], [[1e200], [0.0]], [[1.0], [0.0]]
    for function in (scaled_dot_product_attention, online_softmax_attention):
        assert function(query, key, value, scale=1e-200).tolist() == [[1.0]]
