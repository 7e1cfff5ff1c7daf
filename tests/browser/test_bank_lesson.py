"""The bank lesson as a reader uses it, in both languages."""

import numpy as np
import pytest

from attention_core import bank
from tests.browser.bank import MODES, SENTENCES, STEPS

WEIGHTS = ["0.11", "0.07", "0.69", "0.14"]


def test_it_starts_at_the_first_step_of_the_first_sentence(lesson):
    start = {"sentence": "river", "mode": "scaled", "ask": "4", "choice": "soft", "step": "1"}
    assert lesson.state() == start
    assert lesson.radio(SENTENCES["river"]).is_checked()
    assert lesson.row("x") == ["0.3", "0.3", "1", "0"]
    assert "#" not in lesson.page.url


def test_each_step_shows_its_figures_and_says_them(lesson):
    lesson.go(2)
    assert lesson.row("query") == ["2.3", "2.3", "0", "0"]
    assert "[2.3, 2.3, 0, 0]" in lesson.says
    lesson.go(3)
    assert lesson.row("scores") == ["0.46", "0", "2.3", "0.69"]
    for figure in ("0.92 / 2 = 0.46", "the 0 / 2 = 0", "4.6 / 2 = 2.3", "1.38 / 2 = 0.69"):
        assert figure in lesson.says
    lesson.go(4)
    assert lesson.row("scores") == WEIGHTS
    assert "[0.11, 0.07, 0.69, 0.14]" in lesson.says
    assert "69%" in lesson.says
    assert "14%" in lesson.says
    lesson.go(5)
    assert lesson.column() == ["1.43", "0.06", "0.14", "0"]
    assert "≈ [1.43, 0.06, 0.14, 0]" in lesson.says
    lesson.go(6)
    assert lesson.row("scores", 2) == ["0.11", "0.09", "0.67", "0.12"]
    assert "[0.06, 1.43, 0.14, 0]" in lesson.says


def test_a_step_is_marked_as_the_current_one_and_titled(lesson):
    for number in STEPS:
        lesson.go(number)
        marked = lesson.root.locator("[aria-current=step]")
        assert marked.inner_text().split()[0] == str(number)
        assert lesson.says.startswith(lesson.text(f"step{number}_title"))


def test_only_the_asking_row_is_filled_until_the_last_step(lesson):
    lesson.go(4)
    assert [len(lesson.row("scores", k)) for k in range(4)] == [0, 0, 0, 4]
    lesson.go(6)
    assert [len(lesson.row("scores", k)) for k in range(4)] == [4, 4, 4, 4]


def test_next_and_previous_walk_and_stop_at_the_ends(lesson):
    assert lesson.button("previous").is_disabled()
    for number in range(2, 7):
        lesson.button("next").click()
        lesson.skip()
        assert lesson.state()["step"] == str(number)
    assert lesson.button("next").is_disabled()
    lesson.button("previous").click()
    assert lesson.state()["step"] == "5"


def test_the_other_sentence_turns_the_output_to_finance(lesson):
    lesson.go(5)
    lesson.choose(SENTENCES["savings"])
    lesson.skip()
    assert lesson.column() == ["0.06", "1.43", "0.14", "0"]
    assert lesson.text("dimension2") in lesson.says


def test_each_computation_gives_its_own_weights(lesson):
    lesson.go(5)
    lesson.choose("unscaled")
    assert lesson.row("scores") == ["0.02", "0.01", "0.93", "0.04"]
    lesson.choose("uniform")
    assert lesson.row("scores") == ["0.25"] * 4
    assert lesson.column() == ["0.625", "0.125", "0.25", "0"]
    assert "= [0.625, 0.125, 0.25, 0]" in lesson.says
    lesson.go(3)
    assert lesson.row("scores") == ["0"] * 4
    assert "[0.92, 0, 4.6, 1.38]" in lesson.says


def test_every_token_can_ask(lesson):
    lesson.go(4)
    for index, token in enumerate(bank.sentences["river"]):
        lesson.choose(token)
        wanted = bank.lesson("river").weights[index].round(2)
        assert [float(text) for text in lesson.row("scores", index)] == wanted.tolist()
    lesson.choose("the")
    assert "[0.25, 0.25, 0.25, 0.25]" in lesson.says


def test_hard_takes_one_row_whole(lesson):
    lesson.go(5)
    lesson.choose("hard")
    assert lesson.row("scores") == ["0", "0", "1", "0"]
    assert lesson.column() == ["2", "0", "0", "0"]
    lesson.choose("the")
    assert lesson.row("scores", 1) == ["1", "0", "0", "0"]


def test_main_arcs_are_thick_and_all_of_them_where_weights_tie(lesson):
    lesson.go(4)
    widths = "all => all.map(one => parseFloat(one.style.strokeWidth))"
    main = lesson.root.locator("path.bl-main")
    assert main.count() == 1
    assert main.evaluate_all(widths)[0] > 2 * max(
        lesson.root.locator("path:not(.bl-main)").evaluate_all(widths)
    )
    lesson.choose("the")
    assert main.count() == 4


def test_the_mix_is_drawn_as_parts_in_proportion(lesson):
    lesson.go(5)
    parts = lesson.root.locator("[data-bar='0'] span")
    widths = parts.evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    trace = bank.lesson("river")
    shares = trace.weights[3] * trace.value[:, 0]
    assert widths == pytest.approx((shares / shares.sum() * sum(widths)).tolist(), abs=0.5)


def open_number(lesson, of, row, column):
    lesson.number(of, row, column).click()
    return lesson.root.locator(".bl-open")


def test_a_score_opens_as_products_sum_and_division(lesson):
    lesson.go(3)
    opened = open_number(lesson, "scores", "bank", "river")
    text = opened.inner_text()
    assert "2.3 × 2 + 2.3 × 0 + 0 × 0 + 0 × 0 = 4.6" in text
    assert "/ 2 = 2.3" in text
    assert "query[3] @ key[2] / np.sqrt(4)" in text
    lesson.choose("unscaled")
    assert "/ 2" not in opened.inner_text()
    lesson.choose("uniform")
    assert "4.6 × 0 = 0" in opened.inner_text()


def test_a_weight_opens_as_powers_and_follows_the_state(lesson):
    lesson.go(4)
    opened = open_number(lesson, "weights", "bank", "river")
    text = opened.inner_text()
    assert "e^2.3 / (e^0.46 + e^0 + e^2.3 + e^0.69)" in text
    assert "0.685" in text
    lesson.choose("hard")
    assert "argmax [0.46, 0, 2.3, 0.69] = 2" in opened.inner_text()
    lesson.go(2)
    assert not opened.is_visible()


def test_every_number_on_every_step_can_be_opened_and_its_code_gives_it(lesson):
    for mode, choice in (("scaled", "soft"), ("uniform", "hard")):
        lesson.choose(mode)
        lesson.choose(choice)
        trace = bank.lesson("river", mode)
        for number in STEPS:
            lesson.go(number)
            pairs = lesson.root.evaluate(
                """root => [...root.querySelectorAll("[data-of]")].filter(one => one.offsetParent)
                .map(one => (one.click(), [one.textContent,
                    root.querySelector(".bl-open code").textContent,
                    root.querySelector(".bl-lines").textContent]))"""
            )
            assert len(pairs) == {1: 16, 2: 48, 3: 4, 4: 4, 5: 8, 6: 20}[number]
            for shown, code, lines in pairs:
                space = namespace(trace, choice)
                value = float(eval(code, space))
                assert abs(value - float(shown)) < 0.0051, (number, shown, code)
                assert lines.strip()
                if number > 1:
                    assert lines.replace("≈", "=").split()[-1] == f"{round(value, 3):g}"


def namespace(trace, choice):
    """What the code of a page's numbers is written against."""
    weights = np.eye(4)[trace.scaled_scores.argmax(axis=1)] if choice == "hard" else trace.weights
    return {
        "np": np,
        "X": bank.tokens("river"),
        **{name: getattr(bank, name) for name in ("W_q", "W_k", "W_v")},
        **{name: getattr(trace, name) for name in ("query", "key", "value")},
        "scores": trace.scaled_scores,
        "weights": weights,
    }


def test_the_lesson_asks_before_the_weights_show(lesson):
    lesson.go(3)
    lesson.step(4).click()
    assert lesson.text("predict_ask").split("{")[0] in lesson.says
    assert "0.69]" not in lesson.says
    assert lesson.row("scores") == ["0.46", "0", "2.3", "0.69"]
    lesson.root.get_by_role("button", name="river", exact=True).click()
    assert lesson.row("scores") == WEIGHTS
    assert "69%" in lesson.root.locator(".bl-verdict").inner_text()
    assert not lesson.button("predict_skip").is_visible()
    lesson.go(3)
    lesson.step(4).click()
    assert not lesson.button("predict_skip").is_visible()


def test_a_wrong_guess_is_explained(lesson):
    lesson.step(4).click()
    lesson.root.get_by_role("button", name="bank", exact=True).click()
    verdict = lesson.root.locator(".bl-verdict").inner_text()
    for figure in ("bank", "0.69", "river", "69%", "2.3"):
        assert figure in verdict


def test_a_guess_where_all_weigh_the_same_is_not_wrong(lesson):
    lesson.choose("uniform")
    lesson.step(4).click()
    lesson.root.get_by_role("button", name="the", exact=True).click()
    assert lesson.root.locator(".bl-verdict").inner_text() == lesson.text("predict_tied")


def test_switching_the_sentence_asks_and_can_be_skipped(lesson):
    lesson.go(5)
    lesson.choose(SENTENCES["savings"])
    assert lesson.button("predict_skip").is_visible()
    assert lesson.column() == []
    lesson.button("predict_skip").click()
    assert lesson.column() == ["0.06", "1.43", "0.14", "0"]
    lesson.choose(SENTENCES["river"])
    assert not lesson.button("predict_skip").is_visible()


def test_before_there_is_anything_to_go_by_switching_the_sentence_asks_nothing(lesson):
    lesson.choose(SENTENCES["savings"])
    assert not lesson.button("predict_skip").is_visible()
    lesson.go(3)
    lesson.step(4).click()
    assert lesson.button("predict_skip").is_visible()


def test_while_it_asks_nothing_gives_the_answer_away(lesson):
    lesson.go(6)
    lesson.choose(SENTENCES["savings"])
    widths = lesson.root.locator("path").evaluate_all(
        "all => all.map(one => one.style.strokeWidth)"
    )
    assert widths == [""] * 4
    assert not lesson.root.locator(".bl-title").is_visible()


def test_the_bars_say_what_each_token_adds(lesson):
    lesson.go(5)
    assert "river 1.37" in lesson.root.locator(".bl-bar").first.inner_text()


def test_copied_code_goes_when_the_state_changes(lesson):
    lesson.button("copy_numpy").click()
    assert lesson.root.locator("pre").is_visible()
    lesson.choose("unscaled")
    assert not lesson.root.locator("pre").is_visible()


def test_a_page_script_can_refuse_a_change(lesson):
    lesson.root.evaluate(
        """root => root.addEventListener("bank-lesson-change", event => {
            root.seen = event.detail; event.preventDefault() })"""
    )
    lesson.radio("hard").click(force=True)
    assert lesson.state()["choice"] == "soft"
    assert lesson.radio("soft").is_checked()
    seen = lesson.root.evaluate("root => [root.seen.from.choice, root.seen.to.choice]")
    assert seen == ["soft", "hard"]


def test_attributes_set_from_outside_show_and_unknown_ones_count_as_the_start(lesson):
    lesson.root.evaluate("root => (root.setAttribute('step', '5'), root.setAttribute('mode', 'x'))")
    assert lesson.column() == ["1.43", "0.06", "0.14", "0"]


def test_a_removed_lesson_listens_no_more_and_a_returned_one_again(lesson):
    lesson.root.evaluate(
        "root => { window.kept = root; window.place = root.parentNode; root.remove() }"
    )
    lesson.page.evaluate("location.hash = '#live.savings.scaled.4.soft.5'")
    assert lesson.page.evaluate("kept.getAttribute('sentence')") == "river"
    lesson.page.evaluate("kept.querySelector('[data-step=\"3\"]').click()")
    assert lesson.page.evaluate("kept.getAttribute('step')") == "1"
    lesson.page.evaluate("place.append(kept)")
    assert lesson.state()["sentence"] == "savings"
    lesson.go(6)
    assert lesson.state()["step"] == "6"


def test_soft_text_calls_the_output_a_mix_in_every_computation(lesson):
    lesson.go(5)
    for mode in MODES:
        lesson.choose(mode)
        assert {"ja": "混ぜ", "en": "mix"}[lesson.language] in lesson.says
