"""Runs ``mazurka`` as people do: as a separate process, with its exit status and both streams."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    status: int
    out: str
    err: str


def mazurka(*arguments: str | Path, timeout: float = 300, **environment: str) -> Ran:
    """Runs the installed package in the interpreter of the tests; the timeout is for hangs only."""
    done = subprocess.run(
        [sys.executable, "-m", "mazurka", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        env={**os.environ, **environment},
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


def write(directory: Path, text: str, name: str = "program.c") -> Path:
    path = directory / name
    path.write_text(text, encoding="utf-8")
    return path
