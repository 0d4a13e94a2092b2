"""Reads the initial state of a litmus test: what stands between the first braces."""

from __future__ import annotations

from mazurka.litmus.meaning.values import InitialLocation, InitialRegister, Type, Value
from mazurka.litmus.text.places import Places, Registers, read_type
from mazurka.litmus.text.tokens import Token, Tokens

_MOST_ELEMENTS = 4096
_ENTRIES = "separate entries by ';', as in { x=0; 0:r1=x; int y[2]={1,2}; }"


class InitialState:
    """The registers and locations that a test declares, in the order of the file."""

    def __init__(self, tokens: Tokens, registers: Registers) -> None:
        self.tokens = tokens
        self.places = Places(tokens, registers)
        self.registers: list[InitialRegister] = []
        self.locations: list[InitialLocation] = []
        while tokens.peek().kind != "end":
            if not tokens.accept(";"):
                self._entry()

    def _entry(self) -> None:
        tokens, start = self.tokens, self.tokens.peek()
        kind = None if self.places.at_thread() else read_type(tokens)
        if self.places.at_thread():
            self._register(kind, start)
        else:
            self._location(kind, start)
        if tokens.peek().kind != "end" and not tokens.accept(";", ","):
            raise tokens.unexpected("expected ';' after an entry of the initial state", _ENTRIES)

    def _register(self, kind: Type | None, start: Token) -> None:
        register = self.places.register(self.places.thread())
        place = self.tokens.source.place(start.at)
        value: Value | None = None
        if self.tokens.accept("=", "=="):
            value = self.places.value()
        same = [r for r in self.registers if r.register.register == register.register]
        if value is not None and any(
            r.register.thread == register.thread and r.value not in (None, value) for r in same
        ):
            raise self.tokens.source.problem(
                start.at,
                f"{register} has two initial values",
                hint="keep one of them",
                length=len(start.text),
            )
        self.registers.append(InitialRegister(register, kind, value, place))

    def _location(self, kind: Type | None, start: Token) -> None:
        tokens = self.tokens
        location = self.places.location() if tokens.peek().text in ("[", "*") else None
        name = location.name if location else tokens.name("a register or a location", _ENTRIES).text
        length = self._length() if location is None else None
        values: tuple[Value, ...] = ()
        if tokens.accept("=", "=="):
            values = self._values()
        if length is not None and len(values) > length:
            raise tokens.source.problem(
                start.at,
                f"{len(values)} values are given for {name}, whose length is {length}",
                hint="make the array larger",
            )
        is_array = length is not None or len(values) > 1
        size = length if length is not None else max(1, len(values))
        values += (0,) * (size - len(values))
        if any(known.name == name for known in self.locations):
            raise tokens.source.problem(
                start.at, f"{name} has two initial values", hint="keep one of them", length=len(start.text)
            )
        place = tokens.source.place(start.at)
        self.locations.append(InitialLocation(name, kind, values, is_array, place))

    def _length(self) -> int | None:
        tokens = self.tokens
        if not (bracket := tokens.accept("[")):
            return None
        if tokens.accept("]"):
            return None
        length = tokens.number("the length of an array", "write the length as in int x[2]")
        tokens.expect("]", "close the bracket behind the length")
        if not 1 <= length <= _MOST_ELEMENTS:
            raise tokens.source.problem(
                bracket.at, f"an array cannot have {length} elements", hint=f"use 1 to {_MOST_ELEMENTS}"
            )
        return length

    def _values(self) -> tuple[Value, ...]:
        """One value, or those of an array in braces."""
        if not self.tokens.accept("{"):
            return (self.places.value(),)
        values = []
        while not self.tokens.accept("}"):
            values.append(self.places.value())
            if self.tokens.peek().text != "}":
                self.tokens.expect(",", "separate the values of an array by ','")
        return tuple(values)
