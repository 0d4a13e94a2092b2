"""A single-threaded program prints the same in the VM and when compiled natively."""

from __future__ import annotations

import subprocess
from pathlib import Path

import mazurka
import pytest
from mazurka.frontend import driver

PROGRAMS = sorted((Path(__file__).parent / "native").glob("*.c"))


def native_output(path: Path, directory: Path) -> str:
    binary = directory / "program"
    compiler = [str(Path(driver.zig_directory()) / "zig"), "cc", "-O0", "-w", "-fno-sanitize=undefined"]
    subprocess.run([*compiler, str(path), "-o", str(binary), "-lm", "-lpthread"], check=True)
    return subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_prints_the_same_as_natively(path: Path, tmp_path: Path) -> None:
    outcome = mazurka.check(path, verbose=True)
    assert outcome.violation is None
    assert outcome.complete == 1
    assert "".join(text for _, text in outcome.output) == native_output(path, tmp_path)


def test_covers_the_language() -> None:
    assert len(PROGRAMS) >= 28
