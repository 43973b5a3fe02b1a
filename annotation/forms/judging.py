"""The form of the page on which pairs are verified."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from annotation.forms.work import ROLE_CHOICES, AnswerForm
from annotation.protocols import RationaleRule
from annotation.services.flags import LONGEST_NOTE
from annotation.services.judgements import plain_rationales
from annotation.shortcuts import check_keys
from corpus.models import User
from corpus.text import bad_character

LONGEST_MARK = 20  # SUPPLEMENTARY has 13 characters


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence as the page shows it; ``value`` is what its field holds."""

    index: int
    tag: str
    text: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class LabelButton:
    """One label as the page shows it, with the key that chooses it."""

    code: str
    word: str
    key: str
    is_chosen: bool


class RationaleNumberField(forms.Field):
    """The number of a sentence's rationale, as typed or set by the page; or nothing."""

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
        self.most = most

    def clean(self, value: Any) -> str:
        """Return the number without leading zeros, or an empty text."""
        text = str(value or "").strip()
        if not text:
            return ""
        if not re.fullmatch(r"[0-9]{1,6}", text) or not 1 <= int(text) <= self.most:
            raise forms.ValidationError(
                f"A rationale is a number from 1 to {self.most}, or nothing."
            )
        return str(int(text))


class JudgeForm(AnswerForm):
    """An answer whose rationales may be as many as the abstract has sentences."""

    as_user = forms.CharField(required=False, widget=forms.HiddenInput)
    # Filled by the page, which names the parts of a suggestion that were taken over.
    suggestion_taken = forms.CharField(required=False, max_length=20)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        self.user = user
        kwargs["initial"] = {"as_user": str(user.pk), **kwargs.get("initial", {})}
        super().__init__(*args, **kwargs)
        self.fields["label"].error_messages["required"] = "Choose a label."

    def _sentence_field(self, index: int) -> forms.Field:  # type: ignore[override]
        label = f"Sentence {index + 1}"
        if self.rules.sentence_roles:
            return forms.ChoiceField(label=label, choices=ROLE_CHOICES, required=False)
        most = 1 if self.rules.rationales is RationaleRule.ONE else len(self.sentences)
        return RationaleNumberField(label=label, most=most)

    def clean_as_user(self) -> str:
        """A page that one person opened is never sent in the name of another."""
        sent: str = self.cleaned_data["as_user"]
        if sent and sent != str(self.user.pk):
            raise forms.ValidationError(
                "Somebody else has signed in since this page was opened. Nothing was "
                "submitted in their name."
            )
        return sent

    def first_choice(self) -> dict[str, Any]:
        """What is chosen so far, however unfinished, for ``offer_suggestion``."""
        self.is_valid()
        return {
            "first_label": self.cleaned_data.get("label", ""),
            "first_rationales": plain_rationales(self.rationales()),
        }

    def taken(self) -> frozenset[str]:
        """The parts of a suggestion that the page says were taken over."""
        return frozenset(self.cleaned_data["suggestion_taken"].split())

    def sentence_rows(self, tags: list[str]) -> list[Row]:
        """The sentences with their tags and what is chosen for them."""
        return [
            Row(
                index,
                tags[index],
                text,
                name if (name := f"sentence_{index}") in self.fields else "",
                str(self[name].value() or "") if name in self.fields else "",
            )
            for index, text in enumerate(self.sentences)
        ]

    def label_buttons(self, keys: dict[str, str]) -> list[LabelButton]:
        """The labels in the project's order and words."""
        chosen = self["label"].value()
        choices = self.fields["label"].choices  # type: ignore[attr-defined]
        return [
            LabelButton(code, word, keys.get(f"label_{number}", ""), code == chosen)
            for number, (code, word) in enumerate(choices, start=1)
        ]


@dataclass(frozen=True, slots=True)
class SentSentence:
    """A sentence as somebody marked it; ``text`` is empty if they may not read it."""

    number: int
    mark: str
    text: str


def sent_sentences(
    data: Mapping[str, Any], sentences: Sequence[str]
) -> list[SentSentence]:
    """Return what was marked in a form that comes too late for its pair.

    There is nothing to check it against: what is no sentence's field is left out.
    """
    found = []
    for name, value in data.items():
        match = re.fullmatch(r"sentence_([0-9]{1,4})", name)
        if not match or not (mark := str(value).strip()[:LONGEST_MARK]):
            continue
        index = int(match[1])
        text = sentences[index] if index < len(sentences) else ""
        found.append(SentSentence(index + 1, mark, text))
    return sorted(found, key=lambda sentence: sentence.number)


class FlagForm(forms.Form):
    """A note to oneself."""

    note = forms.CharField(required=False, max_length=LONGEST_NOTE, strip=True)

    def clean_note(self) -> str:
        """Refuse what no database can hold."""
        note: str = self.cleaned_data["note"]
        if problem := bad_character(note):
            raise forms.ValidationError(f"A note cannot hold {problem[1]}.")
        return note


class KeysForm(forms.Form):
    """Single-key shortcuts: on or off, and one key for each action."""

    is_on = forms.BooleanField(
        label="Use single-key shortcuts on the page “Verify”",
        required=False,
        help_text="Switched off, the arrow keys, Space and Enter still work.",
    )

    def __init__(self, *args: Any, words: dict[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = list(words)
        for name, label in words.items():
            self.fields[f"key_{name}"] = forms.CharField(
                label=label,
                max_length=1,
                widget=forms.TextInput(attrs={"autocomplete": "off", "size": 3}),
            )

    def clean(self) -> dict[str, Any]:
        """No key twice."""
        data = super().clean() or {}
        keys = {n: data[f"key_{n}"] for n in self.names if f"key_{n}" in data}
        for name, problem in check_keys(keys).items():
            self.add_error(f"key_{name}", problem)
        return data

    def keys(self) -> dict[str, str]:
        """The key of each action."""
        return {name: self.cleaned_data[f"key_{name}"] for name in self.names}
