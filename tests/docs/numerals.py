"""The numbers written in a lab, kept beside its recorded output.

A changed digit in a lab's data may not show in its rounded output; held against the numbers
that the output was recorded with, it does.
"""

import ast
import json
import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from tests.docs.course import Course, Problem

Literal = tuple[int, str]
IN_TEXT = re.compile(r"\d+(?:\.\d+)?")


def literals(code: str) -> list[Literal]:
    """List line and value of every number in a lab, those inside its strings included."""
    return list(_walk(ast.parse(code), 1))


def _walk(node: ast.AST, line: int) -> Iterator[Literal]:
    """Walk in the order of the tree, which does not depend on Python's version."""
    line = getattr(node, "lineno", line)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = node.operand
        if isinstance(inner, ast.Constant) and isinstance(inner.value, int | float | complex):
            yield line, f"-{inner.value!r}"
            return
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield from ((line, found) for found in IN_TEXT.findall(node.value))
        elif isinstance(node.value, int | float | complex):
            yield line, repr(node.value)
        return
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, line)


def register_path(course: Course) -> Path:
    """Give the file that keeps the numbers of every lab."""
    return course.snippets / "numbers.json"


def read_register(course: Course) -> dict[str, list[str]]:
    """Read the numbers that the recorded outputs were made with."""
    path = register_path(course)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def write_register(course: Course, register: dict[str, list[str]]) -> None:
    """Write one lab a line, so that a diff shows which lab's numbers moved."""
    lines = [f"  {json.dumps(name)}: {json.dumps(register[name])}" for name in sorted(register)]
    register_path(course).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def check_numbers(path: str, code: str, recorded: list[str] | None) -> list[Problem]:
    """Compare a lab's numbers with those that its output was recorded with."""
    repair = "run `make outputs` if the change is meant"
    if recorded is None:
        return [Problem(path, 1, f"snippets/numbers.json does not know this lab; {repair}")]
    for count, (now, then) in enumerate(zip_longest(literals(code), recorded), 1):
        if now is None:
            text = f"number {count} was {then} when its output was recorded and is gone; {repair}"
            return [Problem(path, len(code.splitlines()), text)]
        if then is None:
            text = f"number {count} is {now[1]}; its recorded output was made without it; {repair}"
            return [Problem(path, now[0], text)]
        if now[1] != then:
            text = f"number {count} is {now[1]}; its recorded output was made with {then}; {repair}"
            return [Problem(path, now[0], text)]
    return []


def check_register(course: Course) -> list[Problem]:
    """Compare every lab's numbers with the register, and the register with the labs."""
    register = read_register(course)
    found = [
        Problem("snippets/numbers.json", 1, f"knows {name}, but there is no such lab")
        for name in sorted(set(register) - {path.name for path in course.labs()})
    ]
    for path in course.labs():
        code = path.read_text(encoding="utf-8")
        found.extend(check_numbers(course.show(path), code, register.get(path.name)))
    return found
