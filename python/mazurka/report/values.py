"""Says values and addresses in source terms: ``-1``, ``&queue.head``, ``#2`` for an object on the heap."""

from __future__ import annotations

from dataclasses import dataclass

from mazurka.outcome import Event, EventRef, Graph, Outcome, instruction, position
from mazurka.program import (
    OFFSET_MASK,
    REGION_SHIFT,
    AllocFlag,
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


@dataclass(frozen=True)
class _Object:
    """Memory that was allocated: by whom, where in the source, and what for."""

    address: int
    size: int
    who: str
    function: int
    pc: int

    def holds(self, address: int) -> bool:
        return self.address <= address < self.address + max(self.size, 1)


class Objects:
    """The objects that a report mentions, numbered in the order of mention."""

    def __init__(self, outcome: Outcome, graph: Graph) -> None:
        self._program = outcome.program
        initial = [_Object(o.address, o.size, "main", o.function, o.pc) for o in outcome.objects]
        allocated = [_allocated(graph, ref) for ref in graph.refs() if graph[ref].kind == "ALLOC"]
        self._all = initial + allocated
        self._numbers: dict[_Object, int] = {}

    def name(self, address: int) -> str:
        """``#2``, or ``#2+8`` for an address inside; the bare address if no object is there."""
        owner = self.owner(address)
        if owner is None:
            return hex(address)
        inside = address - owner.address
        return f"{self._number(owner)}+{inside}" if inside else self._number(owner)

    def around(self, address: int) -> str:
        """The number of the object around an address, or nothing."""
        owner = self.owner(address)
        return self._number(owner) if owner else ""

    def owner(self, address: int) -> _Object | None:
        """The object around an address."""
        return next((item for item in self._all if item.holds(address)), None)

    def _number(self, item: _Object) -> str:
        return f"#{self._numbers.setdefault(item, len(self._numbers) + 1)}"

    def legend(self) -> list[str]:
        """One line for each object that was mentioned."""
        return [f"#{number}: {self._describe(item)}" for item, number in self._numbers.items()]

    def _describe(self, item: _Object) -> str:
        instr = instruction(self._program, item.function, item.pc)
        where = position(self._program, item.function, item.pc)
        line = f" at line {where.line}" if where else ""
        if instr.x & AllocFlag.STACK:
            return " ".join(f"local variable {instr.expr} of {item.who}{line}".split())
        return f"{item.size} bytes that {item.who} allocated{line}"


def _allocated(graph: Graph, ref: EventRef) -> _Object:
    event = graph[ref]
    return _Object(event.address, event.size, thread_name(ref[0]), event.function, event.pc)


class Speaker:
    """Says values, and the places that events access."""

    def __init__(self, outcome: Outcome, graph: Graph) -> None:
        self.program = outcome.program
        self.objects = Objects(outcome, graph)

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
        owner = self.objects.around(event.address)
        if expr:
            return f"{expr} ({owner})" if owner else expr
        return self.objects.name(event.address)

    def _global(self, address: int, size: int) -> str:
        from mazurka.frontend.naming import name_of

        return name_of(self.program, address, size) or ""
