"""What holds for the weights whatever the scores are."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attention_core import (
    attention_trace,
    online_softmax_attention,
    scaled_dot_product_attention,
    softmax,
    softmax_jacobian,
)
from tests.core.oracles import attention_by_loops, softmax_of_list
from tests.core.strategies import (
    DTYPES,
    TOLERANCE,
    brief,
    mask_of_any_form,
    poisoned,
    problems,
    thorough,
)

FORMS = (scaled_dot_product_attention, online_softmax_attention)


def scores_of(dtype, *, minus_infinity=True, bound=1e4):
    finite = st.floats(-bound, bound, width=np.dtype(dtype).itemsize * 8)
    elements = finite | st.just(-np.inf) if minus_infinity else finite
    shapes = hnp.array_shapes(min_dims=1, max_dims=3, max_side=5)
    return hnp.arrays(dtype, shapes, elements=elements)


@pytest.mark.parametrize("dtype", DTYPES)
@thorough
@given(data=st.data())
def test_weights_are_shares_that_sum_to_one_or_are_all_zero(dtype, data):
    scores = data.draw(scores_of(dtype))
    axis = data.draw(st.integers(-scores.ndim, scores.ndim - 1))
    weights = softmax(scores, axis=axis)
    assert weights.dtype == dtype
    assert weights.shape == scores.shape
    assert ((weights >= 0.0) & (weights <= 1.0)).all()
    empty = np.isneginf(scores).all(axis=axis)
    sums = weights.sum(axis=axis, dtype=float)
    np.testing.assert_allclose(sums, np.where(empty, 0.0, 1.0), rtol=0, atol=TOLERANCE[dtype])
    assert (weights[np.isneginf(scores)] == 0.0).all()


@thorough
@given(scores=scores_of(np.float64, bound=300.0))
def test_softmax_agrees_with_the_loop_oracle_on_every_row(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    expected = [softmax_of_list(row) for row in rows.tolist()]
    np.testing.assert_allclose(softmax(rows), expected, rtol=1e-12, atol=1e-300)


@thorough
@given(scores=scores_of(np.float64, bound=50.0), constant=st.floats(-1000.0, 1000.0))
def test_a_constant_added_to_a_row_changes_nothing(scores, constant):
    np.testing.assert_allclose(softmax(scores + constant), softmax(scores), rtol=1e-11)


@thorough
@given(data=st.data(), scores=scores_of(np.float64))
def test_permuted_scores_give_permuted_weights(data, scores):
    order = np.array(data.draw(st.permutations(range(scores.shape[-1]))))
    np.testing.assert_allclose(softmax(scores[..., order]), softmax(scores)[..., order], rtol=1e-13)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_largest_and_the_smallest_number_are_normalised_without_a_warning(dtype):
    limits = np.finfo(dtype)
    scores = np.array([[limits.max, limits.min], [limits.min, limits.min]])
    assert softmax(scores).tolist() == [[1.0, 0.0], [0.5, 0.5]]


@pytest.mark.parametrize("attention", FORMS)
@thorough
@given(problem=problems())
def test_permuting_queries_permutes_rows_and_permuting_keys_changes_nothing(attention, problem):
    query, key, value = problem.qkv
    rows, columns = (problem.rng.permutation(n) for n in problem.scores_shape[-2:])
    output = attention(query, key, value, problem.keep)
    permuted = attention(
        query[..., rows, :],
        key[..., columns, :],
        value[..., columns, :],
        problem.keep[rows][:, columns],
    )
    np.testing.assert_allclose(permuted, output[..., rows, :], rtol=1e-10, atol=1e-11)


@thorough
@given(problem=problems(), data=st.data())
def test_rows_of_a_trace_sum_to_one_or_to_exactly_zero(problem, data):
    mask = mask_of_any_form(data.draw, problem)
    trace = attention_trace(*problem.qkv, mask)
    empty = np.isneginf(trace.masked_scores).all(axis=-1)
    sums = trace.weights.sum(axis=-1)
    assert (sums[empty] == 0.0).all()
    np.testing.assert_allclose(sums[~empty], 1.0, rtol=1e-13)
    assert (trace.output[empty] == 0.0).all()
    assert (trace.weights[np.isneginf(trace.masked_scores)] == 0.0).all()


@pytest.mark.parametrize("attention", FORMS)
@thorough
@given(problem=problems())
def test_an_output_lies_between_the_smallest_and_the_largest_visible_value(attention, problem):
    output = attention(*problem.qkv, problem.keep)
    seen = problem.keep[:, :, np.newaxis]  # (n_query, n_key, 1)
    value = problem.value[..., np.newaxis, :, :]  # (..., 1, n_key, d_v)
    low = np.where(seen, value, np.inf).min(axis=-2)
    high = np.where(seen, value, -np.inf).max(axis=-2)
    some = np.broadcast_to(problem.keep.any(axis=-1)[:, np.newaxis], output.shape)
    slack = 1e-12 * np.abs(problem.value).max()
    assert (output[some] >= low[some] - slack).all()
    assert (output[some] <= high[some] + slack).all()


@pytest.mark.parametrize("attention", FORMS)
@thorough
@given(problem=problems())
def test_every_sequence_of_a_batch_is_computed_as_if_alone(attention, problem):
    output = attention(*problem.qkv, problem.keep)
    for place in np.ndindex(problem.query.shape[:-2]):
        alone = attention_by_loops(*(x[place] for x in problem.qkv), problem.keep)
        np.testing.assert_allclose(output[place], alone, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("attention", FORMS)
@thorough
@given(problem=problems(), scale=st.floats(-3.0, 3.0))
def test_a_scale_is_the_same_as_a_query_multiplied_beforehand(attention, problem, scale):
    query, key, value = problem.qkv
    before = attention(query * scale, key, value, scale=1.0)
    np.testing.assert_allclose(
        attention(query, key, value, scale=scale), before, rtol=1e-9, atol=1e-11
    )
    default = attention(query, key, value, scale=query.shape[-1] ** -0.5)
    np.testing.assert_allclose(attention(query, key, value), default, rtol=1e-12)


@pytest.mark.parametrize("attention", [*FORMS, lambda *x: attention_trace(*x).weights])
@pytest.mark.parametrize("dtype", DTYPES)
@brief
@given(data=st.data())
def test_the_dtype_is_kept_and_the_result_is_that_of_float64_rounded(attention, dtype, data):
    problem = data.draw(problems(dtype=dtype))
    result = attention(*problem.qkv, problem.keep)
    exact = attention(*(x.astype(np.float64) for x in problem.qkv), problem.keep)
    assert result.dtype == dtype
    size = np.abs(problem.value.astype(float)).max() + 1.0
    # a score of size s is known to s * eps, and so is the exponent
    grade = 1.0 + np.abs(attention_trace(*problem.qkv).scaled_scores).max()
    error = grade * size * (2e-3 if dtype == np.float16 else TOLERANCE[dtype])
    np.testing.assert_allclose(result.astype(float), exact, rtol=0, atol=error)


@thorough
@given(problem=problems())
def test_poison_shows_in_the_rows_that_see_it_and_in_no_other(problem):
    query = problem.query
    bad_key = poisoned(problem.key, problem.rng, 0.2)
    touched = ~np.isfinite(bad_key).all(axis=-1)  # (..., n_key)
    sees = (problem.keep & touched[..., np.newaxis, :]).any(axis=-1)  # (..., n_query)
    for attention in FORMS:
        clean = attention(query, problem.key, problem.value, problem.keep)
        output = attention(query, bad_key, problem.value, problem.keep)
        assert np.array_equal(output[~sees], clean[~sees])


@thorough
@given(problem=problems(leading=((),)))
def test_a_visible_nan_in_a_value_shows_in_its_column_of_the_rows_that_see_it(problem):
    query, key, value = problem.qkv
    row = problem.rng.integers(len(value))
    column = problem.rng.integers(value.shape[-1])
    bad = value.copy()
    bad[row, column] = np.nan
    for attention in FORMS:
        clean, output = (attention(query, key, v, problem.keep) for v in (value, bad))
        expected = np.zeros_like(clean, dtype=bool)
        expected[problem.keep[:, row], column] = True
        assert np.array_equal(np.isnan(output), expected)
        np.testing.assert_allclose(output[~expected], clean[~expected], rtol=1e-12)


@thorough
@given(scores=scores_of(np.float64, minus_infinity=False, bound=8.0))
def test_the_jacobian_agrees_with_finite_differences_and_with_autograd(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    jacobian = softmax_jacobian(softmax(rows))
    step = 1e-5
    for row, ours in zip(rows, jacobian, strict=True):
        around = step * np.eye(len(row))
        numeric = (softmax(row + around) - softmax(row - around)).T / (2 * step)
        np.testing.assert_allclose(ours, numeric, rtol=0, atol=1e-9)
        theirs = torch.autograd.functional.jacobian(
            lambda s: torch.softmax(s, dim=-1), torch.from_numpy(row.copy())
        )
        np.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-9, atol=1e-15)
