"""Finding a format by name. A new format is a new module; nothing is listed here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from corpus import formats
from corpus.formats.base import Format


@cache
def all_formats() -> dict[str, Format]:
    """Return every format of this package by name, in alphabetical order."""
    found: dict[str, Format] = {}
    for module_info in sorted(iter_modules(formats.__path__), key=lambda m: m.name):
        module = import_module(f"{formats.__name__}.{module_info.name}")
        fmt = getattr(module, "FORMAT", None)
        if isinstance(fmt, Format):
            found[fmt.name] = fmt
    return found


def get_format(name: str) -> Format:
    """Return the format called ``name``; ``ValueError`` lists the known names."""
    try:
        return all_formats()[name]
    except KeyError:
        known = ", ".join(all_formats())
        raise ValueError(f"Unknown format {name!r}. Known formats: {known}.") from None
