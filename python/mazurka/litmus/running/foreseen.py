"""Which value each load has in all executions that satisfy a test's condition, if the condition says that.

A test of many threads has more executions than anybody wants to see, and the question is often whether there
is one in which each register has a certain value. If each load's value goes to a register, and the condition
gives each of these a value, only the executions with these values need to be explored.

I1: there are no loops and no other reads, so an instruction is run at most once. A register that is given
a value once, beside its initial one, has that of the load or, if the load is not run, the initial one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from mazurka.litmus.meaning.conditions import And, Equals, Proposition, Quantifier
from mazurka.litmus.meaning.test import LitmusTest
from mazurka.litmus.meaning.values import Location, RegisterOf
from mazurka.litmus.running.layout import Layout
from mazurka.program import CONST, Function, Instr, Op, Program

MANY_LOADS = 9  # with fewer of them, all executions are explored
_READS = (Op.RMW, Op.CAS, Op.SYNC, Op.LOAD_PAIR, Op.RMW_PAIR, Op.CAS_PAIR, Op.CHOOSE, Op.LOOP)
_MOST = 1 << 31  # a smaller number is the same in all types


def foreseen_loads(test: LitmusTest, layout: Layout, program: Program) -> tuple[tuple[int, int, int], ...]:
    """The function, the instruction and the value of every load; nothing if they are few, or one is open."""
    loads = sum(instr.op is Op.LOAD for function in program.functions for instr in function.code)
    if test.condition.quantifier is Quantifier.FORALL or loads < MANY_LOADS:
        return ()
    wanted = dict(_wanted(test.condition.proposition, layout))
    found: list[tuple[int, int, int]] = []
    for number, function in enumerate(program.functions):
        values = _values(function, program, wanted)
        pcs = [pc for pc, instr in enumerate(function.code) if instr.op is Op.LOAD]
        if any(instr.op in _READS for instr in function.code) or any(pc not in values for pc in pcs):
            return ()
        found += [(number, pc, values[pc]) for pc in pcs]
    return tuple(found)


def _wanted(proposition: Proposition, layout: Layout) -> Iterator[tuple[int, int]]:
    """The values that a conjunction gives to registers, by the cells in which they end."""
    match proposition:
        case And(parts):
            yield from chain.from_iterable(_wanted(part, layout) for part in parts)
        case Equals(RegisterOf() as register, right, place) if not isinstance(right, RegisterOf | Location):
            value = layout.value(right, place)
            if not isinstance(right, int) or value < _MOST:
                yield layout.cells[register], value


def _values(function: Function, program: Program, wanted: dict[int, int]) -> dict[int, int]:
    """The values of loads, by their places, that end in registers whose values are wanted (I1)."""
    written: dict[int, list[tuple[int, Instr]]] = {}
    for pc, instr in enumerate(function.code):
        if not (instr.op is Op.MOV and instr.a & CONST) and instr.op is not Op.STORE:
            written.setdefault(instr.dst, []).append((pc, instr))
    values: dict[int, int] = {}
    for instr in function.code:
        if instr.op is not Op.STORE or not instr.a & CONST or instr.b & CONST:
            continue
        cell, register = program.constants[instr.a & ~CONST], instr.b
        while cell in wanted and len(written.get(register, ())) == 1:
            pc, source = written[register][0]
            if source.op is Op.LOAD:
                values[pc] = wanted[cell]
            if source.op is not Op.MOV:
                break
            register = source.a
    return values
