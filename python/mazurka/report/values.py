"""Says values and addresses in source terms: ``-1``, ``&queue.head``, ``#2`` for an object on the heap."""

from __future__ import annotations

from mazurka.outcome import Event, EventRef, Graph, Outcome, instruction, position
from mazurka.program import (
    OFFSET_MASK,
    REGION_SHIFT,
    THREAD_SHIFT,
    AllocFlag,
    Program,
    Region,
)

POINTER_SIZE = 8
FUNCTION_STRIDE = 16  # function i lives at CODE | i * 16


def region_of(address: int) -> Region | None:
    """The region of an address, or None if it cannot be one."""
    number = address >> REGION_SHIFT
    return Region(number) if number in Region._value2member_map_ else None


def thread_name(thread: int) -> str:
    """What reports call a thread."""
    return f"T{thread}" if thread else "main"


class Objects:
    """The objects on the heap that a report mentions, numbered in the order of mention.

    An object that main allocated before the first thread started has no event that tells its bounds:
    it is known by the address at which it was mentioned.
    """

    def __init__(self, graph: Graph, program: Program) -> None:
        self._program = program
        self._graph = graph
        self._allocations = [ref for ref in graph.refs() if graph[ref].kind == "ALLOC"]
        self._numbers: dict[EventRef | int, int] = {}

    def name(self, address: int) -> str:
        """``#2``, or ``#2+8`` for an address inside."""
        for ref in self._allocations:
            event = self._graph[ref]
            if event.address <= address < event.address + max(event.size, 1):
                inside = address - event.address
                return f"{self._number(ref)}+{inside}" if inside else self._number(ref)
        return self._number(address)

    def _number(self, key: EventRef | int) -> str:
        return f"#{self._numbers.setdefault(key, len(self._numbers) + 1)}"

    def owner(self, address: int) -> str:
        """The object around an address if its allocation is known, else nothing."""
        known = any(
            self._graph[r].address <= address < self._graph[r].address + self._graph[r].size
            for r in self._allocations
        )
        return self.name(address).split("+")[0] if known else ""

    def legend(self) -> list[str]:
        """One line for each object that was mentioned."""
        return [f"#{number}: {self._describe(key)}" for key, number in self._numbers.items()]

    def _describe(self, key: EventRef | int) -> str:
        if isinstance(key, int):
            thread = (key & ~(0xF << REGION_SHIFT)) >> THREAD_SHIFT
            return (
                f"memory of {thread_name(thread)}, at {key & OFFSET_MASK:#x}, from before the threads started"
            )
        event, who = self._graph[key], thread_name(key[0])
        instr = instruction(self._program, event.function, event.pc)
        where = position(self._program, event.function, event.pc)
        line = f" at line {where.line}" if where else ""
        if instr.x & AllocFlag.STACK:
            return f"local variable {instr.expr} of {who}{line}".replace("  ", " ")
        return f"{event.size} bytes that {who} allocated{line}"


class Speaker:
    """Says values, and the places that events access."""

    def __init__(self, outcome: Outcome, graph: Graph) -> None:
        self.program = outcome.program
        self.objects = Objects(graph, outcome.program)

    def value(self, value: int, size: int) -> str:
        """A value of ``size`` bytes: an address by name, anything else as a signed number."""
        if size == POINTER_SIZE and region_of(value) not in (None, Region.NULL):
            return self.address(value)
        bits = 8 * size
        return str(value - (1 << bits) if value >> (bits - 1) & 1 else value)

    def address(self, address: int) -> str:
        """An address as a value: ``&x``, a function, a numbered object."""
        region = region_of(address)
        if region == Region.GLOBAL:
            return f"&{self.object_at(address)}"
        if region == Region.SHARED:
            return self.objects.name(address)
        index = (address & OFFSET_MASK) // FUNCTION_STRIDE
        if region == Region.CODE and index < len(self.program.functions):
            return self.program.functions[index].name
        return hex(address)

    def object_at(self, address: int) -> str:
        """The largest object of a global that starts at an address: pointers rarely mean a first member."""
        for item in self.program.globals:
            if item.address == address:
                return item.name
        for size in sorted({t.size for t in self.program.types}, reverse=True):
            name = self._global(address, size)
            if name and "+" not in name:
                return name
        return self._global(address, 0) or hex(address)

    def mutex(self, event: Event) -> str:
        """The mutex that an event is about: its word is the C library's business."""
        is_global = region_of(event.address) == Region.GLOBAL
        return self.object_at(event.address) if is_global else self.place(event)

    def place(self, event: Event) -> str:
        """The place that an event accesses, as the source would write it."""
        expr = instruction(self.program, event.function, event.pc).expr
        if region_of(event.address) == Region.GLOBAL:
            return self._global(event.address, event.size) or expr or hex(event.address)
        owner = self.objects.owner(event.address)
        if expr:
            return f"{expr} ({owner})" if owner else expr
        return self.objects.name(event.address)

    def _global(self, address: int, size: int) -> str:
        from mazurka.frontend.naming import name_of

        return name_of(self.program, address, size) or ""
