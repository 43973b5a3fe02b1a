"""Mail without a mail server: to the console and to files in the data folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.console import EmailBackend as ConsoleBackend
from django.core.mail.backends.filebased import EmailBackend as FileBackend
from django.core.mail.message import EmailMessage


class ConsoleAndFileBackend(BaseEmailBackend):
    """Shows each message on the console and keeps it under ``EMAIL_FILE_PATH``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.backends: list[BaseEmailBackend] = [ConsoleBackend(), FileBackend()]

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Hand every message to both; return how many there were."""
        for backend in self.backends:
            backend.send_messages(email_messages)
        return len(email_messages)
