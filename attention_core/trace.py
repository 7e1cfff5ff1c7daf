"""The record of one attention computation."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attention_core._checks import FloatArray, check_count
from attention_core._mask_checks import Mask, is_boolean
from attention_core.evidence import Evidence, six_rules
from attention_core.scaled_dot_product import attend, effective_mask, read_call
from attention_core.softmax import quiet

_ARRAYS = (
    "query",
    "key",
    "value",
    "scores",
    "scaled_scores",
    "mask",
    "masked_scores",
    "weights",
    "output",
)


@dataclass(frozen=True, eq=False)
class AttentionTrace:
    """Every intermediate of one attention computation, as read-only arrays.

    ``query``, ``key``, ``value``, ``weights`` and ``output`` have the dtype of the result.
    ``scores`` (raw products), ``scaled_scores`` and ``masked_scores`` have the dtype of the
    computation, which is float32 where the inputs are float16. ``mask`` is the mask that was
    applied, the causal one included, or None; ``scale`` is the factor that was used.
    """

    query: FloatArray  # (..., n_query, d_k)
    key: FloatArray  # (..., n_key, d_k)
    value: FloatArray  # (..., n_key, d_v)
    scores: FloatArray  # (..., n_query, n_key)
    scaled_scores: FloatArray  # (..., n_query, n_key)
    masked_scores: FloatArray  # (..., n_query, n_key)
    weights: FloatArray  # (..., n_query, n_key)
    output: FloatArray  # (..., n_query, d_v)
    mask: Mask | None
    scale: float

    def evidence(self) -> list[Evidence]:
        """Measure the six rules of attention on this trace.

        Returns
        -------
        list of Evidence
            Score, weight, output, QKV, mask and bridge rule, in this order. The first three are
            judged to the tolerance of the dtype, the last three exactly.

        Examples
        --------
        >>> x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
        >>> for rule in attention_trace(x, x, x, is_causal=True).evidence():
        ...     print(rule.rule, rule.holds)
        score True
        weight True
        output True
        QKV True
        mask True
        bridge True
        """
        return six_rules(self)

    def to_markdown(self, decimals: int = 3) -> str:
        """Return the shapes, the arrays and the evidence as a Markdown text.

        Parameters
        ----------
        decimals : int, default 3
            How many decimals are shown. NumPy's print options have no influence.

        Raises
        ------
        TypeError, ValueError
            ``decimals`` is not a whole number of at least 0.
        """
        function = "AttentionTrace.to_markdown"
        decimals = check_count(function, "decimals", decimals, minimum=0)
        lines = ["# Attention trace", "", f"scale: {self.scale:g}", ""]
        for name in _ARRAYS:
            array = getattr(self, name)
            if array is None:
                lines += [f"## {name}", "", "none", ""]
                continue
            text = _text(array, decimals)
            lines += [f"## {name} {array.shape}", "", "```text", text, "```", ""]
        lines += ["## evidence", "", "| rule | statement | holds | measured |", "| --- " * 4 + "|"]
        verdict = {True: "yes", False: "no", None: "not shown"}
        lines += [
            f"| {e.rule} | {e.statement} | {verdict[e.holds]} | {e.measured} |"
            for e in self.evidence()
        ]
        return "\n".join(lines) + "\n"

    def to_json(self) -> str:
        """Return the whole trace as strict JSON: every array with its shape, dtype and values.

        JSON has no NaN and no infinity, so these stand as the strings "nan", "inf" and "-inf",
        which ``np.array(values, dtype=float)`` reads back.
        """
        record: dict[str, Any] = {"scale": self.scale}
        for name in _ARRAYS:
            array = getattr(self, name)
            record[name] = None if array is None else _plain(array)
        record["evidence"] = [asdict(rule) for rule in self.evidence()]
        return json.dumps(record)


def _text(array: Mask, decimals: int) -> str:
    """Lay the numbers out in columns, large ones as powers of ten, without a negative zero."""

    def number(x: Any) -> str:
        if is_boolean(array):
            return str(bool(x))
        value = float(x)
        text = f"{value:.{decimals}{'f' if abs(value) < 1e9 else 'e'}}"
        return text.removeprefix("-") if float(text) == 0.0 else text  # no -0.000

    width = max((len(number(x)) for x in array.flat), default=0)
    return np.array2string(
        array,
        threshold=1000,
        max_line_width=100,
        formatter={"all": lambda x: number(x).rjust(width)},
    )


def _plain(array: Mask) -> dict[str, Any]:
    values: Any = array.astype(object)
    if not is_boolean(array):
        for special in ("nan", "inf", "-inf"):
            where = np.isnan(array) if special == "nan" else array == float(special)
            values[where] = special
    return {"shape": array.shape, "dtype": str(array.dtype), "values": values.tolist()}


def attention_trace(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> AttentionTrace:
    """Compute attention and keep every intermediate.

    Parameters, errors and the output are those of `scaled_dot_product_attention`, to the last bit.

    Returns
    -------
    AttentionTrace
        Read-only copies, so that the record stays true whatever happens to the inputs.

    Examples
    --------
    >>> x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> trace = attention_trace(x, x, x)
    >>> trace.scores
    array([[1., 0., 1.],
           [0., 1., 1.],
           [1., 1., 2.]])
    >>> trace.weights.round(3)
    array([[0.401, 0.198, 0.401],
           [0.198, 0.401, 0.401],
           [0.248, 0.248, 0.503]])
    """
    call = read_call("attention_trace", query, key, value, mask, is_causal, scale)
    names = ("scaled_scores", "masked_scores")
    steps = {name: np.empty(call.scores_shape, dtype=call.query.dtype) for name in names}

    def keep(name: str, rows: slice, step: FloatArray) -> None:
        steps[name][..., rows, :] = step

    output, weights = attend(call, keep, with_weights=True)
    with quiet():
        steps["scores"] = call.query @ np.swapaxes(call.key, -1, -2)
    inputs = {"query": call.query, "key": call.key, "value": call.value}
    results = inputs | {"weights": weights, "output": output}
    arrays: dict[str, Any] = steps | {name: x.astype(call.dtype) for name, x in results.items()}
    mask_applied = effective_mask(call)
    arrays["mask"] = None if mask_applied is None else mask_applied.copy()
    for array in arrays.values():
        if array is not None:
            array.flags.writeable = False
    return AttentionTrace(**arrays, scale=call.scale)
