"""The site's addresses, and pages that show every part with sample data."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from config.urls import *  # noqa: F403
from config.urls import urlpatterns as site_urlpatterns
from corpus.formats.base import Problem, Severity
from corpus.reading import mark_sentences, word_diff
from corpus.records import Rationale, SentenceRole

SENTENCES = [
    "Short naps are common in many societies, yet their effect on memory is disputed.",
    "We asked 214 adults to learn forty word pairs before a nap or a quiet hour.",
    "Those who slept recalled 6.1 more pairs (95% CI 4.2 to 8.0) than the others.",
    "The difference was still there a week later.",
    "Heart rate did not differ between the groups at any time of the afternoon.",
    "A nap of half an hour supports the memory of newly learned word pairs.",
]
RATIONALES = [
    Rationale((2,)),
    Rationale((3, 5), (SentenceRole.PRIMARY, SentenceRole.SUPPLEMENTARY)),
]
PROBLEMS = [
    Problem("The id is used twice.", 14, 8, "doc_id", "4414547", "an id once"),
    Problem("The label is unknown.", 21, 113, "label", "MAYBE", "a known label"),
    Problem(
        "The abstract has no sentences.",
        line=303,
        field="abstract",
        severity=Severity.WARNING,
    ),
]
ROWS = [
    {"claim": "A short nap supports memory.", "state": "approved", "label": "SUPPORT"},
    {
        "claim": "Napping raises the heart rate of adults in the hour after waking up, "
        "compared with a quiet rest of the same length.",
        "state": "submitted",
        "label": "CONTRADICT",
    },
    {"claim": "Naps help children.", "state": "draft", "label": "NOT_ENOUGH_INFO"},
    {"claim": "Long naps help more.", "state": "rejected", "label": "MIXED"},
]


class SampleForm(forms.Form):
    """One field of each kind that the site uses."""

    name = forms.CharField(help_text="Shown to everyone in the project.")
    mail = forms.EmailField(required=False)
    rule = forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), required=False)
    protocol = forms.ChoiceField(
        choices=[("scifact", "Citances of papers"), ("core", "Research questions")]
    )
    blind = forms.ChoiceField(
        label="What later annotators see",
        choices=[("blind", "Nothing"), ("open", "Earlier answers")],
        widget=forms.RadioSelect,
        help_text="Can be changed until the first pair is judged.",
    )
    stages = forms.MultipleChoiceField(
        choices=[("write", "Write"), ("verify", "Verify")],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    file = forms.FileField(
        required=False,
        help_text="At most 1 GB.",
        widget=forms.FileInput(attrs={"data-limit-bytes": "2048"}),
    )
    accept = forms.BooleanField(label="I have read the guidelines")


def gallery(request: HttpRequest) -> HttpResponse:
    """Show every part; with ``?errors``, the form as after a bad submit."""
    data = {"mail": "not an address"} if "errors" in request.GET else None
    return render(
        request,
        "parts/gallery.html",
        {
            "project": "Sleep and memory",
            "project_nav": [
                ("Overview", "/gallery/", True),
                ("Citances", "/gallery/?citances", False),
                ("Claims", "/gallery/?claims", False),
                ("Pairs", "/gallery/?pairs", False),
                ("Import", "/gallery/?import", False),
                ("Export", "/gallery/?export", False),
                ("Settings", "/gallery/?settings", False),
            ],
            "poll_url": "/gallery/progress/"
            + ("0/" if "down" in request.GET else "3183/"),
            "is_worker_missing": "worker" in request.GET,
            "counts": [
                ("citances", 1409),
                ("claims written", 812),
                ("pairs judged", 5183),
                ("waiting for review", 17),
            ],
            "claim": "A nap of half an hour improves the recall of word pairs.",
            "sentences": mark_sentences(SENTENCES, RATIONALES),
            "changes": word_diff(
                "A short nap improves the recall of word pairs.",
                "A short nap impairs the recall of learned word pairs.",
            ),
            "rows": [{**row, "pairs": 3, "sentences": 12345} for row in ROWS],
            "problems": PROBLEMS,
            "undo_fields": [("pair", "7")],
            "form": SampleForm(data),
        },
    )


def progress(request: HttpRequest, done: int) -> HttpResponse:
    """Answer the poll of the running bar: one step on, and finished at the end."""
    total = 5183
    if done == 0:
        return HttpResponse(status=503)
    step = min(done + 1000, total)
    context: dict[str, Any] = {
        "id": "a",
        "title": "Importing abstracts",
        "done": step,
        "total": total,
        "unit": "abstracts",
        "seconds_left": total - step,
        "poll_url": f"/gallery/progress/{step}/",
        "cancel_url": "/gallery/",
        "is_finished": step == total,
        "message": "Done: 5183 abstracts are in." if step == total else "",
    }
    return render(request, "parts/_progress.html", context)


def broken(request: HttpRequest, kind: str) -> HttpResponse:
    """Fail in the way that the address names."""
    errors: dict[str, Exception] = {
        "400": SuspiciousOperation("bad"),
        "403": PermissionDenied("Only reviewers decide."),
        "500": RuntimeError("a fault of ours"),
    }
    raise errors[kind]


urlpatterns = [
    *site_urlpatterns,
    path("gallery/", gallery),
    path("gallery/progress/<int:done>/", progress),
    path("gallery/error/<str:kind>/", broken),
    path("gallery/home/", lambda request: render(request, "home.html")),
]
