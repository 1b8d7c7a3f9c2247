"""Progress line for terminals and notebooks."""

from __future__ import annotations

import sys
import time
from typing import Callable, Optional, TextIO

#: Time between two updates, in seconds.
INTERVAL = 0.1
WIDTH = 24

Show = Callable[[str, int, int, str], None]


class Bar:
    """A line ``stage  [####    ] 12/60  loss 1.23`` that is overwritten in place."""

    def __init__(self, stream: Optional[TextIO] = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._started = time.monotonic()
        self._drawn = 0.0
        self._length = 0

    def __call__(self, stage: str, done: int, total: int, words: str) -> None:
        now = time.monotonic()
        if now - self._drawn < INTERVAL:
            return
        self._drawn = now
        self._write(self._line(stage, done, total, words, now))

    def _line(self, stage: str, done: int, total: int, words: str, now: float) -> str:
        full = min(WIDTH, WIDTH * done // total) if total else 0
        bar = "#" * full + " " * (WIDTH - full)
        line = f"{stage:<28} [{bar}] {done}/{total}  {now - self._started:.1f} s"
        return f"{line}  {words}" if words else line

    def _write(self, line: str) -> None:
        # Spaces overwrite the rest of a longer line.
        self._stream.write("\r" + line + " " * max(0, self._length - len(line)))
        self._stream.flush()
        self._length = len(line)

    def close(self, words: str = "") -> None:
        """Write a last line, or none if nothing was drawn."""
        if self._length or words:
            seconds = time.monotonic() - self._started
            self._write(f"{words}  {seconds:.1f} s" if words else "")
            self._stream.write("\n")
            self._stream.flush()


def shown(verbose: object) -> Optional[Bar]:
    """Return a progress line if requested."""
    return Bar() if verbose else None
