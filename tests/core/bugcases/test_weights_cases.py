"""The weights that are returned: what they sum to, whose they are, and that they are the ones."""

import numpy as np
import torch

from attention_core import attention_trace
from tests.core.bugcases.layers import as_torch, attend_scores, identity_layer


def test_weights_02_rows_sum_to_one_and_a_hidden_key_weighs_exactly_zero():
    """idiap/fast-transformers issue #131: dropout was still on."""
    keep = np.array([[True, True, False], [True, True, True]])
    trace = attention_trace(
        [[3.0, -2.0], [0.5, 4.0]], [[1.0, 1.0], [-2.0, 0.0], [7.0, 7.0]], np.eye(3), keep
    )
    np.testing.assert_allclose(trace.weights.sum(axis=-1), [1.0, 1.0], rtol=1e-15)
    assert trace.weights[0, 2] == 0.0


def test_weights_03_every_head_is_returned_where_the_mean_is_not_wanted():
    """pytorch/pytorch issue #34537, facebookresearch/fairseq issue #3365."""
    a, b = 0.7310585786300049, 0.2689414213699951
    layer, x = identity_layer(2, 2), np.eye(2)[np.newaxis]
    _, per_head = layer(x, average_attn_weights=False)
    expected = [[[[a, b], [0.5, 0.5]], [[0.5, 0.5], [b, a]]]]
    np.testing.assert_allclose(per_head, expected, rtol=1e-12)
    _, averaged = layer(x)
    mean = [[[0.6155292893150024, 0.38447071068499755], [0.38447071068499755, 0.6155292893150024]]]
    np.testing.assert_allclose(averaged, mean, rtol=1e-12)


def test_weights_04_turning_weights_off_only_drops_the_second_result():
    """lyuwenyu/RT-DETR issue #678: the default disables the fused kernel."""
    layer, x = identity_layer(2, 2), np.eye(2)[np.newaxis]
    output, nothing = layer(x, need_weights=False)
    assert nothing is None
    assert np.array_equal(output, layer(x)[0])


def test_weights_05_the_output_of_a_trace_is_its_weights_times_its_values():
    """pytorch/pytorch issue #98505: weights computed apart from the output drift."""
    query, key = [[1.0, 2.0], [0.0, -1.0]], [[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]]
    trace = attention_trace(query, key, [[1.0], [10.0], [100.0]])
    weights = [
        [0.022906634470102185, 0.19109045971702815, 0.7860029058128697],
        [0.6199851180450061, 0.3056952508389745, 0.07431963111601946],
    ]
    np.testing.assert_allclose(trace.weights, weights, rtol=1e-12)
    np.testing.assert_allclose(
        trace.output, [[80.53410181292736], [11.108900738036697]], rtol=1e-12
    )
    assert np.array_equal(trace.output, trace.weights @ trace.value)


def test_weights_06_heads_flatten_batch_first():
    """jadore801120/attention-is-all-you-need-pytorch issue #120: which axis comes first?"""
    names = np.array([["b0h0", "b0h1"], ["b1h0", "b1h1"]])  # (batch, head), as our weights
    assert names.reshape(-1).tolist() == ["b0h0", "b0h1", "b1h0", "b1h1"]
    layer, x = identity_layer(2, 2), np.random.default_rng(0).normal(size=(2, 3, 2))
    hidden = np.zeros((2, 2, 3, 3), dtype=bool)
    hidden[1, 0, :, 0] = True  # only head 0 of sample 1
    _, ours = layer(x, mask=~hidden, average_attn_weights=False)
    tensor = torch.from_numpy(x)
    flat = torch.from_numpy(hidden).reshape(4, 3, 3)
    theirs = as_torch(layer)(tensor, tensor, tensor, attn_mask=flat, average_attn_weights=False)[1]
    np.testing.assert_allclose(ours, theirs.detach().numpy(), rtol=1e-12)
    assert names[(ours == 0.0).all(axis=2).any(axis=-1)].tolist() == ["b1h0"]


def test_weights_07_padding_gets_exactly_nothing_even_with_the_largest_score():
    """Kyubyong/transformer issue #103: the mask relied on embeddings of zero."""
    weights = attend_scores([[5.0, -3.0, 100.0]], [[True, True, False]]).weights
    expected = [[0.9996646498695336, 0.00033535013046647816, 0.0]]
    np.testing.assert_allclose(weights, expected, rtol=1e-12)
    assert weights[0, 2] == 0.0
