"""The load of ``benchmarks.web``: people who verify, each with a session of their own.

``python -m benchmarks.web_load PORT SESSIONS PEOPLE SECONDS THINK`` prints one JSON
object. Only the standard library, so that the load itself costs little.
"""

from __future__ import annotations

import http.client
import json
import random
import statistics
import sys
import threading
import time
import uuid
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode, urlsplit

REDIRECTS = {301, 302, 303}


class Forms(HTMLParser):
    """The form of a page that submits a judgement: its address and hidden fields."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str], set[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note forms and the fields in them."""
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((values.get("action", ""), {}, set()))
        elif self.forms and values.get("name"):
            self.forms[-1][2].add(values["name"])
            if values.get("type") == "hidden":
                self.forms[-1][1][values["name"]] = values.get("value", "")

    def answer(self) -> tuple[str, dict[str, str]] | None:
        """The address and hidden fields of the form that takes a label."""
        for action, hidden, names in self.forms:
            if {"submission_key", "label"} <= names:
                return action, hidden
        return None


class Person:
    """A browser with a session; its redirects go through one connection."""

    def __init__(self, port: int, session: str, start: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.cookies = {"sessionid": session}
        self.start = start
        self.times: list[float] = []
        self.errors = 0

    def work(self, until: float, think: float) -> None:
        """Verify until the time is over; the first page is not measured."""
        time.sleep(random.random() * think)
        address, page = self._get(self.start)
        while time.monotonic() < until:
            time.sleep(think)
            forms = Forms()
            forms.feed(page)
            if (form := forms.answer()) is None:
                self.errors += 1
                address, page = self._get(self.start)
                continue
            action, hidden = form
            body = {
                **hidden,
                "submission_key": hidden.get("submission_key") or str(uuid.uuid4()),
                "label": "NOT_ENOUGH_INFO",
            }
            began = time.monotonic()
            address, page = self._send("POST", action or address, urlencode(body))
            self.times.append(time.monotonic() - began)

    def _get(self, address: str) -> tuple[str, str]:
        return self._send("GET", address, None)

    def _send(self, method: str, address: str, body: str | None) -> tuple[str, str]:
        """Send a request, follow redirects, and return the page that came.

        The server has closed the connection while the person thought.
        """
        self.connection.close()
        for _ in range(6):
            headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
            if body is not None:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
                headers["Origin"] = f"http://localhost:{self.connection.port}"
            self.connection.request(method, address, body, headers)
            response = self.connection.getresponse()
            page = response.read().decode()
            for cookie in response.headers.get_all("Set-Cookie") or ():
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            if response.status not in REDIRECTS:
                self.errors += response.status != 200
                return address, page
            address = urlsplit(response.headers["Location"]).path
            method, body = "GET", None
        self.errors += 1
        return address, page


def main(port: str, sessions: str, people: str, seconds: str, think: str) -> None:
    """Let everybody work at once, and print what it took."""
    known = json.loads(Path(sessions).read_text(encoding="utf-8"))
    crowd = [
        Person(int(port), session, known["start"])
        for session in known["sessions"][: int(people)]
    ]
    began, cpu = time.monotonic(), time.process_time()
    until = began + float(seconds)
    threads = [
        threading.Thread(target=person.work, args=(until, float(think)))
        for person in crowd
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wall = time.monotonic() - began
    times = sorted(t for person in crowd for t in person.times)
    result = {
        "submits": len(times),
        "p50": statistics.median(times),
        "p95": times[min(len(times) - 1, int(0.95 * len(times)))],
        "per_second": len(times) / wall,
        "errors": sum(person.errors for person in crowd),
        "generator_cpu": (time.process_time() - cpu) / wall,
    }
    sys.stdout.write(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
