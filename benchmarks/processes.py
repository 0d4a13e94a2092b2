"""Runs other processes and says what they took.

CPU seconds are those of the process and of all that it started and waited for. Its peak memory is the
kernel's figure, which on Linux is at least what this process had when it started the other.
"""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter


class WrongAnswerError(Exception):
    """An answer that is not the expected one: the thesis's of a claim, or a shape's of a loop."""


@dataclass(frozen=True)
class Process:
    """What one process printed and took."""

    status: int
    output: str
    wall: float
    cpu: float
    peak_kib: int


def run_process(command: Sequence[str], *, quiet: bool = False, most_seconds: int | None = None) -> Process:
    """Runs a command to its end or its limit of CPU seconds; with ``quiet``, its errors are not shown."""
    start = perf_counter()
    errors = subprocess.DEVNULL if quiet else None

    def limit() -> None:
        if most_seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (most_seconds, most_seconds))

    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=errors, text=True, preexec_fn=limit
    ) as process:
        assert process.stdout is not None, "it was asked for"
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    return Process(process.returncode, output, perf_counter() - start, cpu, usage.ru_maxrss)
