"""Sequences that make their items on access, some with names."""

from collections.abc import Callable, Iterator, Sequence
from operator import index as as_index
from typing import TypeVar, overload

from f2csp.diagnostics import listed, near_word_hint

T = TypeVar("T")

_MAX_NAMES = 8  # of a view's items in its representation
_MAX_COMPARED_NAMES = 20_000  # for a hint


class View(Sequence[T]):
    """A read-only sequence that makes its items when they are asked for."""

    def __init__(self, length: int, make: Callable[[int], T]) -> None:
        self._length = length
        self._make = make

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self._make(i) for i in range(*index.indices(self._length))]
        position = as_index(index)
        if not -self._length <= position < self._length:
            raise IndexError(f"index {position} of {self._length}")
        return self._make(position % self._length)

    def __iter__(self) -> Iterator[T]:
        return map(self._make, range(self._length))

    def __repr__(self) -> str:
        return f"<{self._length} items>"


class NamedView(View[T]):
    """A view whose items can be taken by their names, too: ``problem.variables["France"]``."""

    def __init__(
        self,
        noun: str,
        length: int,
        make: Callable[[int], T],
        name_of: Callable[[int], str],
        position_of: Callable[[str], int | None],
    ) -> None:
        """A view.

        Args:
            noun: an item in a word, for messages.
            length: the number of items.
            make: makes the item at a position.
            name_of: the name of the item at a position.
            position_of: the position of the item of a name, or None.
        """
        super().__init__(length, make)
        self._noun = noun
        self._name_of = name_of
        self._position_of = position_of

    @overload
    def __getitem__(self, index: int | str) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | str | slice) -> T | list[T]:
        return self._make(self.position(index)) if isinstance(index, str) else super().__getitem__(index)

    def __contains__(self, item: object) -> bool:
        return self._position_of(item) is not None if isinstance(item, str) else super().__contains__(item)

    def position(self, name: str) -> int:
        """The position of the item of this name.

        Raises:
            KeyError: there is none.
        """
        position = self._position_of(name)
        if position is None:
            known = [self._name_of(i) for i in range(min(self._length, _MAX_COMPARED_NAMES))]
            hint = near_word_hint(name, known)
            raise KeyError(f"there is no {self._noun} {name}{f'; {hint}' if hint else ''}")
        return position

    def __repr__(self) -> str:
        names = listed(map(self._name_of, range(self._length)), _MAX_NAMES, ", ")
        return f"<{self._length} {self._noun}{'s'[: self._length != 1]}{f': {names}' if names else ''}>"
