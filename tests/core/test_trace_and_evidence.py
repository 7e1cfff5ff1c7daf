import dataclasses
import json
import re

import numpy as np
import pytest

from attention_core import AttentionTrace, attention_trace, causal_mask
from tests.core.strategies import DTYPES

RULES = ["score", "weight", "output", "QKV", "mask", "bridge"]


def draw(*shape, dtype=np.float64):
    return np.random.default_rng([7, *shape]).normal(size=shape).astype(dtype)


@pytest.fixture
def causal():
    x = draw(5, 3)
    return attention_trace(x, x, draw(5, 2), is_causal=True)


def verdicts(trace):
    return {rule.rule: rule.holds for rule in trace.evidence()}


def all_true_but(**others):
    return dict.fromkeys(RULES, True) | others


def changed(trace, name, where, value):
    array = getattr(trace, name).copy()
    array[where] = value
    return dataclasses.replace(trace, **{name: array})


def test_six_rules_hold_in_their_order_for_a_causal_trace(causal):
    assert [rule.rule for rule in causal.evidence()] == RULES
    assert verdicts(causal) == all_true_but()
    assert all(rule.statement and rule.measured for rule in causal.evidence())


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_rules_hold_in_every_precision_and_with_leading_axes(dtype):
    x = draw(2, 3, 7, 5, dtype=dtype) * dtype(10)
    assert verdicts(attention_trace(x, x, x, is_causal=True)) == all_true_but()


def test_a_trace_without_a_mask_cannot_show_the_mask_rule_and_breaks_the_bridge():
    x = draw(5, 3)
    trace = attention_trace(x, x, x)
    assert verdicts(trace) == all_true_but(mask=None, bridge=False)
    assert trace.evidence()[4].measured == "no mask was applied"


def test_different_lengths_cannot_show_the_bridge():
    trace = attention_trace(draw(2, 3), draw(5, 3), draw(5, 7), np.ones((2, 5), dtype=bool))
    assert verdicts(trace) == all_true_but(bridge=None)
    assert trace.evidence()[5].measured == "queries and keys differ in length"


def test_a_score_of_the_wrong_scale_breaks_the_score_rule_alone(causal):
    wrong = dataclasses.replace(causal, scaled_scores=causal.scores)
    assert verdicts(wrong) == all_true_but(score=False)


def test_a_row_that_does_not_sum_to_one_breaks_the_weight_rule(causal):
    wrong = changed(causal, "weights", (4, slice(None)), 0.25)
    assert verdicts(wrong)["weight"] is False


def test_a_row_that_sees_nothing_must_not_be_uniform():
    keep = causal_mask(3)
    keep[0] = False
    x = draw(3, 3)
    trace = attention_trace(x, x, x, keep)
    assert verdicts(trace) == all_true_but()
    assert verdicts(changed(trace, "weights", 0, 1 / 3))["weight"] is False


def test_an_output_that_is_not_the_weighted_sum_breaks_the_output_rule_alone(causal):
    wrong = changed(causal, "output", (4, 1), causal.output[4, 1] + 1e-6)
    assert verdicts(wrong) == all_true_but(output=False)


def test_weights_that_query_and_key_do_not_give_break_the_qkv_rule(causal):
    weights = causal.weights.copy()
    weights[4] = weights[4, [1, 0, 2, 3, 4]]  # the row still sums to 1
    wrong = dataclasses.replace(causal, weights=weights, output=weights @ causal.value)
    assert verdicts(wrong) == all_true_but(QKV=False)
    assert wrong.evidence()[3].measured == "with V negated the weights are different"


def test_the_smallest_weight_on_a_hidden_position_breaks_mask_and_bridge_rule(causal):
    wrong = changed(causal, "weights", (0, 4), 1e-30)
    assert verdicts(wrong) == all_true_but(QKV=False, mask=False, bridge=False)
    assert "10 hidden positions, largest weight 1e-30" in wrong.evidence()[4].measured


@pytest.mark.parametrize("poison", [np.nan, np.inf])
def test_hidden_nan_and_infinity_break_no_rule(poison):
    x = draw(5, 3)
    x[4] = poison
    keep = causal_mask(5)
    keep[:, 4] = False
    trace = attention_trace(draw(5, 3), x, x, keep)
    assert np.isfinite(trace.output).all()
    assert verdicts(trace) == all_true_but()


def test_large_float16_values_give_evidence_without_a_warning():
    x = draw(3, 5, dtype=np.float16)
    value = np.full((3, 2), 40000.0, dtype=np.float16)
    assert verdicts(attention_trace(x, x, value, is_causal=True)) == all_true_but()


@pytest.mark.parametrize("view", ["strided", "reversed", "fortran", "head"])
def test_evidence_of_a_trace_of_views_is_that_of_their_copies(view):
    x = draw(11, 34)
    views = {
        "strided": x[:, ::2],
        "reversed": x[::-1, ::-1],
        "fortran": np.asfortranarray(x),
        "head": x.reshape(11, 2, 17).swapaxes(0, 1),
    }
    array = views[view]
    assert verdicts(attention_trace(array, array, array, is_causal=True)) == all_true_but()


def read_back(record):
    return np.array(record["values"], dtype=record["dtype"]).reshape(record["shape"])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("poison", [None, np.nan, np.inf, -np.inf])
def test_json_is_strict_and_reads_back_to_the_bit(dtype, poison):
    query, key, value = draw(2, 3, dtype=dtype), draw(5, 3, dtype=dtype), draw(5, 7, dtype=dtype)
    mask = np.where(draw(2, 5) > 0, draw(2, 5), -np.inf).astype(dtype)
    if poison is not None:
        value[3, 1] = poison
    trace = attention_trace(query, key, value, mask)

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    record = json.loads(trace.to_json(), parse_constant=refuse)
    assert record["scale"] == trace.scale
    for field in dataclasses.fields(AttentionTrace):
        array = getattr(trace, field.name)
        if isinstance(array, np.ndarray):
            assert record[field.name]["dtype"] == str(array.dtype)
            np.testing.assert_array_equal(read_back(record[field.name]), array)
    assert [rule["rule"] for rule in record["evidence"]] == RULES
    assert list(record["evidence"][0]) == ["rule", "statement", "holds", "measured"]


def test_json_of_boolean_masks_and_of_none():
    x = draw(3, 3)
    record = json.loads(attention_trace(x, x, x, is_causal=True).to_json())
    assert record["mask"] == {
        "shape": [3, 3],
        "dtype": "bool",
        "values": [[True, False, False], [True, True, False], [True, True, True]],
    }
    assert json.loads(attention_trace(x, x, x).to_json())["mask"] is None


def test_markdown_shows_every_array_with_its_shape_and_the_evidence():
    trace = attention_trace([[2.0, 0.0, 0.0, 0.0]], np.eye(4)[:3], [[1.0], [2.0], [3.0]])
    text = trace.to_markdown()
    assert text.startswith("# Attention trace\n\nscale: 0.5\n")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings == [
        "query (1, 4)",
        "key (3, 4)",
        "value (3, 1)",
        "scores (1, 3)",
        "scaled_scores (1, 3)",
        "mask",
        "masked_scores (1, 3)",
        "weights (1, 3)",
        "output (1, 1)",
        "evidence",
    ]
    assert "## scores (1, 3)\n\n```text\n[[2.000 0.000 0.000]]\n```" in text
    assert "## weights (1, 3)\n\n```text\n[[0.576 0.212 0.212]]\n```" in text
    assert "## mask\n\nnone\n" in text
    assert text.count("```") % 2 == 0
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert table[:2] == ["| rule | statement | holds | measured |", "| --- | --- | --- | --- |"]
    assert [row.split(" | ")[0].removeprefix("| ") for row in table[2:]] == RULES
    assert [row.split(" | ")[2] for row in table[2:]] == ["yes"] * 4 + ["not shown"] * 2


def test_markdown_says_no_where_a_rule_is_broken(causal):
    wrong = dataclasses.replace(causal, scaled_scores=causal.scores)
    assert "| score | scaled scores are Q @ K.T * scale | no |" in wrong.to_markdown()


@pytest.mark.parametrize("decimals", [0, 2, 12])
def test_markdown_shows_as_many_decimals_as_asked_for(decimals):
    trace = attention_trace([[1.0]], [[1.0]], [[1 / 3]])
    shown = re.search(r"## output .*?\[\[(.*?)\]\]", trace.to_markdown(decimals), re.DOTALL)[1]
    assert float(shown) == round(1 / 3, decimals)


def test_markdown_of_large_float16_and_float64_numbers_shows_them():
    one = np.ones((1, 1), dtype=np.float16)
    assert "[[200.000]]" in attention_trace(one, one, np.float16([[200.0]])).to_markdown()
    text = attention_trace([[1.0]], [[1.0]], [[1e306]]).to_markdown()
    assert "inf" not in text


def test_markdown_does_not_depend_on_numpys_print_options(causal):
    expected = causal.to_markdown()
    with np.printoptions(precision=1, suppress=False, sign="+"):
        assert causal.to_markdown() == expected


def test_markdown_changes_nothing(causal):
    kept = {f.name: np.copy(getattr(causal, f.name)) for f in dataclasses.fields(causal)}
    causal.to_markdown(0)
    causal.to_json()
    for name, array in kept.items():
        assert np.array_equal(getattr(causal, name), array)


@pytest.fixture
def spoilt():
    """A trace whose first query sees a NaN key, with a scale of its own."""
    key = np.array([[np.nan], [1.0], [2.0]])
    keep = np.array([[True, True, True], [False, True, True], [False, True, True]])
    return attention_trace([[1.0], [2.0], [3.0]], key, np.eye(3), keep, scale=0.5)


def test_a_visible_nan_breaks_no_rule(spoilt):
    assert [rule.holds for rule in spoilt.evidence()[:5]] == [True] * 5


def test_beside_a_spoilt_row_a_wrong_weight_still_shows(spoilt):
    wrong = changed(spoilt, "weights", (1, 1), 0.75)
    assert verdicts(wrong)["weight"] is False


@pytest.mark.parametrize("field", ["output", "scaled_scores"])
def test_a_nan_where_none_belongs_breaks_the_rule(spoilt, field):
    wrong = changed(spoilt, field, (1, 1), np.nan)
    assert verdicts(wrong)["output" if field == "output" else "score"] is False


def test_a_weight_on_the_very_next_token_breaks_the_bridge_rule():
    x = np.eye(3)
    keep = np.array([[True, True, False], [True, True, False], [True, True, True]])
    assert verdicts(attention_trace(x, x, x, keep))["bridge"] is False


def test_a_rule_that_cannot_be_shown_still_says_what_it_would_be():
    mask, bridge = attention_trace(np.ones((1, 2)), np.ones((3, 2)), np.ones((3, 2))).evidence()[4:]
    assert mask.statement == "a hidden position gets a weight of exactly 0"
    assert bridge.statement.startswith("no token depends on a later one")


def test_markdown_without_a_mask_says_so_between_blank_lines():
    text = attention_trace([[1.0]], [[1.0]], [[1.0]]).to_markdown()
    assert "\n```\n\n## mask\n\nnone\n\n## masked_scores (1, 1)\n\n```text\n" in text


def output_shown(width):
    """The output of one query and one key is the value: a row of `width` ones."""
    text = attention_trace([[1.0]], [[1.0]], np.ones((1, width))).to_markdown(1)
    return re.search(r"## output .*?```text\n(.*?)\n```", text, re.DOTALL)[1].split("\n")


def test_markdown_breaks_lines_at_a_hundred_columns():
    # "[[" and 24 numbers of 3 characters with a space between are 97 columns, and a 25th fits
    # only without the brackets that close the row.
    assert [len(line) for line in output_shown(24)] == [99]
    assert len(output_shown(25)) == 2
    assert max(len(line) for line in output_shown(200)) <= 100


def test_markdown_leaves_out_the_middle_of_more_than_a_thousand_numbers():
    assert not any("..." in line for line in output_shown(1000))
    assert output_shown(1001) == ["[[1.0 1.0 1.0 ... 1.0 1.0 1.0]]"]


def test_json_writes_what_json_does_not_know_as_words_that_numpy_reads():
    value = np.array([[np.nan, np.inf, -np.inf]])
    record = json.loads(attention_trace([[1.0]], [[1.0]], value).to_json())
    assert record["value"]["values"] == [["nan", "inf", "-inf"]]


def test_markdown_of_a_small_trace_in_full():
    trace = attention_trace([[1.0], [2.0]], [[0.5], [1e9]], [[-3.0], [0.25]], is_causal=True)
    assert trace.to_markdown(2) == MARKDOWN


MARKDOWN = """\
# Attention trace

scale: 1

## query (2, 1)

```text
[[1.00]
 [2.00]]
```

## key (2, 1)

```text
[[    0.50]
 [1.00e+09]]
```

## value (2, 1)

```text
[[-3.00]
 [ 0.25]]
```

## scores (2, 2)

```text
[[    0.50 1.00e+09]
 [    1.00 2.00e+09]]
```

## scaled_scores (2, 2)

```text
[[    0.50 1.00e+09]
 [    1.00 2.00e+09]]
```

## mask (2, 2)

```text
[[ True False]
 [ True  True]]
```

## masked_scores (2, 2)

```text
[[    0.50     -inf]
 [    1.00 2.00e+09]]
```

## weights (2, 2)

```text
[[1.00 0.00]
 [0.00 1.00]]
```

## output (2, 1)

```text
[[-3.00]
 [ 0.25]]
```

## evidence

| rule | statement | holds | measured |
| --- | --- | --- | --- |
| score | scaled scores are Q @ K.T * scale | yes | largest difference 0.0e+00 |
| weight | each row of weights sums to 1, or to 0 where nothing may be seen | yes | largest difference 0.0e+00 |
| output | the output is weights @ V | yes | largest difference 0.0e+00 |
| QKV | Q and K decide the weights; V only carries content | yes | with V negated the weights are the same |
| mask | a hidden position gets a weight of exactly 0 | yes | 1 hidden positions, largest weight 0 |
| bridge | no token depends on a later one, so a text can be generated token by token | yes | largest weight on a later token 0 |
"""  # noqa: E501
