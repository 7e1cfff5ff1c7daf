import re
import subprocess
import sys
import warnings

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt

from attention_core import plot_attention
from attention_core.plotting import _fonts

RECTANGLE = np.array([[0.1, 0.2, 0.7], [0.25, 0.25, 0.5]])


@pytest.fixture(autouse=True)
def _no_window_and_no_figure_left():
    mpl.use("Agg")
    plt.close("all")
    yield
    plt.close("all")


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def draw_strictly(figure):
    """Draw for real, with every warning (such as a missing glyph) an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.canvas.draw()


def test_rows_ask_columns_are_keys_and_row_0_stands_on_top():
    ax = plot_attention(RECTANGLE, ["q0", "q1"], ["k0", "k1", "k2"])
    assert ax.images[0].get_array().tolist() == RECTANGLE.tolist()
    assert labels(ax.yaxis) == ["q0", "q1"]
    assert labels(ax.xaxis) == ["k0", "k1", "k2"]
    assert ax.yaxis.get_ticklocs().tolist() == [0, 1]
    assert ax.xaxis.get_ticklocs().tolist() == [0, 1, 2]
    bottom, top = ax.get_ylim()
    assert bottom > top
    assert "query" in ax.get_ylabel()
    assert ax.get_xlabel() == "key"


def test_the_pixels_show_the_cell_of_query_0_and_key_2_as_the_brightest():
    ax = plot_attention(RECTANGLE)
    draw_strictly(ax.figure)
    pixels = np.asarray(ax.figure.canvas.buffer_rgba()).astype(int)

    def brightness(row, column):  # near a corner of the cell, clear of its number
        x, y = ax.transData.transform((column - 0.4, row - 0.4)).round().astype(int)
        return pixels[len(pixels) - 1 - y, x, :3].sum()

    cells = [[brightness(i, j) for j in range(3)] for i in range(2)]
    assert np.argsort(np.ravel(cells), kind="stable")[-2:].tolist() == [5, 2]


def test_without_tokens_every_position_has_its_number():
    ax = plot_attention(RECTANGLE)
    assert labels(ax.yaxis) == ["0", "1"]
    assert labels(ax.xaxis) == ["0", "1", "2"]


def test_a_square_matrix_takes_the_query_tokens_for_the_keys_too():
    ax = plot_attention(np.eye(2), ["old", "bank"])
    assert labels(ax.xaxis) == labels(ax.yaxis) == ["old", "bank"]
    other = plot_attention(np.eye(2), ["old", "bank"], ["a", "b"])
    assert labels(other.xaxis) == ["a", "b"]
    wide = plot_attention(RECTANGLE, ["old", "bank"])
    assert labels(wide.xaxis) == ["0", "1", "2"]


def test_the_colour_range_is_fixed_and_can_be_chosen():
    assert plot_attention(np.full((2, 2), 0.5)).images[0].get_clim() == (0.0, 1.0)
    assert plot_attention([[-2.0, 3.0]], vmin=-3, vmax=3).images[0].get_clim() == (-3.0, 3.0)
    grid = plot_attention([np.full((2, 2), 0.1), np.eye(2)])
    assert {ax.images[0].get_clim() for ax in grid} == {(0.0, 1.0)}


def test_every_cell_carries_its_number_in_a_readable_colour():
    ax = plot_attention(RECTANGLE)
    written = {text.get_position(): (text.get_text(), text.get_color()) for text in ax.texts}
    assert len(written) == 6
    assert written[2, 0] == ("0.70", "black")
    assert written[0, 0] == ("0.10", "white")
    shifted = plot_attention([[-2.0, -0.5]], vmin=-3.0, vmax=0.0)
    assert [text.get_color() for text in shifted.texts] == ["white", "black"]


def test_japanese_labels_are_drawn_with_real_glyphs_beside_a_minus_sign():
    tokens = ["銀行", "クエリ", "−1", "注意"]
    ax = plot_attention(np.eye(4), tokens)
    draw_strictly(ax.figure)
    assert labels(ax.yaxis) == tokens
    assert ax.get_yticklabels()[0].get_fontfamily()[0] == "DejaVu Sans"
    assert len(_fonts()) > 1


def test_a_character_that_no_font_has_would_be_noticed():
    ax = plot_attention([[1.0]], ["\U00013000"])  # an Egyptian hieroglyph
    with pytest.raises(UserWarning, match="Glyph"):
        draw_strictly(ax.figure)


def test_the_global_settings_of_matplotlib_stay_as_they_were():
    before = dict(mpl.rcParams)
    plot_attention(np.eye(2), ["注", "意"])
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("n_heads", [1, 2, 5])
def test_heads_become_a_grid_with_a_title_each(n_heads):
    weights = np.random.default_rng(0).random((n_heads, 2, 3))
    axes = plot_attention(weights, ["a", "b"], ["x", "y", "z"])
    assert len(axes) == n_heads
    assert len(axes[0].figure.axes) == n_heads  # no empty frame is left in the last row
    for number, ax in enumerate(axes):
        assert ax.get_title() == f"head {number}"
        assert ax.images[0].get_array().tolist() == weights[number].tolist()
        assert labels(ax.yaxis) == ["a", "b"]
    draw_strictly(axes[0].figure)


@pytest.mark.parametrize("n_key", [3, 4])
def test_heads_over_three_or_four_keys_are_no_coloured_picture(n_key):
    for ax in plot_attention(np.full((2, 5, n_key), 0.5)):
        assert ax.images[0].get_array().shape == (5, n_key)


def test_a_given_axes_is_drawn_into_and_no_figure_is_made():
    figure, (left, right) = plt.subplots(1, 2)
    assert plot_attention(RECTANGLE, ax=right) is right
    assert not left.images
    assert plt.get_fignums() == [figure.number]


def test_nan_weights_are_drawn_as_nan():
    ax = plot_attention([[np.nan, 1.0]])
    draw_strictly(ax.figure)
    assert [text.get_text() for text in ax.texts] == ["nan", "1.00"]


@pytest.mark.parametrize("shape", [(2,), (), (1, 2, 3, 3)])
def test_weights_with_another_number_of_axes_are_refused(shape):
    with pytest.raises(ValueError, match=r"weights has shape .* must be \(n_query, n_key\)"):
        plot_attention(np.zeros(shape))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"query_tokens": ["a"]}, "query_tokens has length 1 but the weights have 2"),
        ({"key_tokens": ["a", "b"]}, "key_tokens has length 2 but the weights have 3"),
        ({"vmin": 1.0, "vmax": 1.0}, "vmin is 1.0 and vmax 1.0"),
        ({"vmin": np.nan}, "vmin is nan"),
    ],
)
def test_wrong_labels_and_ranges_are_named_and_leave_no_figure(options, message):
    with pytest.raises(ValueError, match=f"plot_attention: {message}"):
        plot_attention(RECTANGLE, **options)
    assert plt.get_fignums() == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"query_tokens": "ab"}, "query_tokens is str"),  # one string is no list of labels
        ({"query_tokens": 2}, "query_tokens is int"),
        ({"vmin": "0"}, "vmin is '0' (str)"),
        ({"vmax": None}, "vmax is None (NoneType)"),
        ({"ax": "left"}, "ax is str"),
        ({"ax": False}, "ax is bool"),
    ],
)
def test_arguments_of_another_type_are_named_and_leave_no_figure(options, message):
    with pytest.raises(TypeError, match=re.escape(f"plot_attention: {message}")):
        plot_attention(RECTANGLE, **options)
    assert plt.get_fignums() == []


def test_several_heads_do_not_fit_into_one_axes():
    _, ax = plt.subplots()
    with pytest.raises(ValueError, match=r"ax takes one head but weights has 2 \(shape \(2, 3, 3"):
        plot_attention(np.zeros((2, 3, 3)), ax=ax)


@pytest.mark.parametrize("shape", [(0, 2, 3), (0, 3), (3, 0), (2, 3, 0)])
def test_nothing_to_draw_is_refused_by_name_and_leaves_no_figure(shape):
    with pytest.raises(ValueError, match="plot_attention: weights has shape"):
        plot_attention(np.zeros(shape))
    assert plt.get_fignums() == []


def test_importing_the_package_does_not_import_matplotlib():
    code = "import sys, attention_core; sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_missing_matplotlib_is_named_with_its_repair(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"plot_attention needs matplotlib; .*attention-core\[pl"):
        plot_attention(np.eye(2))


def test_the_look_does_not_depend_on_the_readers_settings():
    unlike = {"image.origin": "lower", "image.aspect": "auto", "image.cmap": "gray"}
    with mpl.rc_context(unlike | {"font.size": 30.0}):
        ax = plot_attention(RECTANGLE)
    image = ax.images[0]
    assert image.cmap.name == "cividis"
    assert image.origin == "upper"
    assert ax.get_aspect() == 1.0
    assert {text.get_fontsize() for text in ax.texts} == {8.0}
    assert {(text.get_ha(), text.get_va()) for text in ax.texts} == {("center", "center")}
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("key", "query (asks)")


def test_a_number_is_white_below_the_middle_of_the_range_and_black_from_there_on():
    ax = plot_attention([[0.2, 0.5, 0.7]], vmin=0.2, vmax=0.8)
    assert [text.get_color() for text in ax.texts] == ["white", "black", "black"]


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ((1, 1), (2.4, 2.2)),  # never too small for its labels
        ((5, 7), (0.6 * 7 + 1.2, 0.6 * 5 + 1.0)),
        ((6, 5, 7), (4 * (0.6 * 7 + 1.2), 2 * (0.6 * 5 + 1.0))),  # four heads in a row, then two
        ((4, 1, 1), (4 * 2.4, 2.2)),
    ],
)
def test_the_figure_grows_with_the_tokens_and_the_heads(shape, size):
    axes = plot_attention(np.zeros(shape))
    figure = np.ravel(axes)[0].figure
    np.testing.assert_allclose(figure.get_size_inches(), size)
    assert len(figure.axes) == (shape[0] if len(shape) == 3 else 1)
    assert figure.get_layout_engine().__class__.__name__ == "ConstrainedLayoutEngine"
