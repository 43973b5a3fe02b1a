"""Errors of the domain that a user can do something about."""

from __future__ import annotations


class DomainError(Exception):
    """A refused action, in words for the person who tried it.

    Views show ``str(error)``; the API returns it as ``message``.
    """


class StaleStateError(DomainError):
    """Somebody else changed the object first."""


class AlreadySentError(StaleStateError):
    """A form that was sent before came again with another content."""

    def __init__(self) -> None:
        super().__init__(
            "You have sent this form before, with another answer. The first one is "
            "kept; what you changed since then was not saved."
        )
