"""A JSON column that gives back what was put in, to the order of keys."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    Text = models.TextField[Any, Any]
else:
    Text = models.TextField


class VerbatimJSONField(Text):
    """A JSON value kept as text.

    PostgreSQL's jsonb sorts the keys of objects and rewrites numbers. What a source
    said beside the known fields must come back as it was, so it is kept as text; it
    cannot be queried by key.
    """

    if TYPE_CHECKING:
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any

    def from_db_value(self, value: str | None, *_: Any) -> Any:
        """Return the value that the column holds."""
        return None if value is None else json.loads(value)

    def to_python(self, value: Any) -> Any:
        """Return the value that a fixture holds as text."""
        return json.loads(value) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> str | None:
        """Return the text to store."""
        return None if value is None else json.dumps(value)

    def value_to_string(self, obj: models.Model) -> str:
        """Return the text for a fixture."""
        return json.dumps(self.value_from_object(obj))
