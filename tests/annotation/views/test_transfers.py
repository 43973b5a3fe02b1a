"""Data sets in and out in the browser, without a browser; jobs run at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from annotation.models import Claim, Verdict
from annotation.services.exports import ClaimSelection, export_claims
from annotation.services.judgement_reviews import approve_judgement
from annotation.views import exports
from corpus.formats.base import WriteOptions
from corpus.formats.registry import get_format
from corpus.models import Document, Event, Job, StoredFile
from tests.annotation.transfers import claim, document, entry
from tests.annotation.views.conftest import SignIn
from tests.annotation.work import approved, judged
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db

IMG = "<img src=x onerror=alert(1)>"


def lines(*values: object) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


class Site:
    """One person's way through uploads and downloads."""

    def __init__(
        self, client: Client, team: Team, commits: DjangoCaptureOnCommitCallbacks
    ) -> None:
        self.client, self.team, self.commits = client, team, commits

    def upload(self, page: str, content: bytes, **more: str) -> Job:
        """Upload a SciFact file to a page and return its finished dry run."""
        slug = self.slug(page)
        data = {"format": "scifact", "file": SimpleUploadedFile("f.jsonl", content)}
        with self.commits(execute=True):
            response = self.client.post(reverse(page, args=[slug]), data | more)
        job = Job.objects.latest("pk")
        assert response.headers["Location"] == reverse("corpus:job", args=[job.token])
        assert job.state == Job.State.DONE, job.error
        return job

    def confirm(self, check: Job) -> Job:
        with self.commits(execute=True):
            self.client.post(check.result["redirect"])
        return Job.objects.latest("pk")

    def slug(self, page: str) -> str:
        in_project = "claims" in page
        return self.team.project.slug if in_project else self.team.corpus.slug

    def export(self, page: str, **data: Any) -> Any:
        return self.client.post(reverse(page, args=[self.slug(page)]), data)


@pytest.fixture
def site(
    team: Team,
    sign_in: SignIn,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> Site:
    return Site(sign_in(team.admin), team, django_capture_on_commit_callbacks)


DOCUMENTS = lines(document("b1"), document("b2", "Rye."))
CLAIMS = lines(
    claim("c1", "Bees like clover.", {"b1": [entry(0)]}, ["b1"]),
    claim("c2", "Rye is blue.", {}, ["b2"]),
)


def test_abstracts_come_in_after_a_dry_run_that_writes_nothing(site: Site) -> None:
    before = Document.objects.count()
    check = site.upload("annotation:import_documents", DOCUMENTS)
    assert Document.objects.count() == before
    page = site.client.get(check.result["redirect"])
    assert dict(page.context["counts"])["New"] == 2
    assert "Nothing has been written yet" in page.content.decode()

    done = site.confirm(check)

    assert Document.objects.count() == before + 2
    assert Event.objects.filter(verb="import_documents").get().actor == site.team.admin
    assert "Imported" in site.client.get(done.result["redirect"]).content.decode()
    again = site.upload("annotation:import_documents", DOCUMENTS)
    page = site.client.get(again.result["redirect"])
    assert "There is nothing to import" in page.content.decode()


def test_claims_come_in_and_go_out_again_as_the_same_bytes(site: Site) -> None:
    site.confirm(site.upload("annotation:import_documents", DOCUMENTS))
    check = site.upload("annotation:import_claims", CLAIMS, split="dev")
    assert not Claim.objects.filter(external_id="c1").exists()
    site.confirm(check)
    assert Claim.objects.get(external_id="c1").split is not None

    response = site.export(
        "annotation:export_claims", format="scifact", states=["imported"], split="dev"
    )

    assert b"".join(response.streaming_content) == CLAIMS
    assert response.headers["Content-Disposition"].endswith('-dev.jsonl"')


def test_an_export_of_our_own_work_is_known_as_identical(
    sign_in: SignIn, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    team = make_team(citances=1)
    site = Site(sign_in(team.admin), team, django_capture_on_commit_callbacks)
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    approve_judgement(judgement=judgement, reviewer=team.reviewer, expected_version=1)
    response = site.export(
        "annotation:export_claims", format="scifact", states=["approved"]
    )
    content = b"".join(response.streaming_content)
    check = site.upload("annotation:import_claims", content)
    counts = dict(site.client.get(check.result["redirect"]).context["counts"])
    assert counts["Identical"] == 1


def test_the_format_of_the_protocol_is_proposed_for_claims(site: Site) -> None:
    slug = site.team.project.slug
    page = site.client.get(reverse("annotation:import_claims", args=[slug]))
    assert '<option value="scifact" selected>' in page.content.decode()


def test_a_check_confirmed_twice_leads_to_the_one_import(site: Site) -> None:
    check = site.upload("annotation:import_documents", DOCUMENTS)
    first, again = site.confirm(check), site.confirm(check)
    assert first.pk == again.pk
    page = site.client.get(again.result["redirect"])
    assert dict(page.context["counts"])["New"] == 2


def test_the_import_of_a_check_can_be_tried_again_after_a_cancel(site: Site) -> None:
    check = site.upload("annotation:import_documents", DOCUMENTS)
    with site.commits(execute=False):
        site.client.post(check.result["redirect"])
    first = Job.objects.latest("pk")
    Job.objects.filter(pk=first.pk).update(state=Job.State.CANCELLED)
    again = site.confirm(check)
    assert (again.pk != first.pk, again.state) == (True, Job.State.DONE)


def test_the_manifest_can_be_downloaded(site: Site) -> None:
    response = site.export("annotation:export_documents", format="scifact", manifest=1)
    content = json.loads(b"".join(response.streaming_content))
    assert content["corpus"] == site.team.corpus.name
    assert content["counts"]["included"] == site.team.corpus.documents.count()


def test_errors_stand_on_the_page_escaped_and_nothing_can_be_confirmed(
    site: Site,
) -> None:
    bad = lines(claim("c1", "x", {}, [IMG]), claim("c2", "x", {}, ["gone"]))
    check = site.upload("annotation:import_claims", bad)
    page = site.client.get(check.result["redirect"]).content.decode()
    assert "2 of 2 shown" in page
    assert IMG not in page
    assert "&lt;img src=x" in page
    assert "Import the claims" not in page
    before = Job.objects.count()
    site.client.post(check.result["redirect"])
    assert Job.objects.count() == before


def test_a_file_that_has_become_wrong_since_its_check_is_refused_whole(
    site: Site,
) -> None:
    site.confirm(site.upload("annotation:import_documents", DOCUMENTS))
    check = site.upload("annotation:import_claims", CLAIMS)
    Document.objects.filter(external_id="b2").delete()
    job = site.confirm(check)
    assert job.state == Job.State.FAILED
    assert "b2 is not in the corpus" in job.error
    assert not Claim.objects.filter(external_id="c1").exists()


def test_articles_come_in_with_their_citances(site: Site) -> None:
    site.confirm(site.upload("annotation:import_documents", DOCUMENTS))
    article = {
        "article_id": "a1",
        "title": "On rye",
        "passages": [
            {
                "text": "Rye is tall [1]. It waves.",
                "citances": [
                    {
                        "citance_id": "a1-1",
                        "start": 0,
                        "end": 16,
                        "cited": [{"doc_id": "b2", "role": "seed"}],
                    }
                ],
            }
        ],
    }
    waiting = site.team.project.sources.count()
    check = site.upload("annotation:import_articles", lines(article), format="citances")
    site.confirm(check)
    # The citance waits in the project's queue at once.
    assert site.team.project.sources.count() == waiting + 1
    again = site.upload("annotation:import_articles", lines(article), format="citances")
    assert again.result["report"]["identical"] == 1
    article["title"] = "On oats"
    kept = site.upload("annotation:import_articles", lines(article), format="citances")
    assert kept.result["report"]["kept"] == 1


def test_the_export_page_says_what_is_in_the_file_and_shows_its_first_lines(
    site: Site,
) -> None:
    site.confirm(site.upload("annotation:import_documents", DOCUMENTS))
    site.confirm(site.upload("annotation:import_claims", CLAIMS))
    Verdict.objects.filter(pair__claim__external_id="c2").delete()
    address = reverse("annotation:export_claims", args=[site.team.project.slug])

    whole = site.client.get(address).content.decode()
    assert "Bees like clover." in whole
    part = site.client.get(
        address,
        {"format": "scifact", "states": ["imported"]},
        headers={"HX-Request": "true"},
    )
    assert part.context["included"] == 1
    assert part.context["excluded"] == site.team.project.claims.count() - 1
    assert "<html" not in part.content.decode()
    none = site.client.get(
        address, {"format": "scifact"}, headers={"HX-Request": "true"}
    )
    assert "Choose at least one state" in none.content.decode()


def test_the_counts_before_the_download_are_those_of_the_file(
    site: Site, tmp_path: Path
) -> None:
    site.confirm(site.upload("annotation:import_documents", DOCUMENTS))
    site.confirm(site.upload("annotation:import_claims", CLAIMS))
    Claim.objects.filter(external_id="c1").update(state=Claim.State.REJECTED)
    selection = ClaimSelection(site.team.project)
    report = export_claims(
        selection=selection,
        fmt=get_format("scifact"),
        options=WriteOptions(),
        output=tmp_path / "out.jsonl",
    )
    assert report.included == selection.taken().count()


def test_what_cannot_be_exported_is_listed_instead_of_a_download(site: Site) -> None:
    site.confirm(site.upload("annotation:import_documents", DOCUMENTS))
    odd = claim("c9", "Twice.", {"b1": [entry(1, 1)]}, ["b1"])
    site.confirm(site.upload("annotation:import_claims", lines(odd)))
    response = site.export(
        "annotation:export_claims", format="scifact", states=["imported"]
    )
    page = response.content.decode()
    assert "The export has 1 error; no file was written." in page
    assert "c9: " in page


def test_a_large_export_is_a_job_whose_files_can_be_downloaded(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "ROWS_AT_ONCE", 1)
    site.confirm(site.upload("annotation:import_documents", DOCUMENTS))
    site.confirm(site.upload("annotation:import_claims", CLAIMS))
    with site.commits(execute=True):
        site.export("annotation:export_claims", format="scifact", states=["imported"])
    job = Job.objects.latest("pk")
    assert (job.kind, job.state, job.error) == ("export_claims", Job.State.DONE, "")
    stored = StoredFile.objects.get(token=job.result["file"])
    with stored.file.open("rb") as file:
        assert file.read() == CLAIMS
    page = site.client.get(reverse("corpus:job", args=[job.token])).content.decode()
    assert job.result["file"] in page
    assert job.result["manifest"] in page


@pytest.mark.parametrize(
    "name",
    [
        "annotation:import_documents",
        "annotation:import_articles",
        "annotation:import_claims",
        "annotation:export_claims",
        "annotation:export_documents",
    ],
)
def test_only_those_in_charge_see_the_pages(
    name: str, site: Site, sign_in: SignIn
) -> None:
    address = reverse(name, args=[site.slug(name)])
    assert site.client.get(address).status_code == 200
    assert sign_in(site.team.annotator).get(address).status_code == 403
    assert sign_in(site.team.outsider).get(address).status_code == 404
    assert Client().get(address).status_code == 302
    assert site.client.put(address).status_code == 405


def test_a_dry_run_is_shown_only_where_it_belongs(site: Site, sign_in: SignIn) -> None:
    check = site.upload("annotation:import_documents", DOCUMENTS)
    elsewhere = reverse(
        "annotation:import_of_claims", args=[site.team.project.slug, check.token]
    )
    assert site.client.get(elsewhere).status_code == 404
    assert sign_in(site.team.reviewer).get(check.result["redirect"]).status_code == 403
