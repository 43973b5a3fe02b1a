"""Views and lookups with one guard taken out, to see that the walk notices.

A mutant is the real source of a function with one piece of text replaced, compiled in
the function's own module.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.apps import apps

from annotation import access
from tests.permissions.walker import endpoints

# What a mutant may name although the real module does not import it.
MODELS = {model.__name__: model for model in apps.get_models()}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A guard in the source of a view or of a function in ``access``."""

    where: str
    guard: str
    instead: str = ""

    def __str__(self) -> str:
        return f"{self.where} without {self.guard.strip()}"


def _mutate(function: Callable[..., Any], mutant: Mutant) -> Callable[..., Any]:
    plain = inspect.unwrap(function)
    source = textwrap.dedent(inspect.getsource(plain))
    assert source.count(mutant.guard) == 1, f"{mutant}: the guard is not there"
    source = source.replace(mutant.guard, mutant.instead)
    namespace = {**MODELS, **vars(sys.modules[plain.__module__])}
    code = compile(f"from __future__ import annotations\n{source}", str(mutant), "exec")
    exec(code, namespace)  # noqa: S102
    changed: Callable[..., Any] = namespace[plain.__name__]
    return changed


@contextmanager
def without_guard(mutant: Mutant) -> Iterator[None]:
    """Run the site with the mutant in the place of the real function."""
    owner, name = _place(mutant.where)
    real = getattr(owner, name)
    setattr(owner, name, _mutate(real, mutant))
    try:
        yield
    finally:
        setattr(owner, name, real)


def _place(where: str) -> tuple[Any, str]:
    """Return the object and the attribute that hold a function.

    A view is held by its URL pattern; ``access.x`` by the module, and
    ``ProjectAccess.x`` by the class.
    """
    if where.startswith("access."):
        return access, where.removeprefix("access.")
    if where.startswith("ProjectAccess."):
        return access.ProjectAccess, where.removeprefix("ProjectAccess.")
    return endpoints()[where].pattern, "callback"
