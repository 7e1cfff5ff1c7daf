"""Recording writes what labs print, says what changed, and never hides a failure."""

import pytest

from tests.docs import numerals
from tests.docs.course import Course
from tests.docs.record_outputs import record_all

pytestmark = pytest.mark.machinery


@pytest.fixture
def course(tmp_path):
    (tmp_path / "snippets").mkdir()
    return Course(tmp_path)


def write(course, name, code):
    (course.snippets / f"{name}.py").write_text(code, encoding="utf-8")


def recorded(course, name):
    return (course.snippets / f"{name}.out").read_text(encoding="utf-8")


def test_a_new_lab_gets_its_output_and_numbers(course, capsys):
    write(course, "lab", "print(-1.5, 'at 20 %')\n")
    assert record_all(course, []) == 0
    assert recorded(course, "lab") == "-1.5 at 20 %\n"
    assert numerals.read_register(course) == {"lab.py": ["-1.5", "20"]}
    assert "[1/1] snippets/lab.py: new" in capsys.readouterr().out


def test_a_change_is_shown(course, capsys):
    write(course, "lab", "print(1)\n")
    record_all(course, [])
    write(course, "lab", "print(2)\n")
    assert record_all(course, ["lab"]) == 0
    shown = capsys.readouterr().out
    assert "changed" in shown
    assert "-1\n+2\n" in shown
    assert numerals.check_register(course) == []


@pytest.mark.parametrize(
    "code", ["print(1)\nraise ValueError('no')\n", "import sys\nsys.exit(3)\n"]
)
def test_a_lab_that_fails_keeps_its_old_output(course, capsys, code):
    write(course, "lab", "print(1)\n")
    record_all(course, [])
    write(course, "lab", code)
    assert record_all(course, []) == 1
    assert recorded(course, "lab") == "1\n"
    assert numerals.read_register(course) == {"lab.py": ["1"]}
    assert "failed" in capsys.readouterr().out


def test_an_unknown_name_is_refused(course, capsys):
    write(course, "lab", "print(1)\n")
    assert record_all(course, ["lob"]) == 1
    assert "no such lab in snippets/: lob" in capsys.readouterr().err


def test_a_removed_lab_leaves_the_register(course):
    write(course, "lab", "print(1)\n")
    write(course, "other", "print(2)\n")
    record_all(course, [])
    (course.snippets / "other.py").unlink()
    assert numerals.check_register(course)[0].text == "knows other.py, but there is no such lab"
    record_all(course, [])
    assert numerals.check_register(course) == []


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        ("x = [2.0, 1]", "x = [2.5, 1]", "number 1 is 2.5; its recorded output was made with 2.0"),
        ("x = 1", "x = -1", "number 1 is -1; its recorded output was made with 1"),
        ("x = [1, 2]", "x = [1]", "number 2 was 2 when its output was recorded and is gone"),
        ("x = 1", "x = 1 + 1", "number 2 is 1; its recorded output was made without it"),
        ("x = f'{y:.3f}'", "x = f'{y:.2f}'", "number 1 is 2; its"),
        ("x = 'seed 42'", "x = 'seed 43'", "number 1 is 43"),
    ],
)
def test_a_changed_number_is_named(then, now, told):
    before = [value for _, value in numerals.literals(then)]
    found = numerals.check_numbers("snippets/lab.py", now, before)
    assert str(found[0]).startswith("snippets/lab.py:1: ")
    assert told in found[0].text
