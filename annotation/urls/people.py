"""Members, invitations, and what is kept about a person."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import keys, members, people

MEMBER = "projects/<slug:slug>/members/<int:pk>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("projects/<slug:slug>/members/", members.members, name="members"),
    path(MEMBER, members.change_member, name="change_member"),
    path(f"{MEMBER}suspend/", members.suspend_member, name="suspend_member"),
    path(f"{MEMBER}reinstate/", members.reinstate_member, name="reinstate_member"),
    path(f"{MEMBER}trust/", members.trust_member, name="trust_member"),
    path(
        "projects/<slug:slug>/members/invite/",
        members.create_invitation,
        name="create_invitation",
    ),
    path(
        "projects/<slug:slug>/invitations/<int:pk>/revoke/",
        members.revoke_invitation,
        name="revoke_invitation",
    ),
    path("join/<str:token>/", members.join, name="join"),
    path("me/", people.my_data, name="my_data"),
    path("me/data.json", people.download_my_data, name="download_my_data"),
    path("me/work.csv", people.download_my_work, name="download_my_work"),
    path("me/preferences/", people.preferences, name="preferences"),
    path("me/preferences/keys/", keys.change_keys, name="change_keys"),
    path("me/tokens/", people.api_tokens, name="api_tokens"),
    path(
        "me/tokens/<int:pk>/revoke/", people.revoke_api_token, name="revoke_api_token"
    ),
    path("me/erase/", people.erase_me, name="erase_me"),
    path("people/", people.list_people, name="list_people"),
    path("people/<int:pk>/reset-link/", people.make_reset_link, name="make_reset_link"),
    path("people/<int:pk>/active/", people.set_person_active, name="set_person_active"),
    path("people/<int:pk>/erase/", people.erase_person, name="erase_person"),
]
