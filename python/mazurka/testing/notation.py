"""Reads the one-line litmus notation of conformance tables, such as ``Wrlx x 1; Rrlx y || Rrlx x``.

``||`` separates threads and ``;`` operations. ``W<mo> x 1`` stores, ``R<mo> x`` loads, ``F<mo>`` is a
fence, ``A<mo> x`` adds 1, ``C<mo> x 0 1`` compares and exchanges (failure is relaxed, or as in
``Csc/acq x 0 1``), ``X<mo> x 1`` exchanges. Loads and stores may be ``na``, non-atomic. A value
``=rN`` is the N-th load of the thread, and ``if rN==k op`` guards one operation. All variables start at 0.
``{op; op}`` is an atomic section. ``x[2]`` is one byte of a variable, and ``x[0:3]`` are its bytes 0 to 3.
Numbers may be hexadecimal.
In this notation only ``R`` numbers registers; the parser maps them to the registers of ``operations`` (I1).
"""

from __future__ import annotations

import re

from mazurka.program import Mode
from mazurka.testing.operations import (
    READING,
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Load,
    Operation,
    Part,
    Place,
    Register,
    Section,
    Store,
    Test,
    Value,
)

_MODES = {
    **{"na": Mode.NA, "rlx": Mode.RLX, "acq": Mode.ACQ},
    **{"rel": Mode.REL, "acqrel": Mode.ACQ_REL, "sc": Mode.SC},
}
_GUARD = re.compile(r"if r(\d+)==(\w+) (.+)")
_PART = re.compile(r"(\w+)\[(\d+)(?::(\d+))?\]")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]+")
_ATOMIC = "(acqrel|rlx|acq|rel|sc)"
_OPERATION = re.compile(rf"([RW])(na)|([RWFACX]){_ATOMIC}|(C){_ATOMIC}/(rlx|acq|sc)")
_BETWEEN = re.compile(r";(?![^{]*\})")  # operations, or whole sections
_ARITY = {"R": 1, "W": 2, "F": 0, "A": 1, "C": 3, "X": 2}


class NotationError(ValueError):
    """A text that is not in the notation; the message quotes the operation that is wrong."""


def parse_litmus(text: str) -> Test:
    """The test that a line of the notation describes."""
    threads = tuple(_Thread(part).operations for part in text.split("||"))
    operations = re.split(r"\|\||;", re.sub("[{}]", " ", text))
    names = dict.fromkeys(name for operation in operations for name in _names(operation))
    return Test(threads, tuple((name, 0) for name in names))


def _names(operation: str) -> list[str]:
    """The variable an operation names, in a list of at most one."""
    words = operation.split()
    if words and words[0] == "if":
        words = words[2:]
    return [word.partition("[")[0] for word in words[1:2]]


def _place(word: str) -> Place:
    """A variable, or some of its bytes."""
    part = _PART.fullmatch(word)
    if part is None:
        return word
    name, first, last = part[1], int(part[2]), int(part[3] or part[2])
    return Part(name, first, last - first + 1)


def _number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise NotationError(f"not a number: {word!r}")
    return int(word, 0)


def _parts(match: re.Match[str]) -> tuple[str, str, str]:
    """What an operation is, its mode, and the mode of its failure."""
    kind, order, *failure = (group for group in match.groups() if group is not None)
    return kind, order, failure[0] if failure else "rlx"


class _Thread:
    """Parses one thread, keeping track of which registers its loads fill."""

    def __init__(self, text: str) -> None:
        self.loads: list[Register] = []
        self.registers = 0
        self.operations = tuple(self._operation(part.strip()) for part in _BETWEEN.split(text))

    def _operation(self, text: str) -> Operation:
        guard = _GUARD.fullmatch(text)
        if guard:
            register = self._register(guard[1], text)
            return Guard(register, _number(guard[2]), (self._operation(guard[3]),))
        if text.startswith("{") and text.endswith("}"):
            return Section(tuple(self._operation(part.strip()) for part in text[1:-1].split(";")))
        operation = self._plain(text)
        if isinstance(operation, READING):
            if isinstance(operation, Load):
                self.loads.append(Register(self.registers))
            self.registers += 1
        return operation

    def _plain(self, text: str) -> Operation:
        head, *words = text.split() or [""]
        match = _OPERATION.fullmatch(head)
        kind, order, failure = _parts(match) if match else ("", "", "")
        if len(words) != _ARITY.get(kind):
            raise NotationError(f"not an operation: {text!r}")
        mode, place = _MODES[order], _place(words[0]) if words else ""
        match kind:
            case "F":
                return Fence(mode)
            case "R":
                return Load(mode, place)
            case "W":
                return Store(mode, place, self._value(words[1], text))
            case "A":
                return FetchAdd(mode, place)
            case "X":
                return Exchange(mode, place, self._value(words[1], text))
            case _:
                return CompareExchange(mode, place, _number(words[1]), _number(words[2]), _MODES[failure])

    def _value(self, word: str, text: str) -> Value:
        if word.startswith("=r"):
            return self._register(word[2:], text)
        return _number(word)

    def _register(self, number: str, text: str) -> Register:
        if not number.isdecimal() or int(number) >= len(self.loads):
            raise NotationError(f"no load fills r{number} before {text!r}")
        return self.loads[int(number)]
