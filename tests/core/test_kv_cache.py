import re

import numpy as np
import pytest

from attention_core import KVCache, causal_mask, scaled_dot_product_attention


def draw(*shape, dtype=np.float64):
    return np.random.default_rng([5, *shape]).normal(size=shape).astype(dtype)


def test_a_second_token_worked_by_hand():
    cache = KVCache().append([[0.0]], [[8.0]])
    assert cache.attend([[1.0]]).tolist() == [[8.0]]
    cache.append([[np.log(3.0)]], [[4.0]])  # weights 1/4 and 3/4
    np.testing.assert_allclose(cache.attend([[1.0]]), [[5.0]], rtol=1e-15)


def test_token_by_token_equals_one_causal_pass_with_batch_and_heads():
    query, key, value = draw(2, 3, 11, 5), draw(2, 3, 11, 5), draw(2, 3, 11, 7)
    cache = KVCache()
    rows = []
    for i in range(11):
        cache.append(key[..., i : i + 1, :], value[..., i : i + 1, :])
        rows.append(cache.attend(query[..., i : i + 1, :]))
    expected = scaled_dot_product_attention(query, key, value, is_causal=True)
    np.testing.assert_allclose(np.concatenate(rows, axis=-2), expected, rtol=1e-10)
    assert len(cache) == 11


def test_several_new_tokens_do_not_see_one_another_s_future():
    query, key, value = draw(3, 5), draw(7, 5), draw(7, 2)
    cache = KVCache().append(key[:4], value[:4]).append(key[4:], value[4:])
    expected = scaled_dot_product_attention(
        query, key, value, causal_mask(3, 7, alignment="lower_right")
    )
    assert np.array_equal(cache.attend(query), expected)
    before = cache.attend(query)[:2]
    changed = value.copy()
    changed[6] = np.nan
    poisoned = KVCache().append(key, changed)
    assert np.array_equal(poisoned.attend(query)[:2], before)
    assert np.isnan(poisoned.attend(query)[2]).all()


def test_a_scale_is_passed_on():
    key, value, query = draw(5, 3), draw(5, 2), draw(1, 3)
    cache = KVCache().append(key, value)
    expected = scaled_dot_product_attention(query, key, value, scale=0.0)
    assert np.array_equal(cache.attend(query, scale=0.0), expected)


def test_what_is_appended_is_copied_and_what_is_read_is_read_only():
    key, value = draw(2, 3), draw(2, 5)
    cache = KVCache().append(key, value)
    kept = key.copy()
    key += 1.0
    assert np.array_equal(cache.key, kept)
    for array in (cache.key, cache.value):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0


def test_what_was_read_stays_true_while_the_cache_grows():
    cache = KVCache()
    seen = []
    for i in range(9):
        cache.append([[float(i)]], [[float(-i)]])
        seen.append((cache.key, cache.value))
    for i, (key, value) in enumerate(seen):
        assert key.ravel().tolist() == list(range(i + 1))
        assert value.ravel().tolist() == [-x for x in range(i + 1)]


def test_room_is_doubled_so_that_few_appends_copy():
    cache = KVCache()
    bases = set()
    held = []
    for _ in range(100):
        cache.append(np.zeros((1, 2)), np.zeros((1, 2)))
        held.append(cache.key.base)
        bases.add(id(held[-1]))
    assert len(bases) <= 8


def test_bytes_are_counted_for_what_is_in_use_only():
    cache = KVCache()
    assert cache.nbytes == 0
    for _ in range(5):
        cache.append(np.zeros((2, 1, 3), dtype=np.float32), np.zeros((2, 1, 7), dtype=np.float32))
    assert cache.nbytes == 5 * 2 * (3 + 7) * 4
    assert len(cache) == 5


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_dtype_of_the_first_append_is_kept(dtype):
    cache = KVCache().append(draw(2, 3, dtype=dtype), draw(2, 3, dtype=dtype))
    assert cache.key.dtype == cache.value.dtype == dtype
    assert cache.attend(draw(1, 3, dtype=dtype)).dtype == dtype


def test_integers_are_kept_as_float64():
    assert KVCache().append([[1]], [[2]]).value.dtype == np.float64


def test_no_tokens_can_be_appended_first_or_between():
    cache = KVCache().append(np.zeros((0, 3)), np.zeros((0, 2)))
    assert len(cache) == 0
    cache.append(draw(2, 3), draw(2, 2)).append(np.zeros((0, 3)), np.zeros((0, 2)))
    assert len(cache) == 2
    assert cache.attend(np.zeros((0, 3))).shape == (0, 2)


GOOD = KVCache().append(np.ones((2, 3, 5)), np.ones((2, 3, 7)))


@pytest.mark.parametrize(
    ("key", "value", "error", "message"),
    [
        (np.ones((2, 1, 4)), np.ones((2, 1, 7)), ValueError, "key has shape (2, 1, 4) but the"),
        (np.ones((2, 1, 5)), np.ones((2, 1, 6)), ValueError, "value has shape (2, 1, 6) but the"),
        (np.ones((3, 1, 5)), np.ones((3, 1, 7)), ValueError, "key has shape (3, 1, 5) but the"),
        (np.ones((1, 5)), np.ones((1, 7)), ValueError, "key has shape (1, 5) but the"),
        (np.ones((2, 1, 5)), np.ones((2, 2, 7)), ValueError, "key has shape (2, 1, 5) and value"),
        (np.ones(5), np.ones(7), ValueError, "key has shape (5,); it needs at least"),
        (np.ones((2, 1, 5), np.float32), np.ones((2, 1, 7)), TypeError, "key has dtype float32"),
        (np.ones((2, 1, 5)), np.ones((2, 1, 7), np.float16), TypeError, "value has dtype float16"),
    ],
)
def test_what_does_not_fit_is_named_and_nothing_is_added(key, value, error, message):
    before = GOOD.key.copy(), GOOD.value.copy()
    with pytest.raises(error, match=re.escape(f"KVCache.append: {message}")):
        GOOD.append(key, value)
    assert len(GOOD) == 3
    assert np.array_equal(GOOD.key, before[0])
    assert np.array_equal(GOOD.value, before[1])


def test_asking_before_appending_is_refused():
    with pytest.raises(ValueError, match="query has 1 rows but the cache holds 0 tokens"):
        KVCache().attend(np.ones((1, 3)))
    for name in ("key", "value"):
        with pytest.raises(ValueError, match=rf"KVCache\.{name}: nothing was appended yet"):
            getattr(KVCache(), name)


def test_more_queries_than_tokens_are_refused():
    with pytest.raises(ValueError, match="query has 4 rows but the cache holds 3 tokens"):
        GOOD.attend(np.ones((2, 4, 5)))


def test_a_key_of_another_shape_is_told_the_shape_of_the_cache():
    cache = KVCache().append(np.ones((2, 3, 5, 7)), np.ones((2, 3, 5, 11)))
    message = "key has shape (2, 3, 1, 6) but the cache holds (2, 3, 'length', 7); only the length"
    with pytest.raises(ValueError, match=re.escape(message)):
        cache.append(np.ones((2, 3, 1, 6)), np.ones((2, 3, 1, 11)))
    assert len(cache) == 5
