"""What the matrix of weights costs."""

from pathlib import Path

import numpy as np

from attention_core import attention_trace

ROOT = Path(__file__).resolve().parents[3]


def test_memory_01_sixteen_heads_of_20000_tokens_need_25_gigabytes_for_the_weights():
    """CyberZHG/keras-multi-head issue #1: measured at n = 20, then times (20000 / 20) squared."""
    heads = {dtype: np.zeros((16, 20, 2), dtype=dtype) for dtype in (np.float32, np.float64)}
    needed = {d: attention_trace(x, x, x).weights.nbytes * 1000**2 for d, x in heads.items()}
    assert needed == {np.float32: 25_600_000_000, np.float64: 51_200_000_000}


def test_memory_02_scores_grow_fourfold_when_the_length_doubles():
    """harvard-edge/cs249r_book PR #1155: the text forgot the factor d, the table a column."""
    n, d = 1024, 64
    traces = [attention_trace(*[np.zeros((length, d))] * 3) for length in (n // 2, n)]
    assert traces[1].weights.nbytes == 8_388_608
    assert traces[1].weights.nbytes / traces[0].weights.nbytes == 4.0
    assert traces[1].scores.size * traces[1].query.shape[-1] == 67_108_864  # multiply-adds
    recorded = (ROOT / "snippets" / "all_pairs.out").read_text(encoding="utf-8").splitlines()[1:]
    pairs = [tuple(map(int, line.split())) for line in recorded]
    assert len(pairs) == 4
    assert all(scores == tokens**2 for tokens, scores in pairs)
