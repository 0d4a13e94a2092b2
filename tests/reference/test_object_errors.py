"""Errors in the use of heap objects and mutexes, which brute force sees in whole graphs."""

from __future__ import annotations

import pytest
from mazurka.program import Mode
from mazurka.reference import enumerate_executions, verify
from mazurka.testing import Load, Store
from mazurka.testing.structure_program import structure_program
from mazurka.testing.structures import (
    OBJECT,
    Acquire,
    Argument,
    Delete,
    Destroy,
    Fill,
    Join,
    New,
    Source,
    Spawn,
    Step,
    Structure,
    Use,
)

SHARED, OWN, GIVEN = Source.SHARED, Source.OWN, Source.ARGUMENT
READS, WRITES = Load(Mode.RLX, OBJECT), Store(Mode.RLX, OBJECT, 2)
IDLE = Spawn(())


def thread(*steps: Step) -> Spawn:
    return Spawn(steps, Argument.POINTER)


@pytest.mark.parametrize(
    ("steps", "kinds"),
    [
        pytest.param([IDLE, New(Fill.BEFORE), Use(SHARED, READS), Delete(OWN, False)], set(), id="fine"),
        pytest.param([New(Fill.BEFORE), thread(Use(GIVEN, READS))], set(), id="fine after the prologue"),
        pytest.param([IDLE, New(Fill.NEVER), Use(OWN, READS)], {"uninitialized"}, id="uninitialized"),
        pytest.param([New(Fill.NEVER), thread(Use(GIVEN, READS))], {"uninitialized"}, id="in the prologue"),
        pytest.param([IDLE, New(Fill.NEVER), Use(OWN, READS, moved=True)], set(), id="only moved"),
        pytest.param([New(Fill.ZEROED), thread(Use(GIVEN, READS))], set(), id="zeroed in the prologue"),
        pytest.param([IDLE, New(Fill.ZEROED), Use(OWN, READS)], set(), id="zeroed"),
        pytest.param([thread(Use(SHARED, READS)), New(Fill.AFTER)], {"uninitialized"}, id="published early"),
        pytest.param([IDLE, Use(SHARED, READS, blind=True)], {"unallocated"}, id="null"),
        pytest.param(
            [New(Fill.BEFORE), thread(Use(GIVEN, WRITES)), Delete(OWN, False)], {"freed"}, id="race"
        ),
        pytest.param(
            [New(Fill.BEFORE), thread(Use(GIVEN, WRITES)), Join(OWN), Delete(OWN, False)], set(), id="joined"
        ),
        pytest.param(
            [New(Fill.BEFORE), Delete(OWN, False), thread(Use(GIVEN, READS))], {"freed"}, id="freed at first"
        ),
        pytest.param(
            [New(Fill.BEFORE), thread(Delete(GIVEN, False)), Delete(OWN, False)], {"double-free"}, id="twice"
        ),
        pytest.param([New(Fill.BEFORE), thread(Delete(SHARED)), Delete(SHARED)], set(), id="taken once"),
        pytest.param([IDLE, Acquire("m"), Destroy("m")], set(), id="destroyed when free"),
        pytest.param([IDLE, Acquire("m", release=False), Destroy("m")], {"mutex"}, id="destroyed when held"),
        pytest.param(
            [Acquire("m", release=False), thread(Destroy("m"))], {"mutex"}, id="held from the start"
        ),
        pytest.param([New(Fill.NEVER), Use(OWN, READS)], {"uninitialized"}, id="uninitialized, no thread"),
        pytest.param([New(Fill.NEVER), Delete(OWN), Use(OWN, WRITES)], {"freed"}, id="freed, no thread"),
        pytest.param([New(Fill.NEVER), Delete(OWN), Delete(OWN, False)], {"double-free"}, id="no thread"),
        pytest.param([Destroy("m"), Destroy("m")], {"mutex"}, id="destroyed twice, no thread"),
        pytest.param([IDLE, Destroy("m"), Destroy("m")], {"mutex"}, id="destroyed twice"),
        pytest.param([IDLE, Acquire("m", (Destroy("m"),))], {"mutex"}, id="destroyed before unlock"),
    ],
)
def test_errors(steps: list[Step], kinds: set[str]) -> None:
    program = structure_program(Structure(tuple(steps)))
    assert enumerate_executions(program).findings == verify(program).findings == kinds
