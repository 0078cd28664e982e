"""A heat map of counts: as SVG, or drawn by Pillow as PNG."""

from __future__ import annotations

from typing import NamedTuple

from silp_cli.text.diagnostics import display_width, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    RGB = tuple[int, int, int]

_CELL_WIDTH, _CELL_HEIGHT, _MARGIN, _SIZE = 76, 24, 16, 13
_LONGEST_LABEL = 48
_GLYPH = 7.6  # widest mean advance of a label's characters at that size

# From cheap to costly: light to dark, so that it reads without colour too.
_SCALE: tuple[RGB, ...] = (
    (247, 252, 240), (204, 235, 197), (168, 221, 181), (123, 204, 196), (78, 179, 211), (43, 140, 190),
    (8, 88, 158),
)
_INK: RGB = (32, 33, 36)
_PAPER: RGB = (255, 255, 255)


class Grid:
    """What a heat map shows.

    Attributes:
        title: one line above it.
        columns: the columns' names.
        rows: each row's name and its values; None leaves a cell empty.
        lowest: the value of the lightest colour; None takes the least value that occurs.
    """

    def __init__(
        self,
        title: str,
        columns: list[str],
        rows: list[tuple[str, list[float | None]]] | None = None,
        lowest: float | None = None,
    ) -> None:
        self.title = title
        self.columns = columns
        self.rows = rows or []
        self.lowest = lowest

    def bounds(self) -> tuple[float, float]:
        """The values of the lightest and the darkest colour."""
        values = [value for _, row in self.rows for value in row if value is not None]
        low = min(values, default=0.0) if self.lowest is None else self.lowest
        return low, max([low, *values])


def color(value: float, low: float, high: float) -> RGB:
    """The colour of a value between two bounds."""
    position = 0.0 if high <= low else min(max((value - low) / (high - low), 0.0), 1.0) * (len(_SCALE) - 1)
    index = min(int(position), len(_SCALE) - 2)
    part = position - index
    one, other = _SCALE[index], _SCALE[index + 1]
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue


def ink(background: RGB) -> RGB:
    """Black or white, whichever is read better on a background."""
    red, green, blue = background
    return _INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else _PAPER


def hexadecimal(value: RGB) -> str:
    """A colour as ``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*value)


class _Shape(NamedTuple):
    """A rectangle with a label in or beside it."""

    x: float
    y: float
    width: float
    fill: RGB | None
    text: str
    ink: RGB
    anchor: str  # SVG's text-anchor; Pillow's is derived from it
    bold: bool = False


def _shapes(grid: Grid) -> tuple[list[_Shape], int, int]:
    """The shapes of a heat map, and its width and height."""
    labels = [_label(name) for name, _ in grid.rows]
    left = _MARGIN + max([60.0, *(display_width(label) * _GLYPH for label in labels)])
    cell = max([_CELL_WIDTH, *(round(display_width(name) * _GLYPH) + 12 for name in grid.columns)])
    width = max(left + cell * len(grid.columns) + _MARGIN, display_width(grid.title) * _GLYPH + 2 * _MARGIN)
    low, high = grid.bounds()
    top = _MARGIN
    shapes = [_Shape(_MARGIN, top, 0, None, grid.title, _INK, "start", bold=True)]
    top += _CELL_HEIGHT + 8
    for index, name in enumerate(grid.columns):
        shapes.append(_Shape(left + index * cell, top, cell, None, name, _INK, "middle", bold=True))
    for label, (_, values) in zip(labels, grid.rows, strict=True):
        top += _CELL_HEIGHT
        shapes.append(_Shape(left - 8, top, 0, None, label, _INK, "end"))
        for index, value in enumerate(values):
            if value is not None:
                fill = color(value, low, high)
                shapes.append(_Shape(left + index * cell, top, cell, fill, f"{value:g}", ink(fill), "middle"))
    return shapes, round(width), top + _CELL_HEIGHT + _MARGIN


def _label(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= _LONGEST_LABEL else shown[: _LONGEST_LABEL - 1] + "…"


def svg(grid: Grid) -> str:
    """The heat map as an SVG document."""
    from xml.sax.saxutils import escape

    shapes, width, height = _shapes(grid)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="Helvetica, Arial, sans-serif" '
        f'font-size="{_SIZE}" xml:space="preserve">',
        f"<title>{escape(grid.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{hexadecimal(_PAPER)}"/>',
    ]
    for shape in shapes:
        if shape.fill is not None:
            lines.append(
                f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width - 1:g}" '
                f'height="{_CELL_HEIGHT - 1}" fill="{hexadecimal(shape.fill)}"/>'
            )
        weight = ' font-weight="bold"' if shape.bold else ""
        lines.append(
            f'<text x="{shape.x + shape.width / 2:g}" y="{shape.y + 16:g}" text-anchor="{shape.anchor}" '
            f'fill="{hexadecimal(shape.ink)}"{weight}>{escape(shape.text)}</text>'
        )
    return "\n".join([*lines, "</svg>"]) + "\n"


def png(grid: Grid) -> bytes:
    """The heat map as a PNG image."""
    import io

    from PIL import Image, ImageDraw

    shapes, width, height = _shapes(grid)
    image = Image.new("RGB", (width, height), _PAPER)
    draw = ImageDraw.Draw(image)
    font = _font()
    anchors = {"start": "ls", "middle": "ms", "end": "rs"}
    for shape in shapes:
        if shape.fill is not None:
            right, bottom = shape.x + shape.width - 2, shape.y + _CELL_HEIGHT - 2
            draw.rectangle((shape.x, shape.y, right, bottom), fill=shape.fill)
        place = (shape.x + shape.width / 2, shape.y + 16)
        draw.text(place, shape.text, fill=shape.ink, font=font, anchor=anchors[shape.anchor])
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _font() -> Any:
    from PIL import ImageFont

    for name in ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial.ttf"):
        try:
            return ImageFont.truetype(name, _SIZE)
        except OSError:
            continue  # not on this machine
    return ImageFont.load_default(_SIZE)
