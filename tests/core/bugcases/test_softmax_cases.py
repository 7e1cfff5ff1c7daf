"""Softmax: overflow, axes, dtypes and edges."""

import numpy as np
import pytest
import torch

from attention_core import attention_trace, scaled_dot_product_attention, softmax
from tests.core.bugcases.layers import attend_scores

ONE_TWO_THREE = [0.09003057317038046, 0.24472847105479764, 0.6652409557748218]


def test_softmax_01_large_and_very_negative_scores_neither_overflow_nor_vanish():
    """Stack Overflow "softmax function returns nan", Open-Deep-ML/DML-OpenProblem issue #406."""
    np.testing.assert_allclose(softmax([1000.0, 1001.0, 1002.0]), ONE_TWO_THREE, rtol=1e-14)
    expected = [0.7310585786300049, 0.2689414213699951]
    np.testing.assert_allclose(softmax([-1000.0, -1001.0]), expected, rtol=1e-14)


def test_softmax_03_one_query_does_not_get_weights_of_one():
    """PetrochukM/PyTorch-NLP issue #2: normalised over the queries, of which there was one."""
    expected = [[0.2689414213699951, 0.7310585786300049]]
    np.testing.assert_allclose(softmax([[0.0, 1.0]]), expected, rtol=1e-14)
    np.testing.assert_allclose(attend_scores([[0.0, 1.0]]).weights, expected, rtol=1e-14)
    assert softmax([[0.0, 1.0]], axis=0).tolist() == [[1.0, 1.0]]


def test_softmax_04_the_axis_is_that_of_the_keys_for_four_axes_too():
    """FudanNLP/fastNLP issue #254, labmlai/annotated_deep_learning_paper_implementations #146."""
    scores = np.log([[[[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]]])
    expected = [[[[1 / 6, 1 / 3, 1 / 2], [1 / 3, 1 / 3, 1 / 3]]]]
    np.testing.assert_allclose(softmax(scores), expected, rtol=1e-14)
    np.testing.assert_allclose(attend_scores(scores).weights, expected, rtol=1e-14)
    wrong = [[[[0.5, 2 / 3, 0.75], [0.5, 1 / 3, 0.25]]]]
    np.testing.assert_allclose(softmax(scores, axis=2), wrong, rtol=1e-14)


def test_softmax_06_integers_give_real_weights():
    """scikit-learn/scikit-learn issue #11226: written into an integer buffer they became 0."""
    weights = softmax(np.array([1, 2, 3]))
    np.testing.assert_allclose(weights, ONE_TWO_THREE, rtol=1e-14)
    assert weights.dtype == np.float64


def test_softmax_10_float16_products_beyond_65504_do_not_become_nan():
    """Dao-AILab/flash-attention issue #613: products of 180000 were inf before the softmax."""
    query = np.array([[300.0, 300.0]], dtype=np.float16)
    key = np.array([[300.0, 300.0], [0.0, 0.0]], dtype=np.float16)
    trace = attention_trace(query, key, np.eye(2, dtype=np.float16))
    assert trace.output.tolist() == [[1.0, 0.0]]
    assert trace.output.dtype == np.float16
    assert trace.scores.tolist() == [[180000.0, 0.0]]


def test_softmax_11_empty_axes_give_empty_weights():
    """jax-ml/jax issue #7643: the maximum over an empty axis raised."""
    for shape in ((2, 0), (0, 3)):
        assert softmax(np.zeros(shape)).shape == shape
        assert softmax(np.zeros(shape), axis=0).shape == shape
        assert torch.softmax(torch.zeros(shape), dim=-1).shape == shape


def test_softmax_12_float64_keeps_its_precision_and_float32_its_dtype():
    """huggingface/transformers issue #48459: a float32 softmax capped float64 in silence."""
    np.testing.assert_allclose(softmax([0.0, 1e-8]), [0.4999999975, 0.5000000025], rtol=1e-12)
    weights = attend_scores([[0.0, 1e-8]]).weights
    np.testing.assert_allclose(weights, [[0.4999999975, 0.5000000025]], rtol=1e-12)
    assert softmax(np.zeros(2, dtype=np.float32)).dtype == np.float32


def test_softmax_13_a_scalar_weighs_one():
    """rsokl/MyGrad PR #268: in-place tricks fail on an array without axes."""
    assert softmax(3.0) == 1.0
    assert softmax(3.0).shape == ()


def test_softmax_14_the_argument_stays_as_it_was():
    """jhcross/span-parser issue #2: an in-place shift edits the caller's array."""
    scores = np.array([3.0, 4.0])
    weights = softmax(scores)
    np.testing.assert_allclose(weights, [0.2689414213699951, 0.7310585786300049], rtol=1e-14)
    assert scores.tolist() == [3.0, 4.0]


def test_softmax_15_a_shift_changes_at_most_the_last_digits():
    """udacity/sdc-issue-reports issue #1261: a grader compared floats exactly."""
    np.testing.assert_allclose(softmax([5.0, 6.0, 7.0]), ONE_TWO_THREE, rtol=1e-14)
    np.testing.assert_allclose(softmax([0.0, 1.0, 2.0]), ONE_TWO_THREE, rtol=1e-14)


def test_softmax_17_nan_fills_its_own_row_only():
    """open-edge-platform/geti PR #1507: NaN must be visible and must not spread."""
    weights = softmax([[0.0, np.nan], [0.0, 0.0]])
    assert np.isnan(weights[0]).all()
    assert weights[1].tolist() == [0.5, 0.5]


def test_softmax_18_three_axes_are_normalised_row_by_row():
    """oreilly-japan/deep-learning-from-scratch-2 common/functions.py: 3-D came back unchanged."""
    weights = softmax(np.log([[[1.0, 3.0], [1.0, 1.0]]]))
    np.testing.assert_allclose(weights, [[[0.25, 0.75], [0.5, 0.5]]], rtol=1e-14)


def test_softmax_19_the_default_axis_is_the_last_and_none_is_refused():
    """scipy/scipy PR #8556: its default normalises over everything."""
    assert softmax(np.zeros((2, 2))).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    with pytest.raises(TypeError, match="softmax: axis is None"):
        softmax(np.zeros((2, 2)), axis=None)
    output = scaled_dot_product_attention(np.zeros((2, 1)), np.zeros((2, 1)), np.eye(2))
    assert output.tolist() == [[0.5, 0.5], [0.5, 0.5]]
