"""Submitting an answer from the page: the judgement and the time that it took."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from django.db import transaction

from annotation.models import Judgement, Pair, Stage
from annotation.seconds import Seconds
from annotation.services.judgements import Answer, submit_judgement
from annotation.services.work_time import record_time
from corpus.models import User


@transaction.atomic
def submit_answer(
    *,
    pair: Pair,
    annotator: User,
    answer: Answer,
    submission_key: uuid.UUID,
    seconds: Seconds,
    taken: Collection[str] = (),
) -> Judgement:
    """Submit a judgement and count its time, once however often the form comes."""
    judgement = submit_judgement(
        pair=pair,
        annotator=annotator,
        answer=answer,
        submission_key=submission_key,
        seconds=seconds,
        taken=taken,
    )
    record_time(
        project=pair.project,
        person=annotator,
        stage=Stage.VERIFY,
        item_id=pair.pk,
        seconds=seconds,
        submission_key=submission_key,
    )
    return judgement
