"""The lint on rendered HTML: a numeral that nothing computes must be of a kind that needs no code.

What is left after code, formulas, recorded output and bound figures is read here. A number may
stand there if it counts or labels (3つ, step 2), or if the page's front matter names it as
structural: a year, a version, the section of a paper.
"""

import re

from lesson_markup.literal import normalised

from tests.docs.course import Course, Problem
from tests.docs.pages import Page
from tests.docs.reading import HOLE

NUMERAL = re.compile(r"(?<![A-Za-z_\d.])(?<![A-Za-z]-)-?\d+(?:[.,]\d+)*(?:\s?%)?(?![\d_])")
# Names such as UTF-8 hold no number.
LARGEST_COUNT = 12
# A count is a whole number with a counter, a label a whole number with a noun.
COUNTERS = re.compile(
    r"\s?(?:つ|個|行|列|本|枚|回|番|次元|語|文|章|節|段|人|種類|通り|点|組|層|桁|ページ|歩|手|者|単語|文字"
    r"|軸|倍|項|乗|か所|箇所|項目|例|台|方|分野|系統|言語|ステップ|トークン|ヘッド|成分|要素|特徴|系列|行列"
    r"|ベクトル|スコア|バッチ|キー|クエリ|バリュー|ラボ|問)"
)
LABELS = {
    "ja": re.compile(
        r"(?:トークン|ステップ|位置|行|列|ヘッド|式|節|脚注|問|演習|特徴|メモ|手順|軸|例|ラボ|表|図|段階|章|第|文"
        r"|バッチ|キー|クエリ|バリュー|成分|Python|NumPy|PyTorch)\s?$"
    ),
    "en": re.compile(
        r"\b(?:token|step|row|column|position|head|lab|equation|section|footnote|exercise|feature"
        r"|note|layer|key|query|value|chapter|figure|line|sentence|axis|axe|stage|sequence|batch"
        r"|Python|NumPy|PyTorch)s?\s$",
        re.IGNORECASE,
    ),
}
# "tokens 1 and 2", "トークン1と2": what follows a label is a label.
AND_MORE = re.compile(r"(?:,\s?|\s?(?:and|or|to|と|や|、|・|から|または|–|,)\s?)$")


def check_unbound(course: Course, page: Page, text: str) -> list[Problem]:
    """List the numerals of a rendered page that are neither bound nor structural."""
    structural = {str(one) for one in page.meta.get("structural") or []}
    met: set[str] = set()
    found = []
    front = [str(page.meta.get(name, "")) for name in ("title", "description")]
    for row in [*front, *text.split("\n")]:
        plain = normalised(row)
        label_ends = -1
        for match in NUMERAL.finditer(plain):
            number = match[0]
            before, after = plain[: match.start()], plain[match.end() :]
            named = number.lstrip("-") if number.lstrip("-") in structural else ""
            if named:
                met.add(named)
                continue
            whole = number.isdigit() and int(number) <= LARGEST_COUNT
            label = LABELS[page.language].search(before) or (
                label_ends >= 0 and AND_MORE.fullmatch(plain[label_ends : match.start()])
            )
            if whole and label:
                label_ends = match.end()
                continue
            if whole and page.language == "ja" and COUNTERS.match(after):
                continue
            line = line_of(page, before, number)
            found.append(Problem(course.show(page.path), line, _say(number, plain, match)))
    for one in sorted(structural - met):
        problem = f"structural: {one} stands nowhere on the page; take it out"
        found.append(Problem(course.show(page.path), 1, problem))
    return found


def _say(number: str, row: str, match: re.Match[str]) -> str:
    around = row[max(0, match.start() - 25) : match.end() + 25].replace(HOLE, "…")
    return (
        f"the text says {number} ({around.strip()!r}), which no code computes; bind it, "
        f"[{number}](<=expression>), or name it in the front matter: structural: [{number}]"
    )


def line_of(page: Page, before: str, number: str) -> int:
    """Find the source line of a numeral by as much of what stands before it as possible."""
    before = before.rpartition(HOLE)[2]
    lines = [re.sub(r"[*`\[\]|]", "", normalised(line)) for line in page.unbound_lines]
    for size in (24, 12, 6, 3, 1, 0):
        wanted = before[-size:] + number if size else number
        for count, line in enumerate(lines, 1):
            if wanted in line:
                return count
    return 1
