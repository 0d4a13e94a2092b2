"""From an execution to a program that has it, and the outcome that identifies it.

Reads go into registers, and all of their values belong to the outcome, which fixes rf. The
order of two writes of a location is fixed by program order, by a read-modify-write that reads from the
first, or by the final value; where that is not enough, an extra thread reads the location's values in
order. An address or data dependency adds a number that is 0, though no compiler can know that; a control
dependency is a branch around the rest of the thread.
I1: what C cannot express is refused, with what is missing; it is never left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from mazurka.counterexamples.execution import Counterexample, Shown
from mazurka.kat.meaning.facts import DEPENDENCIES, HALVES, WHOLE
from mazurka.kat.meaning.rows import bits, closure, compose, inverse, is_within

_UPDATE_MODES = {
    ("rlx", "rlx"): "rlx",
    ("acq", "rlx"): "acq",
    ("rlx", "rel"): "rel",
    ("acq", "rel"): "acqrel",
    ("sc", "sc"): "sc",
}
_SAID_BY_THE_REST = {"po", "po-loc", "po-imm", "same-thread", "loc-overlap", "any"}
# Relations within po-loc that follow from others, which models for proofs declare.
_FOLLOWING = {"detour": ("coe", "rfe"), "rdw": ("fre", "rfe")}
_REALISED = {"rmw", *HALVES, *WHOLE, *DEPENDENCIES, *_SAID_BY_THE_REST}
MASK = 128  # larger than every value, so that a value masked with it is 0


class Unrealizable(Exception):  # noqa: N818 - says what an execution is, not that something broke
    """No C program has this execution; the message says what C lacks."""


@dataclass(frozen=True)
class Load:
    """A read into a register; its address depends on other registers."""

    register: str
    place: str
    mode: str
    address: tuple[str, ...] = ()


@dataclass(frozen=True)
class Store:
    """A write; its address and its value depend on registers."""

    place: str
    value: int
    mode: str
    address: tuple[str, ...] = ()
    data: tuple[str, ...] = ()


@dataclass(frozen=True)
class Update:
    """A read-modify-write, as an exchange; ``added`` if its value depends on what it read.

    If its write depends on what it read by control, ``expected`` is what a compare-exchange must find.
    """

    register: str
    place: str
    value: int
    mode: str
    address: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    added: int | None = None
    expected: int | None = None


@dataclass(frozen=True)
class FailedUpdate:
    """A compare-exchange that expects a value that never occurs."""

    register: str
    place: str
    mode: str
    address: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fence:
    """A fence."""

    mode: str


@dataclass(frozen=True)
class Branch:
    """The rest of a thread, if a register has a value."""

    register: str
    value: int
    body: tuple[Statement, ...]


Statement: TypeAlias = Load | Store | Update | FailedUpdate | Fence | Branch


@dataclass(frozen=True)
class Realised:
    """A program and its outcome: registers and final values; ``fixed`` says how co follows from it."""

    threads: tuple[tuple[Statement, ...], ...]
    places: tuple[str, ...]
    registers: tuple[tuple[tuple[str, int], ...], ...]  # of each thread, with their values
    finals: tuple[tuple[str, int], ...]
    fixed: tuple[str, ...] = field(default=())


def realise(example: Counterexample) -> Realised:
    """The program of an execution, or ``Unrealizable`` (I1)."""
    _refuse(example)
    threads = [_Thread(example, events).statements() for events in example.threads]
    registers = [_registers(example, events) for events in example.threads]
    finals, fixed = [], []
    taken = sum(map(len, registers))
    for place, writes in example.coherence.items():
        how = _order(example, writes)
        if how == "final":
            last = example.events[writes[-1]].value
            finals.append((place, last))
            fixed.append(f"the writes of {place} are in the order of their values: {last} comes last")
        elif how == "observer":
            seen = [(f"r{taken + n}", example.events[w].value) for n, w in enumerate(writes[1:])]
            taken += len(seen)
            threads.append(tuple(Load(register, place, "rlx") for register, _ in seen))
            registers.append(tuple(seen))
            fixed.append(f"the last reads of {place} see its values in the order of the writes")
    return Realised(tuple(threads), tuple(example.coherence), tuple(registers), tuple(finals), tuple(fixed))


def _registers(example: Counterexample, events: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
    shown = [example.events[event] for event in events]
    return tuple((event.register, event.value) for event in shown if event.register)


def _order(example: Counterexample, writes: tuple[int, ...]) -> str:
    """What is needed to fix the order of a location's writes: nothing, the final value, or an observer."""
    relations = example.graph.relations
    updates = compose(relations["rf"], relations["rmw"])
    known = [a | b for a, b in zip(relations["po-loc"], updates, strict=True)]
    for needed in ("", "final"):
        ordered = closure(known)
        real = writes[1:]
        if all(ordered[a] >> b & 1 for n, a in enumerate(real) for b in real[n + 1 :]):
            return needed
        for write in real[:-1]:
            known[write] |= 1 << real[-1]
    return "observer"


def _refuse(example: Counterexample) -> None:
    for name, rows in example.graph.relations.items():
        if name not in _REALISED and any(rows) and not _follows(example, name):
            raise Unrealizable(f"C has no counterpart of the relation {name}")
    for number, kind in enumerate(example.graph.kinds):
        shown = example.events[number]
        if kind.extra:
            raise Unrealizable(f"C has no counterpart of the predicate {', '.join(sorted(kind.extra))}")
        if shown.kind not in ("R", "W", "F", "INIT"):
            raise Unrealizable(f"a litmus test has no access for an event of the kind {shown.kind}")
    if any(shown.value >= MASK for shown in example.events.values()):
        raise Unrealizable(f"a location is written more than {MASK - 1} times")


def _follows(example: Counterexample, name: str) -> bool:
    """Whether all pairs of a relation follow from the other relations."""
    if name not in _FOLLOWING:
        return False
    relations = example.graph.relations
    one, two = (relations[part] for part in _FOLLOWING[name])
    around = zip(compose(one, two), relations["po-loc"], strict=True)
    return is_within(relations[name], [a & b for a, b in around])


class _Thread:
    """Writes the statements of one thread."""

    def __init__(self, example: Counterexample, events: tuple[int, ...]) -> None:
        self.example = example
        self.events = events
        self.pairs = dict(example.pairs("rmw"))

    def statements(self) -> tuple[Statement, ...]:
        """The whole thread."""
        return self._from(0, frozenset())

    def _from(self, index: int, branched: frozenset[int]) -> tuple[Statement, ...]:
        """The statements from an event on, under branches on some reads."""
        if index == len(self.events):
            return ()
        event = self.events[index]
        shown = self.example.events[event]
        branches = sorted(set(self._reads("ctrl", event)) - branched)
        if branches:
            read = self.example.events[branches[0]]
            return (Branch(read.register, read.value, self._from(index, branched | {branches[0]})),)
        if shown.form == "rmw":
            return (self._update(event), *self._from(index + 2, branched))
        return (self._single(shown), *self._from(index + 1, branched))

    def _single(self, shown: Shown) -> Statement:
        address = self._registers("addr", shown.number)
        match shown.kind, shown.form:
            case "F", _:
                if address:
                    raise Unrealizable("C has no fence with an address that something depends on")
                return Fence(shown.mode)
            case "W", _:
                data = self._registers("data", shown.number)
                return Store(shown.place, shown.value, shown.mode, address, data)
            case _, "failed":
                if shown.mode == "na":
                    raise Unrealizable("C has no non-atomic compare-exchange")
                return FailedUpdate(shown.register, shown.place, shown.mode, address)
        return Load(shown.register, shown.place, shown.mode, address)

    def _update(self, event: int) -> Statement:
        if event not in self.pairs:
            raise Unrealizable("one half of a read-modify-write is missing")
        read, write = self.example.events[event], self.example.events[self.pairs[event]]
        mode = _UPDATE_MODES.get((read.mode, write.mode))
        if mode is None:
            halves = f"{read.mode} and {write.mode}"
            raise Unrealizable(f"C has no read-modify-write whose halves are {halves}")
        address = self._registers("addr", read.number) or self._registers("addr", write.number)
        data = self._reads("data", write.number)
        own = read.number in data
        others = tuple(self.example.events[source].register for source in data if source != read.number)
        controlled = read.number in self._reads("ctrl", write.number)
        if own and controlled:
            raise Unrealizable("C has no read-modify-write that depends on what it read in two ways")
        added = write.value - read.value if own else None
        expected = read.value if controlled else None
        return Update(read.register, read.place, write.value, mode, address, others, added, expected)

    def _reads(self, relation: str, event: int) -> list[int]:
        rows = self.example.graph.relations.get(relation)
        return [] if rows is None else bits(inverse(rows)[event])

    def _registers(self, relation: str, event: int) -> tuple[str, ...]:
        return tuple(self.example.events[read].register for read in self._reads(relation, event))
