"""A real build of both languages, looked at as a reader and a search engine would."""

import re
from pathlib import Path

import nbformat
import pytest

from tests.docs import built
from tests.docs.course import HERE, LANGUAGES
from tests.docs.glossary import glossary_terms
from tests.docs.pages import load_page

pytestmark = pytest.mark.build

KANA = re.compile(r"[ぁ-んァ-ン]")
BYTES_OF_A_NOTEBOOK_PAGE = 200_000
NOTEBOOKS = [path.stem for path in HERE.notebook_files("ja")]


@pytest.fixture(scope="session")
def pages(site):
    return built.pages(site)


def test_a_strict_build_passes(build):
    _, done = build
    if done.returncode:
        pytest.fail(f"mkdocs build stopped:\n{done.stdout}{done.stderr}", pytrace=False)


def folder_of(site, language) -> Path:
    return site / "en" if language == "en" else site


def expected(language):
    """Name the built files of one language's pages."""
    sources = HERE.page_files(language) + HERE.notebook_files(language)
    stems = [path.relative_to(HERE.pages(language)).with_suffix("").as_posix() for path in sources]
    return ["index.html" if stem == "index" else f"{stem}/index.html" for stem in stems]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_and_the_files_round_it_are_built(site, language):
    folder = folder_of(site, language)
    wanted = [*expected(language), "404.html", "search/search_index.json", "sitemap.xml"]
    missing = [name for name in wanted if not (folder / name).is_file()]
    assert not missing


def test_pages_name_their_language(pages):
    wrong = [page.name for page in pages if page.soup.html["lang"] != page.language]
    assert not wrong


def content_pages(pages):
    return [page for page in pages if page.path.name != "404.html"]


def test_canonical_address_is_the_page_itself(pages):
    for page in content_pages(pages):
        links = page.soup.select('link[rel~="canonical"]')
        assert [link["href"] for link in links] == [page.url], page.name


def test_hreflang_pairs_point_at_each_other(site, pages):
    seen = {}
    for page in content_pages(pages):
        links = page.soup.select("link[hreflang]")
        seen[page.url] = {link["hreflang"]: link["href"] for link in links}
        for address in seen[page.url].values():
            assert built.file_of(site, page.url, address).is_file(), (page.name, address)
    for address, pair in seen.items():
        assert set(LANGUAGES) <= set(pair), f"{address} names {sorted(pair)}"
        assert address in (pair["ja"], pair["en"])
        assert seen[pair["ja"]] == seen[pair["en"]] == pair


def test_language_switch_is_a_plain_link_to_the_same_page(site, pages):
    for page in content_pages(pages):
        other = "ja" if page.language == "en" else "en"
        switches = page.soup.select(f'header a[hreflang="{other}"][href]')
        assert switches, f"{page.name}: no <a href> to the other language in the header"
        target = built.file_of(site, page.url, switches[0]["href"])
        name = page.name.removeprefix("en/")
        assert target == folder_of(site, other) / name, page.name


def test_nothing_loads_from_another_host(site, pages):
    found = [(page.name, address) for page in pages for address in page.loads_from_elsewhere()]
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        found += [(sheet.name, address) for address in built.CSS_URL.findall(text)]
    assert not found


def test_links_and_anchors_of_the_built_pages_hold(site, pages):
    anchors = {page.path: {one["id"] for one in page.soup.select("[id]")} | {""} for page in pages}
    dead = []
    for page in pages:
        for element in page.soup.select("a[href], img[src], link[href], script[src]"):
            target = element.get("href") or element["src"]
            # An error page is served at any address, so its links start at the site's root.
            path = built.file_of(site, page.url, target)
            anchor = target.partition("#")[2]
            if path is None:
                continue
            if not path.is_file() or (anchor and anchor not in anchors.get(path, {anchor})):
                dead.append((page.name, target))
    assert not dead


def test_sitemap_lists_the_pages(site):
    for language in LANGUAGES:
        text = (folder_of(site, language) / "sitemap.xml").read_text(encoding="utf-8")
        found = set(re.findall(r"<loc>(.*?)</loc>", text))
        prefix = built.SITE + ("en/" if language == "en" else "")
        assert {prefix + name.removesuffix("index.html") for name in expected(language)} <= found


def test_titles_and_descriptions_reach_the_head(pages):
    for page in content_pages(pages):
        source = HERE.pages(page.language) / page.name.removeprefix("en/").replace(
            "/index.html", ".md"
        ).replace("index.html", "index.md")
        if source.is_file():
            meta = load_page(HERE, source).meta
            assert meta["title"] in page.soup.title.get_text(), page.name
            description = page.soup.select_one('meta[name="description"]')["content"]
            assert description == meta["description"], page.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_index_holds_words_and_no_buttons(site, language):
    _, entries = built.search_index(site, language)
    assert entries
    for text in entries:
        for unwanted in ("¶", "Copied!", "In [", "Out["):
            assert unwanted not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_glossary_term_is_found_wherever_it_stands(site, language):
    separator, entries = built.search_index(site, language)
    terms = glossary_terms(language)
    assert len(terms) >= 10, f"only {len(terms)} terms found in the glossary"
    known = [(text.lower().replace("\u200b", ""), built.words(text, separator)) for text in entries]
    wrong = []
    for term in terms:
        queries = built.words(term, separator)
        # Japanese writes no spaces, so a term stands inside compounds as well.
        edge = r"\b" if term.isascii() else ""
        pattern = re.compile(edge + re.escape(term.lower()) + edge)
        holding = [words for text, words in known if pattern.search(text)]
        found = [words for words in holding if all(built.finds(one, words) for one in queries)]
        if not holding or len(found) < len(holding):
            wrong.append(f"{term}: in {len(holding)} entries, found in {len(found)}")
    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NOTEBOOKS)
class TestNotebookPages:
    @pytest.fixture
    def page(self, site, language, name):
        return built.Built(site, folder_of(site, language) / name / "index.html")

    def test_page_is_light(self, page, language, name):
        assert page.path.stat().st_size <= BYTES_OF_A_NOTEBOOK_PAGE

    def test_cells_were_run_and_every_picture_has_words_of_the_language(self, page, language, name):
        article = page.soup.find("article")
        pictures = article.find_all("img")
        assert pictures, "no picture: the notebook was not run"
        for picture in pictures:
            alt = picture.get("alt", "")
            assert len(alt) > 10, picture
            assert bool(KANA.search(alt)) == (language == "ja"), alt

    def test_headings_have_the_ids_of_the_source(self, page, language, name):
        notebook = load_page(HERE, HERE.pages(language) / f"{name}.py")
        wanted = [heading.id for heading in notebook.headings]
        shown = [one.get("id") for one in page.soup.find("article").find_all(re.compile("h[1-6]"))]
        assert wanted
        assert shown == wanted

    def test_notebook_can_be_downloaded_and_opened(self, site, page, language, name):
        links = [a["href"] for a in page.soup.select("a[href]") if a["href"].endswith(".ipynb")]
        assert links
        path = built.file_of(site, page.url, links[0])
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert code
