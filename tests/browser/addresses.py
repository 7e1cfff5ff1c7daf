"""Names and addresses of the pages."""

from tests.docs.course import HERE

NAMES = sorted(path.stem for path in (*HERE.page_files("ja"), *HERE.notebook_files("ja")))
FOLDERS = {"ja": "", "en": "en/"}


def address(home: str, language: str, name: str) -> str:
    """Return the address of a page below the address of the Japanese home page."""
    return home + FOLDERS[language] + ("" if name == "index" else f"{name}/")
