"""Copies of the course that a test may break."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.docs.course import HERE, Course

PARTS = ("attention_core", "docs", "snippets", "tests")
FILES = ("mkdocs.yml", "mkdocs.en.yml", "pyproject.toml", "README.md", "README.ja.md")
VERIFY = (
    "docs/ja",
    "docs/en",
    "tests/docs",
    "-m",
    "not slow and not build and not machinery",
    "-q",
)


def copy_course(folder: Path) -> Course:
    """Copy what the checks and the build read."""
    for part in PARTS:
        ignored = shutil.ignore_patterns("__pycache__", ".*")
        shutil.copytree(HERE.root / part, folder / part, ignore=ignored)
    for name in FILES:
        shutil.copy2(HERE.root / name, folder / name)
    return Course(folder)


def verify(course: Course) -> subprocess.CompletedProcess[str]:
    """Run the fast check, as `make verify` does, in a copy."""
    return _run(course, "pytest", "-p", "no:cacheprovider", *VERIFY)


def build(course: Course, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `mkdocs build` as a person would."""
    return _run(course, "mkdocs", "build", *arguments)


def _run(course: Course, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "NO_MKDOCS_2_WARNING": "1",
        # Without a cache, so that what is proved is a real run of the notebooks.
        "CI": "true",
        "SITE_URL": "https://example.org/lab/",
        "SITE_URL_EN": "https://example.org/lab/en/",
        # The copy's own package, not the one that is installed.
        "PYTHONPATH": str(course.root),
    }
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=course.root,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
