"""None of the reported cases can be lost, renamed or counted twice."""

import importlib
import pkgutil

from tests.core import bugcases

# fmt: off
CASES = [
    "mask-04", "mask-05", "mask-06", "mask-08", "mask-09", "mask-10", "mask-12", "mask-13",
    "mask-14", "mask-15", "mask-16", "mask-17", "mask-18", "mask-22", "mask-23", "mask-24",
    "mask-25", "mask-27", "mask-29", "mask-30", "mask-31", "mask-32", "mask-33", "mask-34",
    "mask-37", "mask-38", "mask-39",
    "softmax-01", "softmax-03", "softmax-04", "softmax-06", "softmax-10", "softmax-11",
    "softmax-12", "softmax-13", "softmax-14", "softmax-15", "softmax-17", "softmax-18",
    "softmax-19",
    "shape-04", "shape-05", "shape-06", "shape-07", "shape-08", "shape-09", "shape-10",
    "shape-11", "shape-12", "shape-13", "shape-16", "shape-18", "shape-19", "shape-20",
    "scale-01", "scale-02", "scale-03", "scale-06", "scale-07", "scale-08",
    "weights-02", "weights-03", "weights-04", "weights-05", "weights-06", "weights-07",
    "params-01", "params-03", "params-05", "params-06",
    "print-02", "print-03", "print-05",
    "nonfinite-02", "nonfinite-03", "nonfinite-04",
    "memory-01", "memory-02",
    "plot-02", "plot-03", "plot-05", "plot-06", "plot-08", "plot-09",
    "docs-02", "docs-03", "docs-04", "docs-06", "docs-07", "docs-08", "docs-10", "docs-12",
]
# fmt: on


def names_of_tests():
    for module in pkgutil.iter_modules(bugcases.__path__):
        if module.name.endswith("_cases"):
            namespace = vars(importlib.import_module(f"{bugcases.__name__}.{module.name}"))
            yield from (name for name in namespace if name.startswith("test_"))


def case_of(test_name):
    family, number = test_name.split("_")[1:3]
    return f"{family}-{number}"


def test_there_are_92_cases():
    assert len(CASES) == len(set(CASES)) == 92


def test_each_case_has_exactly_one_test_named_after_it():
    assert sorted(case_of(name) for name in names_of_tests()) == sorted(CASES)


def test_each_name_goes_on_to_say_what_is_right():
    assert all(len(name.split("_")) >= 6 for name in names_of_tests())
