"""The registers of x86 by all their names, and the sizes that names, suffixes and modifiers stand for."""

from __future__ import annotations

_OLD = ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp")
_NEW = tuple(f"r{number}" for number in range(8, 16))
_BYTES = {"al": "ax", "bl": "bx", "cl": "cx", "dl": "dx", "sil": "si", "dil": "di", "bpl": "bp", "spl": "sp"}

# By name: the register, and how many of its bits the name means.
REGISTERS: dict[str, tuple[str, int]] = {
    **{name: (register, 8) for name, register in _BYTES.items()},
    **{name: (name, 16) for name in _OLD},
    **{"e" + name: (name, 32) for name in _OLD},
    **{"r" + name: (name, 64) for name in _OLD},
    **{name: (name, 64) for name in _NEW},
    **{name + ending: (name, bits) for name in _NEW for ending, bits in (("d", 32), ("w", 16), ("b", 8))},
}
SUFFIXES = {"b": 8, "w": 16, "l": 32, "q": 64}
MODIFIERS = {"b": 8, "w": 16, "k": 32, "q": 64}
STACK = "sp"
