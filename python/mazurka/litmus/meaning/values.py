"""What registers and locations of a litmus test can hold and be called: numbers, addresses, types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from mazurka.errors import Place


@dataclass(frozen=True, slots=True)
class Type:
    """A type of C as far as litmus tests need it; ``depth`` counts the stars of a pointer."""

    name: str
    size: int  # bytes
    is_signed: bool = True
    is_atomic: bool = False
    depth: int = 0

    @property
    def width(self) -> int:
        """The bytes of a value of this type: pointers have 8."""
        return 8 if self.depth else self.size


_SIGNED = {
    **{"char": 1, "short": 2, "int": 4, "long": 8, "long long": 8, "int8_t": 1, "int16_t": 2},
    **{"int32_t": 4, "int64_t": 8, "intptr_t": 8, "ptrdiff_t": 8, "ssize_t": 8, "__int128_t": 16},
    **{"int128_t": 16, "__int128": 16, "s8": 1, "s16": 2, "s32": 4, "s64": 8},
}
_UNSIGNED = {
    **{"unsigned": 4, "uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8, "uintptr_t": 8},
    **{"size_t": 8, "__uint128_t": 16, "uint128_t": 16, "_Bool": 1, "bool": 1, "ins_t": 4},
    **{f"unsigned {name}": _SIGNED[name] for name in ("char", "short", "int", "long", "long long")},
    **{"u8": 1, "u16": 2, "u32": 4, "u64": 8, "void": 1},
}
_ATOMIC = {
    **{"atomic_int": "int", "atomic_uint": "unsigned", "atomic_long": "long", "atomic_llong": "long long"},
    **{"atomic_ulong": "unsigned long", "atomic_char": "char", "atomic_short": "short"},
    **{"atomic_uchar": "unsigned char", "atomic_ushort": "unsigned short", "atomic_bool": "bool"},
    **{"atomic_intptr_t": "intptr_t", "atomic_uintptr_t": "uintptr_t", "atomic_size_t": "size_t"},
    **{f"atomic_{sign}int{bits}_t": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **{"atomic_t": "int", "atomic_long_t": "long", "atomic64_t": "int64_t", "refcount_t": "int"},
    **{"spinlock_t": "int", "raw_spinlock_t": "int", "struct srcu_struct": "int"},
}
_PLAIN = {
    **{name: Type(name, size) for name, size in _SIGNED.items()},
    **{name: Type(name, size, is_signed=False) for name, size in _UNSIGNED.items()},
}
TYPES = {
    **_PLAIN,
    **{
        name: Type(name, _PLAIN[plain].size, _PLAIN[plain].is_signed, is_atomic=True)
        for name, plain in _ATOMIC.items()
    },
}
QUALIFIERS = frozenset(("const", "volatile", "signed", "_Atomic", "__rcu", "restrict", "register", "static"))


@dataclass(frozen=True, slots=True)
class Address:
    """The address of an element of a location, some bytes on."""

    location: str
    index: int = 0
    offset: int = 0


@dataclass(frozen=True, slots=True)
class CodeAddress:
    """The address of an instruction, by its label."""

    thread: int
    label: str


@dataclass(frozen=True, slots=True)
class Encoding:
    """The machine word that encodes an instruction."""

    text: str


Value: TypeAlias = int | Address | CodeAddress | Encoding


@dataclass(frozen=True, slots=True)
class RegisterOf:
    """A register of a thread: its full name, how the file writes it, and how many bits that has."""

    thread: int
    register: str
    written: str
    bits: int = 64

    def __str__(self) -> str:
        return f"{self.thread}:{self.written}"


@dataclass(frozen=True, slots=True)
class Location:
    """What is in memory at a name, or at an element of an array of that name."""

    name: str
    index: int | None = None

    def __str__(self) -> str:
        return self.name if self.index is None else f"{self.name}[{self.index}]"


Observed: TypeAlias = RegisterOf | Location


@dataclass(frozen=True, slots=True)
class InitialRegister:
    """What a register holds at first, and its type if the file gives one."""

    register: RegisterOf
    type: Type | None
    value: Value | None
    place: Place


@dataclass(frozen=True, slots=True)
class InitialLocation:
    """A variable: its type if the file gives one, and its first values: several for an array."""

    name: str
    type: Type | None
    values: tuple[Value, ...]
    is_array: bool
    place: Place
