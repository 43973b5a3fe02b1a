"""Changing a state so that two people cannot both win."""

from __future__ import annotations

from typing import Any

from django.db.models import Model

from corpus.exceptions import StaleStateError


def change_state(
    obj: Model,
    *,
    from_states: set[str] | tuple[str, ...],
    to_state: str,
    **also: Any,
) -> str:
    """Move ``obj`` to a state if it is still in one of ``from_states``.

    One conditional UPDATE; the row count decides. Returns the old state and sets
    the new values on ``obj``. ``StaleStateError`` if somebody was faster. The
    caller is in a transaction and writes the event.
    """
    old_state: str = obj.state  # type: ignore[attr-defined]
    if old_state not in from_states:
        raise StaleStateError(_message(obj, old_state))
    model = type(obj)
    changed = model._default_manager.filter(pk=obj.pk, state=old_state).update(
        state=to_state, **also
    )
    if changed != 1:
        now = model._default_manager.values_list("state", flat=True).get(pk=obj.pk)
        raise StaleStateError(_message(obj, now))
    for name, value in {"state": to_state, **also}.items():
        setattr(obj, name, value)
    return old_state


def _message(obj: Model, state: str) -> str:
    noun = obj._meta.verbose_name
    words = dict(obj.State.choices).get(state, state)  # type: ignore[attr-defined]
    return f"This {noun} has changed in the meantime: it is now {words}."
