"""Labs run as they would alone, although they share a process."""

import random
import sys

import numpy as np
import pytest

from tests.docs import fences_plugin
from tests.docs.course import HERE
from tests.docs.outputs import difference
from tests.docs.pages import load_page
from tests.docs.runs import LabRunner

pytestmark = pytest.mark.machinery


@pytest.fixture
def runner():
    return LabRunner()


def test_only_the_last_fence_of_a_chain_is_heard(runner):
    assert runner.run(("x = 1; print('first')",)).stdout == "first\n"
    assert runner.run(("x = 1; print('first')", "print(x + 1)")).stdout == "2\n"


def test_equal_chains_run_once(runner):
    code = "import random; print(random.random())"
    assert runner.run((code,)) == runner.run((code + "\n",))
    assert runner.count == 1


def test_two_continuations_of_one_fence_do_not_meet(runner):
    start = "x = [1]"
    assert runner.run((start, "x.append(2); print(x)")).stdout == "[1, 2]\n"
    assert runner.run((start, "x.append(3); print(x)")).stdout == "[1, 3]\n"


def test_print_options_last_as_long_as_the_chain(runner):
    start = "import numpy as np; np.set_printoptions(precision=2)"
    assert runner.run((start, "print(np.array([1 / 3]))")).stdout == "[0.33]\n"
    lab = "import numpy as np; print(np.array([1 / 3]))"
    assert runner.run((lab,)).stdout == "[0.33333333]\n"
    assert np.get_printoptions()["precision"] == 8


def test_random_state_passes_neither_in_nor_out(runner):
    random.seed(0)
    before = random.getstate()
    outcome = runner.run(("import random; random.seed(7)",))
    assert outcome.clean
    assert random.getstate() == before
    continued = runner.run(("import random; random.seed(7)", "print(random.random())"))
    assert continued.stdout == f"{random.Random(7).random()}\n"


def test_a_lab_is_main_and_leaves_ours_alone(runner):
    ours = sys.modules["__main__"]
    lab = "import sys; x = 5\nif __name__ == '__main__': print(sys.modules['__main__'].x)"
    assert runner.run((lab,)).stdout == "5\n"
    assert sys.modules["__main__"] is ours


@pytest.mark.parametrize(
    ("lab", "told", "line"),
    [
        ("x = 1\n1 / 0", "ZeroDivisionError", 2),
        ("def f(:", "SyntaxError", 1),
        ("import sys\n\nsys.exit(2)", "SystemExit: 2", 3),
        ("3()", "TypeError", 1),
    ],
)
def test_an_error_is_kept_with_its_line(runner, lab, told, line):
    outcome = runner.run((lab,))
    assert told in outcome.error
    assert outcome.error_line == line
    assert not outcome.clean


def test_a_readers_warning_is_kept_and_a_librarys_is_not(runner):
    lab = "import warnings; warnings.warn('mind', {}, stacklevel=1)"
    assert runner.run((lab.format("UserWarning"),)).warned == ("UserWarning: mind",)
    library = "exec(compile(\"import warnings; warnings.warn('old', DeprecationWarning)\", 'lib', "
    library += "'exec'), {'__name__': 'library'})"
    assert runner.run((library,)).clean


def test_a_type_error_in_the_check_does_not_run_a_fence_twice(monkeypatch):
    calls = []

    def broken(*arguments):
        calls.append(arguments)
        raise TypeError("no such form")

    monkeypatch.setattr(fences_plugin, "check_fence", broken)
    page = next(
        page for _, path in HERE.all_pages() if (page := load_page(HERE, path)).python_fences()
    )

    class Definition:
        source_path = page.path
        start_line = page.python_fences()[0].line

    with pytest.raises(RuntimeError, match="no such form"):
        fences_plugin.ComparingRunner().runtest(Definition, {})
    assert len(calls) == 1


def test_outputs_are_compared_to_the_letter():
    assert difference("a\n", "a", "page", "run") is None
    for says, gives in [("a", "a "), ("a\n\n", "a\n"), ("1.0", "1."), ("", "a"), ("\na", "a")]:
        assert difference(says, gives, "page", "run") is not None


def test_a_difference_marks_its_first_line():
    first, text = difference("a\nb\nc\n", "a\nB\nC\n", "page", "run")
    assert first == 1
    assert "line 2" in text
    assert "the page says  'b'" in text
    assert "the run gives  'B'" in text
    assert "-b\n" in text
    assert "+B\n" in text
