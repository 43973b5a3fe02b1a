"""One abstract, the box for a missing one, and the list of doubtful boundaries."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.services.documents import add_document
from corpus.models import Document
from corpus.records import Document as Record
from corpus.records import ExternalId
from tests.annotation.views.conftest import SignIn
from tests.factories import ClaimFactory, DocumentFactory, PairFactory, Team

IMG = "<img src=x onerror=alert(1)>"
HTMX = {"HX-Request": "true"}
DOUBTFUL = "We asked 20 people etc. They answered. Nobody left."

pytestmark = pytest.mark.django_db


def url(team: Team, name: str, *arguments: object) -> str:
    return reverse(f"annotation:{name}", args=[team.corpus.slug, *arguments])


def added(team: Team, text: str, title: str = "Tea", **more: Any) -> Document:
    record = Record(id=ExternalId(title), title=title, text=text, **more)
    return add_document(corpus=team.corpus, record=record, actor=team.admin)


# --- the abstract ----------------------------------------------------------------


def test_an_abstract_is_shown_with_numbers_and_facts(
    team: Team, sign_in: SignIn
) -> None:
    row = added(
        team,
        "Tea was drunk. It helped.",
        doi="10.5555/a<b>",
        authors=("A. Writer",),
        licence="CC0",
    )
    page = sign_in(team.read_only).get(url(team, "document", row.pk)).content.decode()
    for expected in (
        "It helped.",
        'href="https://doi.org/10.5555/a%3Cb%3E"',
        "A. Writer",
        "CC0",
        "2, split here by nupunkt",
    ):
        assert expected in page


def test_shipped_sentences_are_said_to_be_the_source_s(
    team: Team, sign_in: SignIn
) -> None:
    row = DocumentFactory(corpus=team.corpus)
    page = sign_in(team.read_only).get(url(team, "document", row.pk)).content.decode()
    assert "as its source has them" in page


@pytest.mark.parametrize("address", ["javascript:alert(1)", f"https://a.org/{IMG}"])
def test_a_hostile_address_is_no_script(
    team: Team, sign_in: SignIn, address: str
) -> None:
    row = added(team, "Tea.", url=address)
    page = sign_in(team.admin).get(url(team, "document", row.pk)).content.decode()
    assert 'href="javascript:' not in page
    assert IMG not in page


def test_hostile_sentences_are_shown_as_text(team: Team, sign_in: SignIn) -> None:
    row = added(team, f"p<0.05 and a&lt;b {IMG} 𝛽 👩‍🚒", title=f"</script>{IMG}")
    page = sign_in(team.admin).get(url(team, "document", row.pk)).content.decode()
    assert "p&lt;0.05 and a&amp;lt;b" in page
    assert "𝛽 👩‍🚒" in page
    assert IMG not in page


def test_an_abstract_of_another_corpus_is_not_there(
    team: Team, sign_in: SignIn
) -> None:
    other = DocumentFactory()
    response = sign_in(team.admin).get(url(team, "document", other.pk))
    assert response.status_code == 404


def test_only_overseers_see_the_claims_about_it(team: Team, sign_in: SignIn) -> None:
    row = added(team, "Tea.")
    claim = ClaimFactory(
        project=team.project, author=team.annotator, text="A telling claim."
    )
    PairFactory(claim=claim, document=row)
    seen = {
        who: "A telling claim."
        in sign_in(getattr(team, who))
        .get(url(team, "document", row.pk))
        .content.decode()
        for who in ("admin", "reviewer", "annotator", "read_only")
    }
    assert seen == {
        "admin": True,
        "reviewer": True,
        "annotator": False,
        "read_only": False,
    }


# --- one abstract by paste -------------------------------------------------------


def test_a_pasted_abstract_is_shown_in_sentences_before_it_is_saved(
    team: Team, sign_in: SignIn
) -> None:
    client, address = sign_in(team.admin), url(team, "new_document")
    page = client.post(address, {"title": "Tea", "text": DOUBTFUL}).content.decode()
    assert "They answered." in page
    assert "1 doubtful place" in page
    assert not Document.objects.exists()
    partial = client.post(address, {"text": DOUBTFUL}, headers=HTMX).content.decode()
    assert partial.lstrip().startswith('<section id="split"')


def test_saving_keeps_the_text_with_line_feeds_only(
    team: Team, sign_in: SignIn
) -> None:
    data = {
        "title": "Tea",
        "text": "One line.\r\nAnother line.",
        "doi": "https://doi.org/10.5555/TEA",
        "authors": "A. Writer; B. Reader",
        "save": "1",
    }
    response = sign_in(team.admin).post(url(team, "new_document"), data)
    row = Document.objects.get()
    assert response.headers["Location"] == url(team, "document", row.pk)
    assert row.text == "One line.\nAnother line."
    assert row.external_id == "doi:10.5555/tea"
    assert (row.doi, row.authors) == ("10.5555/TEA", ["A. Writer", "B. Reader"])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"title": "", "text": " "}, "Fill in a title or an abstract"),
        ({"text": "a\0b"}, "NUL"),
        ({"title": "a\0b"}, "Null characters are not allowed"),
        ({"title": "Tea", "doi": "ask Kim"}, "A DOI looks like 10.1000/182."),
        ({"title": "Tea", "published": "32.13.2020"}, "a day as in 2021-05-30"),
        ({"title": "Tea", "published": "2020-13"}, "a day as in 2021-05-30"),
        ({"text": "x" * 50_001}, "at most 50000 characters"),
    ],
)
def test_what_cannot_be_saved_is_said(
    team: Team, sign_in: SignIn, data: dict[str, str], words: str
) -> None:
    response = sign_in(team.admin).post(url(team, "new_document"), data | {"save": "1"})
    assert words in response.content.decode()
    assert not Document.objects.exists()


def test_the_same_abstract_again_is_refused_on_the_form(
    team: Team, sign_in: SignIn
) -> None:
    added(team, "Tea was drunk.")
    data = {"title": "Tea", "text": "Tea was drunk.", "save": "1"}
    page = sign_in(team.admin).post(url(team, "new_document"), data).content.decode()
    assert "already in the corpus" in page
    assert Document.objects.count() == 1


# --- no abstract -----------------------------------------------------------------


def test_missing_abstracts_are_listed_and_leave_when_filled(
    team: Team, sign_in: SignIn
) -> None:
    row, other = added(team, "", "First"), added(team, "", "Second")
    added(team, "Complete.", "Third")
    client = sign_in(team.admin)
    listed = client.get(url(team, "missing_abstracts")).context["page"].items
    assert listed == [row, other]
    client.post(url(team, "fill_abstract", row.pk), {"text": "Now.\r\nHere."})
    assert client.get(url(team, "missing_abstracts")).context["page"].items == [other]
    row.refresh_from_db()
    assert row.text == "Now.\nHere."


def test_htmx_gets_a_line_in_place_of_the_box(team: Team, sign_in: SignIn) -> None:
    row = added(team, "", "First")
    response = sign_in(team.admin).post(
        url(team, "fill_abstract", row.pk), {"text": "A. B."}, headers=HTMX
    )
    page = response.content.decode()
    assert "Saved:" in page
    assert "<textarea" not in page


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_an_empty_box_stays_with_its_error(
    team: Team, sign_in: SignIn, headers: dict[str, str]
) -> None:
    row = added(team, "", "First")
    response = sign_in(team.admin).post(
        url(team, "fill_abstract", row.pk), {"text": " "}, headers=headers
    )
    page = response.content.decode()
    assert "This field is required." in page
    assert "<textarea" in page


# --- doubtful boundaries ---------------------------------------------------------


def test_a_doubtful_place_is_shown_in_its_context_and_merged(
    team: Team, sign_in: SignIn
) -> None:
    row, client = added(team, DOUBTFUL), sign_in(team.admin)
    page = client.get(url(team, "doubtful_boundaries")).content.decode()
    assert "may be an abbreviation" in page
    assert "They answered." in page
    data = {"action": "merge:1", "seen_hash": row.content_hash}
    response = client.post(url(team, "change_boundaries", row.pk), data)
    assert response.headers["Location"].endswith(f"?changed={row.pk}")
    row.refresh_from_db()
    assert row.sentences == ["We asked 20 people etc. They answered.", "Nobody left."]
    page = client.get(response.headers["Location"]).content.decode()
    assert "No doubtful boundary is left" in page
    client.post(url(team, "change_boundaries", row.pk), {"action": "undo"})
    row.refresh_from_db()
    assert len(row.sentences) == 3
    assert row.has_doubts


def test_any_boundary_of_an_abstract_can_be_corrected(
    team: Team, sign_in: SignIn
) -> None:
    row, client = added(team, "Tea; water. It helped."), sign_in(team.admin)
    assert not row.has_doubts
    page = client.get(url(team, "doubtful_boundaries"), {"all": row.pk})
    assert 'value="split:0:5"' in page.content.decode()
    assert 'value="merge:1"' in page.content.decode()
    data = {"action": "split:0:5", "seen_hash": row.content_hash, "whole": "1"}
    response = client.post(url(team, "change_boundaries", row.pk), data)
    assert response.headers["Location"].endswith(f"?all={row.pk}")
    row.refresh_from_db()
    assert row.sentences == ["Tea;", "water.", "It helped."]
    assert row.text == "Tea; water. It helped."


@pytest.mark.parametrize("key", ["x", "99999999999999999999", "0", "²"])
def test_an_abstract_that_is_not_there_shows_the_list(
    team: Team, sign_in: SignIn, key: str
) -> None:
    for name in ("all", "changed"):
        page = sign_in(team.admin).get(url(team, "doubtful_boundaries"), {name: key})
        assert page.status_code == 200
        assert "No doubtful boundary is left" in page.content.decode()


def test_htmx_gets_the_entry_with_its_new_state(team: Team, sign_in: SignIn) -> None:
    row = added(team, DOUBTFUL)
    data = {"action": "confirm", "seen_hash": row.content_hash}
    response = sign_in(team.admin).post(
        url(team, "change_boundaries", row.pk), data, headers=HTMX
    )
    page = response.content.decode()
    assert page.lstrip().startswith("<section")
    assert "Settled: 3 sentences" in page
    assert 'value="undo"' in page


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("", "Say what should be changed"),
        ("merge", "Say what should be changed"),
        ("merge:x", "Say what should be changed"),
        ("merge:99", "no boundary"),
        ("split:0:9999", "text on both sides"),
        ("undo", "nothing to undo"),
    ],
)
def test_what_cannot_be_done_is_said(
    team: Team, sign_in: SignIn, action: str, words: str
) -> None:
    row = added(team, DOUBTFUL)
    data = {"action": action, "seen_hash": row.content_hash}
    response = sign_in(team.admin).post(
        url(team, "change_boundaries", row.pk), data, headers=HTMX
    )
    assert words in response.content.decode()
    row.refresh_from_db()
    assert len(row.sentences) == 3


def test_a_paired_abstract_offers_no_change(team: Team, sign_in: SignIn) -> None:
    row = added(team, DOUBTFUL)
    claim = ClaimFactory(project=team.project, author=team.annotator)
    PairFactory(claim=claim, document=row)
    client = sign_in(team.admin)
    page = client.get(url(team, "doubtful_boundaries")).content.decode()
    assert "its sentences stay as they are" in page
    assert 'value="merge:' not in page
    data = {"action": "merge:1", "seen_hash": row.content_hash}
    response = client.post(url(team, "change_boundaries", row.pk), data, headers=HTMX)
    assert "paired with this abstract" in response.content.decode()


def test_the_list_asks_the_same_for_one_as_for_ten(
    team: Team, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    client, asked = sign_in(team.admin), []
    for number in (1, 9):
        for index in range(number):
            added(team, DOUBTFUL + f" {number} {index}.", f"{number}-{index}")
        with django_assert_max_num_queries(30) as captured:
            client.get(url(team, "doubtful_boundaries"))
        asked.append(len(captured))
    assert asked[0] == asked[1]


# --- permissions -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["fill_abstract", "change_boundaries"])
def test_changes_need_a_post_of_an_editor(
    team: Team, sign_in: SignIn, name: str
) -> None:
    row = added(team, DOUBTFUL)
    address = url(team, name, row.pk)
    assert sign_in(team.admin).get(address).status_code == 405
    assert sign_in(team.read_only).post(address).status_code == 403
    assert sign_in(team.outsider).post(address).status_code == 404
