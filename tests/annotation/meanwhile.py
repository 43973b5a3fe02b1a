"""Work done from a second connection at the worst moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from django.db import connection, connections


@contextmanager
def right_after(select: str, work: Callable[[], object]) -> Iterator[list[str]]:
    """Do the work elsewhere once a statement with these words has been executed."""
    faults: list[str] = []
    done: list[bool] = []
    threads: list[Thread] = []

    def elsewhere() -> None:
        try:
            work()
        except Exception as error:
            faults.append(repr(error))
        finally:
            connections.close_all()

    def watch(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if select in str(sql) and not done:
            done.append(True)
            thread = Thread(target=elsewhere)
            thread.start()
            thread.join(timeout=2)  # or it waits for this connection
            threads.append(thread)
        return result

    with connection.execute_wrapper(watch):
        yield faults
    assert done, "the statement was never executed"
    for thread in threads:
        thread.join(timeout=30)
