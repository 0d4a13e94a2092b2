"""The memory of a litmus test: its locations, and the cells in which threads leave their registers."""

from __future__ import annotations

from dataclasses import dataclass

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.litmus.meaning.conditions import atoms
from mazurka.litmus.meaning.operations import CompareSwap, Load, Operation, Rmw, Store, sources
from mazurka.litmus.meaning.test import Language, LitmusTest
from mazurka.litmus.meaning.values import Address, CodeAddress, Encoding, Location, RegisterOf, Type, Value
from mazurka.litmus.running.code import WORD, word_at, word_of
from mazurka.program import Global, Pieces, Region, address, pieces_of

_FIRST = address(Region.GLOBAL, 4096)
_SPACING = 64  # bytes at least between two locations, so that an address shows which one it was made from
REGISTER = 8
_C = (Language.C11, Language.KERNEL)


@dataclass(frozen=True, slots=True)
class Object:
    """A location: its elements, and how they are shown."""

    name: str
    address: int
    element: int  # bytes
    values: tuple[Value, ...]
    type: Type | None

    @property
    def size(self) -> int:
        """All its bytes."""
        return self.element * len(self.values)

    @property
    def bits(self) -> int:
        """How many bits the numbers have that it is compared with: at least those of a register."""
        return 8 * max(REGISTER, self.element)


class Layout:
    """The memory of a test."""

    def __init__(self, test: LitmusTest) -> None:
        self.test = test
        self.objects: dict[str, Object] = {}
        self.code: dict[CodeAddress, int] = {}  # where the word of an instruction is
        self.cells: dict[RegisterOf, int] = {}  # where a thread leaves the register, when it ends
        declared = {location.name: location for location in test.locations}
        types = {p.name: p.type for thread in test.threads for p in thread.parameters}
        widest = max((size_of(o) for t in test.threads for o in t.operations), default=4)
        at = _FIRST
        for name in self._names():
            known = declared.get(name)
            kind = known.type if known else None
            if kind is None and name in types:
                given = types[name]
                kind = Type(given.name, given.size, given.is_signed, given.is_atomic, given.depth - 1)
            values = known.values if known else (0,)
            element = 8 if test.language in _C else kind.width if kind else max(4, widest)
            if any(isinstance(value, Address) for value in values):
                element = max(element, 8)
            self.objects[name] = Object(name, at, element, values, kind)
            at += -(-self.objects[name].size // _SPACING) * _SPACING + _SPACING
        for named in self._code():
            self.code[named] = at
            at += _SPACING
        for observed in test.observed:
            if isinstance(observed, RegisterOf):
                self.cells[observed] = at
                at += _SPACING
        self.success = at  # what a successful store conditional returns, where that is an event: 0

    def _names(self) -> list[str]:
        """All locations, in the order in which the file names them."""
        test = self.test
        values = [value for location in test.locations for value in location.values]
        values += [r.value for r in test.registers if r.value is not None]
        asked = [*atoms(test.condition.proposition), *atoms(test.filter)]
        sides = [side for atom in asked for side in (atom.left, atom.right)]
        names = [location.name for location in test.locations]
        names += [p.name for thread in test.threads for p in thread.parameters]
        operands = (x for thread in test.threads for o in thread.operations for x in sources(o))
        names += [x.location for x in (*operands, *values, *sides) if isinstance(x, Address)]
        names += [x.name for x in (*test.observed,) if isinstance(x, Location)]
        return list(dict.fromkeys(names))

    def _code(self) -> list[CodeAddress]:
        """The instructions whose addresses the test uses."""
        values = [value for location in self.test.locations for value in location.values]
        values += [r.value for r in self.test.registers if r.value is not None]
        sides = (a.right for p in (self.test.condition.proposition, self.test.filter) for a in atoms(p))
        return list(dict.fromkeys(x for x in (*values, *sides) if isinstance(x, CodeAddress)))

    def value(self, value: Value, place: Place, bits: int = 64) -> int:
        """A value as a number of 64 bits, or more."""
        if isinstance(value, int):
            if not -1 << bits - 1 <= value < 1 << bits:
                message = f"the number {value} does not fit into {bits} bits"
                raise SourceError(ErrorCode.BAD_LITMUS, message, place=place, hint="use a smaller number")
            return value & (1 << bits) - 1
        if isinstance(value, Address):
            at = self.objects[value.location]
            return at.address + value.index * at.element + value.offset
        word = word_of(value.text) if isinstance(value, Encoding) else word_at(self.test, value)
        if word is None:
            message = "the word that encodes this instruction is not known"
            hint = "of AArch64, NOP and B are known: rewrite the test with these"
            raise SourceError(ErrorCode.UNSUPPORTED, message, place=place, hint=hint)
        return word if isinstance(value, Encoding) else self.code[value]

    def globals(self) -> tuple[Global, ...]:
        """The initial memory."""
        places = {location.name: location.place for location in self.test.locations}
        found = []
        for item in self.objects.values():
            mask = (1 << 8 * item.element) - 1
            place = places.get(item.name, Place(self.test.file))
            values = (self.value(value, place, item.bits) & mask for value in item.values)
            data = b"".join(value.to_bytes(item.element, "little") for value in values)
            found.append(Global(item.name, item.address, item.size, pieces_of(data), False))
        cells = (Global(str(o), at, REGISTER, (), False) for o, at in self.cells.items())
        words = (
            Global(f"P{x.thread}:{x.label}", at, WORD, _word(word_at(self.test, x)), True)
            for x, at in self.code.items()
        )
        success = Global("success", self.success, REGISTER, (), False)
        return (*found, *words, *cells, success)


def _word(value: int | None) -> Pieces:
    return pieces_of((value or 0).to_bytes(WORD, "little"))


def size_of(operation: Operation) -> int:
    """How many bytes an operation accesses; 0 if it is no access."""
    return operation.size if isinstance(operation, Load | Store | Rmw | CompareSwap) else 0
