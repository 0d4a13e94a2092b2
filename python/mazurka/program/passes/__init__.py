"""The passes over the bytecode, in the order in which they run. Only this list determines the order.

A pass gets the control flow of a Program and returns the resulting Program, which is the same one if there is
nothing to do. Passes run once, when a Program is made from source (``mazurka.frontend``). Their result is
cached, so a check of a cached program loads none of this. ``docs/howto/extend.md`` adds a pass step
by step.

I1: no pass changes what a report says about a program, except as its line says.
I2: a pass comes after those that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from mazurka.deadline import look
from mazurka.program import Op, Program
from mazurka.program.flow.program import ProgramFlow
from mazurka.program.passes.dynamic_spin import mark_rounds
from mazurka.program.passes.endless import mark_endless_loops
from mazurka.program.passes.open_values import narrow_choices
from mazurka.program.passes.spin_assume import (
    stop_exchanging,
    stop_merged_loops,
    stop_rotated_loops,
    stop_spinning,
)
from mazurka.program.passes.spin_marks import mark_spins


class Pass(NamedTuple):
    """A step from Program to Program."""

    name: str
    does: str
    run: Callable[[ProgramFlow], Program]
    needs: tuple[str, ...] = ()  # the passes that must have run before


PASSES = (
    Pass(
        "open-values",
        "leaves out open values that an assumption rules out at once, and with them blocked executions",
        narrow_choices,
    ),
    Pass("endless-loops", "says of loops without an exit that a bound always cuts them", mark_endless_loops),
    Pass(
        "merge-loops",
        "merges loops with equal code before them, if each round that changes nothing then stops its thread",
        stop_merged_loops,
        needs=("endless-loops",),
    ),
    Pass(
        "spin-assume",
        "stops a thread after a round of a loop that changed nothing",
        stop_spinning,
        needs=("endless-loops",),
    ),
    Pass(
        "spin-exchange",
        "does so if the round only wrote back values that it had read",
        stop_exchanging,
        needs=("endless-loops",),
    ),
    Pass(
        "rotate-loops",
        "does so for loops that have to be rotated first",
        stop_rotated_loops,
        needs=("endless-loops",),
    ),
    Pass(
        "dynamic-spin-assume",
        "lets the engine compare rounds of the other loops, and stop a thread after one that changed nothing",
        mark_rounds,
    ),
    Pass("spin-marks", "lets the engine tell the reads of a round that stops its thread", mark_spins),
)
# What an option switches off.
SWITCHES = {
    "spin-assume": ("merge-loops", "spin-assume", "spin-exchange", "rotate-loops"),
    "reshape-loops": ("merge-loops", "rotate-loops"),
    "dynamic-spin-assume": ("dynamic-spin-assume",),
    "write-back": ("merge-loops", "spin-exchange", "rotate-loops", "dynamic-spin-assume"),
}


def passes_without(switches: Collection[str]) -> tuple[Pass, ...]:
    """The passes that run if something is switched off."""
    names = {name for switch in switches for name in SWITCHES[switch]}
    return tuple(one for one in PASSES if one.name not in names)


def run_passes(program: Program, passes: Sequence[Pass] = PASSES) -> Program:
    """The program after all passes.

    With atomic sections, only rounds that write nothing stop their thread: what a section writes is seen when
    it ends, and the passes about rounds that write look at single instructions.
    """
    if _has_sections(program):
        passes = [one for one in passes if one.name not in SWITCHES["write-back"]]
    flow, done = ProgramFlow(program), set[str]()
    for one in passes:
        look()
        assert done.issuperset(one.needs), f"{one.name} comes too early"
        done.add(one.name)
        program = one.run(flow)
        if program is not flow.program:
            flow = ProgramFlow(program)
    return program


def _has_sections(program: Program) -> bool:
    return any(instr.op == Op.BEGIN for function in program.functions for instr in function.code)
