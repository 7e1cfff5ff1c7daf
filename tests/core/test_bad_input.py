"""What a wrong call is told, and which unusual inputs are right after all."""

import inspect
import re
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt

import attention_core
from attention_core import (
    AttentionTrace,
    Evidence,
    KVCache,
    MultiHeadAttention,
    attention_trace,
    bank,
    causal_mask,
    combine_masks,
    online_softmax_attention,
    padding_mask,
    plot_attention,
    scaled_dot_product_attention,
    softmax,
    softmax_jacobian,
)

RECORD = Path(__file__).with_name("bad_input_messages.txt")
Q, K, V = np.ones((2, 3)), np.ones((5, 3)), np.ones((5, 7))
KEEP = np.ones((2, 5), dtype=bool)
RAGGED = [[1.0, 2.0], [3.0]]
HIDDEN = np.ma.masked_invalid([[1.0, np.nan]])
TRACE = attention_trace(Q, K, V)
LAYER = MultiHeadAttention(6, 3, rng=np.random.default_rng(0))
X = np.ones((2, 5, 6))
ROUTES = (scaled_dot_product_attention, attention_trace, online_softmax_attention)


class Bad(NamedTuple):
    """A call; the error; the start of its message; the argument it names; what it says came."""

    call: Any
    error: type[Exception]
    function: str
    argument: str
    came: str


def cache():
    return KVCache().append(K, V)


def loaded(**changes):
    return lambda: LAYER.load_state_dict(LAYER.state_dict() | changes)


def of_attention(function):
    """The same wrong calls for all three forms of attention."""
    calls = [
        (dict(query=np.ones(3)), ValueError, "query", "(3,)"),
        (dict(query=1.0), ValueError, "query", "()"),
        (dict(key=np.ones(3)), ValueError, "key", "(3,)"),
        (dict(value=np.ones(5)), ValueError, "value", "(5,)"),
        (dict(key=np.ones((5, 4))), ValueError, "key", "(5, 4)"),
        (dict(query=np.ones((2, 0)), key=np.ones((5, 0))), ValueError, "query", "(2, 0)"),
        (dict(value=np.ones((4, 7))), ValueError, "value", "(4, 7)"),
        (dict(query=np.ones((4, 2, 3))), ValueError, "query", "(4,)"),
        (dict(query=None), TypeError, "query", "object"),
        (dict(query="abc"), TypeError, "query", "<U3"),
        (dict(key=1j * K), TypeError, "key", "complex128"),
        (dict(value=V.astype(object)), TypeError, "value", "object"),
        (dict(query=RAGGED), TypeError, "query", "list"),
        (dict(query={"a": 1}), TypeError, "query", "object"),
        (dict(query=np.ma.array(Q, mask=Q > 2)), TypeError, "query", "MaskedArray"),
        (dict(value=V.astype("datetime64[D]")), TypeError, "value", "datetime64[D]"),
        (dict(key=K.astype(np.longdouble)), TypeError, "key", str(np.dtype(np.longdouble))),
        (dict(mask=KEEP.astype(int)), TypeError, "mask", "int64"),
        (dict(mask=KEEP.astype(np.uint8)), TypeError, "mask", "uint8"),
        (dict(mask=KEEP.astype(float)), ValueError, "mask", "0 and 1"),
        (dict(mask=KEEP.T), ValueError, "mask", "(5, 2)"),
        (dict(mask=KEEP[0]), ValueError, "mask", "(5,)"),
        (
            dict(query=Q[None], key=K[None], value=V[None], mask=KEEP[:, :1]),
            ValueError,
            "mask",
            "(2, 1)",
        ),
        (dict(mask=True), ValueError, "mask", "()"),
        (dict(mask=KEEP[np.newaxis]), ValueError, "mask", "(1, 2, 5)"),
        (dict(mask=KEEP[:, :0]), ValueError, "mask", "(2, 0)"),
        (dict(mask="causal"), TypeError, "mask", "<U6"),
        (dict(mask=KEEP.astype(object)), TypeError, "mask", "object"),
        (dict(mask=KEEP * 1j), TypeError, "mask", "complex128"),
        (dict(mask=RAGGED), TypeError, "mask", "list"),
        (dict(mask=np.ma.array(KEEP, mask=KEEP)), TypeError, "mask", "MaskedArray"),
        (dict(mask=np.where(KEEP, np.nan, 0.0)), ValueError, "mask", "NaN"),
        (dict(mask=np.where(KEEP, np.inf, 0.0)), ValueError, "mask", "+inf"),
        (dict(is_causal=True), ValueError, "is_causal", "n_query is 2 and n_key is 5"),
        (dict(is_causal=KEEP), TypeError, "is_causal", "ndarray"),
        (dict(is_causal=1), TypeError, "is_causal", "int"),
        (dict(is_causal=None), TypeError, "is_causal", "NoneType"),
        (dict(scale=np.inf), ValueError, "scale", "inf"),
        (dict(scale=np.float32("nan")), ValueError, "scale", "nan"),
        (dict(scale=10**400), ValueError, "scale", "1000"),
        (dict(scale="0.5"), TypeError, "scale", "'0.5'"),
        (dict(scale=1j), TypeError, "scale", "1j"),
        (dict(scale=False), TypeError, "scale", "False"),
        (dict(scale=np.ones(1)), TypeError, "scale", "ndarray"),
    ]
    good = {"query": Q, "key": K, "value": V}
    return [
        Bad(
            lambda changes=changes: function(**good | changes),
            error,
            function.__name__,
            argument,
            came,
        )
        for changes, error, argument, came in calls
    ]


BAD = [
    *(bad for route in ROUTES for bad in of_attention(route)),
    *(
        Bad(lambda x=x: softmax(x), TypeError, "softmax", "scores", came)
        for x, came in (
            (None, "object"),
            ("abc", "<U3"),
            ([1j], "complex128"),
            (RAGGED, "list"),
            (HIDDEN, "MaskedArray"),
            (np.array([1.0], dtype=object), "object"),
        )
    ),
    Bad(lambda: softmax([1.0, 2.0], axis=1), ValueError, "softmax", "axis", "1"),
    Bad(lambda: softmax([[1.0]], axis=-3), ValueError, "softmax", "axis", "-3"),
    Bad(lambda: softmax([1.0], axis=None), TypeError, "softmax", "axis", "None"),
    Bad(lambda: softmax([1.0], axis=0.0), TypeError, "softmax", "axis", "0.0"),
    Bad(lambda: softmax([1.0], axis=(0,)), TypeError, "softmax", "axis", "(0,)"),
    Bad(lambda: softmax_jacobian(0.5), ValueError, "softmax_jacobian", "weights", "scalar"),
    Bad(lambda: softmax_jacobian([2.0]), ValueError, "softmax_jacobian", "weights", "(1,)"),
    Bad(lambda: softmax_jacobian([[-0.5]]), ValueError, "softmax_jacobian", "weights", "(1, 1)"),
    Bad(lambda: softmax_jacobian([1j]), TypeError, "softmax_jacobian", "weights", "complex128"),
    Bad(lambda: softmax_jacobian(HIDDEN), TypeError, "softmax_jacobian", "weights", "MaskedArray"),
    Bad(lambda: softmax_jacobian(None), TypeError, "softmax_jacobian", "weights", "object"),
    Bad(lambda: causal_mask(2, 3), ValueError, "causal_mask", "n_key", "3"),
    Bad(lambda: causal_mask(-1), ValueError, "causal_mask", "n_query", "-1"),
    Bad(lambda: causal_mask(2, -1), ValueError, "causal_mask", "n_key", "-1"),
    Bad(lambda: causal_mask(2.5), TypeError, "causal_mask", "n_query", "2.5"),
    Bad(lambda: causal_mask(np.ones((2, 3))), TypeError, "causal_mask", "n_query", "ndarray"),
    Bad(lambda: causal_mask(None), TypeError, "causal_mask", "n_query", "None"),
    Bad(lambda: causal_mask(True), TypeError, "causal_mask", "n_query", "True"),
    Bad(lambda: causal_mask(2, 3, alignment="right"), ValueError, "causal_mask", "alignm", "right"),
    Bad(lambda: causal_mask(2, alignment=0), ValueError, "causal_mask", "alignment", "0"),
    Bad(lambda: padding_mask([4], 3), ValueError, "padding_mask", "lengths", "4"),
    Bad(lambda: padding_mask([1, -2], 3), ValueError, "padding_mask", "lengths", "-2"),
    Bad(lambda: padding_mask([1.0], 3), TypeError, "padding_mask", "lengths", "float64"),
    Bad(lambda: padding_mask([True], 3), TypeError, "padding_mask", "lengths", "bool"),
    Bad(lambda: padding_mask(2, 3), ValueError, "padding_mask", "lengths", "()"),
    Bad(lambda: padding_mask([[1, 2]], 3), ValueError, "padding_mask", "lengths", "(1, 2)"),
    Bad(lambda: padding_mask(None, 3), TypeError, "padding_mask", "lengths", "object"),
    Bad(lambda: padding_mask(["2"], 3), TypeError, "padding_mask", "lengths", "<U1"),
    Bad(lambda: padding_mask([[1], [1, 2]], 3), TypeError, "padding_mask", "lengths", "list"),
    Bad(lambda: padding_mask([1], -1), ValueError, "padding_mask", "n_key", "-1"),
    Bad(lambda: padding_mask([1], 3.0), TypeError, "padding_mask", "n_key", "3.0"),
    Bad(lambda: combine_masks(), TypeError, "combine_masks", "mask", "no mask"),
    Bad(lambda: combine_masks(None), TypeError, "combine_masks", "mask 1", "object"),
    Bad(lambda: combine_masks(KEEP, [[1, 0]]), TypeError, "combine_masks", "mask 2", "int64"),
    Bad(lambda: combine_masks([[1.0, 0.0]]), ValueError, "combine_masks", "mask 1", "0 and 1"),
    Bad(lambda: combine_masks([[np.nan]]), ValueError, "combine_masks", "mask 1", "NaN"),
    Bad(lambda: combine_masks(KEEP, KEEP.T), ValueError, "combine_masks", "mask", "(5, 2)"),
    Bad(lambda: combine_masks(KEEP[0]), ValueError, "combine_masks", "mask", "(5,)"),
    Bad(lambda: combine_masks(True, KEEP), ValueError, "combine_masks", "mask", "()"),
    Bad(lambda: combine_masks("ab"), TypeError, "combine_masks", "mask 1", "<U2"),
    *(
        Bad(
            lambda size=size: online_softmax_attention(Q, K, V, block_size=size),
            error,
            "online_softmax_attention",
            "block_size",
            str(size),
        )
        for size, error in ((0, ValueError), (-1, ValueError), (2.5, TypeError), (None, TypeError))
    ),
    Bad(lambda: AttentionTrace(), TypeError, "AttentionTrace", "query", "missing"),
    Bad(lambda: TRACE.to_markdown("3"), TypeError, "AttentionTrace.to_markdown", "decimals", "'3'"),
    Bad(lambda: TRACE.to_markdown(2.5), TypeError, "AttentionTrace.to_markdown", "decimals", "2.5"),
    Bad(lambda: TRACE.to_markdown(-1), ValueError, "AttentionTrace.to_markdown", "decimals", "-1"),
    Bad(lambda: Evidence(), TypeError, "Evidence", "rule", "missing"),
    Bad(lambda: KVCache().attend(Q), ValueError, "KVCache.attend", "query", "0"),
    Bad(lambda: cache().attend(np.ones((6, 3))), ValueError, "KVCache.attend", "query", "6 rows"),
    Bad(lambda: cache().attend(np.ones((1, 4))), ValueError, "KVCache.attend", "query", "(1, 4)"),
    Bad(lambda: cache().attend(np.ones(3)), ValueError, "KVCache.attend", "query", "(3,)"),
    Bad(lambda: cache().attend(1j * Q), TypeError, "KVCache.attend", "query", "complex128"),
    Bad(lambda: cache().attend(None), TypeError, "KVCache.attend", "query", "object"),
    Bad(lambda: cache().attend(Q, scale="2"), TypeError, "KVCache.attend", "scale", "'2'"),
    Bad(lambda: cache().attend(Q[None]), ValueError, "KVCache.attend", "query", "(1,)"),
    Bad(lambda: cache().append(K, V[:4]), ValueError, "KVCache.append", "value", "(4, 7)"),
    Bad(lambda: cache().append(Q, Q), ValueError, "KVCache.append", "value", "(2, 3)"),
    Bad(lambda: cache().append(K[0], V[0]), ValueError, "KVCache.append", "key", "(3,)"),
    Bad(lambda: cache().append(RAGGED, V), TypeError, "KVCache.append", "key", "list"),
    Bad(lambda: cache().append(K, None), TypeError, "KVCache.append", "value", "object"),
    Bad(
        lambda: cache().append(K.astype(np.float32), V),
        TypeError,
        "KVCache.append",
        "key",
        "float32",
    ),
    Bad(lambda: KVCache().key, ValueError, "KVCache.key", "append", "nothing"),
    Bad(lambda: MultiHeadAttention(6, 4), ValueError, "MultiHeadAttention", "num_heads", "4"),
    Bad(lambda: MultiHeadAttention(0, 1), ValueError, "MultiHeadAttention", "embed_dim", "0"),
    Bad(lambda: MultiHeadAttention("6", 1), TypeError, "MultiHeadAttention", "embed_dim", "'6'"),
    Bad(lambda: MultiHeadAttention(6, 2.0), TypeError, "MultiHeadAttention", "num_heads", "2.0"),
    Bad(lambda: MultiHeadAttention(6, 2, kdim=-1), ValueError, "MultiHeadAttention", "kdim", "-1"),
    Bad(lambda: MultiHeadAttention(6, 2, bias=None), TypeError, "MultiHeadAttention", "bias", "No"),
    Bad(lambda: MultiHeadAttention(6, 2, rng=7), TypeError, "MultiHeadAttention", "rng", "int"),
    Bad(lambda: LAYER(X[..., :5]), ValueError, "MultiHeadAttention", "query", "(2, 5, 5)"),
    Bad(lambda: LAYER(X[None]), ValueError, "MultiHeadAttention", "query", "(1, 2, 5, 6)"),
    Bad(lambda: LAYER(X, X[0]), ValueError, "MultiHeadAttention", "key", "(5, 6)"),
    Bad(lambda: LAYER(X, X[:1]), ValueError, "MultiHeadAttention", "key", "(1, 3)"),
    Bad(lambda: LAYER(X, X, X[:, :4]), ValueError, "MultiHeadAttention", "value", "length 4"),
    Bad(lambda: LAYER(X, None, X), ValueError, "MultiHeadAttention", "value", "without key"),
    Bad(lambda: LAYER(None), TypeError, "MultiHeadAttention", "query", "object"),
    Bad(lambda: LAYER(X, mask=np.eye(5)), ValueError, "MultiHeadAttention", "mask", "0 and 1"),
    Bad(lambda: LAYER(X, mask=[1, 0]), TypeError, "MultiHeadAttention", "mask", "int64"),
    Bad(lambda: LAYER(X, mask=[True]), ValueError, "MultiHeadAttention", "mask", "(1,)"),
    Bad(lambda: LAYER(X, need_weights="no"), TypeError, "MultiHeadAttention", "need_w", "str"),
    Bad(
        lambda: LAYER(X, need_weights=False, average_attn_weights="no"),
        TypeError,
        "MultiHeadAttention",
        "average_attn_weights",
        "str",
    ),
    Bad(
        lambda: LAYER.load_state_dict(None),
        TypeError,
        "MultiHeadAttention.load_state_dict",
        "state",
        "NoneType",
    ),
    Bad(
        lambda: LAYER.load_state_dict({}),
        ValueError,
        "MultiHeadAttention.load_state_dict",
        "in_proj_weight",
        "missing",
    ),
    Bad(
        loaded(in_proj_bias=np.ones(6)),
        ValueError,
        "MultiHeadAttention.load_state_dict",
        "in_proj_bias",
        "(6,)",
    ),
    Bad(
        lambda: MultiHeadAttention.from_torch("module"),
        TypeError,
        "MultiHeadAttention.from_torch",
        "module",
        "str",
    ),
    Bad(lambda: bank.lesson("lake"), ValueError, "bank.lesson", "sentence", "'lake'"),
    Bad(lambda: bank.lesson(None), ValueError, "bank.lesson", "sentence", "None"),
    Bad(lambda: bank.lesson("river", "hard"), ValueError, "bank.lesson", "mode", "'hard'"),
    Bad(lambda: bank.lesson("river", None), ValueError, "bank.lesson", "mode", "None"),
    Bad(lambda: bank.lesson("river", ["scaled"]), ValueError, "bank.lesson", "mode", "['scaled']"),
    Bad(lambda: bank.tokens("lake"), ValueError, "bank.tokens", "sentence", "'lake'"),
    Bad(lambda: plot_attention([1.0]), ValueError, "plot_attention", "weights", "(1,)"),
    Bad(lambda: plot_attention(X[None]), ValueError, "plot_attention", "weights", "(1, 2, 5, 6)"),
    Bad(lambda: plot_attention("a"), TypeError, "plot_attention", "weights", "<U1"),
    Bad(lambda: plot_attention(HIDDEN), TypeError, "plot_attention", "weights", "MaskedArray"),
    Bad(lambda: plot_attention(Q, ["a"]), ValueError, "plot_attention", "query_tokens", "1"),
    Bad(
        lambda: LAYER.load_state_dict([]),
        TypeError,
        "MultiHeadAttention.load_state_dict",
        "state",
        "list",
    ),
    Bad(
        lambda: LAYER(X, mask=np.ma.array(np.ones((5, 5), dtype=bool))),
        TypeError,
        "MultiHeadAttention",
        "mask",
        "MaskedArray",
    ),
    Bad(lambda: KVCache().append(K, np.ones(5)), ValueError, "KVCache.append", "value", "(5,)"),
    Bad(lambda: plot_attention(Q, "ab"), TypeError, "plot_attention", "query_tokens", "str"),
    Bad(lambda: plot_attention(Q, 2), TypeError, "plot_attention", "query_tokens", "int"),
    Bad(lambda: plot_attention(Q, key_tokens=[]), ValueError, "plot_attention", "key_tokens", "0"),
    Bad(lambda: plot_attention(Q, vmin=2.0), ValueError, "plot_attention", "vmin", "2.0"),
    Bad(lambda: plot_attention(Q, vmin="0"), TypeError, "plot_attention", "vmin", "'0'"),
    Bad(lambda: plot_attention(Q, vmax=None), TypeError, "plot_attention", "vmax", "None"),
    Bad(lambda: plot_attention(Q, ax="left"), TypeError, "plot_attention", "ax", "str"),
]


@pytest.fixture(autouse=True)
def _no_window_and_no_figure_left():
    mpl.use("Agg")
    yield
    plt.close("all")


@pytest.mark.parametrize("bad", BAD, ids=lambda b: f"{b.function}-{b.argument}-{b.came}")
def test_a_wrong_call_names_function_argument_and_what_came(bad):
    with pytest.raises(bad.error, match=rf"^{re.escape(bad.function)}\b") as caught:
        bad.call()
    assert caught.type is bad.error
    message = str(caught.value)
    assert bad.argument in message
    assert bad.came in message
    assert len(message) > len(f"{bad.function}{bad.argument}{bad.came}") + 20  # and what to do
    assert plt.get_fignums() == []


def messages():
    """Give every message in full, but for the part that another library wrote into it."""
    lines = []
    for bad in BAD:
        try:
            bad.call()
        except bad.error as error:
            text = re.sub(r"(read as an array: ).*?(; pass)", r"\1...\2", str(error))
            lines.append(f"{type(error).__name__}: {text}")
    return lines


def test_every_message_is_the_one_on_record():
    """A message is part of the interface: a change of its words is a change to be looked at.

    After a meant change: python -m tests.core.test_bad_input > tests/core/bad_input_messages.txt
    """
    assert messages() == RECORD.read_text(encoding="utf-8").splitlines()


def test_a_long_wrong_value_is_cut_to_forty_characters():
    with pytest.raises(TypeError, match=re.escape(f"axis is '{'a' * 38}' (str)")):
        softmax([1.0], axis="a" * 38)  # forty characters with the quotes
    with pytest.raises(TypeError, match=re.escape(f"axis is '{'a' * 36}... (str)")):
        softmax([1.0], axis="a" * 39)


def test_there_are_enough_wrong_calls():
    assert len(BAD) >= 60


def test_every_public_function_is_called_wrongly():
    called = {bad.function for bad in BAD}
    tops = {name.split(".")[0] for name in called}
    assert {name for name in attention_core.__all__ if name not in tops} == set()
    public = {
        f"bank.{name}"
        for name, function in inspect.getmembers(bank, inspect.isfunction)
        if function.__module__ == bank.__name__ and not name.startswith("_")
    }
    methods = {
        "AttentionTrace.to_markdown",
        "KVCache.append",
        "KVCache.attend",
        "MultiHeadAttention.load_state_dict",
        "MultiHeadAttention.from_torch",
    }
    assert public | methods <= called


def test_a_wrong_call_leaves_its_arguments_and_the_layer_as_they_were():
    x = np.random.default_rng(0).normal(size=(2, 5, 6))
    kept, state = x.copy(), LAYER.state_dict()
    with pytest.raises(ValueError, match="mask has shape"):
        LAYER(x, mask=np.ones((3, 3), dtype=bool))
    with pytest.raises(ValueError, match="mask has shape"):
        scaled_dot_product_attention(x, x, x, np.ones((6, 6), dtype=bool))
    assert np.array_equal(x, kept)
    for name, array in LAYER.state_dict().items():
        assert np.array_equal(array, state[name])


# The same numbers in other clothes. Each function of this table must not tell them apart.


class Named(np.ndarray):
    """A subclass that changes what an operator does, as numpy.matrix does."""

    def __mul__(self, other):
        raise AssertionError("the subclass took part in the computation")

    __matmul__ = __rmatmul__ = __rmul__ = __imul__ = __mul__


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def every_other(array):
    wide = np.full((*array.shape[:-1], 2 * array.shape[-1]), 99, dtype=array.dtype)
    wide[..., ::2] = array
    return wide[..., ::2]


def negative_strides(array):
    return np.flip(np.flip(array).copy())


CLOTHES = {
    "read-only": read_only,
    "every other column": every_other,
    "negative strides": negative_strides,
    "Fortran order": np.asfortranarray,
    "subclass": lambda x: x.view(Named),
    "big-endian": lambda x: x.astype(x.dtype.newbyteorder(">")),
    "broadcast view": lambda x: np.broadcast_to(x[np.newaxis], (1, *x.shape))[0],
    "unaligned": lambda x: np.frombuffer(b"." + x.tobytes(), x.dtype, offset=1).reshape(x.shape),
    "nested lists": lambda x: x.tolist(),
}


def numbers(*shape):
    return np.random.default_rng([11, *shape]).normal(size=shape)


def of_cache(key, value, query):
    return KVCache().append(key, value).append(key, value).attend(query)


def of_state(weight):
    layer = MultiHeadAttention(3, 1, bias=False, rng=np.random.default_rng(0))
    layer.load_state_dict({"in_proj_weight": weight, "out_proj.weight": weight[:3]})
    return layer.state_dict()["in_proj_weight"]


def of_picture(weights):
    return plot_attention(weights).images[0].get_array().data


BIAS = np.where(numbers(2, 5) > 0.5, -np.inf, numbers(2, 5))
USES = {
    "softmax": (softmax, [numbers(2, 3, 5)]),
    "softmax_jacobian": (softmax_jacobian, [softmax(numbers(2, 5))]),
    "padding_mask": (lambda lengths: padding_mask(lengths, 5), [np.array([3, 0, 5])]),
    "combine_masks": (combine_masks, [BIAS, numbers(2, 5)]),
    "combine_masks of bool": (combine_masks, [BIAS < 0, BIAS < 0.5]),
    "scaled_dot_product_attention": (
        scaled_dot_product_attention,
        [numbers(2, 3), numbers(5, 3), numbers(5, 7), BIAS],
    ),
    "attention_trace": (
        lambda *x: attention_trace(*x).weights,
        [numbers(2, 3), numbers(5, 3), numbers(5, 7), BIAS],
    ),
    "online_softmax_attention": (
        lambda *x: online_softmax_attention(*x, block_size=2),
        [numbers(2, 3), numbers(5, 3), numbers(5, 7), BIAS],
    ),
    "KVCache": (of_cache, [numbers(5, 3), numbers(5, 7), numbers(2, 3)]),
    "MultiHeadAttention": (lambda x: LAYER(x)[0], [numbers(2, 5, 6)]),
    "MultiHeadAttention.load_state_dict": (of_state, [numbers(9, 3)]),
    "plot_attention": (of_picture, [softmax(numbers(2, 5))]),
}


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("clothes", CLOTHES)
def test_the_same_numbers_in_another_form_give_the_same_result_and_stay_as_they_were(name, clothes):
    function, plain = USES[name]
    expected = function(*plain)
    dressed = [CLOTHES[clothes](x) for x in plain]
    result = function(*dressed)
    np.testing.assert_allclose(result, expected, rtol=1e-13, atol=1e-15)
    assert type(result) is np.ndarray
    for x, kept in zip(dressed, plain, strict=True):
        assert np.array_equal(np.asarray(x), kept)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_a_numpy_matrix_is_read_as_an_array_and_never_multiplied_as_a_matrix():
    query, key, value = numbers(2, 3), numbers(3, 3), numbers(3, 3)
    expected = scaled_dot_product_attention(query, key, value)
    for route in (scaled_dot_product_attention, online_softmax_attention):
        output = route(np.matrix(query), np.matrix(key), np.matrix(value))
        np.testing.assert_allclose(output, expected, rtol=1e-12)
        assert type(output) is np.ndarray
    assert np.array_equal(softmax(np.matrix(query)), softmax(query))


NOTHING = {
    "softmax": (lambda: softmax(np.zeros((0, 3))), (0, 3)),
    "softmax of nothing": (lambda: softmax([]), (0,)),
    "softmax_jacobian": (lambda: softmax_jacobian(np.zeros((0, 3))), (0, 3, 3)),
    "causal_mask": (lambda: causal_mask(0), (0, 0)),
    "padding_mask": (lambda: padding_mask([], 0), (0, 1, 0)),
    "combine_masks": (lambda: combine_masks(np.ones((0, 3), bool)), (0, 3)),
    "scaled_dot_product_attention": (
        lambda: scaled_dot_product_attention(*[np.zeros((0, 5, 3))] * 3),
        (0, 5, 3),
    ),
    "values of width 0": (lambda: scaled_dot_product_attention(Q, K, np.zeros((5, 0))), (2, 0)),
    "online_softmax_attention": (
        lambda: online_softmax_attention(Q, K, np.zeros((5, 0))),
        (2, 0),
    ),
    "attention_trace": (lambda: attention_trace(Q[:0], K, V).output, (0, 7)),
    "KVCache": (lambda: KVCache().append(K[:0], V[:0]).attend(Q[:0]), (0, 7)),
    "MultiHeadAttention": (lambda: LAYER(np.zeros((0, 5, 6)))[0], (0, 5, 6)),
    "MultiHeadAttention of no tokens": (lambda: LAYER(np.zeros((2, 0, 6)))[0], (2, 0, 6)),
}


@pytest.mark.parametrize("name", NOTHING)
def test_empty_inputs_give_empty_results(name):
    call, shape = NOTHING[name]
    assert call().shape == shape


def test_evidence_markdown_and_json_of_an_empty_trace():
    trace = attention_trace(Q[:0], K, V)
    assert [rule.holds for rule in trace.evidence()] == [True, True, True, True, None, None]
    assert "## output (0, 7)" in trace.to_markdown()
    assert '"shape": [0, 7]' in trace.to_json()


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.__name__)
def test_nothing_but_nan_gives_nothing_but_nan_and_zeros_where_hidden(route):
    def output(*arguments):
        result = route(*arguments)
        return result.output if isinstance(result, AttentionTrace) else result

    nan = np.full((3, 3), np.nan)
    assert np.isnan(output(nan, nan, nan)).all()
    keep = np.array([[False] * 3, [True] * 3, [False] * 3])
    assert np.isnan(output(nan, nan, nan, keep)).any(axis=-1).tolist() == [False, True, False]
    assert not output(nan, nan, nan, keep)[[0, 2]].any()


def test_nan_only_inputs_of_the_other_functions():
    nan = np.full((2, 5), np.nan)
    assert np.isnan(softmax(nan)).all()
    assert np.isnan(softmax_jacobian(nan)).all()
    assert np.isnan(LAYER(np.full((1, 2, 6), np.nan))[0]).all()
    assert np.isnan(KVCache().append(nan, nan).attend(nan[:1])).all()


if __name__ == "__main__":
    print("\n".join(messages()))
