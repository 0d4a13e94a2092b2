"""Shows values and addresses in source terms: ``-1``, ``&queue.head``, ``#2`` for an object on the heap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from mazurka.checking.execution import Event, Graph, instruction, operation_of
from mazurka.checking.objects import LITERAL, Allocation, allocations, count, thread_name
from mazurka.checking.outcome import InitialWrite, Outcome
from mazurka.program import OFFSET_MASK, REGION_SHIFT, SIGNED, Region
from mazurka.program.printf import string_at
from mazurka.program.sync_objects import STATES

POINTER_SIZE = 8
FUNCTION_STRIDE = 16  # function i lives at CODE | i * 16
VTABLE = "vtable of "  # how the front-end names them (``lowering.module``)
LONGEST_LITERAL = 16
LARGEST_DIGIT = 9  # values up to this look the same in hexadecimal


def region_of(address: int) -> Region | None:
    """The region of an address, or None if it cannot be one."""
    number = address >> REGION_SHIFT
    return Region(number) if number in Region._value2member_map_ else None


def _is_address(value: int) -> bool:
    return region_of(value) not in (None, Region.NULL)


def _halves(value: int) -> tuple[int, int]:
    """What a value of 16 bytes has at its lower and at its higher address."""
    high, low = divmod(value, 1 << 8 * POINTER_SIZE)
    return low, high


class Objects:
    """The objects that a report mentions, numbered in the order of mention."""

    def __init__(self, outcome: Outcome, graph: Graph, numbers: Mapping[int, int] | None = None) -> None:
        """``numbers`` says how objects are numbered, by their addresses, if others have to be told alike."""
        self._given = numbers or {}
        self._program = outcome.program
        self._all = allocations(outcome.objects, graph)
        self._numbers: dict[Allocation, int] = {}

    def name(self, address: int) -> str:
        """``#2``, or ``#2+8`` for an address inside or at the end; the bare address if no object is there."""
        owner = self.owner(address) or next((item for item in self._all if item.end == address), None)
        if owner is None:
            return hex(address)
        inside = address - owner.address
        return f"{self._number(owner)}+{inside}" if inside else self._number(owner)

    def owner(self, address: int) -> Allocation | None:
        """The object around an address."""
        return next((item for item in self._all if item.holds(address)), None)

    def _number(self, item: Allocation) -> str:
        number = self._given.get(item.address, len(self._given) + len(self._numbers) + 1)
        return f"#{self._numbers.setdefault(item, number)}"

    def legend(self) -> list[str]:
        """One line for each object that was mentioned."""
        return [f"#{number}: {item.describe(self._program)}" for item, number in self._numbers.items()]


class Speaker:
    """Shows values, and the places that events access."""

    def __init__(self, outcome: Outcome, graph: Graph, numbers: Mapping[int, int] | None = None) -> None:
        self.program = outcome.program
        self.objects = Objects(outcome, graph, numbers)
        self.prologue = outcome.prologue
        self._cells = {chain.address for chain in graph.co}
        events = (graph[ref] for ref in graph.refs())
        accesses = (one for event in events if event.kind in ("R", "W") for one in event.accesses)
        self._accesses = {(access.address, access.end) for access in accesses}

    def prologue_write(self, address: int) -> InitialWrite | None:
        """Main's last write of a byte before the threads; these writes are disjoint, and in order."""
        after = bisect_right(self.prologue, address, key=lambda write: write.address)
        found = self.prologue[after - 1] if after else None
        return found if found and address < found.address + found.size else None

    def value_of(self, event: Event) -> str:
        """The value of an access; in hexadecimal and divided into parts if others access these.

        That of 16 bytes always is, unless one of its halves is an address.
        """
        is_pair = event.size == 2 * POINTER_SIZE
        if is_pair and any(map(_is_address, _halves(event.value))):
            return "{" + ", ".join(self.value(half, POINTER_SIZE) for half in _halves(event.value)) + "}"
        is_pointer = event.size == POINTER_SIZE and _is_address(event.value)
        if event.value <= LARGEST_DIGIT or is_pointer or not (is_pair or self._is_mixed(event)):
            return self.value(event.value, event.size)
        digits = f"{event.value:0{2 * event.size}x}"
        cuts = (address for address in self._cells if event.address < address < event.end)
        for cut in sorted(cuts):  # from the right: the lowest byte has the lowest address
            at = 2 * (event.end - cut)
            digits = f"{digits[:at]}'{digits[at:]}"
        return "0x" + (digits.lstrip("0'") or "0")

    def chosen(self, event: Event) -> str:
        """A value that the program leaves open, with the name of where it goes."""
        instr = instruction(self.program, event.function, event.pc)
        sign = 1 << instr.width - 1
        is_pointer = instr.width == 8 * POINTER_SIZE and _is_address(event.value)
        number = (event.value ^ sign) - sign if instr.x & SIGNED else event.value
        value = self.address(event.value) if is_pointer else str(number)
        return f"{instr.expr} = {value} (chosen)" if instr.expr else f"choose {value}"

    def state_of(self, event: Event) -> str:
        """The value of an access; for a mutex, whether it is free, or who has taken it."""
        operation = operation_of(self.program, event)
        words = None if operation is None else STATES.get(operation.object.name)
        return self.value_of(event) if words is None else words(event.value, thread_name)

    def section(self, read: Event, write: Event | None) -> str:
        """What an atomic section read and wrote."""
        seen = {self.place(part): self.value_of(part) for part in read.accesses}
        written = {self.place(part): self.value_of(part) for part in write.accesses} if write else {}
        told = [
            f"{place}: {value} → {written[place]}" if place in written else f"read {place}: {value}"
            for place, value in seen.items()
        ]
        told += [f"{place} = {value}" for place, value in written.items() if place not in seen]
        return f"at once: {', '.join(told) or 'nothing'}"

    def _is_mixed(self, event: Event) -> bool:
        """Whether another access has some bytes in common with an access, but not the same."""
        own = (event.address, event.end)
        return any(other != own and other[0] < own[1] and own[0] < other[1] for other in self._accesses)

    def value(self, value: int, size: int) -> str:
        """A value of ``size`` bytes: an address by name, anything else as a signed number."""
        if size == POINTER_SIZE and _is_address(value):
            return self.address(value)
        bits = 8 * size
        return str(value - (1 << bits) if value >> (bits - 1) & 1 else value)

    def address(self, address: int) -> str:
        """An address as a value: ``&x``, a function, a numbered object."""
        region = region_of(address)
        if region == Region.GLOBAL:
            return self._literal(address) or self._vtable(address) or f"&{self.object_at(address)}"
        if region == Region.SHARED:
            return self.objects.name(address)
        index = (address & OFFSET_MASK) // FUNCTION_STRIDE
        if region == Region.CODE and index < len(self.program.functions):
            return self.program.functions[index].name
        return hex(address)

    def object_at(self, address: int) -> str:
        """The largest part of a global that starts at an address: pointers rarely mean a first member."""
        for item in self.program.globals:
            if item.address == address:
                return item.name
        for size in sorted({t.size for t in self.program.types}, reverse=True):
            name = self._global(address, size)
            if name and "+" not in name:
                return name
        return self._global(address, 0) or hex(address)

    def _vtable(self, address: int) -> str:
        """The class's table of virtual functions that an object points into; nothing if it is none."""
        name = self.object_at(address)
        return name.partition("+")[0] if name.startswith(VTABLE) else ""

    def _literal(self, address: int) -> str:
        """The string literal at an address, shortened; nothing if it is something else."""
        for item in self.program.globals:
            if item.name.startswith(LITERAL) and item.address <= address < item.address + item.size:
                text = string_at(self.program, address) or ""
                short = text if len(text) <= LONGEST_LITERAL else text[: LONGEST_LITERAL - 1] + "…"
                return '"' + short.replace("\n", "\\n") + '"'
        return ""

    def place(self, event: Event) -> str:
        """The place that an event accesses, as the source would write it."""
        expr = instruction(self.program, event.function, event.pc).expr
        operation = operation_of(self.program, event)
        if operation is not None and operation.object.is_hidden:
            return expr or operation.object.unnamed
        if region_of(event.address) == Region.GLOBAL:
            return self._global(event.address, event.size, is_access=True) or expr or hex(event.address)
        name = self.objects.name(event.address)
        notes = [name] if expr and self.objects.owner(event.address) else []
        if event.size and self._is_mixed(event):
            notes.append(count(event.size))  # the source's name may be that of another member
        place = expr or name
        return f"{place} ({', '.join(notes)})" if notes else place

    def _global(self, address: int, size: int, *, is_access: bool = False) -> str:
        from mazurka.frontend.naming import name_of

        return name_of(self.program, address, size, is_access=is_access) or ""
