"""Parameters: the order in which they are packed, and what may be missing."""

import numpy as np
import pytest
import torch

from attention_core import MultiHeadAttention, scaled_dot_product_attention
from tests.core.bugcases.layers import as_torch, identity_layer


def test_params_01_the_packed_projection_holds_query_then_key_then_value():
    """NVIDIA/apex issue #838, pytorch/pytorch PR #18334: another order loads and is wrong."""
    weight, bias = np.array([[2.0], [3.0], [5.0]]), np.array([1.0, 0.0, 7.0])
    layer = identity_layer(1, 1, in_proj_weight=weight, in_proj_bias=bias)
    output, _ = layer([[[1.0], [2.0]]])
    right = [[[16.999383027120068], [16.999998470488862]]]
    np.testing.assert_allclose(output, right, rtol=1e-12)
    x = torch.tensor([[[1.0], [2.0]]], dtype=torch.float64)
    np.testing.assert_allclose(output, as_torch(layer)(x, x, x)[0].detach().numpy(), rtol=1e-12)
    kqv = [1, 0, 2]
    wrong = identity_layer(1, 1, in_proj_weight=weight[kqv], in_proj_bias=bias[kqv])
    expected = [[[16.98763688421683], [16.99996927912699]]]
    np.testing.assert_allclose(wrong([[[1.0], [2.0]]])[0], expected, rtol=1e-12)


def test_params_03_rows_packed_head_by_head_must_be_reordered():
    """NVIDIA/apex issue #838, phlippe/uvadlc_notebooks issue #110: q0 k0 v0 q1 k1 v1."""
    names = np.array(["q0", "q1", "k0", "k1", "v0", "v1"])
    take = np.arange(6).reshape(3, 2).T.reshape(-1)  # (projection, head) -> (head, projection)
    assert take.tolist() == [0, 2, 4, 1, 3, 5]
    assert names[take].tolist() == ["q0", "k0", "v0", "q1", "k1", "v1"]
    packed = np.random.default_rng(0).normal(size=(6, 2))
    x = np.random.default_rng(1).normal(size=(1, 3, 2))
    right = identity_layer(2, 2, in_proj_weight=packed)
    per_head = packed[take]
    restored = identity_layer(2, 2, in_proj_weight=per_head[np.argsort(take)])
    assert np.array_equal(restored(x)[0], right(x)[0])
    assert not np.allclose(identity_layer(2, 2, in_proj_weight=per_head)(x)[0], right(x)[0])
    assert np.array_equal(right.q_proj_weight, packed[[0, 1]])


def test_params_05_a_learned_extra_key_is_refused_and_its_value_can_be_written_out():
    """pytorch/pytorch issue #34573: add_bias_kv appends a key that every query sees."""
    module = torch.nn.MultiheadAttention(
        1, 1, batch_first=True, add_bias_kv=True, dtype=torch.float64
    ).eval()
    with pytest.raises(ValueError, match="add_bias_kv or add_zero_attn"):
        MultiHeadAttention.from_torch(module)
    with torch.no_grad():
        module.in_proj_weight.zero_()
        module.in_proj_bias.copy_(torch.tensor([0.0, 0.0, 4.0]))
        module.bias_k.zero_()
        module.bias_v.fill_(8.0)
        module.out_proj.weight.fill_(1.0)
    x = torch.zeros(1, 2, 1, dtype=torch.float64)
    theirs, _ = module(x, x, x, attn_mask=torch.tensor([[False, True], [False, False]]))
    keep = [[True, False, True], [True, True, True]]
    ours = scaled_dot_product_attention(
        np.zeros((2, 1)), np.zeros((3, 1)), [[4.0], [4.0], [8.0]], keep
    )
    np.testing.assert_allclose(ours, [[6.0], [16 / 3]], rtol=1e-15)
    np.testing.assert_allclose(ours, theirs[0].detach().numpy(), rtol=1e-12)


def test_params_06_no_bias_is_the_same_as_biases_of_zero():
    """hkproj/pytorch-transformer issue #4: the paper has none, most layers add one."""
    with_zeros = identity_layer(2, 1)
    without = MultiHeadAttention(2, 1, bias=False)
    state = {k: v for k, v in with_zeros.state_dict().items() if "bias" not in k}
    without.load_state_dict(state)
    assert without.in_proj_bias is None
    assert without.out_proj_bias is None
    output, _ = without(np.eye(2)[np.newaxis])
    near, far = 0.6697615493266569, 0.3302384506733431
    np.testing.assert_allclose(output, [[[near, far], [far, near]]], rtol=1e-12)
    assert np.array_equal(output, with_zeros(np.eye(2)[np.newaxis])[0])
    module = as_torch(without, bias=False)
    assert MultiHeadAttention.from_torch(module).in_proj_bias is None
