import re
import types

import numpy as np
import pytest
import torch

from attention_core import MultiHeadAttention, causal_mask

OPTIONS = [{}, {"bias": False}, {"kdim": 5, "vdim": 11}, {"kdim": 5, "vdim": 11, "bias": False}]


def torch_module(embed_dim=6, num_heads=3, **options):
    torch.manual_seed(0)
    module = torch.nn.MultiheadAttention(embed_dim, num_heads, batch_first=True, **options)
    with torch.no_grad():  # PyTorch starts biases at zero, which would hide a forgotten one
        for name, parameter in module.named_parameters():
            if "bias" in name:
                parameter.normal_()
    return module.eval()


def torch_inputs(module, n_query=7, n_key=13):
    torch.manual_seed(1)
    shapes = ((2, n_query, module.embed_dim), (2, n_key, module.kdim), (2, n_key, module.vdim))
    return [torch.randn(*shape) for shape in shapes]


def assert_close(ours, theirs):
    np.testing.assert_allclose(ours, theirs.detach().numpy(), rtol=0, atol=1e-6)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("average", [True, False])
def test_agrees_with_pytorch_with_its_weights(options, average):
    module = torch_module(**options)
    inputs = torch_inputs(module)
    output, weights = MultiHeadAttention.from_torch(module)(
        *(x.numpy() for x in inputs), average_attn_weights=average
    )
    expected, expected_weights = module(*inputs, average_attn_weights=average)
    assert_close(output, expected)
    assert_close(weights, expected_weights)
    assert output.dtype == weights.dtype == np.float32


def test_two_axes_are_one_sequence_without_a_batch():
    module = torch_module()
    x = torch_inputs(module)[0][0]
    for average in (True, False):
        output, weights = MultiHeadAttention.from_torch(module)(
            x.numpy(), average_attn_weights=average
        )
        expected, expected_weights = module(x, x, x, average_attn_weights=average)
        assert_close(output, expected)
        assert_close(weights, expected_weights)


def test_a_mask_means_the_opposite_of_pytorchs_attn_mask():
    module = torch_module()
    inputs = torch_inputs(module)
    keep = np.random.default_rng(0).random((7, 13)) > 0.3
    output, weights = MultiHeadAttention.from_torch(module)(*(x.numpy() for x in inputs), keep)
    expected, expected_weights = module(*inputs, attn_mask=torch.from_numpy(~keep))
    assert_close(output, expected)
    assert_close(weights, expected_weights)


def test_masks_with_three_axes_are_per_sample_and_with_four_per_head():
    module = torch_module()
    inputs = torch_inputs(module)
    ours = MultiHeadAttention.from_torch(module)
    padding = np.ones((2, 1, 13), dtype=bool)
    padding[1, 0, 9:] = False
    expected, _ = module(*inputs, key_padding_mask=torch.from_numpy(~padding[:, 0]))
    assert_close(ours(*(x.numpy() for x in inputs), padding)[0], expected)

    per_head = np.random.default_rng(0).random((2, 3, 7, 13)) > 0.3
    theirs = torch.from_numpy(~per_head).reshape(6, 7, 13)  # PyTorch flattens batch and heads
    expected, _ = module(*inputs, attn_mask=theirs)
    assert_close(ours(*(x.numpy() for x in inputs), per_head)[0], expected)


def test_is_causal_hides_the_future():
    module = torch_module()
    x = torch_inputs(module)[0]
    ours = MultiHeadAttention.from_torch(module)
    output, weights = ours(x.numpy(), is_causal=True)
    expected, _ = module(x, x, x, attn_mask=torch.from_numpy(~causal_mask(7)))
    assert_close(output, expected)
    assert (weights[:, ~causal_mask(7)] == 0.0).all()


def test_asking_for_weights_never_changes_the_output_even_with_a_hidden_head():
    attention = MultiHeadAttention(6, 3, rng=np.random.default_rng(0))
    x = np.random.default_rng(1).normal(size=(2, 7, 6))
    keep = np.ones((1, 3, 1, 7), dtype=bool)
    keep[:, 1] = False
    keep = np.broadcast_to(keep, (2, 3, 7, 7))
    with_weights, weights = attention(x, mask=keep, average_attn_weights=False)
    without, nothing = attention(x, mask=keep, need_weights=False)
    assert np.array_equal(with_weights, without)
    assert nothing is None
    assert (weights[:, 1] == 0.0).all()
    assert np.isfinite(with_weights).all()


def test_a_missing_key_means_the_query_and_a_missing_value_the_key():
    attention = MultiHeadAttention(6, 3, rng=np.random.default_rng(0))
    x, y = np.random.default_rng(1).normal(size=(2, 1, 5, 6))
    assert np.array_equal(attention(x)[0], attention(x, x, x)[0])
    assert np.array_equal(attention(x, y)[0], attention(x, y, y)[0])


def test_each_head_takes_an_equal_whole_number_of_columns():
    attention = MultiHeadAttention(6, 3)
    assert isinstance(attention.head_dim, int)
    assert attention.head_dim == 2


def test_one_head_and_identity_projections_are_plain_attention():
    from attention_core import scaled_dot_product_attention

    attention = MultiHeadAttention(5, 1, bias=False)
    for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj_weight"):
        setattr(attention, name, np.eye(5))
    x = np.random.default_rng(0).normal(size=(2, 3, 5))
    np.testing.assert_allclose(attention(x)[0], scaled_dot_product_attention(x, x, x), rtol=1e-12)


def test_heads_take_columns_not_tokens():
    attention = MultiHeadAttention(4, 2, bias=False)
    for name in ("q_proj_weight", "k_proj_weight", "out_proj_weight"):
        setattr(attention, name, np.eye(4))
    attention.v_proj_weight = np.diag([1.0, 1.0, 0.0, 0.0])  # silences the second head alone
    output, _ = attention(np.random.default_rng(0).normal(size=(1, 3, 4)))
    assert (output[..., :2] != 0.0).all()
    assert (output[..., 2:] == 0.0).all()


def test_initial_weights_follow_the_generator_and_pytorchs_bounds():
    one = MultiHeadAttention(64, 4, rng=np.random.default_rng(0))
    same = MultiHeadAttention(64, 4, rng=np.random.default_rng(0))
    assert np.array_equal(one.q_proj_weight, same.q_proj_weight)
    theirs = torch.nn.MultiheadAttention(64, 4)
    pairs = (
        (one.q_proj_weight, theirs.in_proj_weight),
        (one.out_proj_weight, theirs.out_proj.weight),
    )
    for ours, parameter in pairs:
        assert ours.max() == pytest.approx(parameter.max().item(), rel=0.02)
        assert ours.min() == pytest.approx(parameter.min().item(), rel=0.02)
    wide = MultiHeadAttention(64, 4, kdim=32, vdim=16, rng=np.random.default_rng(0))
    theirs = torch.nn.MultiheadAttention(64, 4, kdim=32, vdim=16)
    assert np.abs(wide.v_proj_weight).max() == pytest.approx(
        theirs.v_proj_weight.abs().max().item(), rel=0.02
    )
    assert not one.in_proj_bias.any()
    assert MultiHeadAttention(4, 2, bias=False).out_proj_bias is None


def test_the_copy_does_not_share_memory_with_the_module():
    module = torch_module()
    ours = MultiHeadAttention.from_torch(module)
    with torch.no_grad():
        module.in_proj_weight.zero_()
        module.out_proj.weight.zero_()
    assert ours.q_proj_weight.any()
    assert ours.out_proj_weight.any()


@pytest.mark.parametrize("options", [{"add_bias_kv": True}, {"add_zero_attn": True}])
def test_modules_that_append_keys_are_refused(options):
    with pytest.raises(ValueError, match="add_bias_kv or add_zero_attn"):
        MultiHeadAttention.from_torch(torch_module(**options))


def test_from_torch_names_what_it_was_given_instead():
    with pytest.raises(TypeError, match="module is Linear; it must be a torch"):
        MultiHeadAttention.from_torch(torch.nn.Linear(2, 2))
    with pytest.raises(TypeError, match="module is SimpleNamespace"):
        MultiHeadAttention.from_torch(types.SimpleNamespace(embed_dim=4, num_heads=2))


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((6, 4), {}, ValueError, "embed_dim 6 is not divisible by num_heads 4"),
        ((0, 1), {}, ValueError, "embed_dim is 0; it must be at least 1"),
        ((6, 0), {}, ValueError, "num_heads is 0; it must be at least 1"),
        ((6.0, 2), {}, TypeError, "embed_dim is 6.0 (float); it must be a whole number"),
        ((6, 2), {"kdim": 0}, ValueError, "kdim is 0"),
        ((6, 2), {"vdim": 0}, ValueError, "vdim is 0; it must be at least 1"),
        ((6, 2), {"vdim": "5"}, TypeError, "vdim is '5' (str)"),
        ((6, 2), {"bias": 1}, TypeError, "bias is 1 (int); it must be True or False"),
        ((6, 2), {"rng": 0}, TypeError, "rng is int; pass np.random.default_rng(seed)"),
    ],
)
def test_bad_sizes_are_named(arguments, options, error, message):
    with pytest.raises(error, match=re.escape(f"MultiHeadAttention: {message}")):
        MultiHeadAttention(*arguments, **options)


X = np.ones((2, 7, 6))


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (
            (np.ones((2, 7, 5)),),
            {},
            ValueError,
            "query has width 5 (shape (2, 7, 5)) but embed_dim",
        ),
        (
            (X, np.ones((2, 7, 5))),
            {},
            ValueError,
            "key has width 5 (shape (2, 7, 5)) but kdim is 6",
        ),
        ((X, X, np.ones((2, 7, 5))), {}, ValueError, "value has width 5"),
        ((X, None, X), {}, ValueError, "value is given without key"),
        ((X, X[0], X[0]), {}, ValueError, "key has shape (7, 6) and query (2, 7, 6)"),
        ((np.ones(6),), {}, ValueError, "query has shape (6,)"),
        ((X, np.ones((3, 7, 6))), {}, ValueError, "the leading (batch) axes are query (2, 3)"),
        ((X,), {"mask": np.ones((7, 7), dtype=int)}, TypeError, "mask has dtype int64"),
        ((X,), {"mask": np.ones((2, 7), dtype=bool)}, ValueError, "mask has shape (2, 7)"),
        ((X,), {"mask": np.ones((3, 7, 7), dtype=bool)}, ValueError, "mask has shape (3, 1, 7, 7)"),
        ((X,), {"need_weights": None}, TypeError, "need_weights is None (NoneType)"),
        ((X,), {"average_attn_weights": 0}, TypeError, "average_attn_weights is 0 (int)"),
        ((X,), {"is_causal": "yes"}, TypeError, "is_causal is 'yes' (str)"),
    ],
)
def test_bad_calls_are_named(arguments, options, error, message):
    with pytest.raises(error, match=re.escape(f"MultiHeadAttention: {message}")):
        MultiHeadAttention(6, 3)(*arguments, **options)


def test_float32_is_projected_in_float32_and_float16_too():
    module = torch_module()
    attention = MultiHeadAttention.from_torch(module)
    for dtype in (np.float32, np.float16):
        x = np.ones((1, 5, 6), dtype=dtype)
        assert attention._project("query", x).dtype == np.float32
