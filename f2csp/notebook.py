"""How problems, puzzles and results draw themselves in notebooks: the only import from below to rendering."""


class Drawn:
    """Something whose board is drawn in notebooks, if it has one."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        from f2csp.rendering.svg_board import notebook_board

        return notebook_board(self)


class Lines:
    """Something whose text is shown in notebooks as it is."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"
