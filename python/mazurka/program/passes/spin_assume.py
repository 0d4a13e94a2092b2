"""Stops a thread after a round of a loop that changed nothing (thesis §7.2.3, "spin-assume").

An edge back to the header of a natural loop is *pure* if every way round the loop that ends with it

1. has no effect: it only computes, branches, reads and orders;
2. writes no register that is live at the header (but the counter of rounds);
3. reads memory. A round that does not can only repeat itself: such a loop is endless, which is for others to
   report.

On such an edge SPIN takes the place of LOOP, so the thread stops there as by a false assumption.

Why that is sound: take an execution in which the thread passes the edge, and remove the events of the round
before. The thread is at the header in the same state (1, 2), so the rest is an execution of the program. No
read of another thread loses its write, because the round wrote nothing, and in a monotone model, where fewer
events have fewer orders among them, it is consistent. Repeated, this removes every round but the last, which
leaves the loop, so every final state and every failure that follows has an execution in which no thread
passes the edge. What goes wrong within a round, a race for instance, is found in the round before SPIN.

Loops without an exit and loops with a constant number of rounds stay as they are.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.program import Function, Instr, Op, Program, Rounds
from mazurka.program.flow.function import CodeLoop, FunctionFlow
from mazurka.program.flow.program import ProgramFlow
from mazurka.program.instructions import FACTS, Effect

_HARMLESS = (Effect.NONE, Effect.FAILS, Effect.READS, Effect.ORDERS, Effect.BLOCKS)


def stop_spinning(flow: ProgramFlow) -> Program:
    """The program with SPIN on pure edges back."""
    program = flow.program
    functions = tuple(
        _changed(flow.of(index)) if any(i.op == Op.LOOP for i in function.code) else function
        for index, function in enumerate(program.functions)
    )
    if all(new is old for new, old in zip(functions, program.functions, strict=True)):
        return program
    return replace(program, functions=functions)


def _changed(flow: FunctionFlow) -> Function:
    pure = {
        pc
        for loop in flow.loops.values()
        if not loop.is_irreducible
        for pc, ways in loop.ways_back()
        if _is_pure(flow, loop, pc, ways)
    }
    if not pure:
        return flow.function
    code = (_spin(instr) if pc in pure else instr for pc, instr in enumerate(flow.code))
    return replace(flow.function, code=tuple(code))


def _spin(mark: Instr) -> Instr:
    return Instr(Op.SPIN, a=mark.a, position=mark.position)


def _is_pure(flow: FunctionFlow, loop: CodeLoop, mark: int, ways: frozenset[int]) -> bool:
    """Whether all ways round that end with the edge of a LOOP instruction are pure."""
    if flow.code[mark].x != Rounds.ANY:
        return False
    kept = loop.live & ~loop.counters
    return (
        all(FACTS[flow.code[pc].op].effect in _HARMLESS for block in ways for pc in flow.pcs(block))
        and not flow.written_in(ways) & kept
        and _always_reads(flow, loop, mark, ways)
    )


def _always_reads(flow: FunctionFlow, loop: CodeLoop, mark: int, ways: frozenset[int]) -> bool:
    """Whether each way from the header to the LOOP instruction has an access to memory."""
    quiet = {block for block in ways if not any(FACTS[flow.code[pc].op].is_access for pc in flow.pcs(block))}
    return flow.block_of(mark) not in flow.graph.reached_within(flow.block_of(loop.header), quiet)
