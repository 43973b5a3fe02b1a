"""What goes in and comes out about projects and people."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.api.base import LongTextField, Serializer
from annotation.models import Membership, Project, Stage
from annotation.models.labels import LabelCode
from annotation.selectors.personal_data import SECTIONS
from corpus.models import ApiToken
from corpus.models.library import Visibility


class ProjectShape(Serializer):
    """A project in a list."""

    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    protocol = serializers.ChoiceField(Project.ProtocolChoice.choices)
    visibility = serializers.ChoiceField(Visibility.choices)
    corpus = serializers.CharField(source="corpus.slug")
    is_demo = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True)


class LabelShape(Serializer):
    """A label, and the project's own word for it."""

    label = serializers.ChoiceField(LabelCode.choices)  # type: ignore[assignment]
    word = serializers.CharField(max_length=40)


class CountsShape(Serializer):
    """How many rows are in which state."""

    sources = serializers.DictField(child=serializers.IntegerField())
    claims = serializers.DictField(child=serializers.IntegerField())
    pairs = serializers.DictField(child=serializers.IntegerField())
    judgements = serializers.DictField(child=serializers.IntegerField())


class OwnMembershipShape(Serializer):
    """What the user may do in a project, and which texts wait for them."""

    state = serializers.ChoiceField(Membership.State.choices)
    stages = serializers.ListField(child=serializers.ChoiceField(Stage.choices))


class ProjectDetailShape(ProjectShape):
    """A project with its rules, its counts and the user's place in it."""

    settings = serializers.DictField()
    labels = LabelShape(many=True, source="label_scheme")
    seen = serializers.CharField(
        help_text="Send it back with a change: what somebody else changed since is "
        "then not overwritten."
    )
    counts = CountsShape()
    membership = OwnMembershipShape(allow_null=True)


class NewProjectBody(Serializer):
    """A new project: on a corpus that you may change, or on a new one."""

    name = serializers.CharField(max_length=120)
    protocol = serializers.ChoiceField(Project.ProtocolChoice.choices)
    corpus = serializers.SlugField(
        required=False, help_text="The slug of a corpus; without it, a new one is made."
    )
    new_corpus_name = serializers.CharField(
        required=False, max_length=120, help_text="The name of a new corpus."
    )
    description = serializers.CharField(default="", allow_blank=True)
    visibility = serializers.ChoiceField(Visibility.choices, default=Visibility.PRIVATE)


class ChangeProjectBody(Serializer):
    """What should change in a project; what is left out stays."""

    seen = serializers.CharField()
    name = serializers.CharField(required=False, max_length=120)
    description = serializers.CharField(required=False, allow_blank=True)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)
    settings = serializers.DictField(
        required=False, help_text="Some or all settings, by name."
    )
    labels = LabelShape(many=True, required=False)


class TextShape(Serializer):
    """A version of a guideline or a consent text."""

    version = serializers.IntegerField()
    text = serializers.CharField(help_text="Markdown.")
    created_at = serializers.DateTimeField()


class GuidelineShape(TextShape):
    """A version of a guideline."""

    change_note = serializers.CharField()
    video_url = serializers.CharField()


class TextBody(Serializer):
    """The next version of a text."""

    text = LongTextField()
    based_on = serializers.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        help_text="The version that it replaces; 0 for the first.",
    )


class GuidelineBody(TextBody):
    """The next version of a guideline."""

    change_note = serializers.CharField(default="", allow_blank=True)
    video_url = serializers.URLField(default="", allow_blank=True, max_length=200)


class PendingTextShape(Serializer):
    """A text in force that the user has yet to accept."""

    kind = serializers.CharField(source="_meta.model_name")
    version = serializers.IntegerField()
    text = serializers.CharField()


class AcceptanceBody(Serializer):
    """The text that is accepted: kind and version as they were read."""

    kind = serializers.ChoiceField(["guideline", "consenttext"])
    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class PendingTextsShape(Serializer):
    """The texts that the user has yet to accept."""

    pending = PendingTextShape(many=True)


class MemberShape(Serializer):
    """A member of a project."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="user.display_name")
    state = serializers.ChoiceField(Membership.State.choices)
    stages = serializers.ListField(child=serializers.ChoiceField(Stage.choices))
    joined_at = serializers.DateTimeField()


class MemberBody(Serializer):
    """What should change about a member; one of the two, or both."""

    stages = serializers.ListField(
        child=serializers.ChoiceField(Stage.choices), required=False, max_length=20
    )
    state = serializers.ChoiceField(
        [
            Membership.State.PROBATION.value,
            Membership.State.TRUSTED.value,
            Membership.State.SUSPENDED.value,
        ],
        required=False,
    )
    why = serializers.CharField(default="", allow_blank=True, max_length=500)


class InvitationShape(Serializer):
    """An invitation link. Its secret is shown only once, when it is made."""

    id = serializers.IntegerField()
    note = serializers.CharField()
    stages = serializers.ListField(child=serializers.ChoiceField(Stage.choices))
    uses = serializers.IntegerField()
    max_uses = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)


class NewInvitationShape(InvitationShape):
    """A new invitation with its secret."""

    secret = serializers.CharField()


class InvitationBody(Serializer):
    """Whom a link invites to do what."""

    stages = serializers.ListField(
        child=serializers.ChoiceField(Stage.choices), min_length=1, max_length=20
    )
    max_uses = serializers.IntegerField(default=1, min_value=1, max_value=1000)
    expires_at = serializers.DateTimeField(required=False)
    note = serializers.CharField(default="", allow_blank=True, max_length=120)


class InvitationSecretBody(Serializer):
    """The secret of an invitation link."""

    secret = serializers.CharField(max_length=200)


class PersonShape(Serializer):
    """Who the API takes you for."""

    name = serializers.CharField(source="display_name")
    email = serializers.CharField()
    pseudonym = serializers.CharField()
    time_zone = serializers.CharField()
    scopes = serializers.SerializerMethodField()

    def get_scopes(self, person: Any) -> list[str]:
        """The scopes of this request: all of them with a browser session."""
        scopes: list[str] = self.context["scopes"]
        return scopes


class MyDataShape(Serializer):
    """Everything that is kept about a person: the rows of each kind."""

    def get_fields(self) -> dict[str, Any]:
        """One list of rows for each kind."""
        return {
            name: serializers.ListField(child=serializers.DictField())
            for name in SECTIONS
        }


class TokenShape(Serializer):
    """A token of yours. The key itself is not kept."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    key_start = serializers.CharField()
    scopes = serializers.ListField(
        child=serializers.ChoiceField(ApiToken.Scope.choices)
    )
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class NewTokenShape(TokenShape):
    """A new token with its key, which is shown only now."""

    key = serializers.CharField()


class TokenBody(Serializer):
    """A new token: what it is for, what it may do, and until when."""

    name = serializers.CharField(max_length=80)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(ApiToken.Scope.choices),
        min_length=1,
        max_length=len(ApiToken.Scope.values),
    )
    expires_at = serializers.DateTimeField(required=False, allow_null=True)
