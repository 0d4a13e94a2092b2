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

CONST = 0x8000_0000
NO_POSITION = 0xFFFF_FFFF

# Where addresses live: bits 44..47 are the region, bits 28..43 the thread, bits 0..27 the offset.
REGION_SHIFT = 44
THREAD_SHIFT = 28
OFFSET_MASK = (1 << 28) - 1
# Objects lie GAP bytes apart: an address up to SLACK bytes outside its object tells what it was made from.
GAP = 256
SLACK = 64
FRAME_SCALE = 32  # the addresses of frame objects are so much further apart than their bytes
# One further out is stray: bits 48 to 63 tell the side, and how many units to go back to its object.
_PLAIN = (1 << 48) - 1
_UNIT = 2 * SLACK
_LOST = 0x3FFF  # stands for any number of units that is too large
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
    """An address as it is made from an object."""
    if is_around(extent, target):
        return target
    past, before = target - extent[1] - SLACK, extent[0] - SLACK - target
    units = -min(-(-before // _UNIT), _LOST) if before > 0 else min(-(-past // _UNIT), _LOST)
    return _stray(target, units)


def _stray(target: int, units: int) -> int:
    return ((_BEFORE if units < 0 else _PAST) + units) << 48 | target & _PLAIN


def _is_stray(place: int) -> bool:
    return place >> 62 in (1, 2)


class Mode(IntEnum):
    """How strongly an access or fence orders."""

    NA = 0
    RLX = 1
    ACQ = 2
    REL = 3
    ACQ_REL = 4
    SC = 5


class RmwOp(IntEnum):
    """What a read-modify-write stores, from the old value and its operand."""

    XCHG = 0
    ADD = 1
    SUB = 2
    AND = 3
    OR = 4
    XOR = 5
    NAND = 6
    MAX = 7
    MIN = 8
    UMAX = 9
    UMIN = 10
    FADD = 11
    FSUB = 12


class Op(IntEnum):
    """Instructions. The comment gives the fields in use; ``docs/reference/bytecode.md`` the meaning."""

    # values: dst, a, b (width)
    MOV = 0
    ADD = 1
    SUB = 2
    MUL = 3
    UDIV = 4
    SDIV = 5
    UREM = 6
    SREM = 7
    AND = 8
    OR = 9
    XOR = 10
    SHL = 11
    LSHR = 12
    ASHR = 13
    EQ = 14
    NE = 15
    ULT = 16
    ULE = 17
    SLT = 18
    SLE = 19
    TRUNC = 20  # dst, a: keep width bits
    SEXT = 21  # dst, a: sign-extend from width bits to x bits
    SELECT = 22  # dst, a ? b : c
    SADDO = 23  # dst, dst+1 = overflow flag
    UADDO = 24
    SSUBO = 25
    USUBO = 26
    SMULO = 27
    UMULO = 28
    CTPOP = 29
    CTLZ = 30
    CTTZ = 31
    BSWAP = 32
    BITREV = 33
    ABS = 34
    SMAX = 35
    SMIN = 36
    UMAX = 37
    UMIN = 38
    FSHL = 39  # dst, a, b, shift c
    FSHR = 40
    # floating point, width 32 or 64, values as bit patterns
    FADD = 41
    FSUB = 42
    FMUL = 43
    FDIV = 44
    FREM = 45
    FNEG = 46
    FCMP = 47  # x: LLVM's predicate number 0..15
    FPTOSI = 48  # width: of the float, x: bits of the integer
    FPTOUI = 49
    SITOFP = 50  # width: of the float, x: bits of the integer
    UITOFP = 51
    FPEXT = 52  # 32 -> 64
    FPTRUNC = 53  # 64 -> 32
    FABS = 54
    FSQRT = 55
    FFLOOR = 56
    FCEIL = 57
    FTRUNC = 58
    FROUND = 59
    # control
    JMP = 60  # a: target pc
    BR = 61  # a: condition operand, b: target if nonzero, c: target if zero
    SWITCH = 62  # a: value, c: switch table
    LOOP = 63  # dst: counter register, a: loop id, x: Rounds; stands on every back edge
    CALL = 64  # dst: first result register, a: function, c: operand list, x: number of results
    CALLI = 65  # the same, a: operand holding a function's address
    RET = 66  # c: operand list
    UNREACHABLE = 67
    # memory
    LOAD = 68  # dst, a: address; width bits, mode; x: MOVED if the value is only moved
    STORE = 69  # a: address, b: value; width bits, mode
    RMW = 70  # dst: old, a: address, b: operand; x: RmwOp
    CAS = 71  # dst: old, dst+1: success, a: address, b: expected, c: new; x: failure mode
    FENCE = 72
    FRAMEADDR = 73  # dst, a: where the object starts in the frame, b: byte in it (plain numbers)
    TLSADDR = 74  # dst, a: byte offset in the thread's private thread-local block (plain number)
    ALLOC = 75  # dst, a: size, b: alignment (operands); x: AllocFlag bits
    FREE = 76  # a: address; x: AllocFlag.STACK when a scope ends
    OBJSIZE = 77  # dst, a: address; size of the heap object that starts there
    # threads
    CREATE = 78  # dst: thread value, a: function address, b: argument
    JOIN = 79  # dst: return value, a: thread value
    SELF = 80  # dst: thread value
    EXIT = 81  # a: return value; ends the thread, or with x = 1 the whole program
    LOCK = 82  # a: address of the mutex
    TRYLOCK = 83  # dst: 0 if taken, else 16 (EBUSY); a: address
    UNLOCK = 84
    MUTEX_INIT = 85
    MUTEX_DESTROY = 86
    # verification
    FAIL = 87  # a: string (kind), b: string (message): a finding
    ASSUME = 88  # a: operand; zero blocks the thread
    PRINT = 89  # a: string (source of the format), c: operand list (format address, arguments)
    UNKNOWN = 90  # a: string: an external function that was reached but is not known
    NOP = 91
    REFUSE = 92  # a: string (construct): reached something this version does not support
    # values again
    FDIGITS = 93  # dst, a: a double, b: precision: characters that printf writes for it, without its sign
    # memory, again
    STEP = 94  # dst, a: address, b: bytes; c: how many bytes on the object surely has (plain number)
    UNWIND = 95  # dst: address of a shared local of this thread that still lives, else 0
    FILL = 96  # dst: whether it was done, a: address, b: byte, c: how many
    COPY = 97  # dst: whether it was done, a: address, b: address of the source, c: bytes; x: OVERLAPPING


OVERLAPPING = 1  # x of a COPY whose source and target may have bytes in common
MOVED = 1  # x of a LOAD that belongs to a copy or a bit-field store: indeterminate bytes are no finding


class AllocFlag(IntEnum):
    """Bits in ``x`` of ALLOC and FREE."""

    PRIVATE = 1  # escape analysis proved that no other thread sees it
    ZERO = 2
    STACK = 4  # a local variable, whose life its function ends; free() must not


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
_MANY_ZEROS = re.compile(rb"\0{64,}")  # fewer cost less than a piece does


def pieces_of(data: bytes, at: int = 0) -> Pieces:
    """Bytes that begin at an offset, without zeros at the ends and many zeros in a row."""
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


class Rounds(IntEnum):
    """What the front-end knows of a loop's rounds (``x`` of LOOP): whether a bound cuts it."""

    ANY = 0  # cut past the bound, except before the first thread is created
    CONSTANT = 1  # the same in every execution: never cut
    ENDLESS = 2  # no exit: cut past the bound wherever it stands


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
    sources: dict[str, str] = field(default_factory=dict)  # file -> text, for reports

    @property
    def thread_locals_end(self) -> int:
        """The offset in PRIVATE after the last thread-local."""
        return max((local.offset + local.size for local in self.thread_locals), default=0)

    def encode(self) -> bytes:
        """The Program as the engine reads it (little-endian, ``crates/engine/src/program``)."""
        return _Encoder(self).encode()


MAGIC = b"MZPR\x01"


class _Encoder:
    """Writes the sections in the order in which the engine's decoder reads them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.out = bytearray(MAGIC)

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
        self._u32(len(p.strings))
        for text in p.strings:
            self._blob(text.encode())
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
        return bytes(self.out)

    def _function(self, f: Function) -> None:
        self._u32(f.params, f.registers, f.frame_size, len(f.objects))
        for o in f.objects:
            self._u32(o.offset, o.size)
        self._u32(len(f.code))
        for i in f.code:
            self.out += struct.pack("<BBBBIIII", i.op, i.width, i.mode, i.x, i.dst, i.a, i.b, i.c)

    def _u32(self, *values: int) -> None:
        self.out += struct.pack(f"<{len(values)}I", *values)

    def _blob(self, data: bytes) -> None:
        self._u32(len(data))
        self.out += data
