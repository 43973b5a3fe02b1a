"""Which part of a guideline is about verifying. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotation.markdown import Heading

# Words that head such a part in any of the protocols, in their forms.
_WORDS = re.compile(r"\b(verif\w*|label\w*|judg\w*|evidence|rationales?)\b", re.I)


def verifying_part(headings: Sequence[Heading]) -> Heading | None:
    """Return the first heading that is about verifying; None if none says so.

    The title of the whole text does not count: its part would be everything.
    """
    return next((h for h in _below_title(headings) if _WORDS.search(h.text)), None)


def _below_title(headings: Sequence[Heading]) -> Sequence[Heading]:
    has_title = len(headings) > 1 and headings[0].level < min(
        heading.level for heading in headings[1:]
    )
    return headings[1:] if has_title else headings
