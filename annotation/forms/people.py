"""Forms about people: permissions, invitations, tokens, preferences, erasure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils import timezone

from annotation.forms.fields import LongTextField
from annotation.models import Stage
from annotation.services.members import INVITATION_DAYS
from corpus.models import ApiToken, User

PRESETS: dict[str, tuple[str, tuple[Stage, ...]]] = {
    "annotator": (
        "annotators: write, negate and verify",
        (Stage.WRITE, Stage.NEGATE, Stage.VERIFY),
    ),
    "reviewer": (
        "reviewers: proofread, review and adjudicate",
        (Stage.PROOFREAD, Stage.REVIEW, Stage.ADJUDICATE),
    ),
    "admin": ("admins: everything", tuple(Stage)),
}
CUSTOM = "custom"


class StagesField(forms.MultipleChoiceField):
    """The kinds of work that somebody may do."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            choices=Stage.choices,
            required=False,
            widget=forms.CheckboxSelectMultiple,
            **kwargs,
        )


class StagesForm(forms.Form):
    """The permissions of one member."""

    stages = StagesField(
        label="Kinds of work", help_text="Nothing ticked: the member can only read."
    )


class SuspendForm(forms.Form):
    """Why somebody is shut out."""

    why = LongTextField(label="Reason", required=False, rows=2, max_length=500)


class InvitationForm(forms.Form):
    """A link that makes people members."""

    preset = forms.ChoiceField(
        label="For",
        choices=[
            *((name, words) for name, (words, _) in PRESETS.items()),
            (CUSTOM, "exactly the permissions ticked below"),
        ],
        initial="annotator",
        widget=forms.RadioSelect,
    )
    stages = StagesField(label="Permissions of your own choice")
    max_uses = forms.IntegerField(
        label="How many people may use it", min_value=1, max_value=1000, initial=1
    )
    days = forms.IntegerField(
        label="Days until it expires",
        min_value=1,
        max_value=365,
        initial=INVITATION_DAYS,
    )
    note = forms.CharField(
        label="Note for the other admins",
        required=False,
        max_length=120,
        help_text="For example the course or lab that gets the link.",
    )

    def values(self) -> dict[str, Any]:
        """What the service takes."""
        preset = self.cleaned_data["preset"]
        stages = self.cleaned_data["stages"] if preset == CUSTOM else PRESETS[preset][1]
        return {
            "stages": stages,
            "max_uses": self.cleaned_data["max_uses"],
            "expires_at": timezone.now() + timedelta(days=self.cleaned_data["days"]),
            "note": self.cleaned_data["note"],
        }


class TokenForm(forms.Form):
    """A new key for the API."""

    name = forms.CharField(
        max_length=80, help_text="Where it will be used, for example “lab server”."
    )
    scopes = forms.MultipleChoiceField(
        label="May",
        choices=ApiToken.Scope.choices,
        initial=[ApiToken.Scope.READ],
        widget=forms.CheckboxSelectMultiple,
        help_text="A token never opens more than you can open yourself.",
    )
    days = forms.TypedChoiceField(
        label="Works for",
        choices=[
            ("30", "30 days"),
            ("90", "90 days"),
            ("365", "a year"),
            ("0", "ever"),
        ],
        initial="90",
        coerce=int,
    )

    def expires_at(self) -> datetime | None:
        """When the token stops working."""
        days = self.cleaned_data["days"]
        return timezone.now() + timedelta(days=days) if days else None


class PreferencesForm(forms.Form):
    """What a person is called, in which zone times are shown, and what is mailed."""

    first_name = forms.CharField(
        required=False,
        max_length=150,
        help_text="Members of your projects see this name. Without one, they see the "
        "name of your account.",
    )
    last_name = forms.CharField(required=False, max_length=150)
    time_zone = forms.ChoiceField(
        choices=[
            (zone, zone.replace("_", " ")) for zone in sorted(available_timezones())
        ],
        help_text="Times on all pages are shown in this zone.",
    )
    wants_mail_digest = forms.BooleanField(
        label="Mail me once a day what is new",
        required=False,
        help_text="Only what you have not read here, and only where this site has a "
        "mail server.",
    )


CONFIRMATION = "erase"


class ErasureForm(forms.Form):
    """The typed confirmation of what cannot be undone."""

    confirmation = forms.CharField(
        label=f"Type “{CONFIRMATION}”",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_confirmation(self) -> str:
        """Accept the one word."""
        typed: str = self.cleaned_data["confirmation"]
        if typed != CONFIRMATION:
            raise forms.ValidationError(f"Type the word “{CONFIRMATION}”.")
        return typed


class OwnErasureForm(ErasureForm):
    """The same for one's own account, with the password where there is one."""

    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        """Accept the right password."""
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError("This is not your password.")
        return password
