"""Try every mutant of the documented figures: `make mutate-docs`.

Each is a wrong page, output or value that the checks must turn red. Prints killed / tried for each
category and language, and every mutant that was missed.
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
from tests.docs.course import report
from tests.docs.runs import RUNNER

SEED = 20240601


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
        return try_all(course, chosen[:: options.every])


def try_all(course, chosen: list[mutants.Mutant]) -> int:
    """Try the mutants, showing progress; give 1 if any was missed."""
    tried: Counter[tuple[str, str]] = Counter()
    killed: Counter[tuple[str, str]] = Counter()
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
    width = max(len(kind) for kind, _ in tried)
    print(f"\n{'category':{width}}  language  killed / tried")
    for kind, language in sorted(tried):
        share = f"{killed[kind, language]} / {tried[kind, language]}"
        print(f"{kind:{width}}  {language:8}  {share}")
    print(f"{'all':{width}}  {'':8}  {sum(killed.values())} / {sum(tried.values())}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
