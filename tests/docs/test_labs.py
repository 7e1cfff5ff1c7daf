"""Every recorded output equals a real run, in this process and alone."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.docs import numerals
from tests.docs.course import HERE, report
from tests.docs.outputs import check_lab, difference
from tests.docs.record_outputs import run_alone
from tests.docs.runs import RUNNER

LABS = HERE.labs()


def test_there_are_labs():
    assert LABS, "snippets/ holds no lab; the checks prove nothing"


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.stem)
def test_recorded_output_equals_a_run(lab):
    if problems := check_lab(HERE, lab.name, RUNNER):
        pytest.fail(report(problems), pytrace=False)


def test_the_numbers_of_each_lab_are_those_its_output_was_recorded_with():
    if problems := numerals.check_register(HERE):
        pytest.fail(report(problems), pytrace=False)


@pytest.fixture(scope="module")
def runs_alone(tmp_path_factory):
    """Start every lab in a process of its own, as many at once as cores.

    They run from an empty folder: no lab may depend on where it is started.
    """
    folder = tmp_path_factory.mktemp("elsewhere")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {lab: pool.submit(run_alone, lab, folder) for lab in LABS}
        pool.shutdown(cancel_futures=True)


@pytest.mark.slow
@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.stem)
def test_lab_runs_alone_and_prints_the_same(lab, runs_alone):
    done = runs_alone[lab].result()
    name = HERE.show(lab)
    if done.returncode or done.stderr:
        pytest.fail(f"python {name}: exit {done.returncode}\n{done.stderr}", pytrace=False)
    recorded = lab.with_suffix(".out").read_text(encoding="utf-8")
    found = difference(recorded, done.stdout, f"{name} recorded", f"python {name} gives")
    if found:
        pytest.fail(f"{name}: {found[1]}", pytrace=False)
