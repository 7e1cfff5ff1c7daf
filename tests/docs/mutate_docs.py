"""Try every mutant of the documented figures: `make mutate-docs`.

Each is a wrong page, output or value that the checks must turn red. Prints found / tried for each
kind and language, and every mutant that was missed. A full run records its table, which the course
shows as its proof.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.docs import copies, mutants
from tests.docs.check import check_course
from tests.docs.course import HERE, Course, report
from tests.docs.runs import RUNNER

SEED = 20240601
Counts = Counter[tuple[str, str]]


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Try every mutant of the documented figures.")
    parser.add_argument("--only", default="", help="paths that hold this text, such as docs/en/")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try each N-th mutant")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        course = copies.copy_course(Path(folder) / "course")
        if problems := check_course(course, RUNNER):
            print(report(problems))
            print("mend these first: in a course with problems every mutant would be found")
            return 1
        everything = mutants.all_mutants(course, random.Random(SEED))
        chosen = [one for one in everything if options.only in course.show(one.path)]
        missed, table = try_all(course, chosen[:: options.every])
    if not options.only and options.every == 1:
        record_path(HERE).write_text(table, encoding="utf-8")
    return 1 if missed else 0


def try_all(course: Course, chosen: list[mutants.Mutant]) -> tuple[list[str], str]:
    """Try the mutants, showing progress; give those that were missed, and the table of counts."""
    tried: Counts = Counter()
    killed: Counts = Counter()
    missed = []
    started = time.perf_counter()
    for count, mutant in enumerate(chosen, 1):
        group = mutants.group(course, mutant)
        tried[group] += 1
        if mutants.is_found(course, mutant, RUNNER):
            killed[group] += 1
        else:
            missed.append(mutant.show(course, mutant.path.read_text(encoding="utf-8")))
            print(missed[-1], flush=True)
        if count % 500 == 0 or count == len(chosen):
            seconds = time.perf_counter() - started
            print(f"[{count}/{len(chosen)}] {len(missed)} missed ({seconds:.0f} s)", flush=True)
    table = as_table(killed, tried)
    print(f"\n{table}", end="")
    return missed, table


def as_table(killed: Counts, tried: Counts) -> str:
    """Lay out found / tried: a row for each kind of change, a column for each language."""
    kinds = sorted({kind for kind, _ in tried})
    width = max(map(len, ("change in one language", *kinds)))
    rows = [f"{'change in one language':{width}}  {'ja':>13}  {'en':>13}"]
    shared = [f"{'change in what both share':{width}}"]
    for kind in kinds:
        cells = {one: share(killed, tried, (kind, one)) for one in ("ja", "en", "both")}
        if cells["both"]:
            shared.append(f"{kind:{width}}  {cells['both']:>13}")
        else:
            rows.append(f"{kind:{width}}  {cells['ja']:>13}  {cells['en']:>13}".rstrip())
    total = f"{'all':{width}}  {f'{killed.total()} / {tried.total()}':>13}"
    return "\n".join([*rows, "", *shared, "", total]) + "\n"


def share(killed: Counts, tried: Counts, group: tuple[str, str]) -> str:
    """Write one cell: found / tried, or nothing if there was nothing to try."""
    return f"{killed[group]} / {tried[group]}" if tried[group] else ""


def record_path(course: Course) -> Path:
    """Give the file that a full run writes and the course shows."""
    return course.snippets / "mutate_docs.txt"


if __name__ == "__main__":
    sys.exit(main())
