import re

import numpy as np
import pytest
import torch

from attention_core import softmax, softmax_jacobian
from tests.core.strategies import DTYPES


def test_three_weights_worked_by_hand():
    # w = 1/2, 1/4, 1/4: the diagonal is w (1 - w), the rest is -w_i w_j
    expected = [
        [1 / 4, -1 / 8, -1 / 8],
        [-1 / 8, 3 / 16, -1 / 16],
        [-1 / 8, -1 / 16, 3 / 16],
    ]
    assert softmax_jacobian([0.5, 0.25, 0.25]).tolist() == expected


def test_leading_axes_stay_in_front_of_the_two_of_the_matrix():
    weights = softmax(np.random.default_rng(0).normal(size=(2, 3, 5)))
    jacobian = softmax_jacobian(weights)
    assert jacobian.shape == (2, 3, 5, 5)
    for place in np.ndindex(2, 3):
        assert np.array_equal(jacobian[place], softmax_jacobian(weights[place]))


def test_it_agrees_with_autograd_row_by_row():
    scores = np.random.default_rng(1).normal(scale=3.0, size=(3, 7))
    ours = softmax_jacobian(softmax(scores))
    for row, jacobian in zip(scores, ours, strict=True):
        theirs = torch.autograd.functional.jacobian(
            lambda s: torch.softmax(s, dim=-1), torch.from_numpy(row.copy())
        )
        np.testing.assert_allclose(jacobian, theirs.numpy(), rtol=1e-12, atol=1e-16)


def test_it_predicts_a_small_step_in_the_right_direction():
    scores, step = np.array([0.3, -1.0, 2.0]), np.array([1e-6, 0.0, -2e-6])
    change = softmax(scores + step) - softmax(scores)
    np.testing.assert_allclose(softmax_jacobian(softmax(scores)) @ step, change, rtol=1e-5)


def test_the_matrix_is_symmetric_and_its_rows_sum_to_zero():
    jacobian = softmax_jacobian(softmax(np.random.default_rng(2).normal(size=11)))
    assert np.array_equal(jacobian, jacobian.T)
    np.testing.assert_allclose(jacobian.sum(axis=-1), 0.0, atol=1e-16)


def test_saturated_and_empty_rows_have_no_slope():
    assert not softmax_jacobian([0.0, 1.0, 0.0]).any()
    assert not softmax_jacobian(softmax([-np.inf, -np.inf])).any()


def test_the_slope_of_two_keys_is_largest_at_even_weights():
    slopes = [softmax_jacobian(softmax([0.0, score]))[1, 1] for score in (-3.0, -0.1, 0.0, 0.1)]
    assert max(slopes) == slopes[2] == 0.25


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_dtype_is_kept_and_float16_is_computed_in_float32(dtype):
    weights = softmax(np.array([0.1, 0.2, 0.4], dtype=dtype))
    jacobian = softmax_jacobian(weights)
    assert jacobian.dtype == dtype
    expected = softmax_jacobian(weights.astype(np.float64)).astype(dtype)
    np.testing.assert_allclose(jacobian, expected, rtol=np.finfo(dtype).eps)


def test_whole_weights_become_float64_and_no_keys_give_an_empty_matrix():
    assert softmax_jacobian([0, 1]).dtype == np.float64
    assert softmax_jacobian(np.zeros((3, 0))).shape == (3, 0, 0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_rounding_step_outside_0_to_1_is_allowed_and_more_is_not(dtype):
    eps = np.finfo(dtype).eps
    for weight in (-eps, 1 + eps):
        assert np.isfinite(softmax_jacobian(np.array([weight], dtype=dtype))).all()
    for weight in (-8 * eps, 1 + 8 * eps):
        with pytest.raises(ValueError, match="entries outside 0 to 1; pass the result of softmax"):
            softmax_jacobian(np.array([weight], dtype=dtype))


def test_nan_weights_give_nan_and_are_not_taken_for_scores():
    jacobian = softmax_jacobian([[np.nan, 1.0], [0.5, 0.5]])
    assert np.isnan(jacobian[0]).any()
    assert jacobian[1].tolist() == [[0.25, -0.25], [-0.25, 0.25]]


def test_a_scalar_is_refused_with_the_shape_that_is_needed():
    with pytest.raises(ValueError, match=re.escape("weights is a scalar; it needs an axis of")):
        softmax_jacobian(1.0)


def test_float32_is_computed_in_float32():
    w = softmax(np.random.default_rng(0).normal(size=13).astype(np.float32))
    assert np.array_equal(np.diag(softmax_jacobian(w)), -w * w + w)
