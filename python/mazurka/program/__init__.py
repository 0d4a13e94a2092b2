"""The Program: a small register bytecode, the one thing that the front-end hands to the engine.

The engine, the reference interpreter and the reports read it; only the front-end (and the builder
that tests use) write it. ``docs/reference/bytecode.md`` says what each instruction does.

I1: every register is 64 bits wide and holds a value of ``width`` bits zero-extended.
I2: an operand is a register index, or ``CONST | i`` for entry ``i`` of the constant pool.
I3: ``encode`` is the only way to the engine, which validates all indices once when it decodes.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from mazurka.program.opcodes import MOVED as MOVED
from mazurka.program.opcodes import OPEN as OPEN
from mazurka.program.opcodes import OVERLAPPING as OVERLAPPING
from mazurka.program.opcodes import OWNER as OWNER
from mazurka.program.opcodes import SIGNED as SIGNED
from mazurka.program.opcodes import AllocFlag as AllocFlag
from mazurka.program.opcodes import Annotation as Annotation
from mazurka.program.opcodes import Check as Check
from mazurka.program.opcodes import Mode as Mode
from mazurka.program.opcodes import Op as Op
from mazurka.program.opcodes import RmwOp as RmwOp
from mazurka.program.opcodes import Rounds as Rounds

if TYPE_CHECKING:
    from mazurka.program.loop_notes import LoopNote
    from mazurka.program.sync import Operation

CONST = 0x8000_0000
NO_POSITION = 0xFFFF_FFFF

# Where addresses live: bits 44..47 are the region, bits 28..43 the thread, bits 0..27 the offset.
REGION_SHIFT = 44
THREAD_SHIFT = 28
OFFSET_MASK = (1 << 28) - 1
# Objects are GAP bytes apart: an address up to SLACK bytes outside its object shows what it was made from.
GAP = 256
SLACK = 64
FRAME_SCALE = 32  # the addresses of frame objects are this much further apart than their bytes
# One further out is stray: bits 48 to 63 give the side, and how many units to go back to its object.
_PLAIN = (1 << 48) - 1
_UNIT = 2 * SLACK
_LOST = 0x3FFF  # stands for all numbers of units that are too large
_PAST, _BEFORE = 0x4000, 0xC000


class Region(IntEnum):
    """The kind of memory that an address names."""

    NULL = 0
    GLOBAL = 1  # globals and string literals, laid out by the front-end (thread bits: part of the offset)
    FRAME = 2  # private objects in a thread's call frames; never an event
    PRIVATE = 3  # private heap and thread-locals of a thread; never an event
    SHARED = 4  # heap and escaping stack objects of a thread; every access is an event
    CODE = 5  # function i lives at CODE | i * 16


def address(region: Region, offset: int, thread: int = 0) -> int:
    """The address of an offset in a region (of a thread)."""
    return (region << REGION_SHIFT) | (thread << THREAD_SHIFT) | offset


def is_around(extent: tuple[int, int], place: int) -> bool:
    """Whether an address is in an object (first byte, byte after the last) or next to it."""
    return extent[0] - SLACK <= place <= extent[1] + SLACK


def origin(place: int) -> int:
    """An address next to the object that an address was made from."""
    if not _is_stray(place):
        return place
    tag = place >> 48
    return (place & _PLAIN) + (_PAST - tag if tag < 0x8000 else _BEFORE - tag) * _UNIT


def step_address(extent: tuple[int, int] | None, base: int, offset: int) -> int:
    """What STEP computes from an address, if the extent is around its origin; the offset is signed."""
    plain = base & _PLAIN if _is_stray(base) else base
    if base >> 48 in (_PAST + _LOST, _BEFORE - _LOST):
        return base & ~_PLAIN | (base + offset) & _PLAIN
    if extent is not None and _mark(extent, plain) == base:
        return _mark(extent, plain + offset)
    if Region.GLOBAL <= base >> REGION_SHIFT <= Region.SHARED:
        return _stray(base + offset, -_LOST if offset < 0 else _LOST)
    return (base + offset) & ((1 << 64) - 1)


def _mark(extent: tuple[int, int], target: int) -> int:
    """An address, marked as stray if it is too far from its object."""
    if is_around(extent, target):
        return target
    past, before = target - extent[1] - SLACK, extent[0] - SLACK - target
    units = -min(-(-before // _UNIT), _LOST) if before > 0 else min(-(-past // _UNIT), _LOST)
    return _stray(target, units)


def _stray(target: int, units: int) -> int:
    return ((_BEFORE if units < 0 else _PAST) + units) << 48 | target & _PLAIN


def _is_stray(place: int) -> bool:
    return place >> 62 in (1, 2)


class Source(NamedTuple):
    """What the source says of an instruction that was compiled for a machine: its modes there.

    Without a mode, only the machine has it. ``failure`` is of a compare-exchange.
    """

    mode: Mode | None = None
    failure: Mode = Mode.NA


@dataclass(frozen=True, slots=True)
class Instr:
    """One instruction; unused fields are 0."""

    op: Op
    dst: int = 0
    a: int = 0
    b: int = 0
    c: int = 0
    width: int = 64
    mode: Mode = Mode.NA
    x: int = 0
    position: int = NO_POSITION  # into Program.positions
    expr: str = ""  # the accessed place as the source writes it, such as ``q->head``
    source: Source | None = None  # unless it is what the source says


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a source file; column 0 when it is not known."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class FrameObject:
    """A private local object of a function, at a byte offset of its frame."""

    offset: int
    size: int
    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function's code. Parameters arrive in registers 0..params-1."""

    name: str
    params: int
    registers: int
    frame_size: int
    objects: tuple[FrameObject, ...]
    code: tuple[Instr, ...]
    position: int = NO_POSITION


@dataclass(frozen=True, slots=True)
class TypeInfo:
    """What is needed to name a byte of an object: the source type and its parts."""

    name: str
    size: int
    kind: str  # "scalar", "struct", "array", "union"
    members: tuple[tuple[str, int, int], ...] = ()  # (name, byte offset, type index)
    element: int = -1  # arrays: type index of the element


Pieces = tuple[tuple[int, bytes], ...]  # offsets, increasing, and the bytes there; all others are zeros
_MANY_ZEROS = re.compile(rb"\0{64,}")  # fewer zeros cost less than another piece


def pieces_of(data: bytes, at: int = 0) -> Pieces:
    """Bytes that begin at an offset, without zeros at the ends and without long runs of zeros."""
    ends = [0, *(end for run in _MANY_ZEROS.finditer(data) for end in run.span()), len(data)]
    between = (
        (start, data[start:end].rstrip(b"\0")) for start, end in zip(ends[::2], ends[1::2], strict=True)
    )
    stripped = ((start + len(part) - len(part.lstrip(b"\0")), part.lstrip(b"\0")) for start, part in between)
    return tuple((at + start, part) for start, part in stripped if part)


@dataclass(frozen=True, slots=True)
class Global:
    """A global object: its address, its initial bytes, and whether the program may write it."""

    name: str
    address: int
    size: int
    data: Pieces
    constant: bool
    type: int = -1  # into Program.types


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of the source, for bounds and for messages."""

    function: str
    position: int


@dataclass(frozen=True, slots=True)
class SwitchTable:
    """Targets by value, and the default."""

    cases: tuple[tuple[int, int], ...]
    default: int


@dataclass(frozen=True, slots=True)
class ThreadLocal:
    """A thread-local variable: its offset in PRIVATE, and its first bytes up to the last that is not zero."""

    offset: int
    size: int
    data: bytes = b""


class Limited(NamedTuple):
    """An open value of which the user left some out: in which function and where, and how many are left."""

    function: str
    file: str
    line: int
    values: int


@dataclass(frozen=True)
class Program:
    """Everything the engine needs to run, and everything a report needs to talk about it."""

    functions: tuple[Function, ...]
    entry: int
    globals: tuple[Global, ...] = ()
    constants: tuple[int, ...] = ()
    lists: tuple[tuple[int, ...], ...] = ()
    switches: tuple[SwitchTable, ...] = ()
    strings: tuple[str, ...] = ()
    positions: tuple[Position, ...] = ()
    loops: tuple[Loop, ...] = ()
    types: tuple[TypeInfo, ...] = ()
    thread_locals: tuple[ThreadLocal, ...] = ()  # by offset
    operations: tuple[Operation, ...] = ()  # on synchronisation objects
    notes: tuple[LoopNote, ...] = ()  # by loop
    sources: dict[str, str] = field(default_factory=dict)  # file -> text, for reports
    volatile: tuple[tuple[int, str], ...] = ()  # positions and names of plain accesses that are volatile
    machine: str = ""  # a machine instruction that the program relies on, and where
    arguments: str = ""  # where main looks at the number of its arguments, if it does
    warnings: tuple[str, ...] = ()  # what users should know about how the program was read
    limited: tuple[Limited, ...] = ()  # where the user left out open values

    def __hash__(self) -> int:
        return hash((self.entry, self.functions))  # the sources are a dictionary

    @property
    def thread_locals_end(self) -> int:
        """The offset in PRIVATE after the last thread-local."""
        return max((local.offset + local.size for local in self.thread_locals), default=0)

    def encode(self) -> bytes:
        """The Program as the engine reads it (little-endian, ``crates/engine/src/program``)."""
        return _Encoder(self).encode()


MAGIC = b"MZPR\x03"
_ABSENT = 0xFF  # in place of a mode that the source does not have


class _Encoder:
    """Writes the sections in the order in which the engine's decoder reads them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.out = bytearray(MAGIC)
        self.strings = list(program.strings)

    def encode(self) -> bytes:
        p = self.program
        self._u32(p.entry, len(p.thread_locals))
        for local in p.thread_locals:
            self._u32(local.offset, local.size)
            self._blob(local.data)
        self._u32(len(p.constants))
        self.out += struct.pack(f"<{len(p.constants)}Q", *p.constants)
        self._u32(len(p.lists))
        for operands in p.lists:
            self._u32(len(operands), *operands)
        self._u32(len(p.switches))
        for table in p.switches:
            self._u32(len(table.cases), table.default)
            for value, target in table.cases:
                self.out += struct.pack("<QI", value, target)
        operations = [self._operation(operation) for operation in p.operations]  # adds strings
        self._u32(len(self.strings))
        for text in self.strings:
            self._blob(text.encode())
        self._u32(len(operations))
        self.out += b"".join(operations)
        self._u32(len(p.loops))
        self._u32(len(p.globals))
        for g in p.globals:
            self.out += struct.pack("<QIB", g.address, g.size, g.constant)
            self._u32(len(g.data))
            for at, data in g.data:
                self._u32(at)
                self._blob(data)
        self._u32(len(p.functions))
        for function in p.functions:
            self._function(function)
        self._sources()
        return bytes(self.out)

    def _operation(self, operation: Operation) -> bytes:
        from mazurka.program.sync import encode_operation  # imported late: it imports this module

        return encode_operation(operation, self._string)

    def _string(self, text: str) -> int:
        if text not in self.strings:
            self.strings.append(text)
        return self.strings.index(text)

    def _function(self, f: Function) -> None:
        self._u32(f.params, f.registers, f.frame_size, len(f.objects))
        for o in f.objects:
            self._u32(o.offset, o.size)
        self._u32(len(f.code))
        for i in f.code:
            self.out += struct.pack("<BBBBIIII", i.op, i.width, i.mode, i.x, i.dst, i.a, i.b, i.c)

    def _sources(self) -> None:
        found = [
            (function, pc, instr.source)
            for function, body in enumerate(self.program.functions)
            for pc, instr in enumerate(body.code)
            if instr.source is not None
        ]
        self._u32(len(found))
        for function, pc, (mode, failure) in found:
            self.out += struct.pack("<IIBB", function, pc, _ABSENT if mode is None else mode, failure)

    def _u32(self, *values: int) -> None:
        self.out += struct.pack(f"<{len(values)}I", *values)

    def _blob(self, data: bytes) -> None:
        self._u32(len(data))
        self.out += data
