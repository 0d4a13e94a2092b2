"""Which mutants of source files are worth checking.

Most mutants are not C any more. One run of the compiler finds these in many files at once, and of them only a
share is checked, because they differ only in what the compiler says. The slow profile checks all of them.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from harness import Mutant
from mazurka.frontend.c.compiler import Compiler, compiler_environment
from mazurka.frontend.c.driver import FLAGS, HEADERS, LANGUAGES, TARGET
from mutants import ROOT, mutant, sources
from profiles import SLOW

_FATAL = re.compile(rb"^(\d+)\.c(?:pp)?:\d+:\d+: fatal error:", re.M)
_ERROR = re.compile(rb"^(\d+)\.c(?:pp)?:\d+:\d+: (?:fatal )?error:", re.M)
BATCH = 25
SHARE = 1 if SLOW else 8  # one of this many mutants that do not compile is checked


def worth_checking(seeds: Iterable[int], suffix: str, folder: Path) -> Iterator[Mutant]:
    """The mutants that compile, and some of the others; every tenth has a second file."""
    programs, reject = sources(suffix), Rejecter(folder, suffix)
    rest = iter(seeds)
    while batch := [(seed, *mutant(seed, programs)) for seed in islice(rest, BATCH)]:
        rejected = reject([(seed, data) for seed, _, data in batch]) if SHARE > 1 else set()
        for seed, path, data in batch:
            if seed in rejected and seed % SHARE:
                continue
            files = {f"mutant{suffix}": data}
            if seed % 10 == 0:
                files[f"second{suffix}"] = _without_main(mutant(seed + 1, programs)[1])
            yield Mutant(seed, str(path.relative_to(ROOT)), files, (f"-I{path.parent}",))


def _without_main(data: bytes) -> bytes:
    return re.sub(rb"\bmain\b", b"second_main", data)


class Rejecter:
    """A compiler that looks at many files in one process, and knows those that have an error."""

    def __init__(self, folder: Path, suffix: str) -> None:
        self._folder, self._suffix = folder / "batch", suffix
        self._folder.mkdir(exist_ok=True)
        name = f"any{suffix}"
        (folder / name).touch()
        driver, own, last = LANGUAGES["C" if suffix == ".c" else "C++"]
        flags = [*TARGET, *own, *FLAGS, *HEADERS, *last]
        command = [*Compiler().command_for(driver), *flags, "-###", name, "-o", "any.ll"]
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
        includes = {str(path.parent) for path in sources(suffix)}
        self._command = [*words[:-1], "-ferror-limit", "0", *(f"-I{include}" for include in sorted(includes))]

    def __call__(self, batch: list[tuple[int, bytes]]) -> set[int]:
        """The seeds of those with an error; those of which the compiler says nothing are not among them."""
        for seed, data in batch:
            (self._folder / f"{seed}{self._suffix}").write_bytes(data)
        rejected: set[int] = set()
        seeds = [seed for seed, _ in batch]
        while seeds:
            said = self._said_of(seeds)
            rejected |= {int(seed) for seed in _ERROR.findall(said)}
            # After a fatal error the compiler says nothing of the files that follow.
            fatal = {int(seed) for seed in _FATAL.findall(said)}
            first = next((at for at, seed in enumerate(seeds) if seed in fatal), len(seeds))
            seeds = seeds[first + 1 :]
        return rejected

    def _said_of(self, seeds: list[int]) -> bytes:
        command = [*self._command, *(f"{seed}{self._suffix}" for seed in seeds)]
        with contextlib.suppress(subprocess.TimeoutExpired):
            ran = subprocess.run(command, capture_output=True, cwd=self._folder, timeout=120, check=False)
            return ran.stderr
        return b""
