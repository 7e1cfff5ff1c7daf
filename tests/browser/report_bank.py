"""Measure the bank lesson in Chromium: `python -m tests.browser.report_bank`.

Prints how long an update takes (state changed, computed, laid out and painted), how many bytes of
the site's own JavaScript and CSS the lesson adds, and how many requests go to other hosts.
"""

import functools
import statistics
import tempfile
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.addresses import address
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.conftest import PREFIX, StaticHost
from tests.docs import copies
from tests.docs.course import HERE

UPDATES = 200
LIMIT = 16  # milliseconds: one frame
THEME = HERE.root / "docs" / "theme"
OWN = ("assets/js/attention-math.js", "assets/js/bank-lesson-*.js", "assets/css/bank-lesson.css")
# A message posted within a frame's callback arrives when that frame has been painted.
MEASURE = """async (updates) => {
    const lesson = document.querySelector("bank-lesson");
    const parts = { sentence: ["savings", "river"], mode: ["unscaled", "uniform", "scaled"],
        ask: ["1", "2", "3", "4"], choice: ["hard", "soft"], step: ["4", "5", "6"] };
    const names = Object.keys(parts);
    const times = [];
    for (let k = 0; k < updates; k++) {
        await new Promise((next) => requestAnimationFrame(next));
        const name = names[k % names.length];
        const start = performance.now();
        lesson.setAttribute(name, parts[name][Math.floor(k / names.length) % parts[name].length]);
        lesson.getBoundingClientRect();
        const laidOut = performance.now();
        await new Promise((next) => requestAnimationFrame(() => {
            const channel = new MessageChannel();
            const frame = performance.now();
            channel.port1.onmessage = () => {
                times.push(laidOut - start + performance.now() - frame);
                next();
            };
            channel.port2.postMessage(0);
        }));
    }
    return times;
}"""


def report(site: Path) -> None:
    """Serve a built site, measure, and print."""
    handler = functools.partial(StaticHost, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_address[1]}{PREFIX}"
    requested: list[str] = []
    executable = find_chromium()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        page.on("request", lambda request: requested.append(request.url))
        page.goto(address(home, "en", "bank-lesson"), wait_until="networkidle")
        page.locator("bank-lesson[ready]").scroll_into_view_if_needed()
        times = page.evaluate(MEASURE, UPDATES)
        chromium.close()
    server.shutdown()
    elsewhere = [url for url in requested if not url.startswith((home, "data:", "blob:"))]
    print(
        f"update: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms "
        f"of {len(times)} (a frame has {LIMIT} ms)"
    )
    own = [path.relative_to(THEME) for name in OWN for path in sorted(THEME.glob(name))]
    print("bytes of JavaScript and CSS, uncompressed: as written, as served")
    for file in own:
        print_sizes(site, [file], str(file))
    print_sizes(site, own, "the lesson")
    every = [path.relative_to(THEME) for path in THEME.rglob("*") if path.suffix in (".css", ".js")]
    print_sizes(site, every, "all of the site's own")
    print(f"requests to other hosts: {len(elsewhere)}")


def print_sizes(site: Path, files: list[Path], name: str) -> None:
    """Print how large some files are in the repository and in the built site."""
    written, served = (
        sum((root / file).stat().st_size for file in files) for root in (THEME, site)
    )
    print(f"{written:8,} {served:8,}  {name}")


def main() -> None:
    """Build the site and report on it."""
    with tempfile.TemporaryDirectory() as folder:
        print("Building the site ...", flush=True)
        site = Path(folder) / "site"
        done = copies.build(HERE, "--site-dir", str(site))
        if done.returncode:
            raise SystemExit(f"mkdocs build stopped:\n{done.stdout}{done.stderr}")
        report(site)


if __name__ == "__main__":
    main()
