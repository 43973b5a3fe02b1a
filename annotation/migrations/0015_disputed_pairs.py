from typing import Any

from django.db import migrations
from django.db.models import Count, Q

from annotation.disputes import conflict


def _answer(judgement: Any) -> tuple[str, set[int]]:
    rationales = judgement.rationales.values_list("sentences", flat=True)
    return judgement.label, {n for sentences in rationales for n in sentences}


def mark(apps: Any, schema_editor: Any) -> None:
    """Pairs whose approved judgements disagree waited as if for review."""
    pairs = apps.get_model("annotation", "Pair")
    standing = Q(judgements__slot__isnull=False)
    found = pairs.objects.filter(state="judged").annotate(
        n=Count("judgements", filter=standing),
        ready=Count("judgements", filter=standing & Q(judgements__state="approved")),
    )
    for pair in found.filter(n__gt=1).iterator(chunk_size=500):
        if pair.ready == pair.n:
            judgements = pair.judgements.exclude(slot=None)
            _move(apps, pair, "disputed", conflict([_answer(j) for j in judgements]))


def unmark(apps: Any, schema_editor: Any) -> None:
    pairs = apps.get_model("annotation", "Pair")
    for pair in pairs.objects.filter(state="disputed").iterator(chunk_size=500):
        _move(apps, pair, "judged", 0)
    _give_to_annotators(apps)


def _give_to_annotators(apps: Any) -> None:
    """Before, nobody knew an adjudicator's answer: its writer counts as its annotator.

    One answer for each person and pair was the rule then too, so that none can clash.
    """
    judgements = apps.get_model("annotation", "Judgement")
    for judgement in list(judgements.objects.filter(origin="adjudicator")):
        judgements.objects.filter(pk=judgement.pk).update(origin="annotator")
        apps.get_model("corpus", "Event").objects.create(
            noun="judgement",
            object_id=judgement.pk,
            verb="change_origin",
            project_id=judgement.pair.project_id,
            from_state=judgement.state,
            to_state=judgement.state,
            payload={"set": {"origin": "annotator"}},
        )


def _move(apps: Any, pair: Any, state: str, value: int) -> None:
    old = pair.state
    apps.get_model("annotation", "Pair").objects.filter(pk=pair.pk).update(
        state=state, conflict=value
    )
    apps.get_model("corpus", "Event").objects.create(
        noun="pair",
        object_id=pair.pk,
        verb="settle",
        project_id=pair.project_id,
        from_state=old,
        to_state=state,
        payload={"set": {"conflict": value}},
    )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0014_adjudications"),
        ("corpus", "0006_merge_search_entries_later"),
    ]

    operations = [migrations.RunPython(mark, unmark)]
