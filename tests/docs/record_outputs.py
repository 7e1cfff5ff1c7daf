"""Record what every lab prints: `python -m tests.docs.record_outputs`, or `make outputs`.

Tests only compare; this is the one place that writes recorded outputs.
"""

import argparse
import difflib
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.docs.course import HERE, Course
from tests.docs.numerals import literals, read_register, write_register

TIME_LIMIT = 120


def run_alone(lab: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a lab as a reader does: `python lab.py`, in a process of its own."""
    # -W error is left out on purpose: the labs' own warnings are checked by the tests.
    environment = {**os.environ, "PYTHONHASHSEED": "random", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, str(lab)],
        cwd=cwd,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=TIME_LIMIT,
        check=False,
    )


def record(course: Course, lab: Path, register: dict[str, list[str]]) -> tuple[str, str]:
    """Record one lab; give what happened (`same`, `new`, `changed`, `failed`) and details."""
    try:
        done = run_alone(lab, course.root)
    except subprocess.TimeoutExpired:
        return "failed", f"  took more than {TIME_LIMIT} s; its recorded output is left as it was"
    if done.returncode or done.stderr:
        text = done.stderr.rstrip() or f"exit code {done.returncode}"
        return "failed", f"{text}\n  its recorded output is left as it was"
    recorded = lab.with_suffix(".out")
    old = recorded.read_text(encoding="utf-8") if recorded.is_file() else None
    register[lab.name] = [value for _, value in literals(lab.read_text(encoding="utf-8"))]
    if old == done.stdout:
        return "same", ""
    recorded.write_text(done.stdout, encoding="utf-8")
    if old is None:
        return "new", ""
    diff = difflib.unified_diff(
        old.splitlines(),
        done.stdout.splitlines(),
        f"{recorded.name} before",
        f"{recorded.name} now",
        lineterm="",
    )
    return "changed", "\n".join(diff)


def record_all(course: Course, names: list[str]) -> int:
    """Record the named labs, or all; give the number of those that failed."""
    labs = [lab for lab in course.labs() if not names or lab.stem in names or lab.name in names]
    unknown = set(names) - {lab.stem for lab in labs} - {lab.name for lab in labs}
    if unknown:
        print(f"no such lab in snippets/: {', '.join(sorted(unknown))}", file=sys.stderr)
        return len(unknown)
    old = read_register(course)
    register = {lab.name: old[lab.name] for lab in course.labs() if lab.name in old}
    counts = {"same": 0, "new": 0, "changed": 0, "failed": 0}
    for number, lab in enumerate(labs, 1):
        started = time.perf_counter()
        result, details = record(course, lab, register)
        counts[result] += 1
        seconds = time.perf_counter() - started
        print(f"[{number}/{len(labs)}] {course.show(lab)}: {result} ({seconds:.1f} s)", flush=True)
        if details:
            print(details, flush=True)
    write_register(course, register)
    print(", ".join(f"{count} {result}" for result, count in counts.items()))
    return counts["failed"]


def main() -> int:
    """Record from the command line."""
    parser = argparse.ArgumentParser(description="Record what the labs print.")
    parser.add_argument("labs", nargs="*", help="names of labs; all if none is given")
    return 1 if record_all(HERE, parser.parse_args().labs) else 0


if __name__ == "__main__":
    sys.exit(main())
