"""Pictures of weights that said something else than the weights."""

import warnings

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import font_manager
from matplotlib import pyplot as plt
from matplotlib.ft2font import FT2Font

from attention_core import plot_attention


@pytest.fixture(autouse=True)
def _no_window_and_no_figure_left():
    mpl.use("Agg")
    yield
    plt.close("all")


def draw_strictly(ax):
    """Draw a picture for real, so that a glyph that no font has is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax.figure.canvas.draw()


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def test_plot_02_row_0_stands_on_top():
    """jeongukjae/CLIP-self-attention-visualization issue #1: is the map upside down?"""
    ax = plot_attention([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])
    assert ax.get_ylim() == (1.5, -0.5)
    pixel = ax.transData.transform
    assert pixel((0, 0))[1] > pixel((0, 1))[1]
    assert ax.images[0].get_array().tolist() == [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]


def test_plot_03_every_label_stands_at_its_own_row_and_column():
    """matplotlib/matplotlib issue #28909: without fixed ticks the first label disappears."""
    ax = plot_attention(np.eye(3), ["a", "b", "c"])
    for axis in (ax.xaxis, ax.yaxis):
        assert axis.get_ticklocs().tolist() == [0, 1, 2]
        assert labels(axis) == ["a", "b", "c"]


def test_plot_05_japanese_labels_are_drawn_with_real_glyphs():
    """matplotlib/matplotlib issue #14269, erez-c137/NetSpeedTray PR #173: boxes instead."""
    ax = plot_attention(np.eye(3), ["キー", "クエリ", "注意"])
    draw_strictly(ax)
    assert labels(ax.yaxis) == ["キー", "クエリ", "注意"]


def test_plot_06_the_minus_sign_is_drawn_beside_japanese():
    """matplotlib/matplotlib issue #17841: U+2212 was missing from the font chosen."""
    ax = plot_attention(np.eye(2), ["−1", "注意"])
    draw_strictly(ax)
    first = font_manager.findfont(ax.get_yticklabels()[0].get_fontfamily()[0])
    assert FT2Font(first).get_char_index(ord("−")) != 0


def test_plot_08_weights_per_head_are_never_drawn_as_a_coloured_picture():
    """philipperemy/keract issue #46, layumi/Person_reID_baseline_pytorch issue #168."""
    for n_key in (5, 3, 4):  # matplotlib takes a last axis of 3 or 4 for colours
        axes = plot_attention(np.full((2, 4, n_key), 0.5))
        assert [ax.images[0].get_array().shape for ax in axes] == [(4, n_key)] * 2


def test_plot_09_rows_of_new_tokens_carry_their_own_labels():
    """bojieli/ai-agent-book issue #346: labelled from the start of the sequence."""
    tokens = ["a", "b", "c", "d", "e"]
    weights = np.full((2, 5), 0.2)
    ax = plot_attention(weights, tokens[-2:], tokens)
    assert labels(ax.yaxis) == ["d", "e"]
    assert labels(ax.xaxis) == tokens
    with pytest.raises(ValueError, match="query_tokens has length 5 but the weights have 2"):
        plot_attention(weights, tokens, tokens)
