"""Reads how litmus files name registers, locations and values, in initial states and in conditions alike."""

from __future__ import annotations

import re
from collections.abc import Callable

from mazurka.litmus.meaning.values import (
    QUALIFIERS,
    TYPES,
    Address,
    CodeAddress,
    Encoding,
    Location,
    Observed,
    RegisterOf,
    Type,
    Value,
)
from mazurka.litmus.text.problems import closest
from mazurka.litmus.text.tokens import Token, Tokens

Registers = Callable[[str], tuple[str, int] | None]  # the full name of a register and its bits, or None
_THREAD = re.compile(r"P?(\d+)")
_PLACES = "write a register as 0:r1, a location as x, [x] or x[1]"
_VALUES = "write a number such as 1, -1 or 0xff, or the name of a location for its address"
_TYPE_WORDS = frozenset(word for name in TYPES for word in name.split())
_KINDS_OF_ATOMS = frozenset(("fault", "pte", "tag", "pa", "tlb"))


class Places:
    """Reads names and values from tokens."""

    def __init__(self, tokens: Tokens, registers: Registers) -> None:
        self.tokens = tokens
        self.registers = registers

    def at_thread(self) -> bool:
        """Whether ``0:`` or ``P0:`` comes next."""
        first, colon = self.tokens.peek(), self.tokens.peek(1)
        return bool(_THREAD.fullmatch(first.text)) and colon.text == ":"

    def thread(self) -> int:
        """The number of the thread that comes next, and its colon."""
        match = _THREAD.fullmatch(self.tokens.take().text)
        assert match
        self.tokens.take()
        return int(match[1])

    def register(self, thread: int) -> RegisterOf:
        """A register, behind the colon."""
        self.tokens.accept("%")
        token = self.tokens.name("the name of a register", _PLACES)
        known = self.registers(token.text)
        if known is None:
            raise self.tokens.source.problem(
                token.at,
                f"'{token.text}' is not a register of this machine",
                hint="use the register names of the machine in the first line",
                length=len(token.text),
            )
        return RegisterOf(thread, known[0], token.text, known[1])

    def observed(self) -> Observed:
        """A register, or a location in one of its spellings."""
        if self.at_thread():
            return self.register(self.thread())
        return self.location()

    def location(self) -> Location:
        """``x``, ``[x]``, ``*x``, ``x[1]`` or ``[x[1]]``."""
        tokens = self.tokens
        if tokens.accept("["):
            inner = self.location()
            tokens.expect("]", "close the bracket behind the location")
            return inner
        tokens.accept("*")
        name = tokens.name("a register or a location", _PLACES)
        if tokens.peek().text == "(" or name.text in _KINDS_OF_ATOMS:
            raise tokens.source.unsupported(
                name.at,
                f"'{name.text}(…)' is not supported",
                hint="faults, page tables and tags are not modelled; ask about registers and locations",
                length=len(name.text),
            )
        return Location(name.text, self._index())

    def _index(self) -> int | None:
        if not self.tokens.accept("["):
            return None
        index = self.tokens.number("the number of an element", "write the element as in x[1]")
        self.tokens.expect("]", "close the bracket behind the index")
        return index

    def value(self) -> Value:
        """A number, an address, or what an instruction is encoded as."""
        tokens = self.tokens
        while self._at_cast():
            while tokens.take().text != ")":
                pass
        first = tokens.peek()
        if self.at_thread():
            thread = self.thread()
            return CodeAddress(thread, tokens.name("a label", "write the address of code as P1:L0").text)
        if first.text == "-" or first.kind == "number":
            return tokens.number("a number", _VALUES)
        if tokens.accept("("):
            inner = self.value()
            tokens.expect(")", "close the parenthesis behind the value")
            return inner
        tokens.accept("&")
        name = tokens.name("a value", _VALUES)
        return self._named(name)

    def _at_cast(self) -> bool:
        """Whether a type in parentheses comes next."""
        return self.tokens.peek().text == "(" and self.tokens.peek(1).text in {*TYPES, *QUALIFIERS}

    def _named(self, name: Token) -> Value:
        tokens = self.tokens
        if name.text in ("instr", "label") and tokens.peek().text == ":":
            tokens.take()
            text = tokens.take()
            if text.kind != "string":
                raise tokens.source.problem(
                    text.at, f"expected text in quotes after '{name.text}:'", hint='as in instr:"NOP"'
                )
            inner = text.text[1:-1]
            label = re.fullmatch(r"P?(\d+):(\w+)", inner)
            return CodeAddress(int(label[1]), label[2]) if name.text == "label" and label else Encoding(inner)
        if name.text in ("ATOMIC_INIT", "ATOMIC_VAR_INIT", "REFCOUNT_INIT"):
            tokens.expect("(", f"write {name.text}(0)")
            number = tokens.number("a number", f"write {name.text}(0)")
            tokens.expect(")", f"write {name.text}(0)")
            return number
        if name.text in ("true", "false", "NULL"):
            return int(name.text == "true")
        index = self._index() or 0
        if tokens.peek().text == ":":
            raise tokens.source.unsupported(
                name.at,
                "tagged and physical addresses are not supported",
                hint=_VALUES,
                length=len(name.text),
            )
        return Address(name.text, index, self._offset())

    def _offset(self) -> int:
        if sign := self.tokens.accept("+", "-"):
            return (-1 if sign.text == "-" else 1) * self.tokens.number("an offset in bytes", _VALUES)
        return 0


def read_type(tokens: Tokens, *, is_cast: bool = False) -> Type | None:
    """A type, if one comes before a name; in a cast, everything up to the parenthesis."""
    words, start, is_atomic = [], tokens.peek(), False
    while tokens.peek().kind == "name" and (is_cast or _declares(tokens)):
        word = tokens.take().text
        is_atomic |= word == "_Atomic"
        words += [] if word in QUALIFIERS else [word]
    if tokens.peek() is start:
        return None
    name = " ".join(words) or "int"
    known = _type_of(words)
    if known is None and words[:-1] and words[-1] not in _TYPE_WORDS and _type_of(words[:-1]):
        raise tokens.unexpected(f"expected '=' or ';' after {words[-1]}", "as in int r1 = 0;")
    depth = 0
    while (star := tokens.accept("*")) or (depth and tokens.accept(*QUALIFIERS)):
        depth += star is not None
    if known is None:
        raise tokens.source.unsupported(
            start.at,
            f"unknown type '{name}'",
            hint=closest(name, TYPES, "use an integer type, such as int or uint64_t"),
            length=max(1, len(start.text)),
        )
    return Type(known.name, known.size, known.is_signed, known.is_atomic or is_atomic, depth)


def _type_of(words: list[str]) -> Type | None:
    name = " ".join(words) or "int"
    return TYPES.get(name) or TYPES.get(name.removesuffix(" int"))


def _declares(tokens: Tokens) -> bool:
    """Whether the name that comes next is followed by what it can declare as a type."""
    after, colon = tokens.peek(1), tokens.peek(2)
    is_register = bool(_THREAD.fullmatch(after.text)) and colon.text == ":"
    return after.kind == "name" or after.text == "*" or is_register
