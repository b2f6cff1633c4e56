"""Pictures in SVG, and files of them: SVG is written as it is, PNG and PDF by CairoSVG."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from typing import Any, cast

import numpy as np

from f2csp.arrays import Bools
from f2csp.diagnostics import F2cspError, optional_package
from f2csp.diagnostics.render import visible

_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PNG_SCALE = 2
_MAX_PNG_SIDE = 8_000  # pixels


@dataclass(frozen=True, slots=True)
class Picture:
    """Elements of SVG in a frame.

    Whole numbers are the middles of pixels, so that a line of one pixel between them is sharp.
    """

    title: str
    width: int  # pixels
    height: int
    body: str

    def svg(self) -> str:
        """The text of an SVG file, which can be a part of a page in HTML, too; white for pages in dark mode."""
        size = f'width="{self.width}" height="{self.height}"'
        paper = f'<rect x="-0.5" y="-0.5" {size} fill="#fff"/>\n'
        return self._element(f'xmlns="http://www.w3.org/2000/svg" {size}', paper)

    def placed(self, x: float, y: float, width: float, height: float) -> str:
        """The picture as an element of another one, as large as fits, in the upper left corner."""
        place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        return self._element(f'{place} preserveAspectRatio="xMinYMin"')

    def _element(self, attributes: str, paper: str = "") -> str:
        # The styles are attributes: a style sheet would apply to all of the page that the picture is in.
        return (
            f'<svg {attributes} viewBox="-0.5 -0.5 {self.width} {self.height}" font-family="sans-serif" role="img">\n'
            f"<title>{escaped(self.title)}</title>\n{paper}{self.body}</svg>\n"
        )


def escaped(text: str) -> str:
    """A text to be seen in XML, between elements and in attributes, in the order of its characters."""
    return xml_text(visible(text))


def xml_text(text: str) -> str:
    """A text as data in XML; characters that XML does not have are replaced."""
    return escape(_NOT_IN_XML.sub("\ufffd", text))


def elided(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def line_path(steps: str, stroke: str, width: float = 1, more: str = "") -> str:
    if not steps:
        return ""
    return f'<path d="{steps}" fill="none" stroke="{stroke}" stroke-width="{width:g}"{more}/>\n'


def runs(is_set: Bools) -> str:
    """The steps of a path over the places that are set, one for each run in a row."""
    changes = np.diff(np.pad(is_set.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, starts = np.nonzero(changes == 1)
    ends = np.nonzero(changes == -1)[1]
    runs = zip(rows.tolist(), starts.tolist(), (ends - starts).tolist(), strict=True)
    return "".join([f"M{start} {row}.5h{length}" for row, start, length in runs])


def encoded(pages: Sequence[Picture], ending: str) -> bytes:
    """A file of one picture, or of several of the same size: pages in PDF, else below each other."""
    if ending == ".pdf":
        return _pdf(pages)
    picture, width, height = pages[0], pages[0].width, pages[0].height
    if len(pages) > 1:
        placed = [page.placed(-0.5, number * height - 0.5, width, height) for number, page in enumerate(pages)]
        picture = Picture(picture.title, width, height * len(pages), "".join(placed))
    if ending == ".svg":
        return picture.svg().encode()
    scale = min(_PNG_SCALE, _MAX_PNG_SIDE / max(picture.width, picture.height))
    return cast("bytes", _cairosvg(".png").svg2png(picture.svg().encode(), scale=scale))


def _pdf(pages: Sequence[Picture]) -> bytes:
    surface = _cairosvg(".pdf").surface
    file = BytesIO()
    points = 72 / 96  # of a pixel
    sheets = surface.cairo.PDFSurface(file, pages[0].width * points, pages[0].height * points)

    class Page(surface.PDFSurface):  # type: ignore[misc, name-defined]
        surface_class = staticmethod(lambda *_: sheets)

        def finish(self) -> None:
            sheets.show_page()

    for page in pages:
        Page(surface.Tree(bytestring=page.svg().encode()), None, 96).finish()
    sheets.finish()
    return file.getvalue()


def require_converter(ending: str) -> None:
    """Raise MissingExtra or F2cspError if pictures cannot be turned into files with this ending."""
    if ending in (".png", ".pdf"):
        _cairosvg(ending)


def _cairosvg(ending: str) -> Any:
    try:
        return optional_package("cairosvg", f"writing a {ending} file", "pictures")
    except OSError:
        raise F2cspError(f"writing a {ending} file needs the library cairo; install it, or write .svg") from None
