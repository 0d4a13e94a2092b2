"""Final states: what registers and locations hold at the end of an execution, and what a condition says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from mazurka.litmus.meaning.conditions import Equals, Proposition, Quantifier, holds
from mazurka.litmus.meaning.test import LitmusTest
from mazurka.litmus.meaning.values import TYPES, Location, Observed, RegisterOf, Type
from mazurka.litmus.running.layout import REGISTER, Layout
from mazurka.program import Program

if TYPE_CHECKING:
    from mazurka._engine import RawGraph

State: TypeAlias = tuple[int, ...]  # the values of ``LitmusTest.observed``, in that order
_WORD = 1 << 32
# A part of a register has its own size, whatever type the register has.
_PARTS = {8: TYPES["int8_t"], 16: TYPES["int16_t"], 32: TYPES["int"]}


class States:
    """Reads the final states of a test's executions."""

    def __init__(self, test: LitmusTest, layout: Layout) -> None:
        self.test = test
        self.layout = layout
        self.observed = test.observed
        self.types = {(r.register.thread, r.register.register): r.type for r in test.registers if r.type}
        self.initial = {g.address: _bytes(g.data, g.size) for g in layout.globals()}

    def of_graph(self, graph: RawGraph) -> State:
        """The final state of an execution."""
        last: dict[int, int] = {}
        for at, size, writes in graph.co:
            if writes:
                thread, number = writes[-1]
                event = graph.threads[thread].events[number]
                value = event.value >> 8 * (at - event.address)
                last |= {at + byte: value >> 8 * byte & 0xFF for byte in range(size)}
        return self.of_bytes(last)

    def of_bytes(self, last: Mapping[int, int]) -> State:
        """The final state, from the bytes that were written last, by address."""
        return tuple(self._value(observed, last) for observed in self.observed)

    def _value(self, observed: Observed, last: Mapping[int, int]) -> int:
        if isinstance(observed, RegisterOf):
            at, first = self.layout.cells[observed], bytes(REGISTER)
        else:
            item = self.layout.objects[observed.name]
            offset = (observed.index or 0) * item.element
            at, first = item.address + offset, self.initial[item.address][offset : offset + item.element]
        return int.from_bytes((last.get(at + n, byte) for n, byte in enumerate(first)), "little")

    def holds(self, proposition: Proposition, state: State) -> bool:
        """Whether a proposition holds of a state."""

        def is_equal(part: Equals) -> bool:
            wanted = self._side(part, state)
            return self._equal(part.left, wanted, state[self.observed.index(part.left)])

        return holds(proposition, is_equal)

    def _side(self, part: Equals, state: State) -> int:
        if isinstance(part.right, RegisterOf | Location):
            return state[self.observed.index(part.right)]
        return self.layout.value(part.right, part.place, self._bits(part.left))

    def _bits(self, observed: Observed) -> int:
        if isinstance(observed, RegisterOf):
            return 8 * REGISTER
        return self.layout.objects[observed.name].bits

    def _equal(self, left: Observed, wanted: int, value: int) -> bool:
        """Values are compared as those of the type; what has none is an int, unless it is larger than one."""
        kind = self.type_of(left)
        if kind is not None:
            mask = (1 << 8 * kind.width) - 1
            return (value ^ wanted) & mask == 0
        return value == wanted or _as_word(value) == _as_word(wanted)

    def type_of(self, observed: Observed) -> Type | None:
        """The type as which a register or a location is compared and shown, if it has one."""
        if isinstance(observed, RegisterOf):
            given = self.types.get((observed.thread, observed.register))
            part = _PARTS.get(observed.bits)
            return given if part is None or (given and given.width < part.width) else part
        return self.layout.objects[observed.name].type

    def text(self, state: State) -> str:
        """A state as logs show it."""
        shown = (f"{o}={self._shown(o, v)};" for o, v in zip(self.observed, state, strict=True))
        return " ".join(shown)

    def _shown(self, observed: Observed, value: int) -> str:
        for item in self.layout.objects.values():
            if item.address <= value < item.address + item.size:
                offset = value - item.address
                return item.name if offset == 0 else f"{item.name}+{offset}"
        kind = self.type_of(observed)
        bits = 8 * kind.width if kind else 32 if value < _WORD else self._bits(observed)
        value &= (1 << bits) - 1
        signed = (kind is None or kind.is_signed) and value >> bits - 1
        return str(value - (1 << bits) if signed else value)


def _as_word(value: int) -> int:
    """A value of 32 bits, with or without its sign in 64, as a number without a sign."""
    return value & (_WORD - 1) if value < _WORD or value >> 31 == (1 << 33) - 1 else value


def _bytes(pieces: Iterable[tuple[int, bytes]], size: int) -> bytes:
    data = bytearray(size)
    for at, piece in pieces:
        data[at : at + len(piece)] = piece
    return bytes(data)


@dataclass(frozen=True)
class Verdict:
    """What the executions of a test say about its condition."""

    test: LitmusTest
    model: str
    states: tuple[tuple[str, int, bool], ...]  # each state, how many executions end in it, is it a witness
    positive: int
    negative: int
    is_bounded: bool = False  # executions beyond the bound of a loop are missing
    only_witnesses: bool = False  # executions that do not satisfy the condition were not explored
    flags: tuple[str, ...] = ()  # what the model says of some executions, such as that they have data races
    drawing: str | None = None  # an execution that decides the condition, for Graphviz, if it was asked for
    warnings: tuple[str, ...] = ()  # what is not shown about a model that was run all the same

    @property
    def observation(self) -> str:
        """Whether the proposition holds always, sometimes or never."""
        if not self.positive:
            return "Never"
        return "Sometimes" if self.negative else "Always"

    @property
    def is_ok(self) -> bool:
        """Whether the condition holds."""
        match self.test.condition.quantifier:
            case Quantifier.EXISTS:
                return self.positive > 0
            case Quantifier.NOT_EXISTS:
                return self.positive == 0
            case Quantifier.FORALL:
                return self.negative == 0


def judge(
    test: LitmusTest,
    layout: Layout,
    program: Program,
    graphs: Iterable[RawGraph],
    model: str,
    *,
    is_bounded: bool = False,
    draws: bool = False,
) -> Verdict:
    """The verdict on a test from the graphs of all its executions; ``draws`` draws one that decides it."""
    states = States(test, layout)
    counts: Counter[State] = Counter()
    drawn: dict[bool, RawGraph] = {}  # an execution in which the proposition holds, and one without
    for graph in graphs:
        state = states.of_graph(graph)
        counts[state] += 1
        if counts[state] == 1 and states.holds(test.filter, state):
            drawn.setdefault(states.holds(test.condition.proposition, state), graph)
    rows, positive, negative = [], 0, 0
    for state, count in sorted(counts.items()):
        if not states.holds(test.filter, state):
            continue
        witness = states.holds(test.condition.proposition, state)
        positive, negative = positive + count * witness, negative + count * (not witness)
        rows.append((states.text(state), count, witness))
    decides = drawn.get(test.condition.quantifier is not Quantifier.FORALL)
    verdict = Verdict(test, model, tuple(rows), positive, negative, is_bounded)
    if not draws or decides is None:
        return verdict
    from mazurka.litmus.running.drawing import as_dot  # late: few ask for it

    return replace(verdict, drawing=as_dot(test, layout, decides, program))
