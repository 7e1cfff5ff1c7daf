"""What a page must be like for its outputs to be provable at all."""

from lesson_markup.fences import INCLUDE, PYTHON

from tests.docs import markdown
from tests.docs.course import LANGUAGES, Course, Problem
from tests.docs.pages import OUTPUT, Fence, Page, load_page

# `matrix` is drawn from a recorded output and `bank-lesson` from the core; the others are never run
# and promise no output.
DRAWN = frozenset({"matrix", "bank-lesson"})
TYPED = frozenset({"console", "toml", "yaml", "json"})
LANGUAGES_OF_FENCES = frozenset({"python", OUTPUT}) | DRAWN | TYPED


def check_fence_forms(course: Course, page: Page) -> list[Problem]:
    """Demand fences that can be run and compared: includes only, each output after its code."""
    shown = course.show(page.path)
    found = []
    before: Fence | None = None
    for fence in page.fences:
        for text in _faults(fence, before):
            found.append(Problem(shown, fence.line, text))
        found.extend(fence.problems)
        found.extend(
            Problem(shown, one.line, text)
            for one in fence.includes
            if (text := _numbered(one.section))
        )
        before = fence
    return found


def _faults(fence: Fence, before: Fence | None) -> list[str]:
    faults = []
    if fence.language not in LANGUAGES_OF_FENCES:
        faults.append(
            f"the fence's language is {fence.language!r}; use one of "
            f"{', '.join(sorted(LANGUAGES_OF_FENCES))}"
        )
    if fence.language in PYTHON:
        extra = set(fence.options) - {"continuation"}
        if extra:
            faults.append(f"option {', '.join(sorted(extra))}: only `continuation` is allowed here")
        if not all(INCLUDE.match(line) for line in fence.lines) or not fence.lines:
            faults.append(
                'a Python fence holds includes only (`--8<-- "lab.py"`), so that the code is '
                "the file that runs; move the code to snippets/"
            )
    if fence.language == OUTPUT:
        if before is None or not before.is_python:
            faults.append("an output fence must follow a Python fence, with no other between them")
        elif whole := _whole_lab(before):
            wanted = whole.replace(".py", ".out")
            if [one.target for one in fence.includes] != [wanted] or len(fence.lines) != 1:
                faults.append(f'the output of {whole} is shown by `--8<-- "{wanted}"` alone')
    return faults


def _whole_lab(fence: Fence) -> str | None:
    """Name the lab, if the fence is one whole lab and nothing else."""
    if len(fence.includes) == 1 and not fence.includes[0].section and not fence.continues:
        return fence.includes[0].file
    return None


def _numbered(section: str) -> str | None:
    if section and not section[0].isalpha():
        return (
            f'lines "{section}" are included by number, which goes wrong when the file changes; '
            "name the part with `# --8<-- [start:name]` and `[end:name]`"
        )
    return None


def check_stray_includes(course: Course, page: Page) -> list[Problem]:
    """Demand that includes stand inside fences, where the checks see them."""
    return [
        Problem(
            course.show(page.path), number, "an include outside a fence is not checked; move it"
        )
        for number, line in enumerate(page.prose, 1)
        if markdown.INCLUDE_MARK.search(line)
    ]


def check_headings(course: Course, page: Page) -> list[Problem]:
    """Demand one h1, no skipped level, and an explicit, unique id for every heading."""
    shown = course.show(page.path)
    found = []
    seen: dict[str, int] = {}
    level = 0
    for heading in page.headings:
        if heading.id is None:
            found.append(
                Problem(shown, heading.line, f'heading "{heading.text}" needs a `{{#id}}`')
            )
        elif heading.id in seen:
            text = f'id "{heading.id}" was given in line {seen[heading.id]} already'
            found.append(Problem(shown, heading.line, text))
        else:
            seen[heading.id] = heading.line
        if heading.level > level + 1:
            text = f"heading of level {heading.level} below one of level {level}; skip none"
            found.append(Problem(shown, heading.line, text))
        level = heading.level
    tops = [heading.line for heading in page.headings if heading.level == 1]
    if len(tops) != 1:
        found.append(
            Problem(shown, tops[-1] if tops else 1, f"a page has one h1; this has {len(tops)}")
        )
    return found


DESCRIPTION_LENGTHS = {"ja": (30, 120), "en": (50, 160)}


def check_front_matter(course: Course, pages: list[Page]) -> list[Problem]:
    """Demand a title and a description of useful length, distinct within a language."""
    found = []
    seen: dict[tuple[str, str, str], str] = {}
    for page in pages:
        shown = course.show(page.path)
        for key in ("title", "description"):
            value = page.meta.get(key)
            if not isinstance(value, str) or not value.strip():
                found.append(Problem(shown, 1, f"front matter needs a `{key}`"))
                continue
            other = seen.setdefault((page.language, key, value), shown)
            if other != shown:
                found.append(Problem(shown, 1, f"its {key} is also that of {other}: {value!r}"))
        size = len(str(page.meta.get("description", "")))
        low, high = DESCRIPTION_LENGTHS[page.language]
        if size and not low <= size <= high:
            text = f"description has {size} characters; search results want {low} to {high}"
            found.append(Problem(shown, 1, text))
    return found


def check_snippets_are_used(course: Course) -> list[Problem]:
    """Demand a recorded output beside each lab, and each lab on a page of each language."""
    found = []
    names = {path.stem for path in course.labs()}
    outputs = {path.stem for path in course.snippets.glob("*.out")}
    for name in sorted(names - outputs):
        found.append(Problem(f"snippets/{name}.py", 1, "no recorded output; run `make outputs`"))
    for name in sorted(outputs - names):
        found.append(Problem(f"snippets/{name}.out", 1, f"no lab {name}.py beside it; remove it"))
    for language in LANGUAGES:
        used = {
            include.file
            for path in course.page_files(language)
            for fence in load_page(course, path).fences
            for include in fence.includes
        }
        for path in course.labs():
            if path.name not in used:
                text = f"no page of docs/{language} includes it; include it or remove it"
                found.append(Problem(f"snippets/{path.name}", 1, text))
    return found
