"""Every page with hostile text in every column: whole, escaped, under the policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.apps import apps
from django.db import models

from annotation.models import Guideline, Project
from corpus.models import ApiToken, Corpus, Document, Job, User
from corpus.search import index_documents
from tests.permissions.walker import Line, ask, lines
from tests.permissions.world import World, rolled_back
from verification.models import FactCheck

pytestmark = pytest.mark.django_db

HOSTILE = "<img src=x onerror=alert(1)>\"'</script>{{7*7}}\U0001f9ea\U0001d4b3"
ADDRESS = "javascript:alert(1)//"
# Columns that no person fills in: made by us, or chosen from a list.
OURS = {
    (User, "username"),
    (User, "password"),
    (User, "email"),
    (User, "pseudonym"),
    (User, "time_zone"),
    (ApiToken, "key_hash"),
    (ApiToken, "key_start"),
    (Job, "kind"),
    (Job, "lease_owner"),
    (Document, "splitter"),
}
MADE_BY_US = {"slug", "token", "token_hash", "sha256", "content_hash", "text_key"}
MADE_BY_US |= {
    "document_hash",
    "source_extra",
    "noun",
    "verb",
    "from_state",
    "to_state",
    "task",
    "profile",
    "primary_metric",
    "holder",
    "period",
    "signature",
    "scorer_version",
    "gold_sha256",
    "system_digest",
    "client",
}
# What a form lets through stands in a link; files may bring anything as an address.
ADDRESSES = {"url": ADDRESS, "doi": ADDRESS, "video_url": "https://example.org/"}


def _free_text(model: type[models.Model]) -> Iterator[models.Field[Any, Any]]:
    """The columns of a model into which somebody writes."""
    for field in model._meta.concrete_fields:
        is_text = isinstance(field, models.CharField | models.TextField)
        is_free = not field.choices and not isinstance(field, models.FileField)
        is_ours = field.name in MADE_BY_US or (model, field.name) in OURS
        if is_text and is_free and not is_ours:
            yield field


def _plant() -> None:
    for name in ("corpus", "annotation", "verification"):
        for model in apps.get_app_config(name).get_models():
            if fields := [field.attname for field in _free_text(model)]:
                for row in model._default_manager.all():
                    _fill(row, fields)
    _plant_lists()
    index_documents(Document.objects.all())


def _fill(row: Any, fields: list[str]) -> None:
    for name in fields:
        text = f"{ADDRESSES.get(name, '')}{row.pk}{HOSTILE}"
        setattr(row, name, text[: row._meta.get_field(name).max_length])
    if hasattr(row, "external_id_is_int"):
        row.external_id_is_int = False
    row.save()


def _plant_lists() -> None:
    """What is kept as JSON."""
    for document in Document.objects.exclude(sentences=[]):
        count = len(document.sentences)
        document.sentences = [f"{HOSTILE} {i}" for i in range(count)]
        document.authors = [HOSTILE]
        document.save()
    for project in Project.objects.all():
        for choice in project.label_scheme:
            choice["word"] = f"{choice['word'][:3]}{HOSTILE}"[:40]
        project.settings["null_result_rule"] = HOSTILE
        project.save()
    for guideline in Guideline.objects.all():
        guideline.text = f"# {HOSTILE}\n\n[link](javascript:alert(1)) {HOSTILE}"
        guideline.save()
    Corpus.objects.update(column_mapping={"title": HOSTILE})
    for check in FactCheck.objects.filter(state="done"):
        _plant_answer(check)
    for job in Job.objects.all():
        problem = {"line": 1, "field": HOSTILE, "value": HOSTILE, "message": HOSTILE}
        job.result["report"] = job.result.get("report", {}) | {
            "warnings": 1,
            "first_warnings": [{**problem, "expected": HOSTILE, "severity": "warning"}],
            "duplicate_texts": 1,
            "first_duplicates": [HOSTILE],
        }
        job.save()


def _plant_answer(check: FactCheck) -> None:
    texts = ("title", "journal", "published", "pmid", "retraction")
    for found in check.result["abstracts"]:
        found |= {name: HOSTILE for name in texts if found[name]}
        found |= {"doi": "", "url": ADDRESS, "authors": [HOSTILE]}
        found["sentences"] = [HOSTILE] * len(found["sentences"])
    check.save()


@pytest.fixture(scope="module")
def hostile(world: World) -> Iterator[World]:
    """The world with hostile text in every free column."""
    with rolled_back():
        _plant()
        yield world


class Page(HTMLParser):
    """What in a page could run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "script" and not values.get("src"):
            self.problems.append(f"inline script: {attrs}")
        if tag in {"style", "iframe", "object", "embed", "base"}:
            self.problems.append(f"<{tag}>")
        if tag == "img" and values.get("src") == "x":
            self.problems.append("the planted image")
        for name, value in attrs:
            if name == "style" or name.startswith(("on", "hx-on")):
                self.problems.append(f"{tag} {name}={value}")
            if name in {"href", "src", "action", "formaction", "hx-get", "hx-post"}:
                scheme = (value or "").strip().lower().partition(":")[0]
                if scheme in {"javascript", "data", "vbscript"}:
                    self.problems.append(f"{tag} {name}={value}")


HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}


def _header_problems(response: Any) -> Iterator[str]:
    for name, value in HEADERS.items():
        if response.get(name) != value:
            yield f"{name}: {response.get(name)}"
    policy = response.get("Content-Security-Policy", "")
    if "default-src 'self'" not in policy or "script-src 'self'" not in policy:
        yield f"Content-Security-Policy: {policy or 'none'}"
    if "unsafe" in policy or "*" in policy:
        yield f"Content-Security-Policy allows too much: {policy}"
    for name, cookie in response.cookies.items():
        # The scripts of the page read the CSRF token from the page, not the cookie.
        is_http_only = cookie["httponly"] or name == "csrftoken"
        if cookie["samesite"] != "Lax" or not is_http_only:
            yield f"cookie {name}: {cookie.OutputString()}"


def _reader(line: Line) -> str:
    """A role that gets the most of a page: one with 200, else anybody."""
    for role in ("admn", "anno", "othr", "newc", "supr", "xadm"):
        if line.cells[role] == "200":
            return role
    return "admn"


GET_LINES = [line for line in lines() if line.method == "GET"]


@pytest.mark.parametrize("line", GET_LINES, ids=str)
def test_a_page_is_whole_escaped_and_under_the_policy(
    hostile: World, line: Line
) -> None:
    role = _reader(line)
    response = ask(hostile, role, "GET", line.path(hostile)).response
    expected = line.cells[role].replace("away", "302")
    assert response.status_code == int(expected), getattr(response, "exc_info", "")
    assert not list(_header_problems(response))
    if response.streaming or not response["Content-Type"].startswith("text/html"):
        return
    text = response.content.decode()
    assert not Page(text).problems
    assert "<img src=x" not in text
    assert "onerror=alert(1)>\"'</script>" not in text


def test_the_planted_text_is_met(hostile: World) -> None:
    """Without this, pages that show nothing would pass."""
    met: Counter[str] = Counter()
    for line in GET_LINES:
        role = _reader(line)
        if line.name.startswith("annotation:") and line.cells[role] == "200":
            text = ask(hostile, role, "GET", line.path(hostile)).response
            if not text.streaming and "&lt;img src=x" in text.content.decode():
                met[line.name] += 1
    assert len(met) > 35, met


@pytest.mark.parametrize(
    ("path", "status"),
    [("/nothing/here/", 404), ("/projects/herbal-medicine/settings/", 403)],
)
def test_error_pages_are_under_the_policy(
    hostile: World, path: str, status: int
) -> None:
    response = ask(hostile, "anno", "GET", path).response
    assert response.status_code == status
    assert not list(_header_problems(response))
    assert not Page(response.content.decode()).problems
