"""The table ``tool.f2csp`` of pyproject.toml: which files and diagnostics are wanted."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from f2csp.diagnostics import CATALOGUE

_SETTINGS = {"exclude": list, "select": list, "ignore": list, "max-errors": int, "warnings-as-errors": bool}
_KIND_NAMES = {list: "a list of strings", int: "an integer", bool: "true or false"}


def codes_in(values: Iterable[str]) -> tuple[str, ...]:
    """The codes, or first characters of codes, in values with commas; raises ValueError if there is no such code."""
    codes = tuple(code.strip().upper() for value in values for code in value.split(","))
    for code in codes:
        if not code or not any(known.startswith(code) for known in CATALOGUE):
            raise ValueError(f"no code begins with {code!r}; f2csp code lists all codes")
    return codes


def settings_for(folder: Path) -> dict[str, Any]:
    """The settings of the nearest pyproject.toml that has some, in a folder or one above it.

    Raises:
        ValueError: it has a fault.
    """
    for file in (place / "pyproject.toml" for place in (folder, *folder.parents)):
        if file.is_file():
            import tomllib

            try:
                tool = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
                if isinstance(tool, dict) and "f2csp" in tool:
                    return _checked(tool["f2csp"], file.parent)
            except ValueError as error:
                raise ValueError(f"{file}: {error}") from None
    return {}


def _checked(settings: Any, folder: Path) -> dict[str, Any]:
    """The settings, of which patterns with a folder are below that of pyproject.toml."""
    if not isinstance(settings, dict):
        raise ValueError(f"expected a table tool.f2csp, found {settings!r}")
    for key, value in settings.items():
        if key not in _SETTINGS:
            raise ValueError(f"tool.f2csp has no key {key}; its keys are {', '.join(_SETTINGS)}")
        kind, items = _SETTINGS[key], list(value) if isinstance(value, list) else []
        if type(value) is not kind or not all(isinstance(item, str) for item in items):
            raise ValueError(f"expected {_KIND_NAMES[kind]} for {key} in tool.f2csp, found {value!r}")
        if key in ("select", "ignore"):
            try:
                codes_in(items)
            except ValueError as error:
                raise ValueError(f"{key} in tool.f2csp: {error}") from None
    if "exclude" in settings:
        from glob import escape

        root = escape(str(folder.resolve()))
        settings["exclude"] = [f"{root}/{glob}" if "/" in glob else glob for glob in settings["exclude"]]
    return settings


def is_excluded(path: Path, patterns: Sequence[str]) -> bool:
    """Whether the end of the path, or of a folder of it, is like a pattern; all of it if the pattern is absolute."""
    places = [path, *path.parents]
    if any(Path(pattern).is_absolute() for pattern in patterns):
        places += [path.parent.resolve() / path.name, *path.parent.resolve().parents, path.parent.resolve()]
    return any(place.match(pattern) for pattern in patterns for place in places)
