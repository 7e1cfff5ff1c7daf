"""Axes that were swapped, merged or matched by accident."""

import numpy as np
import pytest
import torch

from attention_core import MultiHeadAttention, attention_trace, scaled_dot_product_attention
from attention_core._heads import merge_heads, split_heads
from tests.core.bugcases.layers import as_torch, identity_layer

NEAR, FAR = 0.6697615493266569, 0.3302384506733431


def test_shape_04_tokens_attend_to_tokens_when_heads_stand_before_the_length():
    """NVlabs/FoundationStereo PR #217: (batch, length, head, width) let heads attend to heads."""
    x = np.array([[[[1.0], [2.0]], [[3.0], [4.0]]]])  # (batch, length, head, width)
    heads = x.swapaxes(1, 2)
    output = scaled_dot_product_attention(heads, heads, heads).swapaxes(1, 2)
    right = [
        [
            [[2.7615941559557644], [3.964027580075817]],
            [[2.995054753686731], [3.9993292997390673]],
        ]
    ]
    np.testing.assert_allclose(output, right, rtol=1e-12)
    assert not np.allclose(scaled_dot_product_attention(x, x, x), right)
    merged, _ = identity_layer(2, 2)(x[..., 0])
    np.testing.assert_allclose(merged, output[..., 0], rtol=1e-12)


def test_shape_05_a_width_that_heads_do_not_divide_is_refused_with_both_numbers():
    """pytorch/pytorch issue #28719, rasbt/LLMs-from-scratch issue #444."""
    for embed_dim, num_heads in ((5, 2), (1600, 48)):
        message = f"embed_dim {embed_dim} is not divisible by num_heads {num_heads}"
        with pytest.raises(ValueError, match=message):
            MultiHeadAttention(embed_dim, num_heads)
    assert MultiHeadAttention(50, 25).head_dim == 2


def test_shape_06_merging_heads_keeps_the_features_of_a_token_together():
    """jsbaan/transformer-from-scratch PR #6, 649453932/Chinese-Text-Classification-Pytorch #10."""
    heads = np.array([[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]])
    assert merge_heads(heads).tolist() == [[[1, 2, 5, 6], [3, 4, 7, 8]]]


def test_shape_07_splitting_heads_cuts_features_and_not_tokens():
    """reczoo/FuxiCTR issue #30: a bare reshape gave each head half of the tokens."""
    x = np.array([[[1, 2, 3, 4], [5, 6, 7, 8]]])
    assert split_heads(x, 2).tolist() == [[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]]


def test_shape_08_two_heads_tell_the_right_merge_from_a_reshape_and_one_does_not():
    """hackiey/QAnet-pytorch issue #2: with one head the wrong merge gives the right answer."""
    one = np.array([[[[1, 2], [3, 4]]]])
    two = np.array([[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]])
    assert np.array_equal(merge_heads(one), one.reshape(1, 2, 2))
    assert not np.array_equal(merge_heads(two), two.reshape(1, 2, 4))


def test_shape_09_keys_and_values_may_have_widths_of_their_own():
    """pytorch/pytorch issue #27623: kdim and vdim need separate projections."""
    layer = MultiHeadAttention(2, 1, kdim=3, vdim=1, bias=False)
    state = {
        "q_proj_weight": np.eye(2),
        "k_proj_weight": np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        "v_proj_weight": np.array([[1.0], [2.0]]),
        "out_proj.weight": np.eye(2),
    }
    layer.load_state_dict(state)
    key, value = [[[1.0, 0.0, 5.0], [0.0, 1.0, 5.0]]], [[[10.0], [20.0]]]
    output, weights = layer([[[1.0, 0.0]]], key, value)
    np.testing.assert_allclose(output, [[[13.302384506733432, 26.604769013466864]]], rtol=1e-12)
    np.testing.assert_allclose(weights, [[[NEAR, FAR]]], rtol=1e-12)
    assert layer.state_dict().keys() == state.keys()
    theirs = as_torch(layer, kdim=3, vdim=1, bias=False)
    tensors = (torch.tensor(x, dtype=torch.float64) for x in ([[[1.0, 0.0]]], key, value))
    np.testing.assert_allclose(output, theirs(*tensors)[0].detach().numpy(), rtol=1e-12)


def test_shape_10_values_of_another_width_than_vdim_are_refused_with_both_widths():
    """pytorch/pytorch issue #41070: vdim says 4, the values have 10."""
    layer = MultiHeadAttention(10, 1, vdim=4)
    x = np.zeros((1, 2, 10))
    with pytest.raises(ValueError, match=r"value has width 10 .* but vdim is 4"):
        layer(x, x, x)


def test_shape_11_cross_attention_weights_are_target_by_source():
    """tensorflow/tensor2tensor issue #500: they came out (source, target)."""
    trace = attention_trace(np.zeros((2, 4)), np.zeros((3, 4)), [[1.0], [2.0], [6.0]])
    np.testing.assert_allclose(trace.weights, np.full((2, 3), 1 / 3), rtol=1e-15)
    np.testing.assert_allclose(trace.output, [[3.0], [3.0]], rtol=1e-15)


def test_shape_12_a_query_batch_that_differs_from_the_key_batch_is_refused():
    """pytorch/pytorch issue #64888: 1 against 4 went through in silence and cost days."""
    query, key = np.zeros((1, 1, 4)), np.zeros((4, 3, 4))
    for call in (scaled_dot_product_attention, MultiHeadAttention(4, 2)):
        with pytest.raises(ValueError, match=r"leading \(batch\) axes are query \(1.*key \(4"):
            call(query, key, key)


def test_shape_13_lengths_and_widths_that_differ_are_refused():
    """ooples/AiDotNet.Tensors PR #270: neither was checked."""
    with pytest.raises(ValueError, match="value has length 4 but key has length 3"):
        scaled_dot_product_attention(np.zeros((2, 5)), np.zeros((3, 5)), np.zeros((4, 5)))
    with pytest.raises(ValueError, match="key has width 3 but query has width 2"):
        scaled_dot_product_attention(np.zeros((5, 2)), np.zeros((5, 3)), np.zeros((5, 2)))


def test_shape_16_no_keys_give_zeros_and_no_queries_give_no_rows():
    """pytorch/pytorch PR #192651: empty inputs were handled inconsistently."""
    output = scaled_dot_product_attention(np.ones((2, 5)), np.ones((0, 5)), np.ones((0, 3)))
    assert output.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    none = scaled_dot_product_attention(np.ones((0, 5)), np.ones((2, 5)), np.ones((2, 3)))
    assert none.shape == (0, 3)
    layer = identity_layer(2, 2)
    output, weights = layer(np.ones((1, 2, 2)), np.ones((1, 0, 2)))
    assert output.tolist() == [[[0.0, 0.0], [0.0, 0.0]]]
    assert weights.shape == (1, 2, 0)


def test_shape_18_two_axes_are_one_sequence_not_a_batch_of_vectors():
    """pytorch/pytorch PR #67176: input without a batch."""
    output, weights = identity_layer(2, 1)(np.eye(2))
    expected = [[NEAR, FAR], [FAR, NEAR]]
    np.testing.assert_allclose(output, expected, rtol=1e-12)
    np.testing.assert_allclose(weights, expected, rtol=1e-12)


def test_shape_19_a_projection_may_move_features_from_one_head_to_another():
    """MarcoMeter/episodic-transformer-memory-ppo PR #22: heads were cut before projecting."""
    swap = np.eye(4)[[2, 3, 0, 1]]
    layer = identity_layer(4, 2, in_proj_weight=np.concatenate([np.zeros((8, 4)), swap]))
    output, _ = layer([[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]])
    assert output.tolist() == [[[5.0, 6.0, 3.0, 4.0], [5.0, 6.0, 3.0, 4.0]]]


def test_shape_20_the_output_projection_is_applied():
    """Kyubyong/transformer issue #117: it was missing after the heads were joined."""
    state = {"out_proj.weight": np.array([[0.0, 1.0], [1.0, 0.0]]), "out_proj.bias": [1.0, 0.0]}
    output, _ = identity_layer(2, 1, **state)([[[3.0, 5.0]]])
    assert output.tolist() == [[[6.0, 3.0]]]
