"""The compiler never outlives ``mazurka``, never makes it wait forever, and leaves no file behind.

The compiler here is a script that starts another process and waits, as the bundled one does.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command import mazurka, write

TRIVIAL = "int main(void) { return 0; }\n"
PATIENCE = 60.0  # seconds that a test waits for what must happen; nothing depends on how long it takes


def compiler(directory: Path, action: str, version: str = "echo clang version 22.0.0") -> Path:
    """A compiler that reports its version; when it should compile to ``$output``, it does something else."""
    script = directory / "cc"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *--version*) {version}; exit;; esac\n'
        f"for word; do output=$word; done\n{action}\n"
    )
    script.chmod(0o755)
    return script


def hanging(directory: Path) -> Path:
    """A compiler that reports the process ids of itself and its child, and does not end."""
    return compiler(
        directory,
        f"sleep 1000 & echo $$ $! > {directory}/numbers.tmp\n"
        f"mv {directory}/numbers.tmp {directory}/numbers\nwait",
    )


def is_running(number: int) -> bool:
    """Whether a process runs; one that ended and that nobody has waited for does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def wait_for(what: str, holds: Callable[[], bool]) -> None:
    for _ in range(int(PATIENCE / 0.02)):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError(what)


def started(directory: Path, *options: str) -> tuple[subprocess.Popen[bytes], list[int]]:
    """A check whose compiler hangs, and the numbers of the compiler's processes."""
    (directory / "tmp").mkdir()
    program = write(directory, TRIVIAL)
    # The signals may be ignored where the tests are run, and processes inherit that.
    signals = (
        "import signal, sys; [signal.signal(s, signal.SIG_DFL) for s in (signal.SIGHUP, signal.SIGTERM)]"
    )
    call = f"{signals}; signal.signal(signal.SIGINT, signal.default_int_handler)"
    call += "; from mazurka.__main__ import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", call, "check", program, "--cc", hanging(directory), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "TMPDIR": str(directory / "tmp")},
    )
    wait_for("the compiler starts", (directory / "numbers").exists)
    return process, [int(number) for number in (directory / "numbers").read_text().split()]


def assert_nothing_is_left(directory: Path, numbers: list[int]) -> None:
    wait_for("the compiler ends", lambda: not any(map(is_running, numbers)))
    wait_for("its folder goes away", lambda: not any((directory / "tmp").iterdir()))


@pytest.mark.parametrize("number", ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"])
def test_a_killed_check_takes_the_compiler_along(number: str, tmp_path: Path) -> None:
    process, numbers = started(tmp_path)
    assert all(map(is_running, numbers))
    process.send_signal(getattr(signal, number))
    said = process.communicate()[0].decode()
    assert "Traceback" not in said
    assert process.returncode == (-signal.SIGKILL if number == "SIGKILL" else 3), said
    assert_nothing_is_left(tmp_path, numbers)


def test_the_time_limit_counts_compiling(tmp_path: Path) -> None:
    process, numbers = started(tmp_path, "--time-limit", "0.5")
    said = process.communicate()[0].decode()
    assert process.returncode == 3
    assert said.startswith("Interrupted under rc11: ")
    assert "the time limit passed before the exploration began: the compiler was still running" in said
    assert_nothing_is_left(tmp_path, numbers)


def test_a_process_that_the_compiler_leaves_behind_ends(tmp_path: Path) -> None:
    action = f"sleep 1000 & echo $! > {tmp_path}/numbers; exit 1"
    ran = mazurka("check", write(tmp_path, TRIVIAL), "--cc", compiler(tmp_path, action))
    assert (ran.status, "[compile-error]" in ran.err) == (2, True)
    wait_for("it ends", lambda: not is_running(int((tmp_path / "numbers").read_text())))


BROKEN = {
    "garbage": "head -c 100000 /dev/urandom > $output",
    "text that is not IR": "echo hello > $output",
    "IR of another layout": """echo 'target datalayout = "zzz"' > $output""",
    "half of a function": "echo 'define i32 @main() { ret' > $output",
    "nothing": ": > $output",
    "no file": "exit 0",
    "a directory": "mkdir $output",
    "a FIFO": "mkfifo $output",
    "a failure without a word": "exit 9",
    "a crash": "kill -SEGV $$",
    "a removed folder": "rm -rf ${output%/*}",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_compiler_is_not_our_bug(kind: str, tmp_path: Path) -> None:
    ran = mazurka("check", write(tmp_path, TRIVIAL), "--cc", compiler(tmp_path, BROKEN[kind]))
    assert (ran.status, ran.out) == (2, ""), ran
    assert "hint: " in ran.err


def test_a_compiler_that_cannot_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mazurka.errors import ErrorCode, UsageError
    from mazurka.frontend import compile_program
    from mazurka.frontend.c import process

    monkeypatch.setattr(process, "_SHELL", str(tmp_path / "absent"))
    with pytest.raises(UsageError) as caught:
        compile_program(write(tmp_path, TRIVIAL))
    assert caught.value.code == ErrorCode.BAD_COMPILER


def test_a_compiler_that_does_not_say_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mazurka.errors import ErrorCode, UsageError
    from mazurka.frontend.c import compiler as room

    monkeypatch.setattr(room, "_VERSION_SECONDS", 0.5)
    named = str(compiler(tmp_path, "", version="sleep 1000"))
    with pytest.raises(UsageError) as caught:
        room.Compiler(named)
    assert caught.value.code == ErrorCode.BAD_COMPILER


@pytest.mark.parametrize("options", [[], ["--no-cache"]])
def test_a_check_leaves_no_file_of_the_compiler(options: list[str], tmp_path: Path) -> None:
    program = write(tmp_path, TRIVIAL)
    for folder in ("tmp", "home", "cache"):
        (tmp_path / folder).mkdir()
    ran = mazurka(
        "check",
        *options,
        program,
        TMPDIR=str(tmp_path / "tmp"),
        HOME=str(tmp_path / "home"),
        XDG_CACHE_HOME=str(tmp_path / "cache"),
    )
    assert ran.status == 0
    kept = {path.name for path in (tmp_path / "cache").iterdir()}
    assert kept == (set() if options else {"mazurka"})
    assert not any((tmp_path / "tmp").iterdir())
    assert not any((tmp_path / "home").iterdir())


def test_a_check_needs_no_home(tmp_path: Path) -> None:
    program = write(tmp_path, TRIVIAL)
    done = subprocess.run(
        [sys.executable, "-m", "mazurka", "check", program],
        env={"PATH": os.environ["PATH"], "MAZURKA_CACHE": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
