"""Proof that the checks look: small wrong changes, each of which must be found.

A sample of what `make mutate-docs` tries in full, the same each time, from every kind of change in
each language; some of it through the real command, to prove that both are the same.
"""

import os
import random
import re
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.docs import copies, mutants
from tests.docs.check import check_course
from tests.docs.course import HERE, report
from tests.docs.mutate_docs import SEED, record_path
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


def test_the_last_full_run_found_every_mutant_of_every_kind(course):
    recorded = record_path(HERE).read_text(encoding="utf-8")
    kinds = {mutant.kind for mutant in mutants.all_mutants(course, random.Random(SEED))}
    rows = {re.split(r"  +", line)[0] for line in recorded.splitlines() if " / " in line}
    assert rows == kinds | {"all"}


def test_every_sampled_mutant_is_found(course, sample):
    assert len(sample) >= 60
    missed = [
        mutant.show(course, mutant.path.read_text(encoding="utf-8"))
        for mutant in sample
        if not mutants.is_found(course, mutant, RUNNER)
    ]
    assert missed == []


@pytest.fixture(scope="module")
def through_the_command(course, sample, tmp_path_factory):
    """Send mutants of as many kinds as possible through `make verify`, as many at once as cores."""
    kinds = {}
    for mutant in random.Random(SEED).sample(sample, len(sample)):
        kinds.setdefault(mutant.kind, mutant)

    def verify(mutant):
        broken = copies.copy_course(tmp_path_factory.mktemp("broken"))
        path = broken.root / mutant.path.relative_to(course.root)
        path.write_text(mutant.apply(path.read_text(encoding="utf-8")), encoding="utf-8")
        return mutant, copies.verify(broken)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield list(pool.map(verify, list(kinds.values())[:THROUGH_THE_COMMAND]))


@pytest.mark.parametrize("number", range(THROUGH_THE_COMMAND))
def test_the_real_command_finds_a_mutant(course, through_the_command, number):
    mutant, done = through_the_command[number]
    text = mutant.path.read_text(encoding="utf-8")
    assert done.returncode == 1, mutant.show(course, text) + done.stdout + done.stderr
    assert mutant.path.relative_to(course.root).as_posix() in done.stdout
