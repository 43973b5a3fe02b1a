"""Members, invitations, and what belongs to the user: name and tokens."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import StreamingHttpResponse
from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import ProjectAccess
from annotation.api import project_shapes as shapes
from annotation.api.base import ProjectView
from annotation.models import Membership, Stage
from annotation.selectors.personal_data import personal_data_json
from annotation.services import members
from corpus.api import ApiView, Scope, get_row
from corpus.api_schema import listing, operation
from corpus.models import ApiToken
from corpus.tokens import create_token, revoke_token

State = Membership.State


class AdminView(ProjectView):
    """A view that only admins of the project use."""

    write_scope = Scope.ADMIN

    def open_project(self, slug: str) -> ProjectAccess:
        """Return the access of an admin; 403 for other members."""
        access = super().open_project(slug)
        access.require(Stage.ADMIN)
        return access


class MemberList(AdminView):
    """Who works in a project."""

    tag = "Members"

    @listing("list_members", shapes.MemberShape)
    def get(self, request: Request, slug: str) -> Response:
        """List the members of a project."""
        project = self.open_project(slug).project
        rows = project.memberships.select_related("user")
        return self.page(rows, shapes.MemberShape)


class MemberDetail(AdminView):
    """One member."""

    tag = "Members"

    @operation("change_member", takes=shapes.MemberBody, gives=shapes.MemberShape)
    def patch(self, request: Request, slug: str, member_id: int) -> Response:
        """Give a member other permissions, or another state."""
        access = self.open_project(slug)
        rows = access.project.memberships.select_related("user")
        membership = get_row(rows, pk=member_id)
        wanted = self.body(shapes.MemberBody)
        if "stages" in wanted:
            members.change_stages(
                membership=membership, stages=wanted["stages"], actor=access.account
            )
        if "state" in wanted:
            _change_state(membership, access, wanted["state"], wanted["why"])
        return Response(shapes.MemberShape(get_row(rows, pk=member_id)).data)


def _change_state(
    membership: Membership, access: ProjectAccess, state: str, why: str
) -> None:
    if state == State.SUSPENDED:
        members.suspend_member(membership=membership, actor=access.account, why=why)
    elif state == State.TRUSTED:
        members.trust_member(membership=membership, actor=access.account)
    else:
        members.reinstate_member(membership=membership, actor=access.account)


class InvitationList(AdminView):
    """The invitation links of a project."""

    tag = "Members"

    @listing("list_invitations", shapes.InvitationShape)
    def get(self, request: Request, slug: str) -> Response:
        """List the invitation links of a project."""
        project = self.open_project(slug).project
        return self.page(project.invitations.all(), shapes.InvitationShape)

    @operation(
        "create_invitation",
        takes=shapes.InvitationBody,
        gives=shapes.NewInvitationShape,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create an invitation link. Its secret is shown only in this answer."""
        access = self.open_project(slug)
        wanted = self.body(shapes.InvitationBody)
        invitation, secret = members.create_invitation(
            project=access.project, actor=access.account, **wanted
        )
        shown = shapes.InvitationShape(invitation).data
        return Response({**shown, "secret": secret}, 201)


class InvitationDetail(AdminView):
    """One invitation link."""

    tag = "Members"

    @operation("revoke_invitation", status=204)
    def delete(self, request: Request, slug: str, invitation_id: int) -> Response:
        """Make a link useless. Who came by it stays a member."""
        access = self.open_project(slug)
        invitation = get_row(access.project.invitations.all(), pk=invitation_id)
        members.revoke_invitation(invitation=invitation, actor=access.account)
        return Response(status=204)


class InvitationUse(ApiView):
    """Joining a project by a link."""

    tag = "Members"

    @operation(
        "accept_invitation",
        takes=shapes.InvitationSecretBody,
        gives=shapes.OwnMembershipShape,
    )
    def post(self, request: Request) -> Response:
        """Become a member by the secret of an invitation link."""
        secret = self.body(shapes.InvitationSecretBody)["secret"]
        membership = members.accept_invitation(token=secret, user=self.account)
        return Response(shapes.OwnMembershipShape(membership).data)


class Me(ApiView):
    """The user."""

    tag = "You"

    @operation("get_me", gives=shapes.PersonShape)
    def get(self, request: Request) -> Response:
        """Read who you are here, and what this request may do."""
        token = request.auth
        scopes = token.scopes if isinstance(token, ApiToken) else Scope.values
        context = {"scopes": scopes}
        return Response(shapes.PersonShape(self.account, context=context).data)


class MyData(ApiView):
    """What is kept about the user."""

    tag = "You"

    @operation("get_my_data", gives=shapes.MyDataShape)
    def get(self, request: Request) -> StreamingHttpResponse:
        """Read everything that is kept about you, by kind."""
        return StreamingHttpResponse(
            personal_data_json(self.account),
            content_type="application/json",
            headers={"Cache-Control": "no-store"},
        )


class TokenList(ApiView):
    """The user's tokens."""

    tag = "You"
    write_scope = Scope.ADMIN

    @listing("list_tokens", shapes.TokenShape)
    def get(self, request: Request) -> Response:
        """List your tokens, the revoked and expired ones too."""
        rows = ApiToken.objects.filter(user=self.account)
        return self.page(rows, shapes.TokenShape)

    @operation(
        "create_token", takes=shapes.TokenBody, gives=shapes.NewTokenShape, status=201
    )
    def post(self, request: Request) -> Response:
        """Create a token; signed in with a browser session only.

        Otherwise whoever finds a token could make others that outlive it.
        """
        if isinstance(request.auth, ApiToken):
            raise PermissionDenied("A token cannot make tokens. Sign in to make one.")
        wanted = self.body(shapes.TokenBody)
        expires_at = wanted.get("expires_at")
        if expires_at is not None and expires_at <= timezone.now():
            raise ValidationError({"expires_at": ["This moment has passed."]})
        token, key = create_token(user=self.account, **wanted)
        return Response({**shapes.TokenShape(token).data, "key": key}, 201)


class TokenDetail(ApiView):
    """One of the user's tokens."""

    tag = "You"
    write_scope = Scope.ADMIN

    @operation("revoke_token", status=204)
    def delete(self, request: Request, token_id: int) -> Response:
        """Make a token useless for good."""
        token = get_row(ApiToken.objects.filter(user=self.account), pk=token_id)
        revoke_token(token=token)
        return Response(status=204)
