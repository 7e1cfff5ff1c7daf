"""Expressions of bound numbers: a small, pure part of Python, evaluated over what labs leave.

Only text of this repository's own pages is evaluated. What an expression may do is still narrow,
so that it states a value and nothing else: it cannot store, import, read files or change an array.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import functools
from collections.abc import Iterator, Mapping
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

BUILTINS = (
    "abs", "all", "any", "bool", "enumerate", "float", "int", "len", "max", "min", "range",
    "reversed", "round", "set", "sorted", "str", "sum", "tuple", "list", "zip",
)  # fmt: skip
# Methods of arrays, tensors and tuples that give a value and leave the object as it was.
METHODS = frozenset((
    "all", "any", "argmax", "argmin", "argsort", "count", "cumsum", "diagonal", "dim",
    "flatten", "index", "item", "max", "mean", "min", "numel", "prod", "ravel", "reshape",
    "round", "size", "squeeze", "std", "sum", "swapaxes", "tolist", "trace", "transpose", "var",
    "detach", "numpy", "items", "keys", "values",
))  # fmt: skip
NUMPY = frozenset((
    "abs", "all", "allclose", "any", "arange", "argmax", "argmin", "argsort", "array",
    "array_equal", "ceil", "count_nonzero", "cumsum", "diag", "diagonal", "diff", "dot", "exp",
    "eye", "floor", "isclose", "isfinite", "isinf", "isnan", "linalg.norm",
    "linalg.matrix_rank", "log", "log10", "log2", "matmul", "max", "mean", "median", "min",
    "ones", "outer", "polyfit", "prod", "round", "sort", "sqrt", "std", "sum", "trace", "tril",
    "triu", "unique", "var", "zeros",
))  # fmt: skip
NODES = (
    ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Attribute, ast.Subscript, ast.Slice,
    ast.Tuple, ast.List, ast.UnaryOp, ast.UAdd, ast.USub, ast.Not, ast.BinOp, ast.Add, ast.Sub,
    ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.BoolOp, ast.And, ast.Or,
    ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is,
    ast.IsNot, ast.IfExp, ast.Call, ast.keyword, ast.GeneratorExp, ast.ListComp,
    ast.comprehension, ast.Store, ast.Starred,
)  # fmt: skip


class ExpressionError(ValueError):
    """An expression cannot be evaluated; the message says why and what to do."""


@functools.cache
def parse(expression: str) -> ast.Expression:
    """Return the expression's tree, or raise `ExpressionError` if it is not of the pure part."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except SyntaxError as error:
        raise ExpressionError(f"{expression!r} is not a Python expression ({error.msg})") from None
    for node in ast.walk(tree):
        if not isinstance(node, NODES):
            kind = type(node).__name__
            raise ExpressionError(
                f"{expression!r} holds a {kind}; an expression names, indexes, calculates, "
                "compares and calls, no more"
            )
        name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        if name.startswith("_"):
            raise ExpressionError(f"{expression!r} uses {name}; names with _ in front are private")
    return tree


def names_in(expression: str) -> set[str]:
    """Return the names that an expression reads and does not bind itself.

    >>> sorted(names_in("sum(w for w in weights[0])"))
    ['sum', 'weights']
    """
    names = [node for node in ast.walk(parse(expression)) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return {node.id for node in names} - own


def evaluate(expression: str, names: Mapping[str, Any]) -> Any:
    """Return what `expression` gives over `names`, as numbers, booleans, text or lists of them.

    Raises
    ------
    ExpressionError
        A name is unknown, a call is not allowed, evaluation raises, or the result is no value.

    Examples
    --------
    >>> evaluate("weights[0, 1] * 100", {"weights": np.array([[0.5, 0.25]])})
    25.0
    """
    tree = parse(expression)
    scope = {"np": np, **names}
    allowed = {name: getattr(builtins, name) for name in BUILTINS}
    for name in sorted(names_in(expression)):
        if name not in scope and name not in allowed:
            near = difflib.get_close_matches(name, [*scope, *allowed], 3)
            known = near or sorted(key for key in names if not key.startswith("_"))
            raise ExpressionError(f"{name!r} is not known here; known: {', '.join(known)}")
    for call in _calls(tree):
        _check_call(call, scope, expression)
    # NumPy loads helpers when a method is first called; no expression can name this.
    allowed["__import__"] = builtins.__import__
    code = compile(tree, "<expression>", "eval")
    try:
        # One mapping for both, or the parts of a generator would not see the names.
        with np.errstate(all="ignore"):
            value = eval(code, {"__builtins__": allowed, **scope})
    except Exception as error:
        raise ExpressionError(f"{expression!r} raises {type(error).__name__}: {error}") from error
    return plain(value, expression)


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _check_call(call: ast.Call, scope: Mapping[str, Any], expression: str) -> None:
    dotted = ast.unparse(call.func)
    # A call on a result, np.triu(w).max(), is a method and no function of np.
    head, _, rest = dotted.partition(".") if "(" not in dotted else ("", "", "")
    found = scope.get(head)
    if isinstance(call.func, ast.Name):
        if head in BUILTINS and head not in scope:
            return
        if _of_the_course(found):
            return
    elif found is np:
        if rest in NUMPY:
            return
    elif isinstance(call.func, ast.Attribute):
        if isinstance(found, SimpleNamespace) and _of_the_course(getattr(found, rest, None)):
            return
        if call.func.attr in METHODS and not isinstance(found, ModuleType):
            return
    raise ExpressionError(
        f"{expression!r} calls {dotted}, which an expression may not; it may call "
        f"{', '.join(BUILTINS[:6])} and the like, numpy's pure functions, methods such as .sum() "
        "and .max(), and functions of the lab or of attention_core"
    )


def _of_the_course(function: Any) -> bool:
    module = getattr(function, "__module__", None) or ""
    return callable(function) and (
        module == "__main__" or module.partition(".")[0] == "attention_core"
    )


def plain(value: Any, expression: str = "the value") -> Any:
    """Return arrays, tensors, shapes and tuples as lists, and NumPy's numbers as Python's."""
    single = "float32" in str(getattr(value, "dtype", ""))
    if hasattr(value, "detach"):
        value = value.detach()
    if hasattr(value, "tolist"):
        value = value.tolist()
    if single:
        return _five_digits(value)
    if isinstance(value, tuple | list):
        return [plain(one, expression) for one in value]
    if isinstance(value, bool | int | float | str):
        return value
    raise ExpressionError(
        f"{expression!r} gives {type(value).__name__}, not a number, boolean, text or array; "
        "ask for a value in it"
    )


def _five_digits(value: Any) -> Any:
    """Cut numbers of single precision to the digits that every machine computes alike."""
    if isinstance(value, list):
        return [_five_digits(one) for one in value]
    return float(f"{value:.5g}")
