import math
import re

import numpy as np
import pytest
import torch

from attention_core import softmax
from tests.core.oracles import softmax_of_list


def test_four_equal_scores_share_the_weight_equally():
    assert softmax([7.0, 7.0, 7.0, 7.0]).tolist() == [0.25, 0.25, 0.25, 0.25]


def test_two_scores_worked_by_hand():
    # e^0 = 1 and e^ln(3) = 3, so the shares are 1/4 and 3/4
    np.testing.assert_allclose(softmax([0.0, math.log(3.0)]), [0.25, 0.75], rtol=1e-15)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_agrees_with_pytorch_along_every_axis(axis):
    scores = np.random.default_rng(0).normal(scale=5.0, size=(2, 3, 5))
    expected = torch.softmax(torch.from_numpy(scores), dim=axis).numpy()
    np.testing.assert_allclose(softmax(scores, axis=axis), expected, rtol=1e-14)


def test_agrees_with_the_loop_oracle():
    scores = np.random.default_rng(1).normal(scale=3.0, size=(3, 7))
    expected = [softmax_of_list(row) for row in scores.tolist()]
    np.testing.assert_allclose(softmax(scores), expected, rtol=1e-14)


def test_the_default_axis_is_the_last_one():
    scores = np.random.default_rng(2).normal(size=(2, 3, 5))
    np.testing.assert_allclose(softmax(scores).sum(axis=-1), 1.0, rtol=1e-15)


def test_huge_scores_neither_overflow_nor_vanish():
    assert softmax([1000.0, 1000.0]).tolist() == [0.5, 0.5]
    assert softmax([-1e30, 0.0, -1e30]).tolist() == [0.0, 1.0, 0.0]


def test_adding_a_constant_to_a_row_changes_nothing():
    scores = np.random.default_rng(3).normal(size=(3, 5))
    np.testing.assert_allclose(softmax(scores + 123.0), softmax(scores), rtol=1e-12)


def test_a_row_of_nothing_but_minus_infinity_gives_zeros():
    weights = softmax([[-np.inf, -np.inf], [-np.inf, 3.0]])
    assert weights.tolist() == [[0.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_row_with_nan_or_plus_infinity_is_nan_and_alone(bad):
    weights = softmax([[bad, 0.0, 1.0], [0.0, 0.0, -np.inf]])
    assert np.isnan(weights[0]).all()
    assert weights[1].tolist() == [0.5, 0.5, 0.0]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_float_dtype_is_kept(dtype):
    assert softmax(np.zeros((2, 3), dtype=dtype)).dtype == dtype


@pytest.mark.parametrize("scores", [[1, 2, 3], [True, False], np.array([1, 2], dtype=np.uint8)])
def test_integers_and_booleans_are_computed_as_float64(scores):
    weights = softmax(scores)
    assert weights.dtype == np.float64
    np.testing.assert_allclose(weights, softmax_of_list([float(s) for s in scores]), rtol=1e-15)


def test_float16_is_rounded_only_once():
    scores = np.linspace(-4.0, 4.0, 11, dtype=np.float16)
    assert (
        softmax(scores).tolist() == softmax(scores.astype(np.float32)).astype(np.float16).tolist()
    )


def test_a_scalar_gives_one_and_an_empty_axis_stays_empty():
    assert softmax(3.0).shape == ()
    assert softmax(3.0) == 1.0
    assert softmax(np.zeros((2, 0))).shape == (2, 0)


def test_the_input_is_not_changed_even_if_it_is_read_only_or_strided():
    scores = np.arange(12.0).reshape(3, 4)
    before = scores.copy()
    scores.flags.writeable = False
    np.testing.assert_allclose(softmax(scores[:, ::-2]), softmax(before[:, ::-2].copy()))
    assert np.array_equal(scores, before)


@pytest.mark.parametrize(
    ("scores", "axis", "error", "message"),
    [
        ([1j, 2j], -1, TypeError, "softmax: scores has dtype complex128"),
        (["a"], -1, TypeError, "softmax: scores has dtype <U1"),
        ([None], -1, TypeError, "softmax: scores has dtype object"),
        ([[1.0], [1.0, 2.0]], -1, TypeError, "scores (list) cannot be read as an array"),
        (np.ma.array([1.0], mask=[True]), -1, TypeError, "scores is a numpy.ma.MaskedArray"),
        ([1.0, 2.0], 1, ValueError, "axis 1 does not exist in scores of shape (2,); use -1 to 0"),
        ([1.0, 2.0], -2, ValueError, "axis -2 does not exist"),
        ([1.0, 2.0], 0.0, TypeError, "softmax: axis is 0.0 (float)"),
        ([1.0, 2.0], None, TypeError, "softmax: axis is None"),
        ([1.0, 2.0], True, TypeError, "softmax: axis is True"),
    ],
)
def test_bad_input_is_named(scores, axis, error, message):
    with pytest.raises(error, match=re.escape(message)):
        softmax(scores, axis=axis)
