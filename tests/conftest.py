"""What every test gets: a sealed network, Chromium's options, our own broker."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.accessibility import DESK, PHONE
from tests.emptying import quick_emptying
from tests.processes import Worker, running_worker

CHROMIUM = "/usr/bin/chromium"
CHROMIUM_ARGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
# Playwright's event loop lives in the thread that also asks the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
# What a page shows is awaited, however busy the machine is.
expect.set_options(timeout=20_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ask for Chromium in every browser test."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.usefixtures("_needs_chromium"))


def skip_or_fail(reason: str) -> None:
    """Skip a test whose surroundings are missing; where CI is set, that is a fault."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def _quick_emptying() -> Iterator[None]:
    """Empty only tables with rows after a test that commits."""
    with quick_emptying():
        yield


@pytest.fixture(scope="session")
def _needs_chromium() -> None:
    """Skip browser tests, loudly, on a machine without Debian's Chromium."""
    if not shutil.which(CHROMIUM):
        skip_or_fail(f"browser tests need {CHROMIUM}: apt-get install chromium")


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any],
) -> dict[str, Any]:
    """Drive Debian's Chromium; Playwright's own download is not used."""
    return {
        **browser_type_launch_args,
        "executable_path": CHROMIUM,
        "chromium_sandbox": False,
        "args": CHROMIUM_ARGS,
    }


@pytest.fixture(scope="session")
def real_broker() -> Iterator[str]:
    """Run a real broker for this process: the configured one, else our own Valkey."""
    from django.conf import settings

    from config.broker import is_own_broker, own_broker
    from config.celery import app

    data_dir = Path(settings.DATA_DIR)
    if is_own_broker():
        with own_broker(data_dir) as url:
            yield url
    else:
        app.control.purge()
        yield settings.BROKER_URL


@pytest.fixture
def queued_tasks(real_broker: str) -> Iterator[None]:
    """Send tasks to the real broker, instead of running them in the caller."""
    from config.celery import app

    app.conf.task_always_eager = False
    yield
    app.control.purge()
    app.conf.task_always_eager = True


@pytest.fixture
def worker(
    transactional_db: None, queued_tasks: None, tmp_path: Path
) -> Iterator[Worker]:
    """Run a real Celery worker process on the test database."""
    with running_worker(tmp_path / "worker.log") as process:
        yield process


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def screen(request: pytest.FixtureRequest) -> tuple[int, int]:
    """The size of a window."""
    size: tuple[int, int] = request.param
    return size


@pytest.fixture(params=["light", "dark"])
def themed_page(
    request: pytest.FixtureRequest, browser: Browser, screen: tuple[int, int]
) -> Iterator[Page]:
    """A page on the given screen whose system theme is light or dark."""
    width, height = screen
    context = browser.new_context(
        color_scheme=request.param, viewport={"width": width, "height": height}
    )
    yield context.new_page()
    context.close()
