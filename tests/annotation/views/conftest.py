"""Somebody's browser without a browser, signed in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from corpus.models import User

SignIn = Callable[[User], Client]


@pytest.fixture
def sign_in() -> SignIn:
    """Return a client in which a person is signed in."""

    def client_of(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return client_of
