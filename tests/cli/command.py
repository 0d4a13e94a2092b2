"""Runs ``mazurka`` as people do: as a separate process, with its exit status and both streams."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from ready import Ready

_ready: list[Ready] = []


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    status: int
    out: str
    err: str


def mazurka(*arguments: str | Path, timeout: float = 300, **environment: str) -> Ran:
    """Runs the installed package in a process that is forked from one with all of its modules (``ready``), or
    in a new one where that would make a difference; the timeout is for hangs only."""
    everything = {**os.environ, **environment}
    if not _ready:
        _ready.append(Ready())
        atexit.register(_ready[0].end)
    if not _ready[0].fits(everything):
        return started(*arguments, timeout=timeout, **environment)
    with TemporaryFile() as request, TemporaryFile() as out, TemporaryFile() as err:
        status = _ready[0].run(
            *(request, out, err, timeout),
            arguments=[str(argument) for argument in arguments],
            environment=everything,
            folder=os.getcwd(),
        )
        assert status is not None, f"it takes more than {timeout} s"
        said = []
        for stream in (out, err):
            stream.seek(0)
            said.append(stream.read().decode("utf-8").replace("\r\n", "\n"))
    return _checked(Ran(status, *said))


def started(*arguments: str | Path, timeout: float = 300, **environment: str) -> Ran:
    """Runs the installed package in a new process, by the interpreter of the tests."""
    done = subprocess.run(
        [sys.executable, "-m", "mazurka", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        env={**os.environ, **environment},
        check=False,
    )
    return _checked(Ran(done.returncode, done.stdout, done.stderr))


def _checked(ran: Ran) -> Ran:
    assert "Traceback" not in ran.err, ran.err
    return ran


def write(directory: Path, text: str, name: str = "program.c") -> Path:
    path = directory / name
    path.write_text(text, encoding="utf-8")
    return path
