"""The description of the API: complete, without warnings, and shown on a page."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import URLPattern, reverse
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from annotation.api import urls
from annotation.api.docs import description, operations, shapes, values
from tests.annotation.api.client import ROOT
from verification.api import urls as verification_urls

UNDESCRIBED = {"schema", "unknown"}


def test_the_description_is_made_without_warnings() -> None:
    GENERATOR_STATS.reset()
    with GENERATOR_STATS.silence():
        schema = SchemaGenerator().get_schema(  # type: ignore[no-untyped-call]
            request=None, public=True
        )
    assert not GENERATOR_STATS._warn_cache
    assert not GENERATOR_STATS._error_cache
    validate_schema(schema)  # type: ignore[no-untyped-call]


def test_every_address_and_method_is_described() -> None:
    described = {
        (path, method.lower())
        for path, methods in description()["paths"].items()
        for method in methods
    }
    expected = set()
    for pattern in (*urls.urlpatterns, *verification_urls.urlpatterns):
        assert isinstance(pattern, URLPattern)
        if pattern.name in UNDESCRIBED:
            continue
        route = str(pattern.pattern)
        for converter in ("int", "slug", "str"):
            route = route.replace(f"<{converter}:", "{")
        route = f"{ROOT}/{route.replace('>', '}')}"
        view = pattern.callback.view_class  # type: ignore[attr-defined]
        for method in ("get", "post", "put", "patch", "delete"):
            if hasattr(view, method):
                expected.add((route, method))
    assert described == expected


def test_every_operation_says_what_it_does_and_which_scope_it_needs() -> None:
    for path, methods in description()["paths"].items():
        for method, node in methods.items():
            assert node["summary"], (method, path)
            assert "needs the scope `" in node["description"]
            assert node["tags"][0], (method, path)
            assert "4XX" in node["responses"]


@pytest.mark.django_db
def test_programs_read_the_description_without_an_account() -> None:
    response = Client().get(f"{ROOT}/schema")
    assert response["Content-Type"] == "application/json"
    assert response.json()["openapi"].startswith("3.")


@pytest.mark.django_db
def test_the_page_shows_every_operation_shape_and_value() -> None:
    response = Client().get(reverse("api_docs"))
    page = response.content.decode()
    schema = description()
    for entries in operations(schema).values():
        for entry in entries:
            assert f'id="{entry.id}"' in page
    for name in (*shapes(schema), *values(schema)):
        assert f'id="shape-{name}"' in page
    assert "<script>" not in page
    assert " style=" not in page


@pytest.mark.django_db
def test_every_link_on_the_page_leads_somewhere() -> None:
    page = Client().get(reverse("api_docs")).content.decode()
    ids = set(re.findall(r'id="([^"]+)"', page))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links - ids == set()
