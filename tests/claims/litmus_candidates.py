"""All executions of a litmus test under a model with dependencies, by checking candidates, as herd does.

Unlike the reference's enumerator this also finds executions in which po and rf have a cycle. Each thread is
run with every value that its reads might obtain; then every rf and co that fit are tried. For small tests.

I1: ctrl goes on along po: what follows a guard depends on its register, whether the guard's body ran or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import TypeAlias

from claim_files import is_allowed
from mazurka.kat.meaning.rows import closure, is_irreflexive, union
from mazurka.program import Mode
from mazurka.reference.consistency import is_atomic
from mazurka.reference.graph import Graph
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import EventId, Kind, Label
from mazurka.testing.operations import (
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Load,
    Operation,
    Register,
    Store,
    Test,
    Value,
)
from random_executions import DEPENDENCIES, Dependencies, Execution

Paths: TypeAlias = list["_Path"]
READ_HALF = {Mode.REL: Mode.RLX, Mode.ACQ_REL: Mode.ACQ}
WRITE_HALF = {Mode.ACQ: Mode.RLX, Mode.ACQ_REL: Mode.REL}


@dataclass(frozen=True)
class _Path:
    """One way through a thread: its events, what each register holds and which event filled it."""

    labels: tuple[Label, ...] = ()
    registers: tuple[tuple[int, int], ...] = ()  # value, index of the read
    branches: frozenset[int] = frozenset()  # reads that a branch so far depends on
    dependencies: frozenset[tuple[str, int, int]] = frozenset()

    def add(self, label: Label, data: tuple[int, ...] = ()) -> _Path:
        """The path with one more event, which depends on the branches, and by its data on some reads."""
        index = len(self.labels)
        new = {("ctrl", read, index) for read in self.branches} | {("data", read, index) for read in data}
        return _Path((*self.labels, label), self.registers, self.branches, self.dependencies | new)

    def read(self, label: Label, value: int) -> _Path:
        """The path with one more read, whose value goes to the next register."""
        added = self.add(label._replace(value=value))
        registers = (*self.registers, (value, len(self.labels)))
        return _Path(added.labels, registers, self.branches, added.dependencies)


@dataclass
class _Threads:
    test: Test
    values: dict[str, set[int]] = field(default_factory=dict)  # of each variable, that a write may give it

    def paths(self, operations: tuple[Operation, ...]) -> Paths:
        found = [_Path()]
        for operation in operations:
            found = [longer for path in found for longer in self._step(path, operation)]
        return found

    def _step(self, path: _Path, operation: Operation) -> Iterator[_Path]:
        match operation:
            case Fence(mode):
                yield path.add(Label(Kind.FENCE, mode))
            case Store(mode, str(place), value):
                number, reads = _evaluate(path, value)
                yield path.add(Label(Kind.WRITE, mode, self._address(place), 8, value=number), reads)
            case Load(mode, str(place)):
                for number in self.values[place]:
                    yield path.read(Label(Kind.READ, mode, self._address(place), 8), number)
            case FetchAdd(mode, str(place)) | Exchange(mode, str(place)) | CompareExchange(mode, str(place)):
                yield from self._update(path, operation, mode, place)
            case Guard(register, expected, body):
                yield from self._guarded(path, register, expected, body)
            case _:
                raise AssertionError(f"not in litmus notation: {operation}")

    def _update(self, path: _Path, operation: Operation, mode: Mode, place: str) -> Iterator[_Path]:
        read = Label(Kind.READ, READ_HALF.get(mode, mode), self._address(place), 8, exclusive=True)
        write = Label(Kind.WRITE, WRITE_HALF.get(mode, mode), self._address(place), 8, exclusive=True)
        for old in self.values[place]:
            index = (len(path.labels),)
            match operation:
                case FetchAdd(_, _, value):
                    number, reads = _evaluate(path, value)
                    yield path.read(read, old).add(write._replace(value=old + number), reads + index)
                case Exchange(_, _, value):
                    number, reads = _evaluate(path, value)
                    yield path.read(read, old).add(write._replace(value=number), reads)
                case CompareExchange(_, _, int(expected), new, failure):
                    compared = read._replace(expected=expected, failure=failure)
                    if old != expected:
                        yield path.read(compared, old)
                    else:
                        branch = _with_branch(path.read(compared, old), index[0])
                        yield branch.add(write._replace(value=new))

    def _guarded(
        self, path: _Path, register: Register, expected: int, body: tuple[Operation, ...]
    ) -> Iterator[_Path]:
        value, read = path.registers[register.number]
        found = [_with_branch(path, read)]
        for operation in body if value == expected else ():
            found = [longer for each in found for longer in self._step(each, operation)]
        yield from found

    def _address(self, place: str) -> int:
        return 0x1000 + 8 * [name for name, _ in self.test.variables].index(place)


def _with_branch(path: _Path, read: int) -> _Path:
    return _Path(path.labels, path.registers, path.branches | {read}, path.dependencies)


def _evaluate(path: _Path, value: Value) -> tuple[int, tuple[int, ...]]:
    """A value, and the reads that it depends on."""
    if isinstance(value, Register):
        number, read = path.registers[value.number]
        return number, (read,)
    return value, ()


def count_executions(test: Test, models: Sequence[str]) -> dict[str, int]:
    """How many executions of a test each model allows; they differ in what is read and in co."""
    counts = dict.fromkeys(models, 0)
    for execution in candidates(test):
        for name in models:
            counts[name] += is_allowed(execution, name)
    return counts


def candidates(test: Test) -> Iterator[Execution]:
    """The coherent executions of a test, whatever the model."""
    threads = _Threads(test, {name: {initial} for name, initial in test.variables})
    while True:  # until no thread writes a value that was not expected of its variable
        paths = [threads.paths(operations) for operations in test.threads]
        found = {
            (name, label.value)
            for name, _ in test.variables
            for each in paths
            for path in each
            for label in path.labels
            if label.kind is Kind.WRITE and label.address == threads._address(name)
        }
        new = {(name, value) for name, value in found if value not in threads.values[name] and value <= 4}
        if not new:
            break
        for name, value in new:
            threads.values[name].add(value)
    for chosen in product(*paths):
        yield from _graphs(chosen)


def _graphs(paths: tuple[_Path, ...]) -> Iterator[Execution]:
    """The atomic and coherent graphs of one path for each thread."""
    labels = {(t, i): label for t, path in enumerate(paths) for i, label in enumerate(path.labels)}
    reads = [event for event, label in labels.items() if label.kind is Kind.READ]
    writes: dict[int, list[EventId]] = {}
    for event, label in labels.items():
        if label.kind is Kind.WRITE:
            writes.setdefault(label.address, []).append(event)
    sources: list[list[EventId | None]] = [_sources(labels, labels[read], writes) for read in reads]
    dependencies: Dependencies = {name: set() for name in DEPENDENCIES}
    for thread, path in enumerate(paths):
        for name, before, after in path.dependencies:
            dependencies[name].add(((thread, before), (thread, after)))
    for chosen in product(*sources):
        for orders in product(*map(permutations, writes.values())):
            co = dict(zip(writes, orders, strict=True))
            graph = Graph(tuple(labels), labels, dict(zip(reads, chosen, strict=True)), co)
            if is_atomic(graph) and _is_coherent(graph):
                yield Execution(graph, dependencies)


def _sources(
    labels: dict[EventId, Label], read: Label, writes: dict[int, list[EventId]]
) -> list[EventId | None]:
    found: list[EventId | None] = [e for e in writes.get(read.address, []) if labels[e].value == read.value]
    return [None, *found] if read.value == 0 else found


def _is_coherent(graph: Graph) -> bool:
    relations = Relations(graph, {})
    rows = relations.base("po-loc")
    for name in ("rf", "co", "fr"):
        rows = union(rows, relations.base(name))
    return is_irreflexive(closure(rows))
