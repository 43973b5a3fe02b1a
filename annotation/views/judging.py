"""What the page that verifies a pair shows, as a whole and as a piece."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.utils.text import get_text_list

from annotation.access import ProjectAccess
from annotation.forms.judging import FlagForm, JudgeForm
from annotation.guideline_parts import verifying_part
from annotation.markdown import render_with_headings
from annotation.models import Draft, Pair, Stage
from annotation.protocols import RationaleRule, SuggestionPolicy
from annotation.selectors import verifying
from annotation.selectors.queue import left_for
from annotation.services.drafts import own_draft
from annotation.services.judgement_withdrawals import last_untouched
from annotation.services.keys import key_settings
from annotation.services.suggestions import offer_suggestion, standing_offer
from annotation.shortcuts import DEFAULT_KEYS, letters_of_actions, sentence_tags
from annotation.skip_reasons import reasons_to_skip
from annotation.views.pages import render_project
from annotation.views.shown_suggestions import ShownSuggestion, suggestion_of
from corpus.exceptions import StaleStateError
from corpus.models import User

GONE = "That pair is no longer waiting for you."


def is_piece(request: HttpRequest) -> bool:
    """Whether the page's own module asks, for a piece of the page."""
    return request.headers.get("HX-Request") == "true"


def refuse(request: HttpRequest, slug: str, words: str) -> HttpResponse:
    """Say why a pair is not to be had; the page's module keeps what was filled in."""
    if is_piece(request):
        return HttpResponse(words, status=409, content_type="text/plain; charset=utf-8")
    messages.info(request, words)
    return redirect("annotation:verify_pairs", slug)


def show_pair(
    request: HttpRequest,
    access: ProjectAccess,
    pair: Pair,
    form: JudgeForm | None = None,
) -> HttpResponse:
    """Show the whole page of one pair."""
    context = {**page_context(access), **item_context(access, pair, form)}
    return render_project(request, access, "annotation/verify_pair.html", context)


def judge_form(
    access: ProjectAccess,
    pair: Pair,
    *,
    sent: QueryDict | None = None,
    initial: dict[str, Any] | None = None,
) -> JudgeForm:
    """Return the form of a pair, with what was sent or kept."""
    return JudgeForm(
        sent,
        initial=initial or {},
        rules=access.project.rules,
        labels=[(c.label.value, c.word) for c in access.project.labels],
        sentences=pair.document.sentences,
        user=access.account,
    )


def item_context(
    access: ProjectAccess,
    pair: Pair,
    form: JudgeForm | None = None,
    *,
    besides: int | None = None,
) -> dict[str, Any]:
    """Everything that the piece of one pair needs; ``besides`` is what comes before."""
    draft = own_draft(access.account, Draft.Kind.VERIFY, pair.pk)
    form = form or judge_form(access, pair, initial=draft.content if draft else None)
    keys, rules = help_keys(access.account), access.project.rules
    tags = sentence_tags(len(form.sentences), keys or DEFAULT_KEYS)
    flag = verifying.own_flag(access, pair)
    return {
        "pair": pair,
        "project": access.project,
        "form": form,
        "rows": form.sentence_rows(tags),
        "missing_tags": _missing_tags(tags, keys),
        "labels": form.label_buttons(keys),
        "keys": keys,
        "keys_json": json.dumps(keys),
        "draft_version": draft.version if draft else 0,
        "rules": rules,
        "has_rationales": rules.has_rationales,
        "has_several": rules.rationales is RationaleRule.ALL,
        "flag": flag,
        "policy": rules.suggestion_policy.value,
        "suggestion": shown_suggestion(access, pair),
        "left": left_for(access, Stage.VERIFY, besides=besides),
        "skip_reasons": reasons_to_skip(Stage.VERIFY),
        "flag_form": FlagForm(initial={"note": flag.note if flag else ""}),
    }


def shown_suggestion(access: ProjectAccess, pair: Pair) -> ShownSuggestion | None:
    """The suggestion that the reader may see now; where it is shown at once, that is
    the moment from which it counts as shown.
    """
    offer = standing_offer(pair, access.account)
    policy = access.project.rules.suggestion_policy
    if offer is None and policy is SuggestionPolicy.ALWAYS:
        with suppress(StaleStateError):  # retired while the page is made
            offer = offer_suggestion(pair=pair, annotator=access.account)
    if offer is None or offer.suggestion is None:
        return None
    keys = help_keys(access.account)
    has_tags = keys and access.project.rules.has_rationales
    count = len(pair.document.sentences)
    return suggestion_of(
        offer,
        offer.suggestion,
        access.project.labels,
        sentence_tags(count, keys) if has_tags else [],
    )


def _missing_tags(tags: list[str], keys: dict[str, str]) -> str:
    """The letters, in words, that somebody might look for among these tags."""
    letters = letters_of_actions(keys) if tags else []
    missing = [letter for letter in letters if letter.lower() < tags[-1][0]]
    return get_text_list(missing, "and")


def help_keys(user: User) -> dict[str, str]:
    """The keys that act for a person; none if they are switched off."""
    settings = key_settings(user)
    return settings.key_map if settings.is_on else {}


def page_context(access: ProjectAccess) -> dict[str, Any]:
    """What stands around the piece, once for all pairs."""
    guideline = access.project.guidelines.order_by("-version").first()
    text = guideline.text if guideline else ""
    html, headings = render_with_headings(text, "guideline")
    keys = help_keys(access.account)
    return {
        "key_letters": get_text_list(letters_of_actions(keys), "and"),
        # Sanitised, as on the guideline's own page.
        "guideline_html": SafeString(html),
        "headings": headings,
        "here": verifying_part(headings),
        "help_keys": keys,
        "last": last_untouched(access.project, access.account),
    }
