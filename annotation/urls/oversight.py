"""The admin's view of a project: progress, what is stuck, and every item."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import items, progress

HERE = "projects/<slug:slug>/progress/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(HERE, progress.progress, name="progress"),
    path(f"{HERE}stuck/", progress.stuck, name="stuck"),
    path(f"{HERE}stuck/reassign/", progress.reassign, name="reassign"),
    path(f"{HERE}stuck/undo/", progress.undo_reassign, name="undo_reassign"),
    path(f"{HERE}items/", items.items, name="items"),
    path(f"{HERE}items/change/", items.change_items, name="change_items"),
    path(f"{HERE}items/undo/<int:pk>/", items.undo_change, name="undo_change"),
    path(f"{HERE}items/filters/", items.save_filter, name="save_filter"),
    path(
        f"{HERE}items/filters/<int:pk>/delete/",
        items.delete_filter,
        name="delete_filter",
    ),
]
