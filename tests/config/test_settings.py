"""The settings follow the environment, and refuse what they cannot understand."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.paths import REPO


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return a function that reads the settings afresh under given variables."""
    for name in ("DATABASE_URL", "CELERY_BROKER_URL", "SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLAIMDESK_DATA", str(tmp_path))

    def read_settings(**variables: str) -> dict[str, Any]:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(REPO / "config" / "settings.py"))

    return read_settings


@pytest.mark.parametrize(
    "url",
    [
        "claims.example.org",
        "ftp://claims.example.org",
        "https://",
        "https://claims.example.org/path",
        "https://user@claims.example.org",
        "https://claims.example.org:port",
        "https://[claims",
    ],
)
def test_a_public_url_must_be_a_scheme_and_a_host(read: Any, url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="PUBLIC_URL must look like"):
        read(PUBLIC_URL=url)


@pytest.mark.parametrize(
    "url", ["mysql://u:geheim@h/db", "postgres//h/db", "postgres://u:geheim@h:port/db"]
)
def test_a_database_url_must_be_understood_and_is_not_repeated(
    read: Any, url: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL must") as error:
        read(DATABASE_URL=url)
    assert "geheim" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "70000"),
        ("DEBUG", "perhaps"),
        ("UPLOAD_LIMIT_MB", "0"),
        ("LOG_FORMAT", "xml"),
        ("LOG_LEVEL", "LOUD"),
        ("EMAIL_PORT", "smtp"),
        ("GITHUB_CLIENT_ID", "without-secret"),
    ],
)
def test_nonsense_in_a_variable_is_named(read: Any, name: str, value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=name):
        read(**{name: value})


def test_without_any_variable_it_is_a_private_site_on_sqlite(
    read: Any, tmp_path: Path
) -> None:
    settings = read()
    assert settings["PUBLIC_URL"] == "http://localhost:8000"
    assert settings["DATABASES"]["default"]["NAME"] == str(
        tmp_path / "claimdesk.sqlite3"
    )
    assert settings["DEBUG"] is False
    assert settings["LOAD_DEMO"] is True
    assert settings["ACCOUNT_EMAIL_VERIFICATION"] == "optional"


def test_the_secret_key_is_made_once_and_private(read: Any, tmp_path: Path) -> None:
    key = read()["SECRET_KEY"]
    assert len(key) > 50
    assert read()["SECRET_KEY"] == key
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_one_public_url_drives_cookies_links_and_origins(read: Any) -> None:
    settings = read(PUBLIC_URL="https://claims.example.org/")
    assert settings["CSRF_TRUSTED_ORIGINS"] == ["https://claims.example.org"]
    assert "claims.example.org" in settings["ALLOWED_HOSTS"]
    assert settings["SESSION_COOKIE_SECURE"] is True
    assert settings["CSRF_COOKIE_SECURE"] is True
    assert settings["ACCOUNT_DEFAULT_HTTP_PROTOCOL"] == "https"


def test_a_public_site_starts_without_demo_accounts(read: Any) -> None:
    assert read(PUBLIC_URL="https://claims.example.org")["LOAD_DEMO"] is False


def test_postgresql_gets_a_pool_and_keeps_the_options_of_its_url(read: Any) -> None:
    settings = read(DATABASE_URL="postgres://u:p@db:5433/claims?sslmode=require")
    database = settings["DATABASES"]["default"]
    assert (database["HOST"], database["PORT"], database["NAME"]) == (
        "db",
        5433,
        "claims",
    )
    assert database["OPTIONS"]["sslmode"] == "require"
    assert database["OPTIONS"]["pool"]["max_size"] == 8


def test_a_broker_that_is_no_cache_leaves_the_cache_to_the_database(read: Any) -> None:
    cache = read(CELERY_BROKER_URL="amqp://guest@h//")["CACHES"]["default"]
    assert cache["BACKEND"].endswith("db.DatabaseCache")


def test_sign_in_providers_appear_only_with_their_keys(read: Any) -> None:
    assert read()["SOCIALACCOUNT_PROVIDERS"] == {}
    settings = read(
        ORCID_CLIENT_ID="a",
        ORCID_CLIENT_SECRET="b",
        OIDC_CLIENT_ID="c",
        OIDC_CLIENT_SECRET="d",
        OIDC_SERVER_URL="https://id.example.org",
    )
    assert set(settings["SOCIALACCOUNT_PROVIDERS"]) == {"orcid", "openid_connect"}
    assert "allauth.socialaccount.providers.orcid" in settings["INSTALLED_APPS"]
    assert "allauth.socialaccount.providers.github" not in settings["INSTALLED_APPS"]


def test_a_task_is_not_redelivered_before_its_time_limit(read: Any) -> None:
    settings = read()
    options = settings["CELERY_BROKER_TRANSPORT_OPTIONS"]
    assert options["visibility_timeout"] > settings["CELERY_TASK_TIME_LIMIT"]
    assert settings["CELERY_TASK_TIME_LIMIT"] > settings["CELERY_TASK_SOFT_TIME_LIMIT"]


@pytest.mark.processes
def test_a_public_site_passes_djangos_deployment_checks(tmp_path: Path) -> None:
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        "CLAIMDESK_DATA": str(tmp_path),
        "CLAIMDESK_ENV_FILE": os.devnull,
        "PUBLIC_URL": "https://claims.example.org",
    }
    result = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=REPO,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_the_example_file_names_every_variable_that_is_read() -> None:
    read_names: set[str] = set()
    for module in (REPO / "config").glob("*.py"):
        code = module.read_text(encoding="utf-8")
        read_names |= set(re.findall(r'\benv_[a-z]+\(\s*"([A-Z_]+)"', code))
    for provider in ("ORCID", "GITHUB", "OIDC"):
        read_names |= {f"{provider}_CLIENT_ID", f"{provider}_CLIENT_SECRET"}
    example = (REPO / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^# ([A-Z_]+)=", example, re.MULTILINE)) == read_names
