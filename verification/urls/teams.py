"""Addresses of teams."""

from __future__ import annotations

from django.urls import URLPattern, path

from verification.views import teams

urlpatterns: list[URLPattern] = [
    path("teams/", teams.teams, name="teams"),
    path("teams/<int:pk>/", teams.team, name="team"),
    path("teams/<int:pk>/link/", teams.renew_team_link, name="renew_team_link"),
    path("teams/<int:pk>/leave/", teams.leave_team, name="leave_team"),
    path("teams/join/<str:token>/", teams.join_team, name="join_team"),
    path("teams/join/<str:token>/accept/", teams.accept_team, name="accept_team"),
]
