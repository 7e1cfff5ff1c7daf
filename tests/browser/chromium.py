"""Find a Chromium for the browser tests, or install one: `python -m tests.browser.chromium`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# No background request may reach another host, and root needs --no-sandbox.
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def candidates() -> Iterator[str]:
    """List the browsers to try: $CHROMIUM, Playwright's own, those on the PATH."""
    if named := os.environ.get("CHROMIUM"):
        yield named
    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path
    yield from filter(None, map(shutil.which, ON_PATH))


def works(executable: str) -> bool:
    """Tell whether the file is there and starts; a missing system library shows here."""
    if not Path(executable).exists():
        return False
    done = subprocess.run([executable, "--version"], capture_output=True, check=False)
    return done.returncode == 0


def find_chromium() -> str | None:
    """Return the first browser that works; a wrong $CHROMIUM is an error."""
    named = os.environ.get("CHROMIUM")
    if named and not works(named):
        raise SystemExit(f"$CHROMIUM is {named}, which does not start; correct it or unset it.")
    return next(filter(works, candidates()), None)


def installers() -> Iterator[tuple[str, ...]]:
    """List the ways to get one, the least intrusive first."""
    yield (sys.executable, "-m", "playwright", "install", "chromium")
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        yield ("sh", "-c", "apt-get update -qq && apt-get install -y -qq chromium")


def main() -> None:
    """Make sure that there is a browser, saying what is being done."""
    for command in installers():
        if find_chromium():
            break
        print(f"No Chromium found; trying: {' '.join(command)}", flush=True)
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    found = find_chromium()
    if not found:
        raise SystemExit(
            "No Chromium was found and none could be installed. Install one (Debian: apt-get "
            "install chromium), or set $CHROMIUM to its path, and run make test again."
        )
    print(f"Browser tests use {found}")


if __name__ == "__main__":
    main()
