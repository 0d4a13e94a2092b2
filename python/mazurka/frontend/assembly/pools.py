"""The tables of a Program that all functions share, filled while they are lowered."""

from __future__ import annotations

from mazurka.program import NO_POSITION, Loop, Position, SwitchTable
from mazurka.program.sync import Operation


class Pools:
    """Constants, operand lists, strings, positions, switches, loops and operations, each entry once."""

    def __init__(self) -> None:
        self.constants: dict[int, int] = {}
        self.lists: dict[tuple[int, ...], int] = {}
        self.strings: dict[str, int] = {}
        self.positions: dict[Position, int] = {}
        self.switches: list[SwitchTable] = []
        self.loops: list[Loop] = []
        self.operations: dict[Operation, int] = {}
        self._values: list[int] = []

    def constant(self, value: int) -> int:
        """The operand of virtual code for a constant."""
        index = self.constants.setdefault(value & (1 << 64) - 1, len(self.constants))
        if index == len(self._values):
            self._values.append(value & (1 << 64) - 1)
        return ~index

    def value(self, operand: int) -> int | None:
        """The value of a constant operand, None for a register."""
        return self._values[~operand] if operand < 0 else None

    def operand_list(self, operands: tuple[int, ...]) -> int:
        """An operand list's index."""
        return self.lists.setdefault(operands, len(self.lists))

    def string(self, text: str) -> int:
        """A string's index."""
        return self.strings.setdefault(text, len(self.strings))

    def position(self, position: Position | None) -> int:
        """A position's index."""
        if position is None:
            return NO_POSITION
        return self.positions.setdefault(position, len(self.positions))

    def operation(self, operation: Operation) -> int:
        """The index of an operation on a synchronisation object."""
        return self.operations.setdefault(operation, len(self.operations))

    def switch(self, table: SwitchTable) -> int:
        """A new switch table's index."""
        self.switches.append(table)
        return len(self.switches) - 1

    def loop(self, loop: Loop) -> int:
        """A new loop's index."""
        self.loops.append(loop)
        return len(self.loops) - 1
