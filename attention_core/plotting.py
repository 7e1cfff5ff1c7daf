"""Pictures of attention weights: rows ask, columns are keys. Needs the extra ``plot``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from attention_core._checks import FloatArray, as_float_array, check_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME = "plot_attention"


def plot_attention(
    weights: ArrayLike,
    query_tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    *,
    ax: Axes | None = None,
    vmin: float = 0.0,
    vmax: float = 1.0,
) -> Any:
    """Draw weights as a heat map: row 0 on top, a tick for each token, one colour range for all.

    Parameters
    ----------
    weights : array_like, (n_query, n_key) or (num_heads, n_query, n_key)
        One head, or a grid of heads.
    query_tokens, key_tokens : sequence of str, optional
        Labels of the rows and of the columns; numbers from 0 if not given. If only
        ``query_tokens`` is given and the matrix is square, the keys get the same labels.
    ax : matplotlib.axes.Axes, optional
        Where to draw one head; a new figure if not given.
    vmin, vmax : float, default 0 and 1
        The ends of the colour range. They are fixed so that two pictures can be compared.

    Returns
    -------
    matplotlib.axes.Axes, or ndarray of them with one for each head

    Raises
    ------
    ImportError
        matplotlib is not installed.
    TypeError
        The weights or the colour range are not real-valued, ``ax`` is no Axes, or the tokens are
        not a list.
    ValueError
        The weights are empty or have another number of axes, ``ax`` is given for several heads, a
        token list has the wrong length, or ``vmin`` is not below ``vmax``.

    Notes
    -----
    Labels are drawn with DejaVu Sans, which matplotlib brings and which has the minus sign, and
    with the Japanese font of matplotlib-fontja where DejaVu has no glyph.

    Examples
    --------
    >>> ax = plot_attention([[0.9, 0.1], [0.3, 0.7]], ["old", "bank"])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['old', 'bank']
    """
    array = as_float_array(_NAME, "weights", weights)
    if array.ndim not in (2, 3):
        raise ValueError(
            f"{_NAME}: weights has shape {array.shape}; it must be (n_query, n_key) or (num_heads, "
            f"n_query, n_key); choose one sample of a batch: weights[0]"
        )
    if array.size == 0:
        raise ValueError(f"{_NAME}: weights has shape {array.shape}; there is nothing to draw")
    vmin, vmax = check_number(_NAME, "vmin", vmin), check_number(_NAME, "vmax", vmax)
    if ax is not None and not hasattr(ax, "imshow"):
        raise TypeError(
            f"{_NAME}: ax is {type(ax).__name__}; it must be a matplotlib Axes, or None for a new "
            f"figure"
        )
    if not vmin < vmax:
        raise ValueError(f"{_NAME}: vmin is {vmin} and vmax {vmax}; vmin must be the smaller one")
    n_query, n_key = array.shape[-2:]
    if key_tokens is None and n_query == n_key:
        key_tokens = query_tokens
    rows = _labels("query_tokens", query_tokens, n_query)
    columns = _labels("key_tokens", key_tokens, n_key)
    if array.ndim == 2:
        place = _grid(1, n_query, n_key)[0] if ax is None else ax
        return _draw(array, rows, columns, place, vmin, vmax)
    if ax is not None:
        raise ValueError(
            f"{_NAME}: ax takes one head but weights has {array.shape[0]} (shape {array.shape}); "
            f"draw weights[head], or leave ax out for a grid of heads"
        )
    axes = _grid(array.shape[0], n_query, n_key)
    for number, (head, place) in enumerate(zip(array, axes, strict=True)):
        _draw(head, rows, columns, place, vmin, vmax).set_title(f"head {number}")
    return axes


def _labels(name: str, tokens: Sequence[str] | None, length: int) -> list[str]:
    if tokens is None:
        return [str(number) for number in range(length)]
    if isinstance(tokens, str) or not isinstance(tokens, Sequence):
        raise TypeError(
            f"{_NAME}: {name} is {type(tokens).__name__}; it must be a list with one label for "
            f"each of the {length}"
        )
    if len(tokens) != length:
        raise ValueError(
            f"{_NAME}: {name} has length {len(tokens)} but the weights have {length}; pass one "
            f"label for each, in the order of the weights"
        )
    return [str(token) for token in tokens]


def _grid(count: int, n_query: int, n_key: int) -> Any:
    """Make a figure with ``count`` axes, at most four in a row, and return these axes."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.pyplot import figure
    except ImportError as error:
        raise ImportError(
            f"{_NAME} needs matplotlib; install it with pip install 'attention-core[plot]'"
        ) from error
    across = min(count, 4)
    down = -(-count // across)
    width, height = max(2.4, 0.6 * n_key + 1.2), max(2.2, 0.6 * n_query + 1.0)
    page: Figure = figure(figsize=(across * width, down * height), layout="constrained")
    places = page.subplots(down, across, squeeze=False).ravel()
    for unused in places[count:]:
        unused.remove()
    return places[:count]


def _draw(
    head: FloatArray, rows: list[str], columns: list[str], ax: Axes, vmin: float, vmax: float
) -> Axes:
    fonts = _fonts()
    ax.imshow(head, vmin=vmin, vmax=vmax, cmap="cividis", origin="upper", aspect="equal")
    ax.set_xticks(np.arange(len(columns)), columns, family=fonts)
    ax.set_yticks(np.arange(len(rows)), rows, family=fonts)
    ax.set_xlabel("key")
    ax.set_ylabel("query (asks)")
    middle = (vmin + vmax) / 2
    for (i, j), weight in np.ndenumerate(head):
        colour = "white" if weight < middle else "black"
        ax.text(j, i, f"{weight:.2f}", ha="center", va="center", color=colour, fontsize=8)
    return ax


def _fonts() -> list[str]:
    """Return font families for labels, registering the Japanese one without changing rcParams."""
    from matplotlib import font_manager

    fonts = ["DejaVu Sans"]
    package = find_spec("matplotlib_fontja")
    if package is not None and package.origin is not None:
        for path in sorted(Path(package.origin).parent.rglob("*.ttf")):
            font_manager.fontManager.addfont(str(path))
            fonts.append(font_manager.FontProperties(fname=str(path)).get_name())
    return fonts
