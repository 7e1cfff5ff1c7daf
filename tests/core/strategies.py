"""What the property tests draw: attention problems with sizes and contents of every kind."""

from typing import NamedTuple

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

# Without a deadline a busy machine fails nothing; derandomised, every run tries the same examples.
thorough = settings(deadline=None, derandomize=True, max_examples=40)
brief = settings(deadline=None, derandomize=True, max_examples=20)

SPECIAL = (np.nan, np.inf, -np.inf)
LEADING_AXES = ((), (2,), (2, 3))
DTYPES = (np.float16, np.float32, np.float64)
TOLERANCE = {np.float16: 4e-3, np.float32: 2e-5, np.float64: 1e-11}

seeds = st.integers(0, 2**32 - 1)


class Problem(NamedTuple):
    """One attention problem, with the generator for whatever else a test needs at random."""

    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    keep: np.ndarray
    rng: np.random.Generator

    @property
    def qkv(self):
        """The three arrays that every form of attention takes first."""
        return self.query, self.key, self.value

    @property
    def scores_shape(self):
        """Leading axes, queries, keys."""
        return (*self.query.shape[:-1], self.key.shape[-2])


@st.composite
def problems(draw, *, self_attention=False, dtype=np.float64, leading=LEADING_AXES):
    """Draw sizes first, so that a failing example shrinks to few tokens."""
    n_query = draw(st.sampled_from((1, 2, 3, 5, 7)))
    n_key = n_query if self_attention else draw(st.sampled_from((1, 2, 3, 5, 11)))
    d_k, d_v = draw(st.sampled_from((1, 3, 5))), draw(st.sampled_from((1, 2, 7)))
    batch = draw(st.sampled_from(leading))
    spread = draw(st.sampled_from((0.1, 1.0, 20.0)))
    rng = np.random.default_rng(draw(seeds))
    shapes = ((n_query, d_k), (n_key, d_k), (n_key, d_v))
    arrays = [(spread * rng.normal(size=(*batch, *shape))).astype(dtype) for shape in shapes]
    keep = rng.random((n_query, n_key)) < draw(st.sampled_from((0.3, 0.7, 1.0)))
    return Problem(*arrays, keep, rng)


def poisoned(array, rng, share=0.3):
    """Copy an array with some of its entries NaN or infinite."""
    array = array.copy()
    where = rng.random(array.shape) < share
    array[where] = rng.choice(SPECIAL, size=where.sum())
    return array


def mask_of_any_form(draw, problem):
    """Draw no mask, or a boolean or additive one of any shape that the contract allows."""
    *batch, n_query, n_key = problem.scores_shape
    shapes = [(n_query, n_key), (1, n_key)]
    if batch:
        ones = [1] * len(batch)
        shapes += [(*batch, n_query, n_key), (*batch, 1, n_key), (*ones, n_query, 1)]
    shape = draw(st.sampled_from(shapes))
    keep = problem.rng.random(shape) < 0.6
    form = draw(st.sampled_from(("none", "boolean", "additive", "hiding and biased")))
    if form == "none":
        return None
    if form == "boolean":
        return keep
    bias = 0.0 if form == "additive" else problem.rng.normal(size=shape)
    return np.where(keep, bias, -np.inf)
