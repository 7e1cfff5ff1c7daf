"""What is hidden has no influence at all, and masks join the way they are meant to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import (
    MultiHeadAttention,
    attention_trace,
    causal_mask,
    combine_masks,
    online_softmax_attention,
    padding_mask,
    scaled_dot_product_attention,
)
from tests.core.strategies import SPECIAL, brief, mask_of_any_form, poisoned, problems, thorough


def online_in_small_blocks(*arguments, **options):
    return online_softmax_attention(*arguments, block_size=2, **options)


def weights_of_trace(*arguments, **options):
    return attention_trace(*arguments, **options).weights


FORMS = (
    scaled_dot_product_attention,
    online_softmax_attention,
    online_in_small_blocks,
    weights_of_trace,
)
every_form = pytest.mark.parametrize("attention", FORMS)


@every_form
@thorough
@given(problem=problems(self_attention=True), cut=st.integers(0, 6))
def test_changing_the_future_never_changes_the_past_in_a_single_bit(attention, problem, cut):
    before = attention(*problem.qkv, is_causal=True)
    changed = [x.copy() for x in problem.qkv]
    for x in changed:
        future = x[..., cut:, :]
        future[...] = poisoned(1e3 * problem.rng.normal(size=future.shape), problem.rng, 0.5)
    after = attention(*changed, is_causal=True)
    assert np.array_equal(before[..., :cut, :], after[..., :cut, :])


@every_form
@thorough
@given(problem=problems(leading=((2,),)))
def test_what_the_padding_holds_never_changes_an_output_in_a_single_bit(attention, problem):
    query, key, value = problem.qkv
    n_key = key.shape[-2]
    lengths = problem.rng.integers(0, n_key + 1, size=2)
    mask = padding_mask(lengths, n_key)
    before = attention(query, key, value, mask)
    changed = [key.copy(), value.copy()]
    for x in changed:
        for sample, length in zip(x, lengths, strict=True):
            sample[length:] = poisoned(sample[length:], problem.rng, 0.5)
    assert np.array_equal(attention(query, *changed, mask), before)


@every_form
@thorough
@given(problem=problems(leading=((2,),)))
def test_a_padded_sequence_gives_what_the_sequence_without_padding_gives(attention, problem):
    query, key, value = problem.qkv
    lengths = problem.rng.integers(0, key.shape[-2] + 1, size=2)
    padded = attention(query, key, value, padding_mask(lengths, key.shape[-2]))
    for sample, length in enumerate(lengths):
        alone = attention(query[sample], key[sample, :length], value[sample, :length])
        width = alone.shape[-1]
        np.testing.assert_allclose(padded[sample, :, :width], alone, rtol=1e-10, atol=1e-12)


@thorough
@given(problem=problems())
def test_a_hidden_key_weighs_exactly_nothing_whatever_it_holds(problem):
    query, key, value = problem.qkv
    column = problem.rng.integers(key.shape[-2])
    problem.keep[:, column] = False
    for content in (*SPECIAL, 1e30, -1e30):
        filled = key.copy()
        filled[..., column, :] = content
        trace = attention_trace(query, filled, value, problem.keep)
        assert (trace.weights[..., column] == 0.0).all()
        assert (trace.weights[..., ~problem.keep] == 0.0).all()
        assert np.isfinite(trace.output).all()


@every_form
@thorough
@given(problem=problems())
def test_a_boolean_mask_and_its_additive_twin_agree_in_every_bit(attention, problem):
    twin = np.where(problem.keep, 0.0, -np.inf)
    ours, theirs = (attention(*problem.qkv, mask) for mask in (problem.keep, twin))
    assert np.array_equal(ours, theirs)


@every_form
@thorough
@given(problem=problems(), data=st.data())
def test_a_mask_means_what_it_means_when_broadcast_by_hand(attention, problem, data):
    mask = mask_of_any_form(data.draw, problem)
    whole = None if mask is None else np.broadcast_to(mask, problem.scores_shape)
    assert np.array_equal(attention(*problem.qkv, mask), attention(*problem.qkv, whole))


@every_form
@thorough
@given(problem=problems(self_attention=True), data=st.data())
def test_a_mask_and_is_causal_mean_both(attention, problem, data):
    mask = mask_of_any_form(data.draw, problem)
    causal = causal_mask(problem.query.shape[-2])
    both = attention(*problem.qkv, mask, is_causal=True)
    if mask is None:
        joined = causal
    elif mask.dtype == bool:
        joined = mask & causal
    else:
        joined = np.where(causal, mask, -np.inf)
    np.testing.assert_allclose(both, attention(*problem.qkv, joined), rtol=1e-11, atol=1e-12)


@thorough
@given(problem=problems(), data=st.data())
def test_combined_masks_hide_and_bias_as_masks_applied_one_after_the_other(problem, data):
    masks = [mask_of_any_form(data.draw, problem) for _ in range(3)]
    masks = [problem.keep, *(mask for mask in masks if mask is not None)]
    scores = attention_trace(*problem.qkv).scaled_scores.copy()
    for mask in masks:
        additive = np.where(mask, 0.0, -np.inf) if mask.dtype == bool else mask
        scores = scores + additive
    combined = combine_masks(*masks)
    trace = attention_trace(*problem.qkv, combined)
    np.testing.assert_allclose(trace.masked_scores, scores, rtol=1e-12, atol=1e-12)
    assert (combined.dtype == bool) == all(mask.dtype == bool for mask in masks)
    backward = combine_masks(*masks[::-1])
    np.testing.assert_allclose(
        np.where(np.isneginf(combined), 0, combined.astype(float)),
        np.where(np.isneginf(backward), 0, backward.astype(float)),
        atol=1e-12,
    )


@thorough
@given(
    lengths=st.lists(st.integers(0, 7), max_size=5), more=st.integers(0, 3), as_array=st.booleans()
)
def test_a_padding_mask_counts_exactly_the_real_keys_from_the_left(lengths, more, as_array):
    n_key = max(lengths, default=0) + more
    mask = padding_mask(np.array(lengths, dtype=np.uint8) if as_array else lengths, n_key)
    assert mask.shape == (len(lengths), 1, n_key)
    assert mask.dtype == bool
    for row, length in zip(mask[:, 0], lengths, strict=True):
        assert row.tolist() == [True] * length + [False] * (n_key - length)


@thorough
@given(n_query=st.integers(0, 9), n_key=st.integers(0, 9))
def test_causal_masks_keep_exactly_the_own_position_and_the_past(n_query, n_key):
    for alignment, offset in (("upper_left", 0), ("lower_right", n_key - n_query)):
        mask = causal_mask(n_query, n_key, alignment=alignment)
        expected = [[j <= i + offset for j in range(n_key)] for i in range(n_query)]
        assert mask.tolist() == expected
        assert mask.shape == (n_query, n_key)
    assert np.array_equal(causal_mask(n_query), causal_mask(n_query, alignment="lower_right"))


@brief
@given(problem=problems(self_attention=True, leading=((2,),)), cut=st.integers(0, 6))
def test_the_future_never_reaches_the_past_through_heads_and_projections(problem, cut):
    width = problem.query.shape[-1]
    layer = MultiHeadAttention(2 * width, 2, rng=problem.rng)
    x = np.concatenate([problem.query, problem.key], axis=-1)
    before = layer(x, is_causal=True)[0]
    x[:, cut:] = poisoned(x[:, cut:], problem.rng, 0.5)
    after = layer(x, is_causal=True)[0]
    np.testing.assert_array_equal(before[:, :cut], after[:, :cut])


@brief
@given(problem=problems(self_attention=True, leading=((2,),)))
def test_padding_never_reaches_real_tokens_through_heads_and_projections(problem):
    width, n = problem.query.shape[-1], problem.query.shape[-2]
    layer = MultiHeadAttention(2 * width, 2, rng=problem.rng)
    x = np.concatenate([problem.query, problem.key], axis=-1)
    lengths = problem.rng.integers(0, n + 1, size=2)
    real = padding_mask(lengths, n)[:, 0]
    before, weights = layer(x, mask=padding_mask(lengths, n))
    x[~real] = poisoned(x[~real], problem.rng, 0.5)
    after = layer(x, mask=padding_mask(lengths, n))[0]
    np.testing.assert_array_equal(before[real], after[real])
    hidden = np.broadcast_to(~real[:, np.newaxis], weights.shape)
    assert (weights[hidden] == 0.0).all()
