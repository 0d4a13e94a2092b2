"""The shipped models: what is known about them, by brute force over the reference's executions."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from litmus_table import litmus_rows
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning.terms import Model
from mazurka.models.registry import FOLDER
from mazurka.program import Program
from mazurka.reference import enumerate_executions
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.strategies import litmus_tests
from profiles import examples, heavy, some
from shipped_models import NAMES

COLUMNS = ("sc", "tso", "rc11-ra", "rc11-genmc")
WEAKER = (
    *(("sc", "tso"), ("tso", "pso"), ("sc", "ra"), ("ra", "rc11-ra"), ("rc11", "rc11-ra")),
    *(("rc11-cpp11", "rc11"), ("pso", "rc11-cpp11"), ("rc11-genmc", "rc11-ra"), ("pso", "rc11-genmc")),
)


Values: TypeAlias = tuple[int, ...]


@cache
def model(name: str) -> Model:
    return named_model(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_says_what_it_is(name: str) -> None:
    shipped = model(name)
    assert shipped.name == name
    assert shipped.title
    assert shipped.citations
    assert not [axiom.name for axiom in shipped.axioms if ":" in axiom.name or "." in axiom.name]


def test_every_file_is_a_model_or_shared_by_some() -> None:
    assert {path.stem for path in Path(FOLDER).glob("*.kat")} == {*NAMES, "c11-base"}


# GenMC's table ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", some(range(len(COLUMNS)), every=4), ids=lambda column: COLUMNS[column])
def test_table_of_counts(column: int) -> None:
    rows = litmus_rows()
    assert len(rows) == 43
    expected = {row.name: row[1 + column] for row in rows}
    found = {row.name: enumerate_executions(program_of(row.program), model(COLUMNS[column])) for row in rows}
    assert {name: len(executions.complete) for name, executions in found.items()} == expected
    assert not [name for name, executions in found.items() if executions.findings or executions.blocked]


@heavy
def test_the_published_rc11_differs_from_genmc_in_one_row() -> None:
    """It allows all executions of Z6.U that are coherent: as many as the fragment without SC accesses has."""
    rows = litmus_rows()
    expected = {row.name: row.ra if row.name == "Z6.U" else row.rc11 for row in rows}
    assert expected["Z6.U"] == 24
    found = {row.name: enumerate_executions(program_of(row.program), model("rc11")) for row in rows}
    assert {name: len(executions.complete) for name, executions in found.items()} == expected


# Outcomes that the literature allows and forbids --------------------------------------------------------


def program_of(source: str) -> Program:
    return to_program(parse_litmus(source))


def allows(name: str, source: str, reads: Values, last: Values | None) -> bool:
    """Whether some execution reads these values, by thread and program order, and leaves these last in co."""
    for threads, co in enumerate_executions(program_of(source), model(name)).complete:
        obtained = tuple(event[4] for thread in threads for event in thread if event[0] == "R")
        final = tuple(threads[writes[-1][0]][writes[-1][1]][4] for _, writes in co)
        if obtained == reads and last in (None, final):
            return True
    return False


LAHAV = "Lahav et al., PLDI 2017"
X86 = "Owens, Sarkar, Sewell, TPHOLs 2009"
SPARC = "SPARC V8 manual, appendix K"
# Source, values read, values that are last, the models that allow it, where that is known from.
FACTS = [
    (
        "Wrlx x 1; Rrlx y || Wrlx y 1; Rrlx x",
        (0, 0),
        None,
        "tso pso ra rc11-ra rc11 rc11-cpp11 rc11-genmc",
        f"SB: {X86}",
    ),
    (
        "Wrel x 1; Racq y || Wrel y 1; Racq x",
        (0, 0),
        None,
        "tso pso ra rc11-ra rc11 rc11-cpp11 rc11-genmc",
        "SB+ra",
    ),
    ("Wsc x 1; Rsc y || Wsc y 1; Rsc x", (0, 0), None, "ra rc11-ra", f"SB+sc: {LAHAV}"),
    ("Wrlx x 1; Fsc; Rrlx y || Wrlx y 1; Fsc; Rrlx x", (0, 0), None, "ra rc11-ra", f"SB+mfences: {X86}"),
    (
        "Wrlx x 1; Facqrel; Rrlx y || Wrlx y 1; Facqrel; Rrlx x",
        *((0, 0), None, "tso pso ra rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        "SB+acqrel fences: no fence instruction on x86, no SC order in C",
    ),
    (
        "Wrlx x 1; Xrlx z 1; Rrlx y || Wrlx y 1; Xrlx w 1; Rrlx x",
        *((0, 0, 0, 0), None, "pso ra rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        f"SB with locked instructions: {X86}; in PSO the stores before may still wait ({SPARC})",
    ),
    (
        "Wrlx x 1; Xrel z 1; Rrlx y || Wrlx y 1; Xrel w 1; Rrlx x",
        *((0, 0, 0, 0), None, "ra rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        f"SB with a store-store fence before the locked instructions: {SPARC}",
    ),
    (
        "Wrlx x 1; Xrlx y 1 || Rrlx y; Rrlx x",
        *((0, 1, 0), None, "pso rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        f"MP with an atomic exchange for the flag: {SPARC}",
    ),
    (
        "Xrlx x 1; Wrlx y 1 || Rrlx y; Rrlx x",
        *((0, 1, 0), None, "rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        f"MP with an atomic exchange for the data: what follows it follows its load ({SPARC})",
    ),
    (
        "Arlx x; Rrlx y || Arlx y; Rrlx x",
        *((0, 0, 0, 0), None, "ra rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        f"SB with locked instructions for stores: {X86}",
    ),
    (
        "Wsc x 1; Rsc y || Wrlx y 1; Fsc; Rrlx x",
        *((0, 0), None, "ra rc11-ra"),
        f"SB, SC accesses against an SC fence: psc of {LAHAV}",
    ),
    (
        "Wrlx x 1 || Rrlx x; Fsc; Rrlx y || Wrlx y 1; Fsc; Rrlx x",
        *((1, 0, 0), None, "ra rc11-ra"),
        f"RWC+syncs: {LAHAV}",
    ),
    (
        "Wsc x 1; Wrel z 1 || Racq z; Rsc y || Wsc y 1; Rsc x",
        *((1, 0, 0), None, "ra rc11-ra"),
        f"SC accesses with happens-before between: psc of {LAHAV}",
    ),
    (
        "Wrlx x 1; Crlx z 5 6; Rrlx y || Wrlx y 1; Crlx w 5 6; Rrlx x",
        *((0, 0, 0, 0), None, "pso ra rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        "SB with CMPXCHG that fail: locked all the same on x86, loads in PSO",
    ),
    (
        "Wrlx x 1; Wrlx y 1 || Rrlx y; Rrlx x",
        (1, 0),
        None,
        "pso rc11-ra rc11 rc11-cpp11 rc11-genmc",
        f"MP: {X86}",
    ),
    ("Wrlx x 1; Wrel y 1 || Racq y; Rrlx x", (1, 0), None, "", f"MP+ra: {LAHAV}"),
    ("Wrlx x 1; Frel; Wrlx y 1 || Rrlx y; Facq; Rrlx x", (1, 0), None, "", f"MP+fences: {LAHAV}"),
    (
        "Wrlx x 1; Wrel z 1; Wrlx y 1 || Rrlx y; Rrlx x",
        *((1, 0), None, "rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        "MP past a release store: SPARC's STBAR orders all stores; C orders only the release",
    ),
    (
        "Wsc x 1; Wrlx y 1 || Rrlx y; Rrlx x",
        *((1, 0), None, "rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        "MP past an SC store: a full fence follows it in hardware; nothing in C",
    ),
    (
        "Wrlx x 1; Facq; Wrlx y 1 || Rrlx y; Facq; Rrlx x",
        *((1, 0), None, "pso rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        "MP with an acquire fence between the stores, which orders none",
    ),
    ("Rrlx x; Wrlx y 1 || Rrlx y; Wrlx x 1", (1, 1), None, "", f"LB: no po|rf cycles, {LAHAV}"),
    (
        "Wrel x 1 || Wrel y 1 || Racq x; Racq y || Racq y; Racq x",
        *((1, 0, 1, 0), None, "ra rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        "IRIW: Boehm, Adve, PLDI 2008; TSO and PSO are multi-copy atomic",
    ),
    (
        "Wsc x 1 || Wsc y 1 || Rsc x; Rsc y || Rsc y; Rsc x",
        *((1, 0, 1, 0), None, "ra rc11-ra"),
        "IRIW+sc: Boehm, Adve, PLDI 2008",
    ),
    (
        "Wrlx x 1; Wrlx y 2 || Wrlx y 1; Wrlx x 2",
        *((), (1, 1), "pso ra rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        "2+2W: Alglave et al., TOPLAS 2014; Lahav et al., POPL 2016",
    ),
    ("Wsc x 1; Wsc y 2 || Wsc y 1; Wsc x 2", (), (1, 1), "ra rc11-ra", f"2+2W+sc: {LAHAV}"),
    ("Wrlx x 1 || Rrlx x; Rrlx x", (1, 0), None, "", "CoRR: coherence in every model"),
    ("Rrlx x; Wrlx x 1", (1,), None, "", "CoRW: a read does not see a later write of its thread"),
    ("Wrlx x 1; Rrlx x || Wrlx x 2", (2,), (1,), "", "CoWR: coherence in every model"),
    ("Wrlx x 1; Wrlx x 2", (), (1,), "", "CoWW: coherence in every model"),
    (
        "Wrlx x 1; Rrlx x; Rrlx y || Wrlx y 2; Wrlx x 2",
        *((1, 0), (1, 2), "tso pso ra rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        f"n6, a store read from the own buffer: {X86}",
    ),
    ("Wrlx x 1; Rrlx x || Wrlx x 2; Rrlx x", (2, 1), None, "", f"n5: {X86}"),
    (
        "Wrlx x 1; Wrel y 1; Wrlx y 2 || Racq y; Rrlx x",
        *((2, 0), None, "rc11-ra rc11 rc11-genmc"),
        "a later store of the thread: in C++11's release sequence, not in C++20's (P0982R1)",
    ),
    (
        "Wrlx x 1; Wrel y 1 || Arlx y || Racq y; Rrlx x",
        *((1, 2, 0), None, ""),
        "a read-modify-write of another thread: in the release sequence of both",
    ),
    (
        "Wrlx x 1; Wrel y 1 || Wrlx y 2 || Racq y; Rrlx x",
        *((2, 0), None, "sc tso pso ra rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        "a store of another thread: in no release sequence, and ordered after nothing",
    ),
    (
        "Wrlx y 1; Wrel x 1 || Aacqrel x; Wrlx x 3 || Racq x; Rrlx y",
        *((1, 3, 0), None, "rc11-ra rc11 rc11-genmc"),
        "R2 of Podkopaev, Lahav, Vafeiadis, POPL 2019, whose RC11 has C++11's release sequences",
    ),
    (
        "Wrlx y 1; Wrel x 1 || Frel; Aacq x; Wrlx x 3 || Racq x; Rrlx y",
        *((1, 3, 0), None, "rc11-ra rc11 rc11-cpp11 rc11-genmc"),
        "R2 with a release fence before the update: Podkopaev, Lahav, Vafeiadis, POPL 2019",
    ),
    (
        "Wsc x 1; Wrel y 1 || Asc y; Rrlx y || Wsc y 3; Rsc x",
        *((1, 3, 0), None, "ra rc11-ra rc11 rc11-cpp11"),
        f"Z6.U: {LAHAV}, allows it; GenMC 0.11 does not (22 executions in its table)",
    ),
    (
        "Wsc x 1 || Wrlx x 2 || Racq x; Rsc x; Rsc y || Wsc y 1; Rsc x",
        *((1, 2, 0, 0), None, "ra rc11-ra rc11-genmc"),
        f"happens-before between SC accesses of one location, whose ends are not po: scb of {LAHAV}",
    ),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("source", "reads", "last", "allowed"),
    [pytest.param(*fact[:4], id=fact[4]) for fact in some(FACTS, every=3)],
)
def test_outcome(source: str, reads: Values, last: Values | None, allowed: str, name: str) -> None:
    assert allows(name, source, reads, last) == (name in allowed.split())


# Weaker and stronger ------------------------------------------------------------------------------------


@examples(ci=50, slow=2_500)  # eight models each
@given(litmus_tests(max_candidates=400))
def test_what_a_model_allows_a_weaker_one_allows(test: Test) -> None:
    program = to_program(test)
    found = {name: enumerate_executions(program, model(name)) for name in NAMES}
    for strong, weak in WEAKER:
        assert found[strong].complete <= found[weak].complete, (strong, weak)
        assert found[strong].blocked <= found[weak].blocked, (strong, weak)
