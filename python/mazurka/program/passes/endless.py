"""Finds loops that are never left, so that a bound cuts them wherever they stand, before the first thread,
too.

An exit of a loop is an edge to code from which the function returns, runs in another circle, or ends the
thread or the program as ``exit`` does. An edge to code that only fails (an assertion) or is refused is not an
exit: the check ends there. Whether other loops have a constant number of iterations is found on the IR
(``mazurka.frontend.analysis.rounds``), where values still have one definition each, types, and names.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.program import Function, Op, Program, Rounds
from mazurka.program.flow.function import FunctionFlow
from mazurka.program.flow.program import ProgramFlow
from mazurka.program.instructions import FACTS, Flow


def mark_endless_loops(flow: ProgramFlow) -> Program:
    """The program with ``Rounds.ENDLESS`` at the LOOP instructions of all loops that are never left."""
    program = flow.program
    with_loops = [index for index, f in enumerate(program.functions) if any(i.op == Op.LOOP for i in f.code)]
    if not with_loops:
        return program
    ending = _ending_functions(flow)
    marked = {index: _marked(flow.of(index), ending) for index in with_loops}
    if all(function is program.functions[index] for index, function in marked.items()):
        return program
    functions = (marked.get(index, function) for index, function in enumerate(program.functions))
    return replace(program, functions=tuple(functions))


def _marked(flow: FunctionFlow, ending: set[int]) -> Function:
    endless = _endless(flow, ending)
    if not endless:
        return flow.function
    code = (
        replace(i, x=Rounds.ENDLESS) if i.op == Op.LOOP and i.a in endless else i for i in flow.function.code
    )
    return replace(flow.function, code=tuple(code))


def _endless(flow: FunctionFlow, ending: set[int]) -> set[int]:
    """The numbers of the loops that are never left."""
    loops = flow.loops.values()
    ends = [
        pc
        for pc, i in enumerate(flow.code)
        if FACTS[i.op].flow is Flow.RETURNS or i.op == Op.EXIT or (i.op == Op.CALL and i.a in ending)
    ]
    goes_on = flow.leading_to({*ends, *(pc for loop in loops for pc in loop.back)})
    left = {number for loop in loops if any(pc in goes_on for _, pc in loop.exits) for number in loop.numbers}
    return {number for loop in loops for number in loop.numbers} - left


def _ending_functions(flow: ProgramFlow) -> set[int]:
    """The functions that never return, and end the thread or the program without a failure."""
    never_return = [index for index, one in enumerate(flow.functions()) if not _reaches(one, Op.RET)]
    found: set[int] = set()
    grown = {index for index in never_return if _reaches(flow.of(index), Op.EXIT)}
    while grown - found:
        found |= grown
        grown = {index for index in never_return if flow.calls(index) & found}
    return found


def _reaches(flow: FunctionFlow, op: Op) -> bool:
    return any(i.op == op and flow.is_reachable(pc) for pc, i in enumerate(flow.code))
