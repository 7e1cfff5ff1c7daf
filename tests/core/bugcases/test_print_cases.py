"""Printed numbers that differ from machine to machine."""

import re
from pathlib import Path

import numpy as np

from attention_core import attention_trace
from attention_core.trace import AttentionTrace

OUTPUTS = sorted((Path(__file__).resolve().parents[3] / "snippets").glob("*.out"))
NEGATIVE_ZERO = re.compile(r"(?<![\w.])-0(\.0*)?(?![\w.])")


def trace_of(value) -> AttentionTrace:
    """One query and one key, so that the output is the value, of one row."""
    return attention_trace([[1.0]], [[1.0]], np.asarray([value]))


def shown(trace, name):
    return re.search(rf"## {name} .*?```text\n(.*?)\n```", trace.to_markdown(), re.DOTALL)[1]


def test_print_02_no_rounded_number_is_shown_as_minus_zero():
    """scikit-image/scikit-image PR #7950: -0. broke doctests on other machines."""
    assert shown(trace_of([-0.0001, 0.2]), "output") == "[[0.000 0.200]]"
    assert NEGATIVE_ZERO.search("[-0.   0.2]")
    assert not NEGATIVE_ZERO.search("[-0.05 1.-0.2]")
    assert OUTPUTS
    assert [path.name for path in OUTPUTS if NEGATIVE_ZERO.search(path.read_text("utf-8"))] == []


def test_print_03_no_printed_array_names_its_dtype():
    """numpy/numpy issue #13468: repr shows it only where it is not the platform's default."""
    single = trace_of(np.array([0.25, 0.5], dtype=np.float32)).to_markdown()
    assert "dtype" not in single
    assert shown(trace_of(np.float32([0.25, 0.5])), "value") == "[[0.250 0.500]]"
    assert shown(trace_of(np.float64([0.25, 0.5])), "value") == "[[0.250 0.500]]"
    assert OUTPUTS
    assert [path.name for path in OUTPUTS if "dtype=" in path.read_text("utf-8")] == []


def test_print_05_the_numbers_shown_are_the_values_whatever_the_columns():
    """numpy/numpy issue #10383: one sign moves every column, so text is not to be compared."""
    for value in ([-1.0, 10.0], [1.0, 2.0], [-1.0, 2.0]):
        text = shown(trace_of(value), "value")
        assert [float(number) for number in re.findall(r"-?\d+\.?\d*", text)] == value
