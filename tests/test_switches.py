"""The corpus with each transformation switched off in turn: the same verdict, and the same outcomes.

An outcome is the final memory of a complete execution, or the kind of a violation. ``docs/waiting.md`` says
what each switch may change in the counts; ``SWITCHES`` has it as rules.

A loop may need a bound if something is switched off. Then both sides get one, and are compared by inclusion:
what is found without is found with the same bound; what is found with it must be possible within a few rounds
more, since loops that were rotated or merged count a little differently. Threads that a bound has cut are not
known to wait for ever, so there the verdict without may be ``bounded`` where the other is ``liveness``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache
from inspect import signature
from typing import Any, NamedTuple
from unittest.mock import patch

import mazurka
import pytest
from mazurka.cache.compiled import Compiled
from mazurka.checking.execution import Graph
from mazurka.errors import ErrorCode, MazurkaError
from mazurka.expectations import claims
from mazurka.frontend import compile_text
from mazurka.frontend.c.dialect import Dialect
from mazurka.program import Program
from mazurka.program.passes import SWITCHES as PASS_SWITCHES
from mazurka.program.passes import passes_without, run_passes
from profiles import heavy, some
from test_programs import PROGRAMS

from benchmarks.waiting import PROGRAMS as WAITING

MODELS = ("sc", "tso", "ra", "rc11")
BOUND = 2
MORE_ROUNDS = 2
MOST_COLLECTED = 3000  # executions of which the final memories are compared; of more, their number
Memory = frozenset[tuple[int, int, int]]  # address, size and value of what was written last


class Counts(Enum):
    """What may become of the numbers of executions when something is switched off."""

    EQUAL = "both are the same"
    BLOCKED_GROW = "more are blocked"
    COMPLETE_GROW = "more are complete, and any number is blocked"


SWITCHES = {
    ("spin_assume",): Counts.COMPLETE_GROW,
    ("dynamic_spin_assume",): Counts.COMPLETE_GROW,
    ("spin_assume", "dynamic_spin_assume"): Counts.COMPLETE_GROW,
    ("reshape_loops",): Counts.COMPLETE_GROW,
    ("zero_net_effect",): Counts.COMPLETE_GROW,
    ("load_annotations",): Counts.BLOCKED_GROW,
    ("confirmations",): Counts.COMPLETE_GROW,
    ("helping",): Counts.COMPLETE_GROW,
    ("postpones",): Counts.EQUAL,
    ("symmetry",): Counts.EQUAL,
}
PASSES = {name.replace("-", "_"): name for name in PASS_SWITCHES}


class Subject(NamedTuple):
    """A program of the corpus, or a twin of one, and how it is checked."""

    name: str
    text: str
    cflags: tuple[str, ...]
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def file(self) -> str:
        """The name of the program alone: what a twin replaces may look like the text of a program."""
        return self.name.partition(" ")[0]

    @property
    def dialect(self) -> Dialect:
        return Dialect(**{name: value for name, value in self.options if name in Dialect._fields})


# The corpus ---------------------------------------------------------------------------------------------

SIZES: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    *((name, 2, ()) for name in ("mcs-lock", "qspinlock", "mpmc-queue", "linuxrwlock", "mutex", "twa-lock")),
    *((name, 2, ()) for name in ("lamport", "peterson")),
    *((name, 3, ()) for name in ("seqlock", "chase-lev", "ttas-lock", "sc-gather", "cas-lock")),
    ("ticket-lock", 3, ()),
    ("szymanski", 1, ()),
    ("ttas-lock", 3, ("-DCONFIRM",)),
    ("treiber-stack", 3, ("-DPOPS=1",)),
    ("ms-queue", 3, ("-DDEQUEUES=1",)),
    ("ms-queue", 3, ("-DHELP",)),
)
# What the quick profile compares: every switch but ``postpones`` changes a count in one of these.
QUICK = ("annotation_confirming_cas", "annotation_helping_cas", "spin_take_back", "wait_semaphore")


def corpus() -> Iterator[Subject]:
    """The programs, whatever models their claims are about."""
    for path in PROGRAMS:
        for claim in claims(path):
            twin = f" {claim.twin[0]} -> {claim.twin[1]}" if claim.twin else ""
            options, cflags = keywords(claim.options)
            yield Subject(f"{path.stem}.c{twin}", claim.source(), (f"-I{path.parent}", *cflags), options)
    for name, size, flags in SIZES:
        text = (WAITING / f"{name}.c").read_text(encoding="utf-8")
        yield Subject(f"waiting/{name}.c", text, (f"-I{WAITING}", f"-DN={size}", *flags))


DEFAULTS = {name: option.default for name, option in signature(mazurka.check).parameters.items()}


def keywords(options: Sequence[str]) -> tuple[tuple[tuple[str, Any], ...], list[str]]:
    """Options of the command as those of ``check``, and the flags for the compiler."""
    chosen: dict[str, Any] = {}
    rest = iter(options)
    for option in rest:
        if option == "--":
            break
        name = option.removeprefix("--").replace("-", "_").replace("property", "property_file")
        is_off, is_switch = name.startswith("no_"), DEFAULTS.get(name) is False
        chosen[name.removeprefix("no_")] = False if is_off else is_switch or value_of(name, next(rest))
    return tuple(chosen.items()), list(rest)


def value_of(name: str, word: str) -> bool | int | str:
    if isinstance(DEFAULTS.get(name), bool):
        return word == "on"
    return int(word) if word.isdigit() else word


CORPUS = tuple(dict.fromkeys(corpus()))
CASES = [
    pytest.param(
        *(subject, some(MODELS[n % 4 :] + MODELS[: n % 4])),
        id=subject.name,
        marks=() if subject.name.removesuffix(".c") in QUICK else heavy,
    )
    for n, subject in enumerate(CORPUS)
]


# Checking one ---------------------------------------------------------------------------------------------


class Found(NamedTuple):
    """What is compared."""

    verdict: str  # or the code of an error
    kind: str | None = None
    complete: int = 0
    blocked: int = 0
    memories: frozenset[Memory] | None = None  # None: there is a violation, or there are too many executions


@lru_cache(maxsize=1)
def lowered(subject: Subject) -> Program:
    """A program before all passes: the compiler runs once for all switches."""
    with patch("mazurka.program.passes.run_passes", lambda program, passes: program):
        return compile_text(subject.text, cflags=subject.cflags, dialect=subject.dialect)


@lru_cache(maxsize=16)
def compiled(subject: Subject, without: tuple[str, ...]) -> Compiled:
    return Compiled.of(run_passes(lowered(subject), passes_without(without)))


def found(subject: Subject, model: str, **options: Any) -> Found:
    """What a check says."""
    chosen = {**dict(subject.options), **options}
    try:
        with patch(
            "mazurka.cache.programs.compile_files",
            lambda paths, cflags, cc, seconds, without, *_, **__: compiled(subject, tuple(without)),
        ):
            outcome = mazurka.check(subject.file, model=model, workers=1, **chosen)
            if outcome.violation is None and outcome.complete <= MOST_COLLECTED:
                outcome = mazurka.check(subject.file, model=model, workers=1, collect=True, **chosen)
    except MazurkaError as error:
        if error.code is not ErrorCode.ENDLESS_LOOP:
            raise
        return Found(error.code.value)
    if outcome.violation is not None:
        return Found(outcome.verdict, outcome.violation.kind)
    memories = frozenset(map(final_memory, outcome.graphs)) if outcome.complete <= MOST_COLLECTED else None
    return Found(outcome.verdict, None, outcome.complete, outcome.blocked, memories)


def final_memory(graph: Graph) -> Memory:
    last = ((chain, graph[chain.writes[-1]]) for chain in graph.co if chain.writes)
    return frozenset(
        (
            chain.address,
            chain.size,
            write.value >> 8 * (chain.address - write.address) & (1 << 8 * chain.size) - 1,
        )
        for chain, write in last
    )


# Comparing --------------------------------------------------------------------------------------------------


def compare(subject: Subject, model: str, off: tuple[str, ...], all_on: Found) -> None:
    """One program with all and without some transformations."""
    options = dict.fromkeys(off, False)
    without = found(subject, model, **options)
    if without.verdict == ErrorCode.ENDLESS_LOOP.value != all_on.verdict:
        compare_bounded(subject, model, options)
    elif off == ("helping",) and all_on.kind == "annotation":
        assert without.kind == "annotation" or without.verdict == "verified"
    elif all_on.kind == "liveness" != without.kind:  # it has violations of both kinds
        assert without.kind is not None
        assert without.kind == found(subject, model, liveness=False).kind
    else:
        assert without[:2] == all_on[:2]
        assert without.memories == all_on.memories or None in (without.memories, all_on.memories)
        assert_counts(SWITCHES[off], all_on, without)


def assert_counts(rule: Counts, all_on: Found, without: Found) -> None:
    match rule:
        case Counts.EQUAL:
            assert without[2:4] == all_on[2:4]
        case Counts.BLOCKED_GROW:
            assert without.complete == all_on.complete
            assert without.blocked >= all_on.blocked
        case Counts.COMPLETE_GROW:
            assert without.complete >= all_on.complete


def compare_bounded(subject: Subject, model: str, options: dict[str, bool], bound: int = BOUND) -> None:
    """One that needs a bound without something."""
    all_on = found(subject, model, unroll=bound)
    without = found(subject, model, unroll=bound, **options)
    if all_on.kind == "liveness":
        assert without.kind == "liveness" or without.verdict == "bounded"
        return
    assert without.kind == all_on.kind
    if all_on.kind is not None:
        return
    assert without.verdict == "bounded"
    if all_on.memories is None or without.memories is None:
        assert bound > 1, "choose a smaller program"
        compare_bounded(subject, model, options, 1)
        return
    assert without.memories <= all_on.memories
    if not all_on.memories <= without.memories:
        more = found(subject, model, unroll=bound + MORE_ROUNDS, **options).memories
        assert more is not None, "choose a smaller program"
        assert all_on.memories <= more


@pytest.mark.parametrize(("subject", "models"), CASES)
def test_the_same_without(subject: Subject, models: list[str]) -> None:
    for model in models:
        all_on = found(subject, model)
        for off in SWITCHES:
            if changes_something(subject, off):
                compare(subject, model, off, all_on)


def changes_something(subject: Subject, off: tuple[str, ...]) -> bool:
    """Whether the engine gets something else: a pass that does nothing to a program can be left out."""
    if not PASSES.keys() >= set(off):
        return True
    before = {name for name, value in subject.options if value is False and name in PASSES}
    programs = (
        compiled(subject, tuple(sorted(PASSES[name] for name in names)))
        for names in (before, before | set(off))
    )
    return len({program.code for program in programs}) == 2
