"""Runs ``mazurka check`` on many mutants and reports which of them went wrong.

Each check runs in a process that is forked from one which has loaded everything: its exit status, signals,
time and memory are its own, and starting it costs little. Most mutants are not C any more. One run of the
compiler finds these in many files at once, and of them only a share is checked, because they differ only in
what the compiler says. The slow profile checks all of them.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from mazurka.frontend.c.compiler import Compiler, compiler_environment
from mazurka.frontend.c.driver import FLAGS, HEADERS, TARGET
from mutants import mutant, sources
from profiles import SLOW

MEMORY_LIMIT = "1G"
MOST_BYTES = 2 << 30
MOST_PROCESSOR = 30.0  # seconds of the processor, which do not depend on how busy the machine is
PATIENCE = 120.0  # after which a check that does not end is ended
OPTIONS: tuple[list[str], ...] = (
    *(
        [],
        [],
        [],
        ["--unroll", "2"],
        ["--unroll", "5"],
        ["--model", "sc"],
        ["--model", "tso"],
        ["--model", "pso"],
    ),
    *(
        ["--equivalence", "rf"],
        ["--verbose"],
        ["--json", "-"],
        ["--verbose", "--json", "-"],
        ["--workers", "2"],
    ),
    *(["--schedule-seed", "3"], ["--", "-O2"], ["--", "-std=c99"], ["--", "-Wall"]),
)
ALLOWED = {0, 1, 2, 3}
_FATAL = re.compile(rb"^\d+\.c:\d+:\d+: fatal error:", re.M)
_ERROR = re.compile(rb"^(\d+)\.c:\d+:\d+: (?:fatal )?error:", re.M)
BATCH = 25
SHARE = 1 if SLOW else 8  # one of this many mutants that do not compile is checked


class Ran(NamedTuple):
    """How the check of one mutant ended."""

    seed: int
    program: Path
    options: list[str]
    status: int  # negative: ended by a signal
    processor: float  # seconds
    peak: int  # bytes, of the check or its compiler
    said: str
    left: list[str]  # temporary files

    def faults(self) -> Iterator[str]:
        """What is wrong with it."""
        if self.status not in ALLOWED:
            yield f"status {self.status}"
        if "Traceback" in self.said or "panicked" in self.said:
            yield "traceback"
        if self.status in (1, 3) and not self.said:
            yield "no answer"
        if self.status == 2 and "hint: " not in self.said:
            yield "no cure"
        if self.left:
            yield f"left behind: {self.left}"
        # Limits far below these are given, so a check beyond them has passed over its limit.
        if self.processor > MOST_PROCESSOR:
            yield f"{self.processor:.0f} s"
        if self.peak > MOST_BYTES:
            yield f"{self.peak >> 20} MiB"


def load_everything() -> None:
    """What a check loads, so that the forked processes need not."""
    import mazurka._engine
    import mazurka.cache.programs
    import mazurka.checking.findings
    import mazurka.checking.refusals
    import mazurka.cli.commands
    import mazurka.frontend.c.driver
    import mazurka.frontend.cleaning.clean
    import mazurka.frontend.llvm.parser
    import mazurka.frontend.lowering.module
    import mazurka.program
    import mazurka.report.text  # noqa: F401


def check_mutants(seeds: Iterable[int], folder: Path, time_limit: float) -> Iterator[Ran]:
    """Checks the mutants of some seeds, in a folder of their own."""
    load_everything()
    (folder / "tmp").mkdir(exist_ok=True)
    for seed, path, data in _worth_checking(seeds, folder):
        options = OPTIONS[seed % len(OPTIONS)]
        (folder / "mutant.c").write_bytes(data)
        split = options.index("--") if "--" in options else len(options)
        flags = [*options[split:], *([] if split < len(options) else ["--"]), f"-I{path.parent}"]
        limits = ["--time-limit", str(time_limit), "--memory-limit", MEMORY_LIMIT]
        arguments = ["check", "mutant.c", *limits, *options[:split], *flags]
        status, processor, peak = _run(arguments, folder)
        said = (folder / "said").read_bytes().decode("utf-8", "replace")
        left = [entry.name for entry in (folder / "tmp").iterdir()]
        yield Ran(seed, path, options, status, processor, peak, said, left)


Mutant = tuple[int, Path, bytes]


def _worth_checking(seeds: Iterable[int], folder: Path) -> Iterator[Mutant]:
    """The mutants that compile, and some of the others."""
    programs, reject = sources(), Rejecter(folder)
    rest = iter(seeds)
    while batch := [(seed, *mutant(seed, programs)) for seed in islice(rest, BATCH)]:
        rejected = reject(batch)
        yield from (one for one in batch if one[0] not in rejected or one[0] % SHARE == 0)


class Rejecter:
    """A compiler that looks at many files in one process, and knows those that have an error."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "batch"
        self._folder.mkdir(exist_ok=True)
        (folder / "any.c").touch()
        command = [
            *Compiler().command_for("cc"),
            *TARGET,
            *FLAGS,
            *HEADERS,
            "-###",
            "-x",
            "c",
            "any.c",
            "-o",
            "any.ll",
        ]
        said = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env=compiler_environment(str(folder / "batch")),
        ).stderr
        line = next(line for line in said.splitlines() if '"-cc1"' in line)
        words = shlex.split(line)
        words[words.index("-emit-llvm")] = "-fsyntax-only"
        del words[words.index("-o") :][:2]
        includes = {str(path.parent) for path in sources()}
        self._command = [*words[:-1], "-ferror-limit", "0", *(f"-I{include}" for include in sorted(includes))]

    def __call__(self, batch: list[Mutant]) -> set[int]:
        """The seeds of those that are not C; those of which the compiler says nothing are not among them."""
        for seed, _, data in batch:
            (self._folder / f"{seed}.c").write_bytes(data)
        rejected: set[int] = set()
        seeds = [seed for seed, _, _ in batch]
        while seeds:
            said = self._said_of(seeds)
            rejected |= {int(seed) for seed in _ERROR.findall(said)}
            # After a fatal error the compiler says nothing of the files that follow.
            fatal = [seed for seed in seeds if b"%d.c:" % seed in b"".join(_FATAL.findall(said))]
            seeds = seeds[seeds.index(fatal[0]) + 1 :] if fatal else []
        return rejected

    def _said_of(self, seeds: list[int]) -> bytes:
        command = [*self._command, *(f"{seed}.c" for seed in seeds)]
        with contextlib.suppress(subprocess.TimeoutExpired):
            ran = subprocess.run(command, capture_output=True, cwd=self._folder, timeout=60, check=False)
            return ran.stderr
        return b""


def _run(arguments: list[str], folder: Path) -> tuple[int, float, int]:
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            _check(arguments, folder)
        os._exit(99)  # what _check does not let through
    previous = signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        _, raw, usage = os.wait4(child, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    return os.waitstatus_to_exitcode(raw), usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10


def _check(arguments: list[str], folder: Path) -> None:
    os.chdir(folder)
    out = os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for stream in (1, 2):
        os.dup2(out, stream)
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["TMPDIR"] = str(folder / "tmp")
    import tempfile

    from mazurka.cli.commands import main

    tempfile.tempdir = None
    try:
        status = main(arguments)
    except BaseException:
        import traceback

        traceback.print_exc()
        status = 98
    sys.stdout.flush()
    os._exit(status)


def still_running(folder: Path) -> list[str]:
    """Processes that were started by a check in this folder and have not ended."""
    mark, found = os.fsencode(folder / "tmp"), []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if process.name != str(os.getpid()) and mark in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text().replace("\0", " "))
    return found


def summary(runs: list[Ran]) -> str:
    """Figures about what was run."""
    statuses = Counter(run.status for run in runs)
    compiled = sum("[compile-error]" not in run.said for run in runs)
    slowest, largest = max(runs, key=lambda run: run.processor), max(runs, key=lambda run: run.peak)
    return (
        f"{len(runs)} checked, {compiled} of them compile; exit statuses {dict(sorted(statuses.items()))}; "
        f"slowest {slowest.processor:.1f} s (seed {slowest.seed}), "
        f"largest {largest.peak >> 20} MiB (seed {largest.seed})"
    )
