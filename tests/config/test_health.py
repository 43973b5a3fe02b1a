"""The site says whether it lives, what keeps it from working, and its figures."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from config.celery import app
from corpus.models import User


@pytest.fixture
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing listens on port 1.
    monkeypatch.setattr(app.conf, "broker_write_url", "redis://127.0.0.1:1/0")


@pytest.mark.usefixtures("_no_broker")
def test_a_living_process_says_so_without_database_or_broker(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")


@pytest.mark.processes
@pytest.mark.django_db
@pytest.mark.usefixtures("real_broker")
def test_a_ready_site_names_what_it_has_tried(client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {"database": "ok", "broker": "ok", "migrations": "ok"}


@pytest.mark.django_db
@pytest.mark.usefixtures("_no_broker")
def test_a_missing_broker_is_named(client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["database"] == "ok"
    assert response.json()["broker"].startswith("cannot be reached")


@pytest.mark.django_db
@pytest.mark.usefixtures("_no_broker")
def test_a_missing_migration_is_named(client: Client) -> None:
    MigrationRecorder(connection).record_unapplied(
        "mfa", "0003_authenticator_type_uniq"
    )
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["migrations"] == "1 not applied; run manage.py migrate"


def test_health_pages_only_answer_reading(client: Client) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        assert client.post(path).status_code == 405


@pytest.mark.django_db
def test_metrics_are_shown_to_this_machine(client: Client) -> None:
    response = client.get("/metrics", REMOTE_ADDR="127.0.0.1")
    assert response.status_code == 200
    assert b"django_http_requests_total_by_method_total" in response.content


@pytest.mark.django_db
@pytest.mark.parametrize(
    "origin",
    [
        {"REMOTE_ADDR": "203.0.113.9"},
        # A proxy on this machine passed it on.
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "203.0.113.9"},
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": "for=203.0.113.9"},
    ],
)
def test_metrics_are_hidden_from_elsewhere_except_for_staff(
    client: Client, origin: dict[str, str]
) -> None:
    client.defaults.update(origin)
    assert client.get("/metrics").status_code == 403
    client.force_login(User.objects.create(username="member"))
    assert client.get("/metrics").status_code == 403
    client.force_login(User.objects.create(username="staff", is_staff=True))
    assert client.get("/metrics").status_code == 200
