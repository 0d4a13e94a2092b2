"""Marks writes for the engine, which decides whether a round of a loop left anything behind.

- A STORE that is the first write of every round of a loop, always of the same place: ``c`` is the loop's
  number plus 1. What such a round wrote there, the next round overwrites before it does anything that others
  could notice (thesis §7.2.5: ``node->next`` in the loop of a push).
- An RMW whose result nobody uses: ``c`` is 1. If it adds, it may come before or after other additions.

I1: between the header and a marked STORE, every round runs the same instructions: both are in one block. They
read only at addresses that are the same in every round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mazurka.program import CONST, Instr, Op
from mazurka.program.flow.function import CodeLoop, FunctionFlow
from mazurka.program.instructions import FACTS, Effect, operands_of, results_of

_QUIET = (Effect.NONE, Effect.FAILS, Effect.ORDERS)
_ADDRESSES = frozenset((Op.STEP, Op.ADD, Op.SUB, Op.MUL, Op.SHL, Op.MOV, Op.FRAMEADDR, Op.TLSADDR))


def marked_store(flow: FunctionFlow, loop: CodeLoop, number: int) -> Iterator[tuple[int, Instr]]:
    """The first write of every round of a loop, if it is a store of one place: by its pc, with its mark."""
    for pc in flow.pcs(flow.block_of(loop.header)):
        instr = flow.code[pc]
        if instr.op in (Op.LOAD, Op.STORE):
            if not _is_the_same(flow, loop, pc, instr.a):
                return
            if instr.op == Op.STORE:
                yield pc, replace(instr, c=number + 1)
                return
        elif FACTS[instr.op].effect not in _QUIET:
            return


def _is_the_same(flow: FunctionFlow, loop: CodeLoop, pc: int, operand: int) -> bool:
    """Whether an operand of an instruction in the header's block has the same value in every round."""
    if operand & CONST:
        return True
    for before in reversed(range(loop.header, pc)):
        instr = flow.code[before]
        if operand in results_of(instr):
            sources = operands_of(flow.program, instr)
            return instr.op in _ADDRESSES and all(_is_the_same(flow, loop, before, one) for one in sources)
    return not loop.written >> operand & 1


def blind_updates(flow: FunctionFlow) -> Iterator[tuple[int, Instr]]:
    """The read-modify-writes of a function whose results nobody uses, by pc, with their marks."""
    for pc, instr in enumerate(flow.code):
        if instr.op == Op.RMW and not flow.live_before(pc + 1) >> instr.dst & 1:
            yield pc, replace(instr, c=1)
