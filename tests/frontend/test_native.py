"""A single-threaded program prints the same in the VM and when compiled natively."""

from __future__ import annotations

import subprocess
from pathlib import Path

import mazurka
import pytest
from mazurka.frontend.c import compiler as bundled
from profiles import amount, some

from .randomprograms import random_program

PROGRAMS = sorted((Path(__file__).parent / "native").glob("*.c"))
BATCH = 50  # programs in one file, which share the time that compilers take to start
COUNT = amount(250, 20_000)


def native_output(path: Path, directory: Path) -> str:
    binary = directory / "program"
    compiler = [str(Path(bundled.zig_directory()) / "zig"), "cc", "-O0", "-w", "-fwrapv", "-ffp-contract=off"]
    flags = ["-fno-sanitize=undefined", "-lm", "-lpthread"]
    subprocess.run([*compiler, *flags, str(path), "-o", str(binary)], check=True)
    return subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout


def checked_output(path: Path) -> str:
    outcome = mazurka.check(path, verbose=True)
    assert outcome.violation is None
    assert outcome.complete == 1
    return "".join(text for _, text in outcome.output)


@pytest.mark.parametrize("path", some(PROGRAMS, every=5), ids=lambda path: path.stem)
def test_prints_the_same_as_natively(path: Path, tmp_path: Path) -> None:
    assert checked_output(path) == native_output(path, tmp_path)


@pytest.mark.parametrize("start", range(0, COUNT, BATCH))
def test_random_programs_print_the_same_as_natively(start: int, tmp_path: Path) -> None:
    path = tmp_path / "random.c"
    path.write_text(random_program(range(start, start + BATCH)))
    assert checked_output(path) == native_output(path, tmp_path)


def test_covers_the_language() -> None:
    assert len(PROGRAMS) >= 30
