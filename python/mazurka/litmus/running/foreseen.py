"""Which value each load has in all executions that satisfy a test's condition, if the condition says that.

A test of many threads has more executions than anybody wants to see, and the question is often whether there
is one in which each register has a certain value. If each load's value goes to a register, and the condition
gives each of these a value, only the executions with these values need to be explored.

I1: there are no loops, so an instruction is run at most once, and what comes after it is further on.
I2: what is foreseen is needed: wherever the thread goes after the load, the value is in a register that is
left in the cell, and only this value of the load is equal to the wanted one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from mazurka.litmus.meaning.conditions import And, Equals, Proposition, Quantifier
from mazurka.litmus.meaning.test import LitmusTest
from mazurka.litmus.meaning.values import Address, Location, RegisterOf
from mazurka.litmus.running.layout import Layout
from mazurka.litmus.running.states import States
from mazurka.program import CONST, Function, Instr, Op, Program
from mazurka.program.instructions import results_of, successors

MANY_LOADS = 9  # with fewer of them, all executions are explored
_READS = (Op.RMW, Op.CAS, Op.SYNC, Op.LOAD_PAIR, Op.RMW_PAIR, Op.CAS_PAIR, Op.CHOOSE, Op.LOOP)
_MOST = 1 << 31  # a smaller number is the same with and without a sign


def foreseen_loads(test: LitmusTest, layout: Layout, program: Program) -> tuple[tuple[int, int, int], ...]:
    """The function, the instruction and the value of every load; nothing if they are few, or one is open."""
    loads = sum(instr.op is Op.LOAD for function in program.functions for instr in function.code)
    if test.condition.quantifier is Quantifier.FORALL or loads < MANY_LOADS:
        return ()
    wanted = dict(_wanted(test.condition.proposition, layout, States(test, layout)))
    found: list[tuple[int, int, int]] = []
    for number, function in enumerate(program.functions):
        if any(instr.op in _READS for instr in function.code):
            return ()
        for pc, instr in enumerate(function.code):
            if instr.op is Op.LOAD:
                value = _needed(function, pc, program, wanted)
                if value is None:
                    return ()
                found.append((number, pc, value))
    return tuple(found)


def _wanted(
    proposition: Proposition, layout: Layout, states: States
) -> Iterator[tuple[int, tuple[int, int]]]:
    """The values that a conjunction gives to registers, with their bits, by the cells in which these end."""
    match proposition:
        case And(parts):
            yield from chain.from_iterable(_wanted(part, layout, states) for part in parts)
        case Equals(RegisterOf() as register, right, place) if not isinstance(right, RegisterOf | Location):
            value, kind = layout.value(right, place), states.type_of(register)
            bits = 8 * kind.width if kind else 64
            if value < min(_MOST, 1 << bits) or (isinstance(right, Address) and bits == 64):
                yield layout.cells[register], (value, bits)


def _needed(
    function: Function, load: int, program: Program, wanted: dict[int, tuple[int, int]]
) -> int | None:
    """The value that a load must have for its thread to leave what is wanted, if it must have one (I2)."""
    for instr, held in _holders(function, load, program):
        if instr.op is Op.STORE and instr.a & CONST and instr.b in held:
            value, bits = wanted.get(program.constants[instr.a & ~CONST], (0, 0))
            if function.code[load].width <= bits:
                return value
    return None


def _holders(function: Function, load: int, program: Program) -> Iterator[tuple[Instr, frozenset[int]]]:
    """The instructions that can come after a load, and the registers that have its value there (I1)."""
    code, width = function.code, function.code[load].width
    held = {load + 1: frozenset(results_of(code[load]))}
    for pc, instr in enumerate(code):
        if pc not in held:
            continue
        yield instr, held[pc]
        is_copy = instr.op in (Op.MOV, Op.TRUNC) and instr.a in held[pc] and instr.width >= width
        results = frozenset(results_of(instr))
        after = held[pc] | results if is_copy else held[pc] - results
        for target in successors(program, pc, instr):
            held[target] = held.get(target, after) & after
