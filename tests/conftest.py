"""What tests of the pages and tests in a browser share."""

import pytest

from tests.docs import copies
from tests.docs.course import HERE


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    """Build both languages once, strictly, notebooks run."""
    root = tmp_path_factory.mktemp("built") / "site"
    return root, copies.build(HERE, "--site-dir", str(root), "--strict")


@pytest.fixture(scope="session")
def site(build):
    """The root of the built site."""
    root, done = build
    if done.returncode:
        pytest.fail("there is no site to look at: see test_a_strict_build_passes", pytrace=False)
    return root
