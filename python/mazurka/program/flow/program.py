"""The control flow of a whole Program: of each function, made when it is asked for, and of calls between
them.
"""

from __future__ import annotations

from mazurka.program import Op, Program
from mazurka.program.flow.function import FunctionFlow


class ProgramFlow:
    """The control flow of the functions of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._made: dict[int, FunctionFlow] = {}

    def of(self, index: int) -> FunctionFlow:
        """The control flow of a function."""
        if index not in self._made:
            self._made[index] = FunctionFlow(self.program, self.program.functions[index])
        return self._made[index]

    def functions(self) -> list[FunctionFlow]:
        """The control flow of all functions, by their numbers."""
        return [self.of(index) for index in range(len(self.program.functions))]

    def calls(self, index: int) -> set[int]:
        """The functions that a function calls by name, in code that it can reach."""
        flow = self.of(index)
        named = ((pc, instr.a) for pc, instr in enumerate(flow.code) if instr.op == Op.CALL)
        return {callee for pc, callee in named if flow.is_reachable(pc)}
