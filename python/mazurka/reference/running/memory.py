"""Memory that is not in the graph: initial memory, and what is private to a thread.

Byte by byte, little-endian; a byte that was never written is 0, where a program may look at it at all.
"""

from __future__ import annotations

from typing import NamedTuple

from mazurka.program import GAP, OFFSET_MASK, REGION_SHIFT, AllocFlag, Program, Region

FIRST_OFFSET = 4096  # of the SHARED allocator
NO_ROOM = 1 << 47  # bytes: an allocation of this many fails


class Object(NamedTuple):
    """A heap object or shared local variable of the prologue."""

    size: int
    owner: int  # AllocFlag
    dead: bool = False


def free_error(owner: int, by: int, is_dead: bool) -> str:
    """The kind of error if the object of one owner is ended by another, or again (``AllocFlag``)."""
    if is_dead and AllocFlag.STACK not in (owner, by):
        return "double-free"
    return "invalid-free" if owner != by else "double-free" if is_dead else ""


class Memory:
    """A map from addresses to bytes, and the objects that the prologue allocated."""

    def __init__(self) -> None:
        self.bytes: dict[int, int] = {}
        self.objects: dict[int, Object] = {}

    def read(self, address: int, size: int) -> int:
        """The ``size`` bytes at an address, as a number."""
        return sum(self.bytes.get(address + i, 0) << 8 * i for i in range(size))

    def write(self, address: int, size: int, value: int) -> None:
        """Sets ``size`` bytes."""
        self.fill(address, value.to_bytes(size, "little"))

    def is_written(self, address: int, size: int) -> bool:
        """Whether each of some bytes was written."""
        return all(address + i in self.bytes for i in range(size))

    def allocate(self, address: int, size: int, zeroed: bool, owner: int) -> None:
        """Records a new object."""
        self.objects[address] = Object(size, owner)
        if zeroed:
            self.fill(address, bytes(size))

    def free(self, address: int, owner: int) -> str:
        """Records the end of an object; returns the kind of error if there is one."""
        ended = self.objects.get(address)
        if ended is None:
            return "invalid-free"
        self.objects[address] = ended._replace(dead=True)
        return free_error(ended.owner, owner, ended.dead)

    def access_error(self, address: int, size: int) -> str:
        """The kind of error of an access to the prologue's objects, as if it used the value; or nothing."""
        for base, item in self.objects.items():
            if base <= address and address + size <= base + item.size:
                unwritten = "" if self.is_written(address, size) else "uninitialized"
                return "freed" if item.dead else unwritten
        return "unallocated"

    def fill(self, address: int, data: bytes) -> None:
        """Sets bytes."""
        self.bytes.update(enumerate(data, address))

    def forget(self, address: int, size: int) -> None:
        """Makes bytes as they are before anything is written."""
        for at in range(address, address + size):
            self.bytes.pop(at, None)


def global_memory(program: Program) -> Memory:
    """The globals' initial bytes."""
    memory = Memory()
    for item in program.globals:
        for at, data in item.data:
            memory.fill(item.address + at, data)
    return memory


def region(address: int) -> int:
    """The region's number; ``Region`` names those that exist."""
    return address >> REGION_SHIFT


class Bump:
    """An allocator that only moves forward, as ``docs/reference/bytecode.md`` prescribes."""

    def __init__(self, base: int, offset: int) -> None:
        self.base = base
        self.offset = offset

    def allocate(self, size: int, alignment: int) -> int:
        """The address of a new object."""
        alignment = max(alignment, 16)
        start = -(-self.offset // alignment) * alignment
        self.offset = start + max(size, 1) + GAP
        return self.base + start


def is_event_address(program: Program, address: int, size: int) -> bool | None:
    """Whether an access is an event; None if there is nothing to access.

    Bounds are checked for globals only; ``objects`` checks those of shared objects, ``bounds`` private ones.
    """
    match region(address):
        case Region.GLOBAL:
            for item in program.globals:
                if item.address <= address and address + size <= item.address + item.size:
                    return not item.constant
            return None
        case Region.FRAME | Region.PRIVATE:
            return False
        case Region.SHARED:
            return address & OFFSET_MASK >= FIRST_OFFSET or None
        case _:
            return None
