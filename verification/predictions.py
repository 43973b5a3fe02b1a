"""Opening uploaded files for the scorer, also gzip-compressed ones. Pure.

What a compressed file expands to is bounded and never held in memory: a gigabyte
of zeros in a megabyte of gzip is refused when it passes the limit. The number of lines
is bounded, too, since a few bytes for each of a billion lines would take an hour.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, BinaryIO, cast

from corpus.formats.base import FormatError, Problem
from verification.scoring.reading import Source

EXPANDED_LIMIT = 512 * 1024 * 1024
"""So many bytes may a compressed file expand to."""

LINES_LIMIT = 500_000
"""So many lines may predictions have."""

_BLOCK = 1024 * 1024

OnRead = Callable[[int], None]
"""Is told the number of bytes of each block that is read."""


class _Bounded(io.RawIOBase):
    """A file as far as its limits; ``FormatError`` where it cannot go on."""

    def __init__(
        self,
        file: BinaryIO,
        content: BinaryIO,
        limits: Limits,
        on_read: OnRead | None,
    ) -> None:
        self._file = file
        self._content = content
        self._limits = limits
        self._on_read = on_read
        self._bytes = self._lines = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._content.read(len(buffer))
        except (OSError, EOFError, zlib.error) as error:
            raise FormatError(
                Problem(
                    f"The gzip file is damaged or cut off: {error}. Pack it again.",
                    expected="a whole gzip file",
                )
            ) from error
        self._bytes += len(data)
        if self._on_read is not None:
            self._on_read(len(data))
        self._lines += data.count(b"\n")
        self._limits.check(self._bytes, self._lines)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a file may hold; ``None`` is no limit."""

    expanded: int | None = None
    lines: int | None = None

    def check(self, n_bytes: int, n_lines: int) -> None:
        """Raise ``FormatError`` for more than that."""
        if self.expanded is not None and n_bytes > self.expanded:
            raise FormatError(Problem(_too_large(self.expanded)))
        if self.lines is not None and n_lines > self.lines:
            message = f"The file has more than {self.lines:,} lines, the limit."
            raise FormatError(Problem(message))


def _too_large(limit: int) -> str:
    megabytes = limit // (1024 * 1024)
    return f"The compressed file expands to more than {megabytes:,} MB, the limit."


def is_gzip(file: IO[bytes]) -> bool:
    """Return whether a file that was just opened is compressed."""
    return file.read(2) == b"\x1f\x8b"


def source_of(
    name: str,
    open_file: Callable[[], BinaryIO],
    limit: int = EXPANDED_LIMIT,
    max_lines: int | None = None,
    on_read: OnRead | None = None,
) -> Source:
    """Return the source of an upload; gzip is known by its content, not its name.

    ``limit`` bounds the bytes that a compressed file expands to. A file that passes
    a limit, or is damaged, ends in an error of the whole file.
    """

    def open_expanded() -> BinaryIO:
        # Opened anew, since not every stream can be turned back.
        with open_file() as file:
            is_packed = is_gzip(file)
        file = open_file()
        limits = Limits(limit if is_packed else None, max_lines)
        content = gzip.GzipFile(fileobj=file) if is_packed else file
        bounded = _Bounded(file, cast(BinaryIO, content), limits, on_read)
        return cast(BinaryIO, io.BufferedReader(bounded, _BLOCK))

    return Source(name, open_expanded)
