"""The queue: keeping an item, who holds what, what was skipped."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import holds, queue

urlpatterns: list[URLPattern | URLResolver] = [
    path(
        "projects/<slug:slug>/leases/<str:stage>/<int:item_id>/renew/",
        queue.renew,
        name="renew_lease",
    ),
    path(
        "projects/<slug:slug>/leases/<str:stage>/<int:item_id>/skip/",
        holds.skip,
        name="skip_item",
    ),
    path("projects/<slug:slug>/holds/", holds.holds, name="holds"),
    path(
        "projects/<slug:slug>/holds/<int:lease_id>/release/",
        holds.release,
        name="release_lease",
    ),
    path(
        "projects/<slug:slug>/holds/<int:event_id>/restore/",
        holds.restore,
        name="restore_lease",
    ),
    path("projects/<slug:slug>/skips/", holds.skips, name="skips"),
    path(
        "projects/<slug:slug>/skips/<int:skip_id>/take-back/",
        holds.take_back,
        name="take_back_skip",
    ),
]
