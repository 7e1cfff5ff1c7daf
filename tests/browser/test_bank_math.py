"""NumPy against JavaScript: the same cases in both, every intermediate to 1e-12."""

import json
import math

import numpy as np
import pytest

from attention_core import attention_trace, bank
from tests.browser.addresses import address

CASES = 1200
SCALES = {"scaled": None, "unscaled": 1.0, "uniform": 0.0}
STEPS = {
    "query": "query",
    "key": "key",
    "value": "value",
    "rawScores": "scores",
    "scores": "scaled_scores",
    "weights": "weights",
    "output": "output",
}
# JSON has no NaN and no infinity, so they travel as text.
RUN = """async ([module, text]) => {
    const { attention } = await import(module);
    const revive = (_, v) => ({ nan: NaN, inf: Infinity, "-inf": -Infinity })[v] ?? v;
    const plain = (_, v) => (typeof v === "number" && !Number.isFinite(v) ? String(v) : v);
    const before = JSON.parse(text, revive);
    const results = before.map(({ x, wQ, wK, wV, ...rest }) => attention(x, wQ, wK, wV, rest));
    const [after, given] = [before, JSON.parse(text, revive)].map((v) => JSON.stringify(v, plain));
    return [JSON.stringify(results, plain), after === given];
}"""


def random_cases():
    """Draw shapes, modes, masks with empty rows, and now and then NaN or infinity."""
    rng = np.random.default_rng(11)
    for count in range(CASES):
        n, d, d_k, d_v = rng.integers(1, 8, size=4)
        shapes = ((n, d), (d, d_k), (d, d_k), (d, d_v))
        arrays = [rng.normal(size=shape) * rng.choice([0.3, 1.0]) for shape in shapes]
        if count % 4 == 0:
            # Large scores, which whole numbers keep exact: no rounding is blown up by the softmax.
            arrays = [rng.integers(-2, 3, size=shape).astype(float) for shape in shapes]
        if count % 5 == 0:
            arrays[0][rng.integers(n), rng.integers(d)] = rng.choice([np.nan, np.inf, -np.inf])
        mask = None
        if count % 2:
            mask = rng.random((n, n)) < 0.6
            if count % 3 == 0:
                mask[rng.integers(n)] = False
        yield arrays, str(rng.choice(list(SCALES))), mask


def lesson_cases():
    for sentence in bank.sentences:
        for mode in SCALES:
            yield [bank.tokens(sentence), bank.W_q, bank.W_k, bank.W_v], mode, None


def as_json(value):
    if isinstance(value, np.ndarray):
        return as_json(value.tolist())
    if isinstance(value, list):
        return [as_json(one) for one in value]
    return value if isinstance(value, bool) or math.isfinite(value) else str(value)


def in_browser(page, home, cases):
    """Run the cases in the page's own module and return one result each."""
    page.goto(address(home, "en", "bank-lesson"))
    module = f"{home}en/assets/js/attention-math.js"
    sent = []
    for (x, w_q, w_k, w_v), options in cases:
        named = {"x": x, "wQ": w_q, "wK": w_k, "wV": w_v}
        sent.append({name: as_json(array) for name, array in named.items()} | options)
    text, unchanged = page.evaluate(RUN, [module, json.dumps(sent)])
    assert unchanged
    return [
        {name: np.array(rows, dtype=float) for name, rows in result.items()}
        for result in json.loads(text)
    ]


def options_of(mode, mask):
    return {"mode": mode} | ({} if mask is None else {"mask": mask.tolist()})


@pytest.mark.parametrize("cases", [random_cases, lesson_cases])
def test_every_intermediate_agrees_with_numpy(home, page, cases):
    cases = list(cases())
    results = in_browser(page, home, [(arrays, options_of(*rest)) for arrays, *rest in cases])
    assert len(results) == len(cases)
    seen = {"nan": 0, "empty row": 0, "masked": 0}
    for (arrays, mode, mask), result in zip(cases, results, strict=True):
        x, w_q, w_k, w_v = arrays
        with np.errstate(invalid="ignore"):
            trace = attention_trace(x @ w_q, x @ w_k, x @ w_v, mask, scale=SCALES[mode])
        for name, counterpart in STEPS.items():
            np.testing.assert_allclose(
                result[name], getattr(trace, counterpart), rtol=1e-12, atol=1e-12, err_msg=name
            )
        seen["nan"] += bool(np.isnan(trace.output).any())
        seen["masked"] += mask is not None
        seen["empty row"] += mask is not None and bool((~mask.any(axis=1)).any())
    if len(cases) == CASES:
        assert min(seen.values()) > 100, seen


def test_argmax_takes_the_first_of_the_largest_visible_scores(home, page):
    x = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    eye = np.eye(2)
    mask = np.array([[True, True, True], [False, True, True], [False, False, False]])
    options = {"choice": "hard", "mask": mask.tolist()}
    (result,) = in_browser(page, home, [([x, eye, eye, eye], options)])
    assert result["weights"].tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert result["output"].tolist() == [[1, 0], [1, 0], [0, 0]]
