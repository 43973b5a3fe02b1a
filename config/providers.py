"""Sign-in with ORCID, GitHub or OpenID Connect: each on once its keys are set."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.env import env_str


def sign_in_providers() -> dict[str, dict[str, Any]]:
    """Return allauth's providers whose client id and secret are configured."""
    providers = {
        name: {"APPS": [{"client_id": client_id, "secret": secret}]}
        for name in ("orcid", "github")
        for client_id, secret in [_keys(name.upper())]
        if client_id
    }
    client_id, secret = _keys("OIDC")
    if client_id:
        providers["openid_connect"] = {"APPS": [_oidc_app(client_id, secret)]}
    return providers


def _keys(prefix: str) -> tuple[str, str]:
    """Return the client id and secret, both or neither."""
    client_id = env_str(f"{prefix}_CLIENT_ID")
    secret = env_str(f"{prefix}_CLIENT_SECRET")
    if bool(client_id) != bool(secret):
        raise ImproperlyConfigured(
            f"Set {prefix}_CLIENT_ID and {prefix}_CLIENT_SECRET together."
        )
    return client_id, secret


def _oidc_app(client_id: str, secret: str) -> dict[str, Any]:
    """Return the one OpenID Connect app."""
    server = env_str("OIDC_SERVER_URL")
    if not server.startswith("https://"):
        raise ImproperlyConfigured("OIDC_SERVER_URL must start with https://.")
    return {
        "provider_id": "oidc",
        "name": env_str("OIDC_NAME", "OpenID Connect"),
        "client_id": client_id,
        "secret": secret,
        "settings": {"server_url": server},
    }
