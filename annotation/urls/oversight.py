"""The admin's view of a project: progress, agreement, and every item."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import (
    agreement,
    items,
    progress,
    reannotation,
    suggestion_report,
)

HERE = "projects/<slug:slug>/progress/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(HERE, progress.progress, name="progress"),
    path(f"{HERE}stuck/", progress.stuck, name="stuck"),
    path(f"{HERE}stuck/reassign/", progress.reassign, name="reassign"),
    path(f"{HERE}stuck/undo/", progress.undo_reassign, name="undo_reassign"),
    path(f"{HERE}agreement/", agreement.agreement, name="agreement"),
    path(
        f"{HERE}agreement/labels.csv",
        agreement.agreement_labels_csv,
        name="agreement_labels_csv",
    ),
    path(
        f"{HERE}agreement/sentences.csv",
        agreement.agreement_sentences_csv,
        name="agreement_sentences_csv",
    ),
    path(f"{HERE}reannotation/", reannotation.reannotation, name="reannotation"),
    path(
        f"{HERE}reannotation/<int:pk>/undo/",
        reannotation.undo_reannotation,
        name="undo_reannotation",
    ),
    path(
        f"{HERE}suggestions/",
        suggestion_report.suggestion_report,
        name="suggestion_report",
    ),
    path(
        f"{HERE}suggestions/compute/",
        suggestion_report.compute_suggestions,
        name="compute_suggestions",
    ),
    path(
        f"{HERE}suggestions/judgements.csv",
        suggestion_report.suggestion_report_csv,
        name="suggestion_report_csv",
    ),
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
