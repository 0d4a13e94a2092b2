"""Runs ``mazurka check`` on many mutants and reports which of them went wrong.

Checks run in a process that is forked from one which has loaded everything, a batch of them one after the
other. If one of them ends the process, or does not end, the rest of the batch gets another process.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import pickle
import resource
import select
import signal
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import NamedTuple

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
BATCH = 25  # mutants of one process


class Mutant(NamedTuple):
    """A program to be checked: its files, of which the first is mutated, and flags for the compiler."""

    seed: int
    origin: str  # what it was made of
    files: dict[str, bytes]
    flags: tuple[str, ...] = ()


class Ran(NamedTuple):
    """How the check of one mutant ended."""

    mutant: Mutant
    options: list[str]
    status: int  # negative: ended by a signal
    peak: int  # bytes, of the largest process of its batch
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
        # A limit far below this is given, so a check beyond it has passed over its limit.
        if self.peak > MOST_BYTES:
            yield f"{self.peak >> 20} MiB"


class Answer(NamedTuple):
    """What a process says about one check."""

    status: int
    said: str
    left: list[str]


def load_everything(folder: Path) -> None:
    """What a check loads, so that the forked processes need not: checks a program, as source and as IR."""
    from mazurka.cli.commands import main

    (folder / "any.c").write_text("int main(void) { int i = 0; while (i) i++; }\n", encoding="utf-8")
    (folder / "any.ll").write_text("define i32 @main() {\n  ret i32 0\n}\n", encoding="utf-8")
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        for name in ("any.c", "any.ll"):
            main(["check", str(folder / name), "--no-cache"])
        main(["check", str(folder / "any.c"), "--verbose", "--json", "-", "--unroll", "2"])


def check_all(mutants: Iterable[Mutant], folder: Path, time_limit: float) -> Iterator[Ran]:
    """Checks mutants, in a folder of their own."""
    load_everything(folder)
    (folder / "tmp").mkdir(exist_ok=True)
    gc.collect()
    gc.freeze()  # so that collections in forked processes do not copy all there is
    rest = iter(mutants)
    while batch := deque(islice(rest, BATCH)):
        while batch:
            for ran in _checked_apart(list(batch), folder, time_limit):
                batch.popleft()
                yield ran


def _arguments(mutant: Mutant, time_limit: float) -> list[str]:
    options = OPTIONS[mutant.seed % len(OPTIONS)]
    split = options.index("--") if "--" in options else len(options)
    flags = [*options[split:], *([] if split < len(options) else ["--"]), *mutant.flags]
    limits = ["--time-limit", str(time_limit), "--memory-limit", MEMORY_LIMIT]
    return ["check", *mutant.files, *limits, *options[:split], *flags]


def _checked_apart(batch: list[Mutant], folder: Path, time_limit: float) -> Iterator[Ran]:
    """Checks mutants in a forked process, until it ends: after all of them, or by the fault of one."""
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            os.close(receiving)
            _check_batch(batch, folder, time_limit, sending)
        os._exit(99)
    os.close(sending)
    waiting = select.poll()
    waiting.register(receiving, select.POLLIN)
    answers: list[Answer] = []
    with open(receiving, "rb", buffering=0) as pipe:
        while waiting.poll(PATIENCE * 1000):
            size = int.from_bytes(_exactly(pipe, 8), "little")
            data = _exactly(pipe, size)
            if not data or len(data) < size:
                break
            answers.append(pickle.loads(data))
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, raw, used = os.wait4(child, 0)
    if len(answers) < len(batch):  # it ended inside of a check
        said = (folder / "said").read_bytes().decode("utf-8", "replace")
        answers.append(Answer(os.waitstatus_to_exitcode(raw), said, []))
    for mutant, answer in zip(batch, answers, strict=False):
        yield Ran(
            mutant, OPTIONS[mutant.seed % len(OPTIONS)], answer.status, used.ru_maxrss << 10, *answer[1:]
        )


def _exactly(pipe: io.FileIO, size: int) -> bytes:
    """So many bytes, or what there is until the other end is closed: a read of a pipe may give fewer."""
    data = b""
    while len(data) < size and (part := pipe.read(size - len(data))):
        data += part
    return data


def _check_batch(batch: list[Mutant], folder: Path, time_limit: float, sending: int) -> None:
    os.chdir(folder)
    os.environ["TMPDIR"] = str(folder / "tmp")
    tempfile.tempdir = None
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for mutant in batch:
        out = os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        for stream in (1, 2):
            os.dup2(out, stream)
        os.close(out)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        for name, content in mutant.files.items():
            Path(name).write_bytes(content)
        signal.setitimer(signal.ITIMER_PROF, MOST_PROCESSOR)  # after which the system ends the process
        status = _status(_arguments(mutant, time_limit))
        said = Path("said").read_bytes().decode("utf-8", "replace")
        left = [entry.name for entry in Path("tmp").iterdir()]
        with open(sending, "wb", closefd=False) as pipe:
            data = pickle.dumps(Answer(status, said, left))
            pipe.write(len(data).to_bytes(8, "little") + data)
    os._exit(0)


def _status(arguments: list[str]) -> int:
    from mazurka.cli.commands import main

    try:
        status = main(arguments)
    except BaseException:
        import traceback

        traceback.print_exc()
        status = 98
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def still_running(folder: Path) -> list[str]:
    """Processes that were started by a check in this folder and have not ended."""
    mark, found = os.fsencode(folder / "tmp"), []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if process.name != str(os.getpid()) and mark in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text().replace("\0", " "))
    return found


def found_in(runs: Iterable[Ran]) -> list[str]:
    """What is wrong with which mutants."""
    return [
        f"seed {run.mutant.seed} ({run.mutant.origin} {run.options}): {', '.join(faults)}\n{run.said[:600]}"
        for run in runs
        if (faults := list(run.faults()))
    ]


def report(
    mutants: Iterable[Mutant], difference: Callable[[Mutant], Iterable[str]], time_limit: float
) -> None:
    """Checks mutants and prints findings as they come."""
    runs: list[Ran] = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        for run in check_all(mutants, folder, time_limit):
            runs.append(run._replace(said=run.said[:600], mutant=run.mutant._replace(files={})))
            for finding in found_in([run]):
                print(finding, *difference(run.mutant), sep="\n", flush=True)
            if len(runs) % 250 == 0:
                print(f"up to seed {run.mutant.seed}: {summary(runs)}", flush=True)
        print(f"done: {summary(runs)}; running: {still_running(folder)}", flush=True)


def changes(mutant: Mutant, before: str) -> list[str]:
    """What was changed in a text."""
    after = next(iter(mutant.files.values())).decode("utf-8", "replace").splitlines()
    return list(unified_diff(before.splitlines(), after, mutant.origin, "mutant", lineterm="", n=0))[:60]


def summary(runs: list[Ran]) -> str:
    """Figures about what was run."""
    statuses = Counter(run.status for run in runs)
    compiled = sum("[compile-error]" not in run.said for run in runs)
    largest = max(runs, key=lambda run: run.peak)
    return (
        f"{len(runs)} checked, {compiled} of them compile; exit statuses {dict(sorted(statuses.items()))}; "
        f"largest {largest.peak >> 20} MiB (up to seed {largest.mutant.seed})"
    )
