"""Record what every bound figure is before rounding: `make values`, part of `make outputs` too.

A build shows these values and runs no lab for it. `make verify` holds the record to real runs.
"""

import json
import sys

from tests.docs.bound import (
    check_figures,
    collect_values,
    pages_with_figures,
    read_record,
    record_path,
)
from tests.docs.course import HERE, Course, report
from tests.docs.runs import RUNNER


def record_values(course: Course) -> int:
    """Write the record; give the number of figures that the pages show wrongly."""
    pages = pages_with_figures(course)
    old = read_record(course)
    new = collect_values(course, pages, RUNNER)
    lines = []
    for lab in sorted(new):
        values = [
            f"    {json.dumps(expression, ensure_ascii=False)}: {json.dumps(new[lab][expression])}"
            for expression in sorted(new[lab])
        ]
        lines.append(f"  {json.dumps(lab)}: {{\n" + ",\n".join(values) + "\n  }")
    record_path(course).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    count = sum(map(len, new.values()))
    changed = sum(
        old.get(lab, {}).get(expression) != value
        for lab, values in new.items()
        for expression, value in values.items()
    )
    print(f"{count} values of {len(new)} labs recorded, {changed} new or changed")
    problems = [one for page in pages for one in check_figures(course, page, RUNNER)]
    if problems:
        print(report(problems), file=sys.stderr)
    return len(problems)


if __name__ == "__main__":
    sys.exit(1 if record_values(HERE) else 0)
