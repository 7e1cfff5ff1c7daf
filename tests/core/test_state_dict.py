import re
from collections import OrderedDict

import numpy as np
import pytest
import torch

from attention_core import MultiHeadAttention

SIZES = [{}, {"kdim": 5}, {"vdim": 7}, {"kdim": 5, "vdim": 7}, {"kdim": 6, "vdim": 6}]
every_form = pytest.mark.parametrize("sizes", SIZES)
with_and_without_bias = pytest.mark.parametrize("bias", [True, False])


def layer_of(seed=0, **options):
    layer = MultiHeadAttention(6, 3, rng=np.random.default_rng(seed), **options)
    rng = np.random.default_rng([seed, 1])
    layer.load_state_dict({k: rng.normal(size=x.shape) for k, x in layer.state_dict().items()})
    return layer


def torch_module(**options):
    return torch.nn.MultiheadAttention(
        6, 3, batch_first=True, dtype=torch.float64, **options
    ).eval()


def inputs_of(layer):
    rng = np.random.default_rng(9)
    return [rng.normal(size=(2, 5, width)) for width in (6, layer.kdim, layer.vdim)]


@every_form
@with_and_without_bias
def test_names_and_shapes_are_those_of_pytorch(sizes, bias):
    ours = {k: x.shape for k, x in layer_of(**sizes, bias=bias).state_dict().items()}
    theirs = {k: tuple(x.shape) for k, x in torch_module(**sizes, bias=bias).state_dict().items()}
    assert ours == theirs


@every_form
@with_and_without_bias
def test_our_state_loads_into_pytorch_and_computes_the_same(sizes, bias):
    layer, module = layer_of(**sizes, bias=bias), torch_module(**sizes, bias=bias)
    module.load_state_dict({k: torch.from_numpy(x) for k, x in layer.state_dict().items()})
    inputs = inputs_of(layer)
    output, weights = layer(*inputs)
    expected, expected_weights = module(*map(torch.from_numpy, inputs))
    np.testing.assert_allclose(output, expected.detach().numpy(), rtol=1e-10)
    np.testing.assert_allclose(weights, expected_weights.detach().numpy(), rtol=1e-10)


@every_form
@with_and_without_bias
def test_pytorchs_state_loads_into_ours_and_computes_the_same(sizes, bias):
    layer, module = layer_of(**sizes, bias=bias), torch_module(**sizes, bias=bias)
    layer.load_state_dict(module.state_dict())  # tensors are read as arrays
    inputs = inputs_of(layer)
    expected, _ = module(*map(torch.from_numpy, inputs))
    np.testing.assert_allclose(layer(*inputs)[0], expected.detach().numpy(), rtol=1e-10)


@every_form
@with_and_without_bias
def test_a_state_goes_from_one_layer_to_another(sizes, bias):
    one, other = layer_of(0, **sizes, bias=bias), layer_of(1, **sizes, bias=bias)
    inputs = inputs_of(one)
    assert not np.array_equal(one(*inputs)[0], other(*inputs)[0])
    other.load_state_dict(OrderedDict(one.state_dict()))
    assert np.array_equal(one(*inputs)[0], other(*inputs)[0])


def test_the_packed_rows_are_all_of_query_then_key_then_value():
    layer = layer_of()
    packed = layer.state_dict()["in_proj_weight"]
    assert packed.shape == (18, 6)
    assert np.array_equal(packed[:6], layer.q_proj_weight)
    assert np.array_equal(packed[6:12], layer.k_proj_weight)
    assert np.array_equal(packed[12:], layer.v_proj_weight)


def test_rows_packed_head_by_head_load_and_are_wrong_until_reordered():
    layer = layer_of()
    x = inputs_of(layer)[0]
    right = layer(x)[0]
    state = layer.state_dict()
    order = np.arange(18).reshape(3, 3, 2)  # (projection, head, column of the head)
    by_head = order.transpose(1, 0, 2).reshape(-1)
    assert by_head[:6].tolist() == [0, 1, 6, 7, 12, 13]  # q, k, v of head 0
    packed_by_head = {
        **state,
        "in_proj_weight": state["in_proj_weight"][by_head],
        "in_proj_bias": state["in_proj_bias"][by_head],
    }
    layer.load_state_dict(packed_by_head)
    assert not np.allclose(layer(x)[0], right)
    back = np.argsort(by_head)
    for name in ("in_proj_weight", "in_proj_bias"):
        packed_by_head[name] = packed_by_head[name][back]
    layer.load_state_dict(packed_by_head)
    assert np.array_equal(layer(x)[0], right)


@every_form
def test_what_is_returned_and_what_is_loaded_is_copied(sizes):
    layer = layer_of(**sizes)
    inputs = inputs_of(layer)
    before = layer(*inputs)[0]
    state = layer.state_dict()
    for array in state.values():
        array += 1.0
    assert np.array_equal(layer(*inputs)[0], before)
    layer.load_state_dict(state)
    loaded = layer(*inputs)[0]
    for array in state.values():
        array += 1.0
    assert np.array_equal(layer(*inputs)[0], loaded)


def without(state, name):
    return {k: x for k, x in state.items() if k != name}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda s: without(s, "out_proj.weight"), ValueError, "missing ['out_proj.weight'], unkn"),
        (lambda s: without(s, "in_proj_bias"), ValueError, "missing ['in_proj_bias'], unknown no"),
        (lambda s: s | {"bias_k": [0.0]}, ValueError, "missing nothing, unknown ['bias_k']"),
        (
            lambda s: s | {"in_proj_weight": np.ones((6, 18))},
            ValueError,
            "in_proj_weight has shape (6, 18) but must have (18, 6)",
        ),
        (
            lambda s: s | {"out_proj.bias": np.ones(5)},
            ValueError,
            "out_proj.bias has shape (5,) but must have (6,)",
        ),
        (lambda s: s | {"out_proj.bias": 1j * np.ones(6)}, TypeError, "out_proj.bias has dtype c"),
        (lambda s: s | {"out_proj.bias": None}, TypeError, "out_proj.bias has dtype object"),
    ],
)
def test_a_wrong_state_is_named_and_nothing_of_it_is_loaded(change, error, message):
    layer = layer_of()
    state = layer.state_dict()
    wrong = change({name: array + 1.0 for name, array in state.items()})
    with pytest.raises(error, match=re.escape(f"MultiHeadAttention.load_state_dict: {message}")):
        layer.load_state_dict(wrong)
    for name, array in layer.state_dict().items():
        assert np.array_equal(array, state[name])


def test_states_of_layers_with_and_without_bias_do_not_mix():
    with_bias, bare = layer_of(), layer_of(bias=False)
    with pytest.raises(ValueError, match=r"missing \['in_proj_bias', 'out_proj\.bias'\]"):
        with_bias.load_state_dict(bare.state_dict())
    with pytest.raises(ValueError, match=r"unknown \['in_proj_bias', 'out_proj\.bias'\]"):
        bare.load_state_dict(with_bias.state_dict())


def test_half_precision_weights_are_kept_and_computed_in_float32():
    module = torch.nn.MultiheadAttention(6, 3, batch_first=True).eval().half()
    layer = MultiHeadAttention.from_torch(module)
    assert layer.q_proj_weight.dtype == np.float16
    x = np.random.default_rng(0).normal(size=(2, 5, 6)).astype(np.float16)
    output, weights = layer(x)
    assert output.dtype == weights.dtype == np.float16
    exact = MultiHeadAttention.from_torch(module.double())(x.astype(float))[0]
    np.testing.assert_allclose(output.astype(float), exact, rtol=0, atol=2e-3)


def test_bfloat16_is_refused_with_the_way_out():
    module = torch.nn.MultiheadAttention(6, 3).bfloat16()
    with pytest.raises(TypeError, match=r"from_torch: .*; convert the module first"):
        MultiHeadAttention.from_torch(module)
