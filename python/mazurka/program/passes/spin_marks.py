"""Puts a ROUND where a round that a SPIN ends has begun, if the engine cannot tell its reads otherwise.

The engine asks whether any read of the round could have seen a later write
(``crates/engine/src/explore/stopping.rs``). If a round makes one access, that is the last of the thread.
Otherwise the engine remembers at the ROUND how many events the thread had.

I1: comes after all passes that change loops. What it adds is for the engine alone: rounds are not compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mazurka.program import Instr, Op, Program
from mazurka.program.flow.function import FunctionFlow
from mazurka.program.flow.program import ProgramFlow
from mazurka.program.flow.rewriting import rewrite
from mazurka.program.instructions import FACTS

_ACCESSES = frozenset(op for op in Op if FACTS[op].is_access and op != Op.SYNC)
_CALLS = frozenset((Op.CALL, Op.CALLI))


def mark_spins(flow: ProgramFlow) -> Program:
    """The program with a ROUND where rounds with several accesses begin that a SPIN ends."""
    program = flow.program
    begins = {
        (index, instr.b): instr
        for index, function in enumerate(program.functions)
        for pc, instr in enumerate(function.code)
        if instr.op == Op.SPIN and function.code[instr.b].op != Op.ROUND
        if _may_access_twice(flow.of(index), pc, instr.b)
    }
    if not begins:
        return program
    registers = [function.registers for function in program.functions]
    marks: dict[tuple[int, int], Instr] = {}
    for (index, pc), spin in begins.items():
        marks[index, pc] = Instr(
            Op.ROUND,
            registers[index],
            registers[index],
            spin.a,
            len(program.lists),
            x=1,
            position=spin.position,
        )
        registers[index] += 1
    functions = zip(program.functions, registers, strict=True)
    wider = tuple(replace(function, registers=count) for function, count in functions)
    program = replace(program, functions=wider, lists=(*program.lists, ()))

    def with_marks(index: int, pc: int) -> Sequence[Instr]:
        instr, mark = program.functions[index].code[pc], marks.get((index, pc))
        return (instr,) if mark is None else (mark, instr)

    return rewrite(program, with_marks)


def _may_access_twice(flow: FunctionFlow, spin: int, begin: int) -> bool:
    """Whether a round may make more than one access."""
    first = flow.block_of(begin)
    blocks = flow.graph.leading_to([flow.block_of(spin)], top=first)
    pcs = {pc for block in blocks | {first} for pc in flow.pcs(block)}
    ops = [flow.code[pc].op for pc in pcs]
    goes_round = any(header in pcs - {begin} for header in flow.loops)
    return goes_round or sum(op in _ACCESSES for op in ops) > 1 or not _CALLS.isdisjoint(ops)
