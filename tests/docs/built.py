"""Read a built site: its pages, their addresses, and what they would load."""

import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup

SITE = "https://example.org/lab/"
LOADING = {
    "script": ("src",),
    "img": ("src", "srcset"),
    "source": ("src", "srcset"),
    "iframe": ("src",),
    "video": ("src", "poster"),
    "audio": ("src",),
    "object": ("data",),
    "embed": ("src",),
    "use": ("href", "xlink:href"),
    "image": ("href", "xlink:href"),
}
# Links that a browser follows by itself; `canonical` and `alternate` it does not.
LOADING_LINKS = {
    "stylesheet",
    "icon",
    "preload",
    "prefetch",
    "preconnect",
    "dns-prefetch",
    "modulepreload",
    "manifest",
    "apple-touch-icon",
}
OUTSIDE = re.compile(r"^(?:https?:)?//")
CSS_URL = re.compile(r"(?:url\(\s*|@import\s+)[\"']?((?:https?:)?//[^\"')\s]+)")


@dataclass(frozen=True)
class Built:
    """One page of a built site."""

    root: Path
    path: Path

    @property
    def name(self) -> str:
        """Its file, relative to the site."""
        return self.path.relative_to(self.root).as_posix()

    @property
    def language(self) -> str:
        """Its language, by its place."""
        return "en" if self.name.startswith("en/") else "ja"

    @property
    def url(self) -> str:
        """Its public address."""
        return SITE + self.name.removesuffix("index.html")

    @functools.cached_property
    def soup(self) -> BeautifulSoup:
        """Its HTML."""
        return BeautifulSoup(self.path.read_text(encoding="utf-8"), "html.parser")

    def loads_from_elsewhere(self) -> list[str]:
        """List what a browser would request from another host by reading the page."""
        found = []
        for tag, attributes in LOADING.items():
            for element in self.soup.find_all(tag):
                found += [element[a] for a in attributes if OUTSIDE.match(element.get(a, ""))]
        for element in self.soup.find_all("link"):
            if LOADING_LINKS & set(element.get("rel", [])) and OUTSIDE.match(element["href"]):
                found.append(element["href"])
        for element in self.soup.find_all("style"):
            found += CSS_URL.findall(element.get_text())
        for element in self.soup.select("[style]"):
            found += CSS_URL.findall(element["style"])
        return [address for address in found if not address.startswith(SITE)]


def pages(root: Path) -> list[Built]:
    """List the pages of a built site, its error pages included."""
    return [Built(root, path) for path in sorted(root.rglob("*.html"))]


def file_of(root: Path, base: str, target: str) -> Path | None:
    """Give the file that an address within the site leads to; None outside the site."""
    address, _ = urldefrag(urljoin(base, target))
    if not address.startswith(SITE):
        return None
    path = root / unquote(urlsplit(address).path.removeprefix(urlsplit(SITE).path))
    return path / "index.html" if address.endswith("/") else path


def search_index(root: Path, language: str) -> tuple[str, list[str]]:
    """Read one language's search index: where it cuts words, and the text of each entry."""
    folder = root / "en" if language == "en" else root
    index = json.loads((folder / "search" / "search_index.json").read_text(encoding="utf-8"))
    entries = (entry["title"] + " " + entry["text"] for entry in index["docs"])
    return index["config"]["separator"], [re.sub(r"<[^>]*>", " ", text) for text in entries]


def words(text: str, separator: str) -> set[str]:
    """Cut a text as the search box does; its expression is JavaScript's, read with Python's."""

    def one_by_one(match: re.Match[str]) -> str:
        # JavaScript looks back over alternatives of any length, Python over one length each.
        return "(?:" + "|".join(f"(?<={part})" for part in match[1].split("|")) + ")"

    separator = re.sub(r"\(\?<=([^()\[\]]*\|[^()\[\]]*)\)", one_by_one, separator)
    return {word for word in re.split(separator, text.lower()) if word}


def finds(query: str, known: set[str]) -> bool:
    """Whether a typed word is found among an entry's words, whole, as a beginning, or in parts."""
    return any(word.startswith(query) for word in known) or any(
        query[:cut] in known and finds(query[cut:], known) for cut in range(1, len(query))
    )
