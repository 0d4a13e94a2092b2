"""The text of an ``asm``, as instructions with operands.

AT&T syntax, as GCC and clang have it by default. In LLVM's form ``$0`` or ``${0:b}`` is an operand of the
``asm``, ``$$`` a dollar sign, and registers have one percent sign.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_COMMENT = re.compile(r"/\*.*?\*/|#[^\n]*|//[^\n]*", re.S)
_ENDS = re.compile(r"[;\n]")
_PREFIXES = ("lock", "rep", "repz")
_REFERENCE = re.compile(r"\$(?:(\d+)|\{(\d+)(?::(\w))?\})")
_MEMORY = re.compile(r"(-?\d*)\((.*)\)")


class Reference(NamedTuple):
    """An operand of the ``asm``, by its number; a modifier may choose a part of it."""

    number: int
    modifier: str = ""


class Register(NamedTuple):
    """A register that the text names."""

    name: str


class Immediate(NamedTuple):
    """A number."""

    value: int


class Indirect(NamedTuple):
    """Memory at a register's address plus a number."""

    base: Reference | Register
    offset: int


Operand = Reference | Register | Immediate | Indirect


class Instruction(NamedTuple):
    """One instruction; ``text`` is how messages show it."""

    word: str
    operands: tuple[str, ...]
    prefix: str
    text: str


def instructions(template: str) -> list[Instruction]:
    """The instructions of a template; a prefix that stands alone belongs to the next one."""
    found: list[Instruction] = []
    prefix = ""
    for piece in _ENDS.split(_COMMENT.sub(" ", template)):
        words = piece.split()
        while words and words[0].lower() in _PREFIXES:
            prefix = words.pop(0).lower()
        if words:
            rest = " ".join(words[1:])
            operands = tuple(part.strip() for part in _split(rest)) if rest else ()
            word = words[0].lower()
            found.append(Instruction(word, operands, prefix, " ".join(filter(None, (prefix, word, rest)))))
            prefix = ""
    if prefix:
        found.append(Instruction("", (), prefix, prefix))
    return found


def shown(text: str) -> str:
    """An instruction as the source writes it."""
    return re.sub(r"\$(\d)", r"%\1", text.replace("$$", "\0")).replace("\0", "$")


def _split(text: str) -> list[str]:
    """Splits at commas outside of parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def operand(text: str) -> Operand | None:
    """An operand of an instruction, if it has one of the usual forms."""
    reference = _REFERENCE.fullmatch(text)
    if reference is not None:
        return Reference(int(reference[1] or reference[2]), reference[3] or "")
    if text.startswith("%"):
        return Register(text.lstrip("%"))
    if text.startswith("$$"):
        try:
            return Immediate(int(text[2:], 0))
        except ValueError:
            return None
    memory = _MEMORY.fullmatch(text.replace(" ", ""))
    if memory is not None:
        base = operand(memory[2])
        if isinstance(base, (Reference, Register)):
            return Indirect(base, int(memory[1] or "0"))
    return None
