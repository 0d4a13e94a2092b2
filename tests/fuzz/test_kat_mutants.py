"""Mutated model files through every command that reads one: an answer or an error, never a crash.

Each command runs in a forked process of its own, whose time and memory are limited and measured. ``slow``
tries 5 000 mutants; a failure prints the seed, and ``kat_mutants.mutant(seed)`` draws the file again.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kat_mutants import mutant
from mazurka import cli
from profiles import PROFILE

COUNT = {"quick": 8, "ci": 100, "slow": 5_000}[PROFILE]
PARTS = 4  # tests that share the mutants, so that several processes can run them
MOST_BYTES = 2 << 30
MOST_PROCESSOR = 30  # seconds, after which the system ends the command by a signal
ALLOWED = {0, 1, 2, 3}
PROGRAM = "#include <stdatomic.h>\natomic_int x;\nint main(void) { x = 1; return x; }\n"


def commands(model: str, program: str) -> Iterator[list[str]]:
    limit = ["--time-limit", "5"]
    yield ["check", "--no-cache", *limit, "--model", model, program]
    yield ["check", "--no-cache", *limit, "--unchecked-model", "--model", model, program]
    yield ["models", model]
    yield ["models", "--explain", model]
    yield ["prove", *limit, model]


def run_apart(arguments: list[str], output: Path) -> tuple[int, int]:
    """The exit status of a command (negative: a signal) and its bytes of memory."""
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_PROCESSOR, MOST_PROCESSOR))
            to = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(to, 1)
            os.dup2(to, 2)
            sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
            status = cli.main(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
        except BaseException as error:
            os.write(2, f"Traceback: {error!r}".encode())
            status = 99
        os._exit(status)
    _, code, used = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(code), used.ru_maxrss << 10


@pytest.mark.parametrize("part", range(PARTS))
def test_no_mutated_model_crashes_a_command(part: int, tmp_path: Path) -> None:
    model, program, output = tmp_path / "mutant.kat", tmp_path / "program.c", tmp_path / "output"
    program.write_text(PROGRAM, encoding="utf-8")
    wrong = []
    for seed in range(part, COUNT, PARTS):
        model.write_bytes(mutant(seed))
        for arguments in commands(str(model), str(program)):
            status, memory = run_apart(arguments, output)
            said = output.read_text(encoding="utf-8", errors="replace")
            if status not in ALLOWED or "Traceback" in said or memory > MOST_BYTES:
                wrong.append((seed, arguments[:2], status, memory >> 20, said[-400:]))
    assert not wrong
