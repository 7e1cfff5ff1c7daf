import copy
import dataclasses
import math
import re

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_core import (
    AttentionTrace,
    attention_trace,
    causal_mask,
    scaled_dot_product_attention,
)
from tests.core.oracles import attention_by_loops


def draw(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng([seed, *shape]).normal(size=shape).astype(dtype)


@pytest.fixture
def qkv():
    """Distinct primes on every axis, so that no transposition goes unnoticed."""
    return draw(2, 3, 5, 7, seed=1), draw(2, 3, 11, 7, seed=2), draw(2, 3, 11, 13, seed=3)


def test_one_query_worked_by_hand():
    # scores 0 and 2 ln 3, divided by sqrt(4) = 2: 0 and ln 3, so weights 1/4 and 3/4
    query = [[2.0, 0.0, 0.0, 0.0]]
    key = [[0.0, 1.0, 0.0, 0.0], [math.log(3.0), 0.0, 0.0, 0.0]]
    output = scaled_dot_product_attention(query, key, [[8.0], [4.0]])
    np.testing.assert_allclose(output, [[5.0]], rtol=1e-15)


def test_agrees_with_pytorch_and_with_loops(qkv):
    query, key, value = qkv
    ours = scaled_dot_product_attention(query, key, value)
    theirs = F.scaled_dot_product_attention(*map(torch.from_numpy, qkv)).numpy()
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    np.testing.assert_allclose(
        ours[1, 2], attention_by_loops(query[1, 2], key[1, 2], value[1, 2]), rtol=1e-12
    )


@pytest.mark.parametrize(
    "shape", [(5, 11), (1, 11), (2, 3, 5, 11), (2, 1, 1, 11), (1, 3, 5, 1), (1, 1, 5, 11)]
)
def test_boolean_masks_of_every_shape_agree_with_pytorch(qkv, shape):
    keep = draw(*shape) > -0.5
    keep[..., :1] = True  # every query sees something: an empty row has tests of its own
    theirs = F.scaled_dot_product_attention(*map(torch.from_numpy, qkv), torch.from_numpy(keep))
    np.testing.assert_allclose(scaled_dot_product_attention(*qkv, keep), theirs.numpy(), rtol=1e-12)


def test_additive_masks_agree_with_pytorch(qkv):
    bias = draw(5, 11)
    bias[:, 4] = -np.inf
    theirs = F.scaled_dot_product_attention(*map(torch.from_numpy, qkv), torch.from_numpy(bias))
    np.testing.assert_allclose(scaled_dot_product_attention(*qkv, bias), theirs.numpy(), rtol=1e-12)


def test_a_boolean_mask_and_its_additive_twin_agree(qkv):
    keep = draw(5, 11) > 0
    additive = np.where(keep, 0.0, -np.inf)
    assert np.array_equal(
        scaled_dot_product_attention(*qkv, keep), scaled_dot_product_attention(*qkv, additive)
    )


def test_an_additive_mask_of_zeros_changes_nothing(qkv):
    assert np.array_equal(
        scaled_dot_product_attention(*qkv, np.zeros((5, 11))), scaled_dot_product_attention(*qkv)
    )


@pytest.mark.parametrize("scale", [0.0, -1.0, 0.25, 2, np.float32(0.5)])
def test_a_given_scale_replaces_the_default_even_if_zero_or_negative(qkv, scale):
    theirs = F.scaled_dot_product_attention(*map(torch.from_numpy, qkv), scale=float(scale))
    np.testing.assert_allclose(
        scaled_dot_product_attention(*qkv, scale=scale), theirs.numpy(), rtol=1e-12
    )


def test_is_causal_agrees_with_pytorch_and_with_the_mask():
    x = draw(2, 7, 5)
    causal = scaled_dot_product_attention(x, x, x, is_causal=True)
    theirs = F.scaled_dot_product_attention(*[torch.from_numpy(x)] * 3, is_causal=True)
    np.testing.assert_allclose(causal, theirs.numpy(), rtol=1e-12)
    assert np.array_equal(causal, scaled_dot_product_attention(x, x, x, causal_mask(7)))


@pytest.mark.parametrize("kind", ["boolean", "additive"])
def test_a_mask_together_with_is_causal_means_both(kind):
    x = draw(7, 5)
    keep = np.ones((7, 7), dtype=bool)
    keep[:, 2] = False
    mask = keep if kind == "boolean" else np.where(keep, 0.0, -np.inf)
    both = scaled_dot_product_attention(x, x, x, mask, is_causal=True)
    assert np.array_equal(both, scaled_dot_product_attention(x, x, x, keep & causal_mask(7)))


def test_changing_the_future_never_changes_the_past():
    x = draw(7, 5)
    changed = x.copy()
    changed[4:] = [np.nan, 1e30, -np.inf, np.inf, 0.0]
    before = scaled_dot_product_attention(x, x, x, is_causal=True)
    after = scaled_dot_product_attention(changed, changed, changed, is_causal=True)
    assert np.array_equal(before[:4], after[:4])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("kind", ["boolean", "additive"])
def test_a_query_that_sees_no_key_gets_exact_zeros(dtype, kind):
    query, key, value = draw(3, 5, dtype=dtype), draw(2, 5, dtype=dtype), draw(2, 7, dtype=dtype)
    keep = np.array([[True, True], [False, False], [True, False]])
    mask = keep if kind == "boolean" else np.where(keep, 0.0, -np.inf).astype(dtype)
    trace = attention_trace(query, key, value, mask)
    assert trace.weights[1].tolist() == [0.0, 0.0]
    assert trace.output[1].tolist() == [0.0] * 7
    np.testing.assert_allclose(trace.output[2], value[0], rtol=1e-3)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_hidden_key_weighs_exactly_nothing_however_large_its_score(dtype):
    large = np.finfo(dtype).max / 4
    query, key = np.array([[1.0]], dtype=dtype), np.array([[large], [0.0]], dtype=dtype)
    trace = attention_trace(query, key, key, np.array([[False, True]]))
    assert trace.weights.tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("poison", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", ["key", "value"])
def test_poison_behind_a_mask_never_leaks_and_a_visible_one_shows_in_its_rows_only(poison, place):
    query, key, value = draw(3, 5), draw(4, 5), draw(4, 2)
    keep = np.ones((3, 4), dtype=bool)
    keep[:2, 3] = False
    clean = scaled_dot_product_attention(query, key, value, keep)
    (key if place == "key" else value)[3, 1] = poison
    output = scaled_dot_product_attention(query, key, value, keep)
    assert np.array_equal(output[:2], clean[:2])
    assert not np.array_equal(output[2], clean[2])


def test_visible_infinities_of_both_signs_give_nan_and_of_one_sign_infinity():
    query, key = np.zeros((1, 1)), np.zeros((3, 1))
    value = np.array([[np.inf, np.inf, 1.0], [-np.inf, 2.0, 1.0], [0.0, 0.0, 1.0]])
    output = scaled_dot_product_attention(query, key, value)[0]
    assert np.isnan(output[0])
    assert output[1] == np.inf
    np.testing.assert_allclose(output[2], 1.0)


def test_a_hidden_key_weighs_nothing_even_in_a_row_that_a_visible_nan_has_spoilt():
    key = np.array([[np.nan], [1.0]])
    trace = attention_trace([[1.0]], key, [[1.0], [2.0]], [[True, False]])
    assert np.isnan(trace.weights[0, 0])
    assert trace.weights[0, 1] == 0.0


def test_infinity_in_one_query_spoils_that_row_only():
    query, key, value = draw(3, 5), draw(4, 5), draw(4, 2)
    clean = scaled_dot_product_attention(query, key, value)
    query[1, 0] = np.inf
    output = scaled_dot_product_attention(query, key, value)
    assert np.isnan(output[1]).all()
    assert np.array_equal(output[[0, 2]], clean[[0, 2]])


def test_no_keys_at_all_behave_like_a_row_without_visible_keys():
    output = scaled_dot_product_attention(np.ones((3, 5)), np.ones((0, 5)), np.ones((0, 2)))
    assert output.tolist() == [[0.0, 0.0]] * 3
    assert scaled_dot_product_attention(np.ones((0, 5)), draw(2, 5), draw(2, 3)).shape == (0, 3)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_float_dtype_is_kept_and_integers_become_float64(dtype, qkv):
    assert scaled_dot_product_attention(*(x.astype(dtype) for x in qkv)).dtype == dtype
    x = np.eye(3, dtype=int)
    assert scaled_dot_product_attention(x, x, x).dtype == np.float64


def test_float16_scores_beyond_its_range_do_not_overflow():
    query = np.full((1, 4), 200.0, dtype=np.float16)
    key = np.array([[200.0] * 4, [199.0] * 4], dtype=np.float16)  # products near 160000
    trace = attention_trace(query, key, np.eye(2, dtype=np.float16))
    assert np.isfinite(trace.scores).all()
    assert trace.weights.tolist() == [[1.0, 0.0]]


def test_the_trace_holds_every_step_and_its_output_is_that_of_the_function(qkv):
    query, key, value = qkv
    keep = draw(5, 11) > -1.0
    trace = attention_trace(query, key, value, keep, scale=0.3)
    np.testing.assert_allclose(trace.scores, query @ key.swapaxes(-1, -2), rtol=1e-12)
    np.testing.assert_allclose(trace.scaled_scores, trace.scores * 0.3, rtol=1e-12)
    assert np.array_equal(trace.masked_scores, np.where(keep, trace.scaled_scores, -np.inf))
    np.testing.assert_allclose(trace.weights.sum(axis=-1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(trace.output, trace.weights @ value, rtol=1e-12)
    assert trace.scale == 0.3
    assert np.array_equal(trace.mask, keep)
    assert np.array_equal(
        trace.output, scaled_dot_product_attention(query, key, value, keep, scale=0.3)
    )
    assert attention_trace(query, key, value).mask is None


def test_the_trace_is_a_read_only_copy(qkv):
    query, key, value = qkv
    trace = attention_trace(query, key, value)
    kept = trace.query.copy()
    query += 1.0
    assert np.array_equal(trace.query, kept)
    for field in dataclasses.fields(AttentionTrace):
        array = getattr(trace, field.name)
        if isinstance(array, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        trace.scale = 1.0


def test_the_inputs_are_never_changed(qkv):
    keep = draw(5, 11) > 0
    before = copy.deepcopy((qkv, keep))
    for array in (*qkv, keep):
        array.flags.writeable = False
    attention_trace(*qkv, keep)
    scaled_dot_product_attention(*qkv, keep)
    assert all(map(np.array_equal, (*qkv, keep), (*before[0], before[1])))


def test_views_and_lists_give_what_contiguous_arrays_give(qkv):
    query, key, value = qkv
    expected = scaled_dot_product_attention(query, key, value)
    fortran = [np.asfortranarray(x) for x in qkv]
    np.testing.assert_allclose(scaled_dot_product_attention(*fortran), expected, rtol=1e-12)
    backward = [x[::-1] for x in qkv]
    np.testing.assert_allclose(scaled_dot_product_attention(*backward), expected[::-1], rtol=1e-12)
    lists = [x.tolist() for x in qkv]
    np.testing.assert_allclose(scaled_dot_product_attention(*lists), expected, rtol=1e-12)


def ones(*shape, dtype=float):
    return np.ones(shape, dtype=dtype)


# What differs from the good call (query (2, 3), key (4, 3), value (4, 3)), and what is said of it.
BAD_CALLS = [
    (
        {"key": ones(4, 5), "value": ones(4, 5)},
        ValueError,
        "key has width 5 but query has width 3 (query (2, 3), key (4, 5), value (4, 5))",
    ),
    ({"value": ones(5, 3)}, ValueError, "value has length 5 but key has length 4"),
    ({"query": ones(3)}, ValueError, "query has shape (3,); it needs at least the two axes"),
    ({"query": ones(2, 0), "key": ones(4, 0)}, ValueError, "query and key have width 0"),
    (
        {"query": ones(1, 2, 3), "key": ones(5, 4, 3), "value": ones(5, 4, 3)},
        ValueError,
        "the leading (batch) axes are query (1,), key (5,), value (5,)",
    ),
    ({"query": 1j * ones(2, 3)}, TypeError, "query has dtype complex128"),
    ({"query": np.ma.masked_invalid(ones(2, 3))}, TypeError, "query is a numpy.ma.MaskedArray"),
    ({"key": ones(4, 3, dtype=object)}, TypeError, "key has dtype object"),
    ({"value": [["a"] * 3] * 4}, TypeError, "value has dtype <U1"),
    ({"mask": ones(2, 4, dtype=int)}, TypeError, "mask has dtype int64; an integer mask could"),
    ({"mask": [["a"] * 4] * 2}, TypeError, "mask has dtype <U1; it must be boolean"),
    ({"mask": [[1.0, 0.0, 1.0, 0.0]] * 2}, ValueError, "mask is a float mask of only 0 and 1"),
    ({"mask": [[np.inf, 0, 0, 0]] * 2}, ValueError, "mask is a float mask with NaN or +inf"),
    ({"mask": [[np.nan, 0, 0, 0]] * 2}, ValueError, "mask is a float mask with NaN or +inf"),
    (
        {"mask": ones(4, 2, dtype=bool)},
        ValueError,
        "mask has shape (4, 2) but the scores have shape (2, 4); a mask is (2 or 1, 4)",
    ),
    ({"mask": ones(4, dtype=bool)}, ValueError, "mask has shape (4,) but the scores have shape"),
    (
        {
            "query": ones(2, 5, 2, 3),
            "key": ones(2, 5, 4, 3),
            "value": ones(2, 5, 4, 3),
            "mask": ones(5, 2, 4, dtype=bool),  # would line up with the head axis by accident
        },
        ValueError,
        "mask has shape (5, 2, 4) but the scores have shape (2, 5, 2, 4)",
    ),
    ({"is_causal": True}, ValueError, "is_causal=True needs equal lengths but n_query is 2 and"),
    ({"is_causal": ones(2, 4)}, TypeError, "is_causal is array([[1., 1., 1., 1.],"),
    ({"scale": np.nan}, ValueError, "scale is nan (float); it must be a finite number"),
    ({"scale": True}, TypeError, "scale is True (bool)"),
    ({"scale": "2"}, TypeError, "scale is '2' (str)"),
]


@pytest.mark.parametrize("function", [scaled_dot_product_attention, attention_trace])
@pytest.mark.parametrize(("changes", "error", "message"), BAD_CALLS)
def test_bad_calls_name_function_argument_and_shapes(function, changes, error, message):
    good = {"query": ones(2, 3), "key": ones(4, 3), "value": ones(4, 3)}
    with pytest.raises(error, match=re.escape(f"{function.__name__}: {message}")):
        function(**good | changes)
