"""Research questions and their studies."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import questions

QUESTIONS = "projects/<slug:slug>/questions/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(QUESTIONS, questions.questions, name="questions"),
    path(f"{QUESTIONS}studies.csv", questions.questions_csv, name="questions_csv"),
    path(f"{QUESTIONS}new/", questions.new_question, name="new_question"),
    path(f"{QUESTIONS}labels/", questions.take_over_labels, name="take_over_labels"),
    path(f"{QUESTIONS}import/", questions.import_studies, name="import_studies"),
    path(
        f"{QUESTIONS}import/<str:token>/",
        questions.import_of_studies,
        name="import_of_studies",
    ),
    path(f"{QUESTIONS}<int:question_id>/", questions.question, name="question"),
]
