"""Modes of machines: the planner's classes and the reference's predicates say the same about each event."""

from __future__ import annotations

from itertools import product

import pytest
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import OF_MACHINES, PREDICATES
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.planning.program_classes import classes_of
from mazurka.program import Function, Global, Instr, Mode, Op, Program, Region, address
from mazurka.reference.machine import Machine
from mazurka.reference.predicates import PREDICATES as BY_REFERENCE
from mazurka.reference.predicates import facts, passes
from mazurka.reference.unordered import full_graphs

OF_FENCES = [mode for mode in Mode if mode >= Mode.R_R]
OF_ACCESSES = [mode for mode in Mode if mode < Mode.R_R]
# Modes of lone accesses: those that say something about a half of a read-modify-write are not.
HALVES = {Mode.AQRL_RLX, Mode.AQRL_REL, Mode.RLX_AQRL, Mode.ACQ_AQRL, Mode.NORET, Mode.NORET_REL}
HALVES |= {Mode.ACQ_REL, Mode.LOCK}
OF_LOADS = {Mode.ACQ, Mode.ACQ_PC, Mode.RL, Mode.SUCCESS}
OF_STORES = {Mode.REL, Mode.AQ, Mode.UNLOCK}
LOADS = [m for m in OF_ACCESSES if m not in HALVES | OF_STORES]
STORES = [m for m in OF_ACCESSES if m not in HALVES | OF_LOADS]
UPDATES = [m for m in OF_ACCESSES if m not in (Mode.NA, Mode.ACQ_PC, Mode.SUCCESS, Mode.UNLOCK)]
FENCES = [Mode.ACQ, Mode.REL, Mode.ACQ_REL, Mode.SC, *OF_FENCES]
INSTRUCTIONS = [
    *product([Op.LOAD], LOADS),
    *product([Op.STORE], STORES),
    *product([Op.RMW], UPDATES),
    *product([Op.FENCE], FENCES),
]


def program_of(op: Op, mode: Mode) -> Program:
    """A thread that executes one instruction."""
    place = address(Region.GLOBAL, 4096)
    constants = (address(Region.CODE, 16), 0, place)
    const = 0x8000_0000
    a, b = (0, 0) if op is Op.FENCE else (const | 2, 0 if op is Op.LOAD else const | 1)
    code = (Instr(op, dst=1, mode=mode, a=a, b=b), Instr(Op.RET))
    start = Instr(Op.CREATE, dst=0, a=const, b=const | 1)
    main = (start, Instr(Op.JOIN, dst=1, a=0), Instr(Op.RET))
    functions = (Function("main", 0, 2, 0, (), main), Function("thread", 1, 2, 0, (), code))
    return Program(functions, 0, (Global("x", place, 8, (), False),), constants, ((const | 1,),))


@pytest.mark.parametrize(("op", "mode"), INSTRUCTIONS, ids=lambda value: value.name)
def test_classes_and_predicates_agree(op: Op, mode: Mode) -> None:
    program = program_of(op, mode)
    (graph,) = full_graphs(Machine(program, tracks=True), named_model("armv8"), None)
    names = [name for name in CLASSES if classes_of(program) >> CLASSES.index(name) & 1]
    events = [event for event in graph.order if event[0] == 1]
    assert events
    for event in events:
        kind = graph.labels[event].kind.value
        (name,) = [name for name in names if name.startswith(f"{kind}.")]
        by_class = {p for p, mask in PREDICATES.items() if mask >> CLASSES.index(name) & 1}
        assert {p for p in BY_REFERENCE if passes(facts(graph, event), terms.Primitive(p))} == by_class


def test_each_class_of_machines_is_made_by_an_instruction() -> None:
    made = 0
    for op, mode in INSTRUCTIONS:
        made |= classes_of(program_of(op, mode))
    missing = OF_MACHINES & ~made
    assert [name for name in CLASSES if missing >> CLASSES.index(name) & 1] == []
