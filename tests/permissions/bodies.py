"""What the walk sends with a POST, so that the work is really done where allowed."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.forms.citances import paragraph_key
from annotation.forms.projects import ProjectSettingsForm
from annotation.forms.questions import QuestionForm
from annotation.models import Pair, Question
from annotation.services.adjudications import seen_answers
from annotation.services.projects import settings_key
from annotation.services.settling import standing
from annotation.shortcuts import DEFAULT_KEYS
from annotation.views.progress import UNDO_SALT
from tests.factories import PASSWORD
from tests.permissions.world import TABLE, World
from tests.verification.board import as_file, gold_lines, predictions

Body = dict[str, Any]


def _settings(world: World) -> Body:
    """The settings page as a browser sends it, with one change."""
    project = world.teams["A"].project
    form = ProjectSettingsForm(project=project, seen=settings_key(project))
    values = {name: form[name].value() for name in form.fields}
    shown = {k: v for k, v in values.items() if v is not None and v is not False}
    return {**shown, "description": "Changed."}


def _accepted(world: World) -> Body:
    project = world.teams["A"].project
    return {
        "accept": [
            f"guideline-{project.guidelines.latest('version').pk}",
            f"consenttext-{project.consent_texts.latest('version').pk}",
        ]
    }


def _answer() -> Body:
    return {
        "submission_key": str(uuid.uuid4()),
        "label": "CONTRADICT",
        "sentence_1": "1",
        "version": "1",
    }


def _claim(world: World) -> Body:
    return {
        "claim": "Tea helps.",
        "corpus": world.objects["corpusP"],
        "system": "plain",
    }


def _taken(world: World) -> Body:
    """The first of the judgements that differ."""
    pair = Pair.objects.get(pk=world.objects["A.disputed"])
    return {
        "submission_key": str(uuid.uuid4()),
        "side": "A",
        "seen": seen_answers(list(standing(pair.judgements.all()))),
    }


def _disagreement() -> Body:
    return {
        "submission_key": str(uuid.uuid4()),
        "version": "1",
        "because": "The second sentence says so.",
    }


def _file() -> SimpleUploadedFile:
    return SimpleUploadedFile("own.csv", TABLE)


def _predictions() -> Any:
    return as_file(predictions())


def _upload(format_name: str) -> Body:
    return {"format": format_name, "file": _file()}


def _paragraph(world: World) -> Body:
    text = "Nettles sting. Mint does not sting [2]."
    return {
        "title": "A review",
        "kind": "paper",
        "text": text,
        "paragraph_key": paragraph_key(text),
        "citance_1": "on",
        "cite_1": str(world.teams["A"].corpus.documents.earliest("pk").pk),
        "action": "save",
    }


def _api_answer() -> Body:
    return {
        "submission_key": str(uuid.uuid4()),
        "label": "CONTRADICT",
        "rationales": [{"sentences": [1]}],
    }


def _times(world: World) -> Body:
    """Working time long before everybody's sessions."""
    return {
        "project": world.teams["A"].project.pk,
        "started_at": "2026-01-05T09:00",
        "ended_at": "2026-01-05T12:00",
        "break_minutes": "15",
        "reason": "A meeting.",
    }


def _given(world: World) -> Body:
    """A claim that came back goes to another writer."""
    return {
        "kind": "claim",
        "stage": "write",
        "item": world.objects["A.returned"],
        "person": world.teams["A"].other_annotator.pk,
    }


def _given_back(world: World) -> Body:
    """What the page offers after a claim was given to somebody."""
    team = world.teams["A"]
    done = {
        "project": team.project.pk,
        "kind": "claim",
        "item": world.objects["A.given"],
        "person": team.annotator.pk,
        "was": team.other_annotator.pk,
        "words": "",
    }
    return {"token": signing.dumps(done, salt=UNDO_SALT)}


def _question(world: World) -> Body:
    """The page of A's question as a browser sends it, with another rule."""
    question = Question.objects.get(pk=world.objects["A.question"])
    form = QuestionForm(question=question, studies=list(question.studies.all()))
    values = {name: form[name].value() for name in form.fields}
    return {**values, "null_result_rule": "No difference contradicts."}


def _about(name: str) -> Body:
    return {"name": name, "description": "Invented.", "visibility": "private"}


def _gold() -> Body:
    return {"gold": as_file(gold_lines(), "gold.jsonl"), "is_hidden": "yes"}


def _limits() -> Body:
    return {
        "name": "Other",
        "shows": "nothing",
        "daily_per_person": "3",
        "daily_per_team": "3",
    }


def _studies_file() -> Body:
    table = b"review,question,study\nTeas,Does mint help?,\n"
    return {"file": SimpleUploadedFile("studies.csv", table)}


BODIES: dict[str, Callable[[World], Body]] = {
    "annotation:create_project": lambda w: {
        "name": "A new project",
        "corpus": "new",
        "visibility": "private",
    },
    "annotation:project_settings": _settings,
    "annotation:archive_project": lambda w: {},
    "annotation:restore_project": lambda w: {},
    "annotation:publish_guideline": lambda w: {
        "based_on": "1",
        "text": "Read twice.",
        "change_note": "More care.",
    },
    "annotation:publish_consent_text": lambda w: {"based_on": "1", "text": "Agreed."},
    "annotation:preview_text": lambda w: {"text": "**bold**"},
    "annotation:accept_texts": _accepted,
    "annotation:write_source": lambda w: {
        "submission_key": str(uuid.uuid4()),
        "text_1": "Nettles sting.",
    },
    "annotation:check_claim": lambda w: {"box": "1", "text_1": "Nettles sting."},
    "annotation:compare_pair": lambda w: {
        "text_1": "Nettles sting.",
        "negation": "Nettles do not sting.",
    },
    "annotation:withdraw_claims": lambda w: {},
    "annotation:negate_claim": lambda w: {
        "submission_key": str(uuid.uuid4()),
        "text": "A year of tea changes everything.",
    },
    "annotation:check_negation": lambda w: {"text": "A year of tea heals."},
    "annotation:check_revision": lambda w: {"text": "Gardeners never drink tea."},
    "annotation:skip_negation": lambda w: {"reason_code": "trigger", "note": ""},
    "annotation:withdraw_negation": lambda w: {},
    "annotation:reopen_source": lambda w: {},
    "annotation:skip_source": lambda w: {"reason": "No finding."},
    "annotation:revise_claim": lambda w: {
        "submission_key": str(uuid.uuid4()),
        "version": "1",
        "text": "Nettle tea helps.",
    },
    "annotation:proofread_claim": lambda w: {
        "submission_key": str(uuid.uuid4()),
        "text": "Nettle tea is safe.",
        "decision": "approve",
        "version": "1",
    },
    "annotation:retire_claim": lambda w: {"reason": "A duplicate."},
    "annotation:verify_pair": lambda w: _answer(),
    "annotation:compute_suggestions": lambda w: {},
    "annotation:show_suggestion": lambda w: _answer(),
    "annotation:revise_judgement": lambda w: _answer(),
    "annotation:renew_lease": lambda world: {},
    "annotation:skip_item": lambda world: {"chosen": "It is too far from my field"},
    "annotation:take_back_skip": lambda world: {},
    "annotation:release_lease": lambda world: {},
    "annotation:restore_lease": lambda world: {},
    "annotation:undo_last": lambda w: {},
    "annotation:withdraw_judgement": lambda w: {},
    "annotation:flag_pair": lambda w: {"note": "Ask about the dose."},
    "annotation:change_flag": lambda w: {},
    "annotation:change_keys": lambda w: {
        "is_on": "on",
        **{f"key_{name}": key for name, key in {**DEFAULT_KEYS, "undo": "z"}.items()},
    },
    "annotation:draft": lambda w: {
        "content": '{"label": "SUPPORT", "sentence_0": "1"}',
        "version": "0",
    },
    "annotation:review_judgement": lambda w: {**_answer(), "decision": "approve"},
    "annotation:question": _question,
    "annotation:new_question": lambda w: {"review": "Teas", "text": "Does mint help?"},
    "annotation:take_over_labels": lambda w: {},
    "annotation:import_studies": lambda w: _studies_file(),
    "annotation:import_of_studies": lambda w: {},
    "annotation:proofread_next": lambda w: {},
    "annotation:review_next": lambda w: {},
    "annotation:undo_claim_review": lambda w: {},
    "annotation:undo_judgement_review": lambda w: {},
    "annotation:disagree_about_claim": lambda w: _disagreement(),
    "annotation:disagree_about_judgement": lambda w: _disagreement(),
    "annotation:change_member": lambda w: {"stages": ["write"]},
    "annotation:suspend_member": lambda w: {"why": "Left the group."},
    "annotation:reinstate_member": lambda w: {},
    "annotation:trust_member": lambda w: {},
    "annotation:create_invitation": lambda w: {
        "preset": "annotator",
        "max_uses": "1",
        "days": "7",
    },
    "annotation:revoke_invitation": lambda w: {},
    "annotation:join": lambda w: {},
    "annotation:adjudicate_next": lambda w: {},
    "annotation:adjudicate_pair": _taken,
    "annotation:undo_adjudicate": lambda w: {},
    "annotation:reassign": _given,
    "annotation:undo_reassign": _given_back,
    "annotation:reannotation": lambda w: {
        "name": "Another",
        "number": "1",
        "seed": "7",
        "action": "draw",
    },
    "annotation:undo_reannotation": lambda w: {},
    "annotation:change_items": lambda w: {
        "item": w.objects["A.submitted"],
        "action": "retire",
        "scope": "ticked",
        "reason": "A duplicate.",
    },
    "annotation:undo_change": lambda w: {"query": "state=submitted"},
    "annotation:save_filter": lambda w: {"name": "Mine", "query": "state=submitted"},
    "annotation:delete_filter": lambda w: {},
    "annotation:enter_work": _times,
    "annotation:start_work": lambda w: {},
    "annotation:pause_work": lambda w: {},
    "annotation:resume_work": lambda w: {},
    "annotation:stop_work": lambda w: {},
    "annotation:correct_work": _times,
    "annotation:withdraw_correction": lambda w: {},
    "annotation:clock_reading": lambda w: {"active_seconds": "60"},
    "annotation:preferences": lambda w: {"first_name": "Ada", "time_zone": "UTC"},
    "annotation:read_notices": lambda w: {},
    "annotation:open_notice": lambda w: {},
    "annotation:api_tokens": lambda w: {
        "name": "lab",
        "scopes": ["read"],
        "days": "30",
    },
    "annotation:revoke_api_token": lambda w: {},
    "annotation:erase_me": lambda w: {"confirmation": "erase", "password": PASSWORD},
    "annotation:make_reset_link": lambda w: {},
    "annotation:set_person_active": lambda w: {"is_active": "false"},
    "annotation:erase_person": lambda w: {"confirmation": "erase"},
    "annotation:new_corpus": lambda w: {"name": "Teas", "visibility": "private"},
    "annotation:edit_corpus": lambda w: {
        "name": "Renamed herbs",
        "visibility": "private",
    },
    "annotation:new_document": lambda w: {
        "title": "Mint",
        "text": "Mint was chewed. It was cold.",
        "save": "1",
    },
    "annotation:fill_abstract": lambda w: {"text": "Mint was chewed. It was cold."},
    "annotation:change_boundaries": lambda w: {
        "action": "confirm",
        "seen_hash": "empty",
    },
    "annotation:new_citances": _paragraph,
    "annotation:upload_table": lambda w: {"file": _file()},
    "annotation:map_columns": lambda w: {"title": "Title", "abstract": "Abstract"},
    "annotation:checked_table": lambda w: {},
    "annotation:import_documents": lambda w: _upload("scifact"),
    "annotation:import_articles": lambda w: _upload("citances"),
    "annotation:import_claims": lambda w: _upload("scifact"),
    "annotation:import_of_documents": lambda w: {},
    "annotation:import_of_articles": lambda w: {},
    "annotation:import_of_claims": lambda w: {},
    "annotation:export_documents": lambda w: {"format": "scifact"},
    "annotation:export_claims": lambda w: {
        "format": "scifact",
        "states": ["approved"],
    },
    "verification:create_benchmark": lambda w: {
        **_about("A new benchmark"),
        **_gold(),
        "profile": "leaderboard",
        "setting": "open",
        "primary_metric": "sentence_label_f1",
    },
    "verification:edit_benchmark": lambda w: _about("Another name"),
    "verification:new_gold": lambda w: _gold(),
    "verification:new_phase": lambda w: {
        **_limits(),
        "kind": "dev",
        "gold_set": w.objects["A.spare_gold"],
        "closes_at": "2099-12-01T23:59",
        "zone": "AoE",
    },
    "verification:edit_phase": lambda w: _limits(),
    "verification:move_opening": lambda w: {
        "opens_at": "2099-12-01T23:59",
        "zone": "AoE",
        "why": "The weather.",
    },
    "verification:move_deadline": lambda w: {
        "closes_at": "2099-12-01T23:59",
        "zone": "AoE",
        "why": "The weather.",
    },
    "verification:announce": lambda w: {"text": "The gold is ready."},
    "verification:invite_organiser": lambda w: {},
    "verification:accept_organising": lambda w: {},
    "verification:remove_organiser": lambda w: {},
    "verification:score_again": lambda w: {},
    "verification:disqualify": lambda w: {"reason": "Trained on the test claims."},
    "verification:teams": lambda w: {"name": "Lichen lab"},
    "verification:team": lambda w: {"name": "Lichen lab"},
    "verification:renew_team_link": lambda w: {},
    "verification:leave_team": lambda w: {},
    "verification:accept_team": lambda w: {},
    "corpus:cancel_job": lambda w: {},
    "verification:new_submission": lambda w: {"file": as_file(predictions())},
    "verification:tag_claim": lambda w: {"claim": "3", "tags": ["numbers"]},
    "verification:compare_runs": lambda w: {"with": w.objects["A.entry"]},
    "verification:publish": lambda w: {"is_anonymous": "true"},
    "verification:withdraw": lambda w: {},
    "verification:put_back": lambda w: {},
    "verification:describe": lambda w: {"system": "Moss 4"},
    "verification:submit": lambda w: {"system": "Moss 3", "setting": "open"},
    "api:unknown": lambda w: {},
    "api:tokens": lambda w: {"name": "lab", "scopes": ["read"]},
    "api:token": lambda w: {},
    "api:use_invitation": lambda w: {"secret": w.objects["A.invitation_token"]},
    "api:projects": lambda w: {"name": "A new project", "protocol": "scifact"},
    "api:project": lambda w: {
        "seen": settings_key(w.teams["A"].project),
        "description": "Changed.",
    },
    "api:archive": lambda w: {},
    "api:guidelines": lambda w: {
        "based_on": 1,
        "text": "Read twice.",
        "change_note": "More care.",
    },
    "api:consent_texts": lambda w: {"based_on": 1, "text": "Agreed."},
    "api:acceptances": lambda w: {"kind": "guideline", "version": 1},
    "api:member": lambda w: {"stages": ["write"]},
    "api:invitations": lambda w: {"stages": ["write"]},
    "api:invitation": lambda w: {},
    "api:source_claims": lambda w: {
        "submission_key": str(uuid.uuid4()),
        "claims": [{"text": "Nettles sting."}],
    },
    "api:skip_source": lambda w: {"reason": "No finding."},
    "api:claim_versions": lambda w: {
        "submission_key": str(uuid.uuid4()),
        "version": 1,
        "text": "Nettle tea helps.",
    },
    "api:claim_reviews": lambda w: {"version": 1, "decision": "approve"},
    "api:claim_disagreement": lambda w: {**_disagreement(), "version": 1},
    "api:judgement_disagreement": lambda w: {**_disagreement(), "version": 1},
    "api:retire_claim": lambda w: {"reason": "A duplicate."},
    "api:pair_judgements": lambda w: _api_answer(),
    "api:judgement_versions": lambda w: {**_api_answer(), "version": 1},
    "api:judgement_reviews": lambda w: {"version": 1, "decision": "approve"},
    "api:corpora": lambda w: {"name": "Teas"},
    "api:corpus": lambda w: {"description": "Changed."},
    "api:documents": lambda w: {"title": "Mint", "text": "Mint was chewed."},
    "api:document_text": lambda w: {"text": "Mint was chewed."},
    "api:document_boundaries": lambda w: {"action": "confirm", "seen_hash": "empty"},
    "api:articles": lambda w: {
        "article": {"title": "A review"},
        "text": "Nettles sting.",
        "citances": [{"start": 0, "end": 14}],
    },
    "api:corpus_checks": lambda w: {
        "file": w.objects["A.table"],
        "mapping": {"title": "Title"},
    },
    "api:corpus_exports": lambda w: {"format": "scifact"},
    "api:claims_checks": lambda w: {
        "file": w.objects["A.table"],
        "format": "scifact",
    },
    "api:claims_exports": lambda w: {"format": "scifact"},
    "api:imports": lambda w: {"check_token": w.objects["A.check"]},
    "api:job": lambda w: {},
    "api:files": lambda w: {"file": _file()},
    "verification:make_baselines": lambda w: {},
    "verification:run_system": lambda w: {"system": "plain"},
    "verification_api:phase_submissions": lambda w: {"file": _predictions()},
    "verification_api:submit": lambda w: {"system": "Moss 2"},
    "verification_api:publish": lambda w: {"is_anonymous": False},
    "verification_api:withdraw": lambda w: {},
    "verification:find_evidence": lambda w: _claim(w),
    "verification:keep_evidence": lambda w: {},
    "verification:release_evidence": lambda w: {},
    "verification:mark_evidence": lambda w: {"document": "11", "plausible": "yes"},
    "verification:new_claim_batch": lambda w: {
        "name": "Spring",
        "corpus": w.objects["corpusP"],
        "system": "plain",
        "claims": "Tea helps.",
    },
    "verification_api:evidence": lambda w: _claim(w),
    "verification_api:keep_evidence": lambda w: {},
    "verification_api:evidence_marks": lambda w: {
        "document": "11",
        "is_plausible": True,
    },
    "verification_api:claim_batches": lambda w: {
        "name": "Spring",
        "corpus": w.objects["corpusP"],
        "system": "plain",
        "claims": [{"claim": "Tea helps.", "id": "a"}],
    },
}
