"""Replaces instructions by others, and adjusts the targets of jumps.

I1: a jump to an instruction goes to the first of its replacements or, if it has none, to what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mazurka.program import Function, Instr, Program, SwitchTable
from mazurka.program.instructions import FACTS, Field

# From the number of a function and a pc to the instructions that replace the one there.
Change = Callable[[int, int], Sequence[Instr]]


def rewrite(program: Program, change: Change) -> Program:
    """The program with each instruction replaced; the same program if nothing changes."""
    rewriter = _Rewriter(program, change)
    functions = tuple(map(rewriter.function, range(len(program.functions))))
    if all(new is old for new, old in zip(functions, program.functions, strict=True)):
        return program
    return replace(program, functions=functions, switches=tuple(rewriter.switches))


class _Rewriter:
    """Rewrites functions one by one, and adds to the switch tables."""

    def __init__(self, program: Program, change: Change) -> None:
        self.program = program
        self.change = change
        self.switches: list[SwitchTable] = list(program.switches)

    def function(self, index: int) -> Function:
        function = self.program.functions[index]
        groups = [self.change(index, pc) for pc in range(len(function.code))]
        starts = [0]
        for group in groups:
            starts.append(starts[-1] + len(group))
        code = tuple(instr for group in groups for instr in group)
        if code == function.code:
            return function
        if any(start != pc for pc, start in enumerate(starts)):
            code = tuple(self._moved(instr, starts) for instr in code)
        return replace(function, code=code)

    def _moved(self, instr: Instr, starts: list[int]) -> Instr:
        """An instruction with the new positions of its targets."""
        kinds = FACTS[instr.op].fields
        if Field.TARGET not in kinds and Field.SWITCH not in kinds:
            return instr
        fields = zip(kinds, (instr.a, instr.b, instr.c), strict=True)
        a, b, c = (self._moved_field(kind, field, starts) for kind, field in fields)
        return replace(instr, a=a, b=b, c=c)

    def _moved_field(self, kind: Field, field: int, starts: list[int]) -> int:
        if kind is Field.TARGET:
            return starts[field]
        if kind is not Field.SWITCH:
            return field
        # Two functions may share a table, and their code moves differently.
        table = self.program.switches[field]
        cases = tuple((value, starts[target]) for value, target in table.cases)
        self.switches.append(SwitchTable(cases, starts[table.default]))
        return len(self.switches) - 1
