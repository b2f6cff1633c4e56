"""What any object, list or name of a JSON text is checked for."""

from collections.abc import Collection
from typing import Any

from f2csp.diagnostics import near_word_hint, shown
from f2csp.formats.json_faults import Faults
from f2csp.formats.json_places import Path
from f2csp.model.words import is_name

_MOST_HINTS = 20  # to look for a near word takes long where there are many

_NO_NAME = "a name is a word: no white space and none of : , ( ) { } =, and no section word"


class Checks:
    """Says whether a value is as it should be, and tells what is wrong with it."""

    def __init__(self, faults: Faults) -> None:
        """Begin; whatever is wrong goes to the faults."""
        self._faults = faults
        self._n_hints = 0

    def is_object(self, value: Any, path: Path, needed: Collection[str], optional: Collection[str] = ()) -> bool:
        """Whether it is an object with these keys; keys beyond them are told, but no harm."""
        if type(value) is not dict:
            self._faults.add("F501", path, f"{kind_of(value)} stands where an object is due")
            return False
        missing = [key for key in needed if key not in value]
        if missing:
            self._faults.add("F501", path, f"the object has no {_quoted_list(missing)}", part="opening")
        if len(value) + len(missing) > len(needed):
            for key in value:
                if key not in needed and key not in optional:
                    hint = self.near(key, (*needed, *optional))
                    self._faults.add("F501", (*path, key), f"no key {shown(key)} is known here", part="key", hint=hint)
        return not missing

    def is_list(self, value: Any, path: Path) -> bool:
        """Whether it is a list."""
        if type(value) is list:
            return True
        self._faults.add("F501", path, f"{kind_of(value)} stands where a list is due")
        return False

    def is_string(self, value: Any, path: Path) -> bool:
        """Whether it is a string."""
        if type(value) is str:
            return True
        self._faults.add("F501", path, f"{kind_of(value)} stands where a string is due")
        return False

    def is_new_name(self, name: Any, path: Path, kind: str, known: Collection[str]) -> bool:
        """Whether it can name something of this kind, and names none that is known."""
        if not self.is_string(name, path):
            return False
        if not is_name(name):
            self._faults.add("F509", path, f"{shown(name)!r} cannot name a {kind}", hint=_NO_NAME)
            return False
        if name in known:
            self._faults.add("F508", path, f"{kind} {shown(name)} is declared twice", hint="keep one of the two")
            return False
        return True

    def near(self, word: str, known: Collection[str]) -> str | None:
        """The question whether a known word was meant, for the first words that are asked for."""
        self._n_hints += 1
        return near_word_hint(word, known) if self._n_hints <= _MOST_HINTS else None


def kind_of(value: Any) -> str:
    """What a value of JSON is, in words."""
    if isinstance(value, bool):
        return "a boolean"
    kinds = {str: "a string", int: "a number", float: "a number that is no integer", list: "a list", dict: "an object"}
    return kinds.get(type(value), "null")


def _quoted_list(keys: Collection[str]) -> str:
    return ", ".join(f'"{key}"' for key in keys)
