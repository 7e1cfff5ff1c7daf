"""Proof that the checks look: one digit is changed at a time, and each change must be found."""

import random
import re

import pytest

from tests.docs import copies
from tests.docs.numerals import check_numbers, read_register
from tests.docs.outputs import check_lab, check_page
from tests.docs.pages import parse_page
from tests.docs.runs import RUNNER

pytestmark = pytest.mark.slow

SEED = 20240601
OF_OUTPUTS, OF_DATA = 24, 24


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return copies.copy_course(tmp_path_factory.mktemp("mutants"))


def another_digit(digit, rng):
    """Give a digit that is not this one."""
    return rng.choice([other for other in "0123456789" if other != digit])


def mutate(text, place, rng):
    """Change the digit at one place of a text."""
    return text[:place] + another_digit(text[place], rng) + text[place + 1 :]


def sample(paths, size, rng, pattern):
    """Choose files and places of digits in them."""
    places = [
        (path, match.start())
        for path in paths
        for match in re.finditer(pattern, path.read_text(encoding="utf-8"))
    ]
    return rng.sample(places, min(size, len(places)))


def users(course, name):
    """List the pages of both languages that show a file."""
    return [path for _, path in course.all_pages() if f'"{name}"' in path.read_text("utf-8")]


def test_every_changed_digit_of_a_recorded_output_is_found(course):
    rng = random.Random(SEED)
    tried, missed = 0, []
    for path, place in sample(sorted(course.snippets.glob("*.out")), OF_OUTPUTS, rng, r"\d"):
        text = path.read_text(encoding="utf-8")
        path.write_text(mutate(text, place, rng), encoding="utf-8")
        try:
            tried += 1
            pages = users(course, path.name)
            if not check_lab(course, path.with_suffix(".py").name, RUNNER):
                missed.append(f"{path.name} at {place}")
            for page in pages:
                parsed = parse_page(course, page, page.read_text(encoding="utf-8"))
                if not check_page(course, parsed, RUNNER):
                    missed.append(f"{path.name} at {place}, shown by {page.name}")
        finally:
            path.write_text(text, encoding="utf-8")
    assert tried >= 20
    assert not missed


def test_every_changed_digit_of_a_lab_is_found(course):
    rng = random.Random(SEED)
    register = read_register(course)
    # A digit of a name or a comment is no data.
    data = r"(?<![A-Za-z_\d])\d"
    tried, missed = 0, []
    for path, place in sample(course.labs(), OF_DATA * 3, rng, data):
        text = path.read_text(encoding="utf-8")
        line = text[text.rfind("\n", 0, place) + 1 : place]
        if "#" in line or tried == OF_DATA:
            continue
        mutant = mutate(text, place, rng)
        try:
            compile(mutant, path.name, "exec")
        except SyntaxError:
            continue
        tried += 1
        if not check_numbers(path.name, mutant, register[path.name]):
            missed.append(f"{path.name} at {place}: {line}")
    assert tried >= 20
    assert not missed


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("attention_lab.out", "0.503", "0.504"),
        # A score of the future: masked, so no output shows it.
        ("mask_lab.py", "[[2.0, 1.0, 0.5]", "[[2.0, 1.5, 0.5]"),
        ("mha_lab.py", "manual_seed(42)", "manual_seed(43)"),
    ],
)
def test_the_real_command_finds_a_changed_digit(tmp_path, name, old, new):
    course = copies.copy_course(tmp_path)
    path = course.snippets / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    done = copies.verify(course)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"snippets/{name}" in done.stdout
