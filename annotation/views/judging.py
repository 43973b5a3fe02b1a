"""What the page that verifies a pair shows, as a whole and as a piece."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest

from annotation.access import ProjectAccess
from annotation.forms.judging import FlagForm, JudgeForm
from annotation.models import Draft, Pair, Stage
from annotation.protocols import RationaleRule
from annotation.selectors import verifying
from annotation.services.drafts import own_draft
from annotation.services.judgement_withdrawals import last_untouched
from annotation.services.keys import key_settings
from annotation.shortcuts import DEFAULT_KEYS, sentence_tags
from annotation.skip_reasons import reasons_to_skip
from annotation.views.guidelines import safe_html
from corpus.models import User


def judge_form(
    request: HttpRequest,
    access: ProjectAccess,
    pair: Pair,
    initial: dict[str, Any] | None = None,
) -> JudgeForm:
    """Return the form of a pair, with what was sent or kept."""
    return JudgeForm(
        request.POST or None,
        initial=initial or {},
        rules=access.project.rules,
        labels=[(c.label.value, c.word) for c in access.project.labels],
        sentences=pair.document.sentences,
        user=access.account,
    )


def item_context(
    request: HttpRequest,
    access: ProjectAccess,
    pair: Pair,
    form: JudgeForm | None = None,
) -> dict[str, Any]:
    """Everything that the piece of one pair needs."""
    draft = own_draft(access.account, Draft.Kind.VERIFY, pair.pk)
    form = form or judge_form(request, access, pair, draft.content if draft else None)
    keys, rules = help_keys(access.account), access.project.rules
    flag = verifying.own_flag(access, pair)
    return {
        "pair": pair,
        "project": access.project,
        "form": form,
        "rows": form.sentence_rows(
            sentence_tags(len(form.sentences), keys or DEFAULT_KEYS)
        ),
        "labels": form.label_buttons(keys),
        "keys": keys,
        "keys_json": json.dumps(keys),
        "draft_version": draft.version if draft else 0,
        "rules": rules,
        "has_rationales": rules.rationales is not RationaleRule.NONE,
        "has_several": rules.rationales is RationaleRule.ALL,
        "flag": flag,
        "skip_reasons": reasons_to_skip(Stage.VERIFY),
        "flag_form": FlagForm(initial={"note": flag.note if flag else ""}),
    }


def help_keys(user: User) -> dict[str, str]:
    """The keys that act for a person; none if they are switched off."""
    settings = key_settings(user)
    return settings.key_map if settings.is_on else {}


def page_context(access: ProjectAccess) -> dict[str, Any]:
    """What stands around the piece, once for all pairs."""
    guideline = access.project.guidelines.order_by("-version").first()
    return {
        "guideline_html": safe_html(guideline.text) if guideline else "",
        "help_keys": help_keys(access.account),
        "last": last_untouched(access.project, access.account),
    }
