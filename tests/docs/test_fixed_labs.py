"""The four labs of the course outline: data and outputs that no re-recording may move."""

import ast

import pytest

from tests.docs.course import HERE

OUTPUTS = {
    "attention_lab": """\
attention_lab
scores
[[1. 0. 1.]
 [0. 1. 1.]
 [1. 1. 2.]]
weights
[[0.401 0.198 0.401]
 [0.198 0.401 0.401]
 [0.248 0.248 0.503]]
output
[[0.802 0.599]
 [0.599 0.802]
 [0.752 0.752]]
""",
    "projection_lab": """\
projection_lab
Q
[[1.  0.5]
 [0.  1. ]
 [1.  1.5]]
K
[[0.5 1. ]
 [1.  0. ]
 [1.5 1. ]]
V
[[ 1.  -0.5]
 [ 0.5  1. ]
 [ 1.5  0.5]]
weights
[[0.248 0.248 0.503]
 [0.401 0.198 0.401]
 [0.284 0.14  0.576]]
output
[[1.128 0.376]
 [1.102 0.198]
 [1.218 0.286]]
""",
    "mask_lab": """\
mask_lab
[[1.    0.    0.   ]
 [0.289 0.711 0.   ]
 [0.149 0.246 0.605]]
""",
    "mha_lab": """\
mha_lab
tokens: (1, 4, 8)
output: (1, 4, 8)
weights: (1, 4, 4)
row0_sum: 1.0
""",
}

DATA = {
    "attention_lab": [[[1, 0], [0, 1], [1, 1]]],
    "projection_lab": [
        [[1, 0], [0, 1], [1, 1]],
        [[1, 0.5], [0, 1]],
        [[0.5, 1], [1, 0]],
        [[1, -0.5], [0.5, 1]],
    ],
    "mask_lab": [[[2, 1, 0.5], [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]]],
    "mha_lab": [],
}


def tree_of(name):
    return ast.parse((HERE.snippets / f"{name}.py").read_text(encoding="utf-8"))


def matrices(tree):
    """List the matrices written in a lab, in order."""
    outer = [node for node in ast.walk(tree) if isinstance(node, ast.List)]
    return [
        ast.literal_eval(node)
        for node in sorted(outer, key=lambda node: (node.lineno, node.col_offset))
        if node.elts and all(isinstance(row, ast.List) for row in node.elts)
    ]


def calls(tree, name):
    """List positional and keyword arguments of each call of a function."""
    return [
        (
            [ast.literal_eval(value) for value in node.args],
            {one.arg: ast.literal_eval(one.value) for one in node.keywords},
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == name
    ]


@pytest.mark.parametrize("name", OUTPUTS)
def test_recorded_output_is_that_of_the_outline(name):
    recorded = (HERE.snippets / f"{name}.out").read_text(encoding="utf-8")
    assert recorded == OUTPUTS[name], f"snippets/{name}.out is fixed; restore it and mend the lab"


@pytest.mark.parametrize("name", DATA)
def test_data_are_those_of_the_outline(name):
    assert matrices(tree_of(name)) == DATA[name], f"the data of snippets/{name}.py are fixed"


def test_mha_lab_runs_pytorch_with_the_seed_and_sizes_of_the_outline():
    tree = tree_of("mha_lab")
    wanted = {
        "manual_seed": [([42], {})],
        "MultiheadAttention": [([], {"embed_dim": 8, "num_heads": 2, "batch_first": True})],
        "randn": [([1, 4, 8], {})],
    }
    found = {name: calls(tree, name) for name in wanted}
    assert found == wanted, "seed and sizes of snippets/mha_lab.py are fixed"


def test_attention_lab_takes_query_key_and_value_from_x():
    code = ast.unparse(tree_of("attention_lab"))
    assert "Q = K = V = X" in code
