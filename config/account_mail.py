"""What mails about accounts say: the site's own address, whatever was asked for."""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin, urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings

from corpus.account_words import in_our_words


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sends links that lead to ``PUBLIC_URL``.

    Who asks for somebody's new password chooses the Host header. Even among the
    allowed ones, a link with another host or port could lead to another server.
    """

    def send_mail(self, template_prefix: str, email: str, context: Any) -> None:
        """Send one mail, its links made public."""
        links = {
            name: _public(value)
            for name, value in context.items()
            if name.endswith("_url")
        }
        site = {"name": "Claimdesk", "domain": urlsplit(settings.PUBLIC_URL).netloc}
        values = context | links | {"current_site": site}
        super().send_mail(template_prefix, email, values)

    def format_email_subject(self, subject: str) -> str:
        """Return the subject of one mail, in the words of the pages."""
        return in_our_words(super().format_email_subject(subject))


def _public(link: str) -> str:
    parts = urlsplit(link)
    return urljoin(settings.PUBLIC_URL, parts._replace(scheme="", netloc="").geturl())
