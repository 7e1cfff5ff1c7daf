"""Proof that the checks look: small wrong changes, each of which must be found.

A sample of what `make mutate-docs` tries in full, the same each time, from every kind of change in
each language; some of it through the real command, to prove that both are the same.
"""

import random
from collections import defaultdict

import pytest

from tests.docs import copies, mutants
from tests.docs.check import check_course
from tests.docs.course import report
from tests.docs.mutate_docs import SEED
from tests.docs.runs import RUNNER

pytestmark = pytest.mark.slow

OF_EACH_KIND = 4
THROUGH_THE_COMMAND = 10


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return copies.copy_course(tmp_path_factory.mktemp("mutants"))


@pytest.fixture(scope="module")
def sample(course):
    rng = random.Random(SEED)
    by_group = defaultdict(list)
    for mutant in mutants.all_mutants(course, rng):
        by_group[mutants.group(course, mutant)].append(mutant)
    return [
        mutant
        for _, group in sorted(by_group.items())
        for mutant in rng.sample(group, min(OF_EACH_KIND, len(group)))
    ]


def test_unchanged_the_course_has_no_problem(course):
    assert report(check_course(course, RUNNER)) == ""


def test_every_sampled_mutant_is_found(course, sample):
    assert len(sample) >= 60
    missed = [
        mutant.show(course, mutant.path.read_text(encoding="utf-8"))
        for mutant in sample
        if not mutants.is_found(course, mutant, RUNNER)
    ]
    assert missed == []


@pytest.fixture(scope="module")
def of_all_kinds(sample):
    """As many different kinds of change as go through the command, in both languages."""
    kinds = {}
    for mutant in random.Random(SEED).sample(sample, len(sample)):
        kinds.setdefault(mutant.kind, mutant)
    return list(kinds.values())[:THROUGH_THE_COMMAND]


@pytest.mark.parametrize("number", range(THROUGH_THE_COMMAND))
def test_the_real_command_finds_a_mutant(course, of_all_kinds, number):
    mutant = of_all_kinds[number]
    text = mutant.path.read_text(encoding="utf-8")
    mutant.path.write_text(mutant.apply(text), encoding="utf-8")
    try:
        done = copies.verify(course)
    finally:
        mutant.path.write_text(text, encoding="utf-8")
    assert done.returncode == 1, mutant.show(course, text) + done.stdout + done.stderr
    assert mutant.path.relative_to(course.root).as_posix() in done.stdout
