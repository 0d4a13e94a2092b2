"""Loops that a thread can go round for ever, whatever others do: those that retry a store that may fail.

An exclusive store may fail for no reason each time (``lowering``), so a loop that tries it until it succeeds
has executions of any length. The engine would explore many of them before one is too long.

I1: a round is a way from the head of a loop to its end on which each branch is decided by constants, by
choices, and by what was computed from these in the round. So the next round can take the same way.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.program import CONST, Function, Instr, Op, Program
from mazurka.program.instructions import FACTS, operands_of, results_of, successors
from mazurka.program.passes.intervals import computed

Known = dict[int, int]  # values of registers


def refuse_endless(program: Program) -> None:
    """Refuses a program with a loop that can go on for ever, if its rounds are not bounded."""
    for function in program.functions:
        for pc, instr in enumerate(function.code):
            if instr.op is Op.LOOP and _returns(program, function, pc):
                position = program.positions[instr.position]
                raise SourceError(
                    ErrorCode.ENDLESS_LOOP,
                    f"the loop in {function.name} may not end: what it tries can fail each time",
                    place=Place(position.file, position.line, position.column),
                    hint="bound the rounds of loops with --unroll N",
                )


def _returns(program: Program, function: Function, end: int) -> bool:
    """Whether a round leads to the end of a loop, where it begins again, through a choice (I1)."""
    waiting: list[tuple[int, Known, bool]] = [(function.code[end + 1].a, {}, False)]
    while waiting:
        pc, known, has_chosen = waiting.pop()
        if pc == end and has_chosen:
            return True
        instr = function.code[pc]
        for then, after in _steps(program, pc, instr, known):
            if then > pc:  # inner loops are not gone round
                waiting.append((then, after, has_chosen or instr.op is Op.CHOOSE))
    return False


def _steps(program: Program, pc: int, instr: Instr, known: Known) -> Iterator[tuple[int, Known]]:
    """Where the thread goes on after an instruction, and what is known there; nowhere if that is open."""
    values = [_value(program, operand, known) for operand in operands_of(program, instr)]
    if instr.op is Op.CHOOSE and None not in values:
        for chosen in range(values[0] or 0, (values[1] or 0) + 1):
            yield pc + 1, known | {instr.dst: chosen}
    elif instr.op is Op.BR:
        if values[0] is not None:
            yield instr.b if values[0] else instr.c, known
    elif instr.op is not Op.ASSUME or values[0]:
        results = results_of(instr)
        left = {register: value for register, value in known.items() if register not in results}
        if FACTS[instr.op].is_pure and len(results) == 1:
            found = computed(instr, [None if value is None else (value, value) for value in values])
            left |= {} if found is None else {instr.dst: found[0]}
        yield from ((target, left) for target in successors(program, pc, instr))


def _value(program: Program, operand: int, known: Known) -> int | None:
    return program.constants[operand & ~CONST] if operand & CONST else known.get(operand)
