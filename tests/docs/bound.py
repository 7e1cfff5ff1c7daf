"""Hold every bound figure of a page to what the page's labs leave behind, and to the record.

The record, snippets/values.json, is what a build shows as the unrounded value; it must be what the
labs give now, and hold no value that no page asks for.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from lesson_markup.expression import ExpressionError, evaluate
from lesson_markup.figures import BoundFigure
from lesson_markup.literal import LiteralError, describe, differences, shortened

from tests.docs.course import LANGUAGES, Course, Problem
from tests.docs.notebooks import load_cells
from tests.docs.outputs import lab_fence
from tests.docs.pages import Page, load_page
from tests.docs.runs import LabRunner

Record = dict[str, dict[str, Any]]
REPAIR = "if the page is right run `make values`, else mend it"


def record_path(course: Course) -> Path:
    """Give the file that keeps the values of all bound figures."""
    return course.snippets / "values.json"


def read_record(course: Course) -> Record:
    """Read the recorded values: by lab, then by expression."""
    path = record_path(course)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def names_of(course: Course, lab: str, runner: LabRunner) -> dict[str, Any]:
    """Give what a lab, or a notebook's cells, leave behind."""
    if (course.snippets / f"{lab}.py").is_file():
        return runner.names_left(lab_fence(course, f"{lab}.py").code, f"snippets/{lab}.py")
    notebook = next(
        (path for path in course.notebook_files(LANGUAGES[0]) if path.stem == lab), None
    )
    if notebook is None:
        raise ExpressionError(f"there is no lab snippets/{lab}.py; correct the name")
    return runner.names_left(computing_cells(notebook), course.show(notebook))


def computing_cells(notebook: Path) -> str:
    """Give a notebook's code without the cells that draw pictures, which leave no figures."""
    cells = load_cells(notebook)
    return "\n".join(
        cell.code() for cell in cells if cell.kind == "code" and "alt=" not in cell.options
    )


def value_of(course: Course, figure: BoundFigure, runner: LabRunner) -> Any:
    """Evaluate a figure's expression over its lab, or over the labs that it names."""
    if not figure.named:
        return evaluate(figure.expression, names_of(course, figure.lab, runner))
    labs = {lab: SimpleNamespace(**names_of(course, lab, runner)) for lab in figure.named}
    return evaluate(figure.expression, labs)


def check_figures(
    course: Course, page: Page, runner: LabRunner, record: Record | None = None
) -> list[Problem]:
    """Compare each literal with the code, at the literal's own precision, and with the record."""
    shown = course.show(page.path)
    found = [*page.problems, *check_labs_named(course, page)]
    for figure in page.figures:
        try:
            value = value_of(course, figure, runner)
            wrong = differences(figure.literal, value)
        except (ExpressionError, LiteralError) as error:
            found.append(Problem(shown, figure.line, f"{error} [lab: {figure.lab}]"))
            continue
        if wrong:
            text = f"{wrong} ({figure.expression} in {figure.lab})"
            found.append(Problem(shown, figure.line, text))
        elif record is not None and (text := _unlike_record(figure, value, record)):
            found.append(Problem(shown, figure.line, text))
    return found


def _unlike_record(figure: BoundFigure, value: Any, record: Record) -> str | None:
    recorded = record.get(figure.lab, {})
    if figure.expression not in recorded:
        return f"{figure.expression} in {figure.lab} is not recorded; run `make values`"
    if _same(recorded[figure.expression], shortened(value)):
        return None
    return (
        f"snippets/values.json says that {figure.expression} in {figure.lab} is "
        f"{describe(recorded[figure.expression])}, the code gives {describe(value)}; {REPAIR}"
    )


def _same(recorded: Any, value: Any) -> bool:
    # In Python 1 == 1.0 == True, which the record tells apart.
    return json.dumps(recorded) == json.dumps(value)


def check_labs_named(course: Course, page: Page) -> list[Problem]:
    """Demand that a lab named in the front matter stands on the page that is named with it."""
    shown = course.show(page.path)
    found = []
    used = {lab for figure in page.figures for lab in (figure.lab, *figure.named)}
    for lab, name in (page.meta.get("labs") or {}).items():
        target = page.path.parent / str(name)
        if not target.is_file() or not _shows(course, target, lab):
            text = f"labs: {name} does not show the lab {lab}; name the page that does"
            found.append(Problem(shown, 1, text))
        elif lab not in used:
            found.append(Problem(shown, 1, f"labs: no figure asks for {lab}; take it out"))
    return found


def _shows(course: Course, path: Path, lab: str) -> bool:
    page = load_page(course, path)
    files = {include.file for fence in page.fences for include in fence.includes}
    return f"{lab}.py" in files or path.stem == lab


def pages_with_figures(course: Course) -> list[Page]:
    """List all pages and notebooks, of both languages."""
    return [
        load_page(course, path)
        for language in LANGUAGES
        for path in course.page_files(language) + course.notebook_files(language)
    ]


def collect_values(course: Course, pages: Iterable[Page], runner: LabRunner) -> Record:
    """Evaluate every figure of the pages; what cannot be evaluated is left out."""
    record: Record = {}
    for page in pages:
        for figure in page.figures:
            try:
                value = shortened(value_of(course, figure, runner))
            except ExpressionError:
                continue
            record.setdefault(figure.lab, {})[figure.expression] = value
    return record


def check_record(course: Course, pages: Iterable[Page], record: Mapping) -> list[Problem]:
    """Demand that nothing is recorded that no page shows."""
    asked = {(figure.lab, figure.expression) for page in pages for figure in page.figures}
    return [
        Problem(
            "snippets/values.json",
            1,
            f"holds {expression} in {lab}, which no page shows; run `make values`",
        )
        for lab, values in record.items()
        for expression in values
        if (lab, expression) not in asked
    ]
