"""Hold what a page prints against what a run prints, to the letter."""

import difflib
from itertools import zip_longest

from tests.docs.course import Course, Problem
from tests.docs.pages import Fence, Include, Page, expand
from tests.docs.runs import LabRunner, Outcome

REPAIR = "if the lab is right run `make outputs`, else mend the lab"


def as_lines(text: str) -> list[str]:
    """Split into lines; only a final newline makes no difference."""
    return text.removesuffix("\n").split("\n")


def difference(says: str, gives: str, says_name: str, gives_name: str) -> tuple[int, str] | None:
    """Compare to the letter; give the first differing line and a diff that marks it."""
    left, right = as_lines(says), as_lines(gives)
    if left == right:
        return None
    first = next(i for i, (a, b) in enumerate(zip_longest(left, right)) if a != b)
    shown_left = repr(left[first]) if first < len(left) else "nothing more"
    shown_right = repr(right[first]) if first < len(right) else "nothing more"
    diff = "\n".join(difflib.unified_diff(left, right, says_name, gives_name, lineterm="", n=2))
    return first, (
        f"first difference in line {first + 1} of the output:\n"
        f"  --> the page says  {shown_left}\n"
        f"  --> the run gives  {shown_right}\n{diff}"
    )


def source_line(course: Course, fence: Fence, line: int | None) -> str:
    """Name the place in a lab that line `line` of a fence's code came from."""
    if line is None or not fence.includes:
        return ""
    include = fence.includes[0]
    path = course.snippets / include.file
    wanted = fence.code.split("\n")[:line]
    if not wanted or not path.is_file():
        return ""
    # The code is the file less its section marks, so the n-th equal line is the one.
    nth = wanted.count(wanted[-1])
    numbers = [
        number
        for number, text in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if text == wanted[-1]
    ]
    number = numbers[nth - 1] if nth <= len(numbers) else 1
    return f" at snippets/{include.file}:{number}: {wanted[-1].strip()}"


def mishaps(course: Course, fence: Fence, outcome: Outcome) -> str | None:
    """Tell what else than output came of a run."""
    if outcome.error:
        return f"the run raises {outcome.error}{source_line(course, fence, outcome.error_line)}"
    if outcome.warned:
        return "the run warns, which a reader would see: " + "; ".join(outcome.warned)
    if outcome.stderr:
        return f"the run writes to stderr: {outcome.stderr.strip()!r}"
    return None


def run_fence(course: Course, page: Page, fence: Fence, runner: LabRunner) -> Outcome:
    """Run a fence in the namespace its page gives it."""
    name = fence.includes[0].file if fence.includes else course.show(page.path)
    return runner.run(tuple(one.code for one in page.chain(fence)), f"snippets/{name}")


def check_fence(course: Course, page: Page, fence: Fence, runner: LabRunner) -> list[Problem]:
    """Run one Python fence and compare its output with the fence that follows."""
    shown = course.show(page.path)
    output = page.output_of(fence)
    broken = [*fence.problems, *(output.problems if output else ())]
    if broken:
        return broken
    first_python = page.python_fences()[0]
    if fence.continues and fence is first_python:
        return [
            Problem(
                shown, fence.line, "this fence continues nothing: no Python fence stands before it"
            )
        ]
    outcome = run_fence(course, page, fence, runner)
    if mishap := mishaps(course, fence, outcome):
        return [Problem(shown, fence.line, mishap)]
    if output is None:
        if not outcome.stdout:
            return []
        return [Problem(shown, fence.line, _unshown(outcome.stdout))]
    if not outcome.stdout:
        return [
            Problem(shown, output.line, "the page shows an output here, but the run gives none")
        ]
    found = difference(output.code, outcome.stdout, f"{shown} says", "the run gives")
    if found is None:
        return []
    first, text = found
    line, origin = output.line + 1 + first, ""
    if output.includes:
        line = output.includes[0].line
        origin = f", which includes snippets/{output.includes[0].file}:{first + 1}"
    ran = ", ".join(f"snippets/{include.target}" for include in fence.includes)
    return [
        Problem(
            shown,
            line,
            f"the output shown here{origin}, is not what {ran} prints: {text}\n{REPAIR}",
        )
    ]


def _unshown(stdout: str) -> str:
    return (
        f"this fence prints {as_lines(stdout)[0]!r} ..., but no ```text fence follows it; add one "
        "with the recorded output"
    )


def check_page(course: Course, page: Page, runner: LabRunner) -> list[Problem]:
    """Run every Python fence of a page."""
    return [
        problem
        for fence in page.python_fences()
        for problem in check_fence(course, page, fence, runner)
    ]


def lab_fence(course: Course, name: str) -> Fence:
    """Give a whole lab as a page would include it."""
    line = f'--8<-- "{name}"'
    code = expand(course, (line,))
    return Fence(0, "python", (), (line,), (Include(1, name),), code, ())


def check_lab(course: Course, name: str, runner: LabRunner) -> list[Problem]:
    """Compare a lab's recorded output with a run."""
    fence = lab_fence(course, name)
    recorded = course.snippets / name.replace(".py", ".out")
    outcome = runner.run((fence.code,), f"snippets/{name}")
    if mishap := mishaps(course, fence, outcome):
        return [Problem(f"snippets/{name}", outcome.error_line or 1, mishap)]
    says = recorded.read_text(encoding="utf-8")
    found = difference(says, outcome.stdout, f"snippets/{recorded.name} says", "the run gives")
    if found is None:
        return []
    first, text = found
    return [
        Problem(
            f"snippets/{recorded.name}",
            first + 1,
            f"not what snippets/{name} prints: {text}\n{REPAIR}",
        )
    ]
