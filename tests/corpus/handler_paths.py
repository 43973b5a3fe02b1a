"""Where the handlers of tests are; settings can import this, for it needs no models."""

from __future__ import annotations

HANDLERS = {
    name: f"tests.corpus.job_handlers:{name}"
    for name in (
        "count",
        "refuse",
        "fail",
        "count_then_fail",
        "count_then_wait",
        "wait_then_count",
        "quote",
    )
}
