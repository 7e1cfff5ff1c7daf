"""Every way to the same result gives the same result."""

import copy
from unittest.mock import patch

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attention_core import (
    KVCache,
    MultiHeadAttention,
    attention_trace,
    combine_masks,
    online_softmax_attention,
    padding_mask,
    scaled_dot_product,
    scaled_dot_product_attention,
    softmax,
    softmax_jacobian,
)
from attention_core._heads import merge_heads, split_heads
from tests.core.strategies import (
    DTYPES,
    TOLERANCE,
    brief,
    mask_of_any_form,
    poisoned,
    problems,
    seeds,
    thorough,
)


@thorough
@given(data=st.data(), is_causal=st.booleans(), poison=st.booleans())
def test_the_output_of_a_trace_is_that_of_the_function_to_the_bit(data, is_causal, poison):
    dtype = data.draw(st.sampled_from(DTYPES))
    problem = data.draw(problems(self_attention=is_causal, dtype=dtype))
    qkv = [poisoned(x, problem.rng, 0.1) for x in problem.qkv] if poison else problem.qkv
    options = {"is_causal": is_causal, "scale": data.draw(st.sampled_from((None, 0.0, -0.7)))}
    mask = mask_of_any_form(data.draw, problem)
    trace = attention_trace(*qkv, mask, **options)
    output = scaled_dot_product_attention(*qkv, mask, **options)
    np.testing.assert_array_equal(trace.output, output)
    assert trace.output.dtype == output.dtype == dtype


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("block_size", [1, 2, 3, 4, 512])
@thorough
@given(data=st.data(), is_causal=st.booleans(), poison=st.booleans())
def test_online_agrees_with_direct_zeros_nan_and_infinities_included(
    block_size, dtype, data, is_causal, poison
):
    problem = data.draw(problems(self_attention=is_causal, dtype=dtype))
    qkv = [poisoned(x, problem.rng, 0.1) for x in problem.qkv] if poison else problem.qkv
    mask = mask_of_any_form(data.draw, problem)
    options = {"is_causal": is_causal, "scale": data.draw(st.sampled_from((None, -0.7)))}
    direct = scaled_dot_product_attention(*qkv, mask, **options)
    online = online_softmax_attention(*qkv, mask, **options, block_size=block_size)
    assert online.dtype == dtype
    largest = np.abs(problem.value.astype(float)).max()
    with np.errstate(invalid="ignore"):
        scores = np.nan_to_num(attention_trace(*problem.qkv).scaled_scores, posinf=0, neginf=0)
    error = TOLERANCE[np.float32 if dtype == np.float16 else dtype] * (1 + np.abs(scores).max())
    rounding = np.finfo(dtype).eps
    np.testing.assert_allclose(online, direct, rtol=rounding * 4, atol=(error + rounding) * largest)
    assert np.array_equal(np.isnan(online), np.isnan(direct))
    assert np.array_equal(np.isinf(online), np.isinf(direct))


@thorough
@given(problem=problems(), data=st.data())
def test_blocks_of_rows_change_no_result(problem, data):
    mask = mask_of_any_form(data.draw, problem)
    # 67 queries are more than the 32 rows that are worked on at the least
    rows = problem.rng.integers(problem.query.shape[-2], size=67)
    query = problem.query[..., rows, :]
    if mask is not None and mask.shape[-2] > 1:
        mask = mask[..., rows, :]
    whole = attention_trace(query, problem.key, problem.value, mask)
    with patch.object(scaled_dot_product, "_BLOCK_OF_SCORES", 1):
        blocks = attention_trace(query, problem.key, problem.value, mask)
    for name in ("scores", "scaled_scores", "masked_scores", "weights", "output"):
        ours, theirs = getattr(blocks, name), getattr(whole, name)
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-11, err_msg=name)


@thorough
@given(data=st.data())
def test_a_cache_that_grows_by_any_steps_gives_the_rows_of_one_causal_pass(data):
    problem = data.draw(problems(self_attention=True))
    query, key, value = problem.qkv
    if data.draw(st.booleans()):
        value = poisoned(value, problem.rng, 0.1)
    scale = data.draw(st.sampled_from((None, 0.3)))
    n, done, rows = query.shape[-2], 0, []
    cache = KVCache()
    while done < n:
        end = done + data.draw(st.integers(1, n - done))
        step = slice(done, end)
        cache.append(key[..., step, :], value[..., step, :])
        rows.append(cache.attend(query[..., step, :], scale=scale))
        done = end
    assert len(cache) == n
    assert np.array_equal(cache.key, key)
    np.testing.assert_array_equal(cache.value, value)
    expected = scaled_dot_product_attention(query, key, value, is_causal=True, scale=scale)
    np.testing.assert_allclose(np.concatenate(rows, axis=-2), expected, rtol=1e-10, atol=1e-11)


@thorough
@given(problem=problems(leading=((2,),)), data=st.data())
def test_no_function_changes_its_inputs(problem, data):
    mask = mask_of_any_form(data.draw, problem)
    given_arrays = (*problem.qkv, mask)
    before = copy.deepcopy(given_arrays)
    for attention in (
        scaled_dot_product_attention,
        attention_trace,
        online_softmax_attention,
        lambda *x: attention_trace(*x).evidence(),
    ):
        attention(*given_arrays)
    softmax(problem.query)
    softmax_jacobian(softmax(problem.query))
    combine_masks(problem.keep, *([] if mask is None or mask.ndim == 2 else [mask]))
    cache = KVCache().append(problem.key, problem.value)
    cache.attend(problem.query[..., :1, :])
    x = np.concatenate([problem.key, problem.key], axis=-1)
    kept = x.copy()
    MultiHeadAttention(x.shape[-1], 2, rng=problem.rng)(x, mask=padding_mask([1, 1], x.shape[1]))
    assert np.array_equal(x, kept)
    for now, then in zip(given_arrays, before, strict=True):
        np.testing.assert_array_equal(now, then)


@thorough
@given(
    seed=seeds,
    batch=st.sampled_from((0, 1, 2)),
    length=st.sampled_from((0, 1, 5)),
    num_heads=st.sampled_from((1, 2, 3)),
    head_dim=st.sampled_from((1, 2, 7)),
)
def test_splitting_and_merging_heads_is_a_round_trip(seed, batch, length, num_heads, head_dim):
    x = np.random.default_rng(seed).normal(size=(batch, length, num_heads * head_dim))
    heads = split_heads(x, num_heads)
    assert heads.shape == (batch, num_heads, length, head_dim)
    assert np.array_equal(merge_heads(heads), x)
    for head in range(num_heads):
        assert np.array_equal(heads[:, head], x[..., head * head_dim : (head + 1) * head_dim])


@st.composite
def layers(draw, *, dtype=np.float64):
    num_heads, head_dim = draw(st.sampled_from((1, 2, 3))), draw(st.sampled_from((1, 2, 5)))
    sizes = draw(st.sampled_from(({}, {"kdim": 7, "vdim": 11}, {"kdim": 7}, {"vdim": 11})))
    rng = np.random.default_rng(draw(seeds))
    layer = MultiHeadAttention(
        num_heads * head_dim, num_heads, **sizes, bias=draw(st.booleans()), rng=rng
    )
    state = {k: rng.normal(size=x.shape).astype(dtype) for k, x in layer.state_dict().items()}
    layer.load_state_dict(state)
    shapes = ((2, 3, layer.embed_dim), (2, 5, layer.kdim), (2, 5, layer.vdim))
    return layer, [rng.normal(size=shape).astype(dtype) for shape in shapes], rng


def torch_twin(layer):
    return torch.nn.MultiheadAttention(
        layer.embed_dim,
        layer.num_heads,
        kdim=layer.kdim,
        vdim=layer.vdim,
        bias=layer.in_proj_bias is not None,
        batch_first=True,
        dtype=torch.float64,
    ).eval()


@thorough
@given(drawn=layers(), average=st.booleans(), masked=st.booleans())
def test_asking_for_weights_never_changes_the_output(drawn, average, masked):
    layer, inputs, rng = drawn
    mask = rng.random((2, layer.num_heads, 3, 5)) < 0.4 if masked else None
    output, weights = layer(*inputs, mask, average_attn_weights=average)
    without, nothing = layer(*inputs, mask, need_weights=False)
    assert np.array_equal(output, without)
    assert nothing is None
    assert weights.shape == ((2, 3, 5) if average else (2, layer.num_heads, 3, 5))


@brief
@given(drawn=layers())
def test_a_state_goes_to_pytorch_and_back_and_both_compute_the_same(drawn):
    layer, inputs, _ = drawn
    module = torch_twin(layer)
    module.load_state_dict({k: torch.from_numpy(x) for k, x in layer.state_dict().items()})
    output, weights = layer(*inputs)
    expected, expected_weights = module(*map(torch.from_numpy, inputs))
    np.testing.assert_allclose(output, expected.detach().numpy(), rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(weights, expected_weights.detach().numpy(), rtol=1e-9, atol=1e-10)
    back = MultiHeadAttention.from_torch(module)
    assert back.state_dict().keys() == module.state_dict().keys()
    for name, array in back.state_dict().items():
        assert np.array_equal(array, layer.state_dict()[name])
    assert np.array_equal(back(*inputs)[0], output)


@brief
@given(drawn=layers())
def test_a_batch_is_its_samples_one_by_one(drawn):
    layer, inputs, _ = drawn
    for average in (True, False):
        output, weights = layer(*inputs, average_attn_weights=average)
        for sample in range(2):
            alone = layer(*(x[sample] for x in inputs), average_attn_weights=average)
            np.testing.assert_allclose(alone[0], output[sample], rtol=1e-10, atol=1e-11)
            np.testing.assert_allclose(alone[1], weights[sample], rtol=1e-10, atol=1e-11)
