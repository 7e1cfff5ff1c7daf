"""The factor 1 / sqrt(d_k): by what, when, and what if it is given."""

from itertools import product

import numpy as np

from attention_core import attention_trace, scaled_dot_product_attention
from tests.core.bugcases.layers import identity_layer


def test_scale_01_the_divisor_is_that_of_one_head():
    """lucidrains/vit-pytorch issue #65, chelsea0x3b/dfdx #171, omihub777/ViT-CIFAR PR #11."""
    x = [[[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]]]
    _, weights = identity_layer(4, 2)(x, average_attn_weights=False)
    right = [0.8044296825069569, 0.19557031749304313]
    np.testing.assert_allclose(weights[0, :, 0], [right, right], rtol=1e-12)


def test_scale_02_the_scale_comes_before_softmax_so_rows_sum_to_one():
    """FrancescoSaverioZuppichini/ViT issue #2: it multiplied the weights."""
    query = [[2.0, 0.0, 0.0, 0.0]]
    key = [[0.0, 0.0, 0.0, 0.0], [np.log(3.0) / 2, 0.0, 0.0, 0.0]]
    trace = attention_trace(query, key, np.eye(2))
    np.testing.assert_allclose(trace.scores, [[0.0, 1.0986122886681098]], rtol=1e-15)
    np.testing.assert_allclose(
        trace.weights, [[0.36602540378443865, 0.6339745962155614]], rtol=1e-12
    )


def test_scale_03_scaling_the_query_or_both_by_the_fourth_root_is_the_same():
    """getalp/Flaubert PR #45, ZGCTroy/LayoutDiffusion issue #13: false alarms."""
    query, key = np.array([[1.0, 2.0]]), np.array([[3.0, 1.0], [0.0, 1.0]])
    right = [[0.8929581985348296, 0.10704180146517044]]
    root = 2.0**0.25
    for q, k, scale in (
        (query, key, None),
        (query / np.sqrt(2.0), key, 1.0),
        (query / root, key / root, 1.0),
    ):
        weights = attention_trace(q, k, np.eye(2), scale=scale).weights
        np.testing.assert_allclose(weights, right, rtol=1e-12)


def test_scale_06_zero_is_a_scale_and_a_negative_one_prefers_the_least_similar_key():
    """pytorch/pytorch PR #95259: an edge of its new argument."""
    query, key = [[2.0, 0.0, 0.0, 0.0]], [[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    assert attention_trace(query, key, np.eye(2), scale=0.0).weights.tolist() == [[0.5, 0.5]]
    negative = attention_trace(query, key, np.eye(2), scale=-1.0).weights
    np.testing.assert_allclose(negative, [[0.017986209962091555, 0.9820137900379085]], rtol=1e-12)


def test_scale_07_the_divisor_is_the_width_of_the_keys_not_of_the_values():
    """openai/gpt-2 issue #49: harmless only while both widths agree."""
    query, key = [[2.0, 0.0, 0.0, 0.0]], [[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    output = scaled_dot_product_attention(query, key, [[1.0], [0.0]])
    np.testing.assert_allclose(output, [[0.8807970779778823]], rtol=1e-12)


def test_scale_08_dot_products_of_unit_variance_features_have_variance_d_k():
    """ai.stackexchange comment 39617: one sample showed 1.6; here is the whole population."""
    every_vector = np.array(list(product((-1.0, 1.0), repeat=4)))
    trace = attention_trace(every_vector, every_vector, every_vector)
    assert trace.scores.mean() == 0.0
    assert trace.scores.var() == 4.0
    assert trace.scaled_scores.var() == 1.0
