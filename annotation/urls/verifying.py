"""Around the page that verifies pairs: the next one, undo, flags."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import flags, judgements, suggestions

PROJECT = "projects/<slug:slug>/"
PAIR = f"{PROJECT}verify/<int:pair_id>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(f"{PROJECT}verify/next/", judgements.next_pair, name="next_pair"),
    path(f"{PROJECT}verify/undo/", judgements.undo_last, name="undo_last"),
    path(f"{PAIR}withdraw/", judgements.withdraw, name="withdraw_judgement"),
    path(f"{PAIR}suggestion/", suggestions.show_suggestion, name="show_suggestion"),
    path(f"{PAIR}flag/", flags.flag_pair, name="flag_pair"),
    path(f"{PROJECT}flags/", flags.flags, name="flags"),
    path(f"{PROJECT}flags/<int:pk>/", flags.change_flag, name="change_flag"),
]
