"""Executions one by one, as plain objects: events, and relations between them.

Initial values are writes of no thread, so that each read reads from an event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise
from reprlib import repr as repr_of
from typing import TYPE_CHECKING, Any, NoReturn

from mazurka.api.in_python import in_python
from mazurka.checking.check import check
from mazurka.checking.execution import Depends, Event, EventRef, Graph, Violation
from mazurka.checking.objects import thread_name
from mazurka.checking.outcome import Outcome
from mazurka.checking.wrappers import location
from mazurka.errors import ErrorCode, UsageError
from mazurka.report.relevance import writes_back
from mazurka.report.values import Speaker

if TYPE_CHECKING:
    from mazurka.checking.check import Checked

Pair = tuple[int, int]
_ORDERS = {"na": "", "rlx": "relaxed", "acq": "acquire", "rel": "release", "sc": "seq_cst"}


@dataclass(frozen=True)
class ExecutionEvent:
    """An event of an execution. Its ``id`` is its place in ``Execution.events``."""

    id: int
    thread: int | None  # None: an initial value; main is 0
    index: int  # in its thread
    kind: str  # R W F ALLOC FREE CREATE JOIN ARRIVE DEPART CHOOSE
    order: str  # relaxed, acquire, …; empty for plain accesses
    place: str  # what it accesses, as the source writes it; else empty
    value: int | None  # of a read, a write or a choice, with its sign
    file: str
    line: int  # 0 if it is not known
    exclusive: bool = False  # half of a read-modify-write

    def __str__(self) -> str:
        who = "initial" if self.thread is None else thread_name(self.thread)
        parts = (f"{self.kind} {self.order}".strip(), self.place)
        value = "" if self.value is None else f" = {self.value}"
        return f"{who}: {' '.join(filter(None, parts))}{value}"


@dataclass(frozen=True)
class Execution:
    """An execution: events and relations between them, which are sets of pairs of their ids.

    ``po`` and ``co`` are transitive. Under models with dependencies, such as ``armv8``, there are ``addr``,
    ``data`` and ``ctrl``, from reads to later events of their threads. ``results`` has what each function of
    ``mazurka.Threads`` returned.
    """

    events: tuple[ExecutionEvent, ...]
    relations: Mapping[str, frozenset[Pair]]
    final: Mapping[str, int]  # the value that each place has at the end
    results: tuple[object, ...] = ()
    violation: Violation | None = None  # if this execution goes wrong: how
    neighbours: Mapping[str, frozenset[Pair]] = field(default_factory=dict, repr=False)

    def __hash__(self) -> int:
        return hash((self.events, self.results))  # the other fields are dictionaries

    def __repr__(self) -> str:
        results = f", results {self.results}" if self.results else ""
        wrong = f", {self.violation.kind}" if self.violation is not None else ""
        return f"<Execution: {len(self.events)} events{results}, final {repr_of(self.final)}{wrong}>"

    @property
    def po(self) -> frozenset[Pair]:
        """Program order."""
        return self.relations["po"]

    @property
    def rf(self) -> frozenset[Pair]:
        """Reads-from: from a write to each read that sees it."""
        return self.relations["rf"]

    @property
    def co(self) -> frozenset[Pair]:
        """Coherence: the order of the writes of each place."""
        return self.relations["co"]

    @property
    def fr(self) -> frozenset[Pair]:
        """From-read: from a read to the writes that come after the one it sees."""
        return self.relations["fr"]

    def to_networkx(self, *, transitive: bool = False) -> Any:
        """A ``networkx.MultiDiGraph``: nodes are ids of events, and the key of an edge is its relation.

        Of ``po`` and ``co`` it has only neighbours, unless it should be ``transitive``.
        """
        networkx = _library("networkx")
        graph = networkx.MultiDiGraph()
        for event in self.events:
            graph.add_node(event.id, event=event, label=str(event))
        relations = self.relations if transitive else {**self.relations, **self.neighbours}
        for name, pairs in relations.items():
            for one, other in sorted(pairs):
                graph.add_edge(one, other, key=name)
        return graph

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row per event; in ``rf`` is the id of the write that a read sees."""
        pandas = _library("pandas")
        seen = {read: write for write, read in self.rf}
        fields = ("id", "thread", "index", "kind", "order", "place", "value", "file", "line")
        rows = [{name: getattr(event, name) for name in fields} for event in self.events]
        for row in rows:
            row["rf"] = seen.get(row["id"])
        return pandas.DataFrame(rows, columns=[*fields, "rf"]).set_index("id").convert_dtypes()


class Executions(Iterator[Execution]):
    """Executions one by one. The program is explored when the first one, or the ``outcome``, is asked for."""

    def __init__(self, program: Checked, options: Mapping[str, Any]) -> None:
        self._program = program
        self._options = options
        self._rest = self._made()

    @cached_property
    def outcome(self) -> Outcome:
        """The answer of the check. If a bound or a limit cut it, there are other executions."""
        return in_python(check)(self._program, **{**self._options, "collect": True})

    def __next__(self) -> Execution:
        return next(self._rest)

    def __reduce__(self) -> NoReturn:
        raise TypeError("explore(…) is an iterator, which cannot be pickled: make a list of its executions")

    def _made(self) -> Iterator[Execution]:
        for graph in self.outcome.graphs:
            yield execution_of(self.outcome, graph, self._program)
        found = self.outcome.violation
        if found is not None and found.graph is not None:
            yield execution_of(self.outcome, found.graph, self._program, found)


def explore(program: Checked, **options: Any) -> Executions:
    """The complete executions of a program, one by one; the options are those of ``mazurka.check``.

    The program is explored when the first one is asked for. An execution that goes wrong ends the
    exploration, and comes last. Whether these are all executions is in ``outcome``.
    """
    return Executions(program, options)


def execution_of(
    outcome: Outcome, graph: Graph, program: object = None, violation: Violation | None = None
) -> Execution:
    """An execution of a check as a plain object."""
    made = _Maker(outcome, graph)
    returned = getattr(program, "results", None)
    return Execution(
        tuple(made.events),
        made.relations(),
        made.final(),
        returned(outcome.program, graph) if returned is not None else (),
        violation,
        made.neighbours(),
    )


class _Maker:
    """Makes the events and relations of one execution."""

    def __init__(self, outcome: Outcome, graph: Graph) -> None:
        self.outcome = outcome
        self.graph = graph
        self.speaker = Speaker(outcome, graph)
        self.events: list[ExecutionEvent] = []
        self.initial: dict[int, int] = {}  # by address: the id of the initial write
        self.accesses = self._accesses()
        for access in self.accesses:
            if access.address not in self.initial:
                self.initial[access.address] = len(self.events)
                self.events.append(self._initial(access))
        self.ids = {ref: len(self.events) + number for number, ref in enumerate(graph.refs())}
        for ref, number in self.ids.items():
            self.events.append(self._event(number, ref, graph[ref]))
        self.chains = self._chains()

    def _accesses(self) -> list[Event]:
        events = (self.graph[ref] for ref in self.graph.refs())
        found = [part for event in events if event.kind in ("R", "W") for part in event.accesses]
        return sorted(found, key=lambda access: (access.address, access.size))

    def _initial(self, access: Event) -> ExecutionEvent:
        """The write of an initial value; a read that saw it knows the value."""
        sees = (
            part.value
            for event in self.accesses
            if event.kind == "R"
            for part in event.pieces
            if part.write is None and (part.address, part.size) == (access.address, access.size)
        )
        value = next(sees, None)
        if value is None:
            value = self._in_globals(access)
        place = self.speaker.place(access)
        number = None if value is None else _signed(value, access.size)
        return ExecutionEvent(len(self.events), None, len(self.events), "W", "", place, number, "", 0)

    def _in_globals(self, access: Event) -> int | None:
        """The initial value of a global; None if it is not known."""
        for item in self.outcome.program.globals:
            if item.address <= access.address and access.end <= item.address + item.size:
                if any(
                    w.address < access.end and access.address < w.address + w.size
                    for w in self.outcome.prologue
                ):
                    return None
                data = bytearray(item.size)
                for at, piece in item.data:
                    data[at : at + len(piece)] = piece
                first = access.address - item.address
                return int.from_bytes(data[first : first + access.size], "little")
        return None

    def _event(self, number: int, ref: EventRef, event: Event) -> ExecutionEvent:
        where = location(self.outcome.program, event.stack)
        is_access = event.kind in ("R", "W") and not event.section
        mode = event.mode.name.lower()
        return ExecutionEvent(
            number,
            ref[0],
            ref[1],
            event.kind,
            _ORDERS.get(mode, mode),
            self.speaker.place(event) if is_access else "",
            _signed(event.value, event.size or 8) if is_access or event.kind == "CHOOSE" else None,
            where.file if where else "",
            where.line if where else 0,
            event.exclusive,
        )

    def _chains(self) -> list[list[int]]:
        """The writes of each place in their order, the initial one first."""
        found = []
        for chain in self.graph.co:
            first = self.initial.get(chain.address)
            writes = [self.ids[ref] for ref in chain.writes]
            found.append(writes if first is None else [first, *writes])
        return found

    def relations(self) -> dict[str, frozenset[Pair]]:
        """All relations, by name."""
        rf = frozenset(self._reads_from())
        co = frozenset(pair for chain in self.chains for pair in combinations(chain, 2))
        later: dict[int, set[int]] = {}
        for one, other in co:
            later.setdefault(one, set()).add(other)
        fr = {(read, after) for write, read in rf for after in later.get(write, ()) if after != read}
        rmw = {
            (self.ids[t, i], self.ids[t, i + 1])
            for t, i in self.graph.refs()
            if writes_back(self.graph, (t, i))
        }
        return {
            "po": frozenset(pair for thread in self._threads() for pair in combinations(thread, 2)),
            "rf": rf,
            "co": co,
            "fr": frozenset(fr),
            "rmw": frozenset(rmw),
            "create": frozenset(self._creations()),
            "join": frozenset(self._joins()),
            **self._dependencies(),
        }

    def _dependencies(self) -> dict[str, frozenset[Pair]]:
        """The relations from reads to what depends on them; none if that was not tracked."""
        known = [(*ref, depends) for ref in self.ids if (depends := self.graph[ref].depends) is not None]
        if not known:
            return {}
        return {
            name: frozenset(
                (self.ids[t, read], self.ids[t, i])
                for t, i, depends in known
                for read in getattr(depends, name)
            )
            for name in Depends._fields
        }

    def neighbours(self) -> dict[str, frozenset[Pair]]:
        """The relations that are transitive, with neighbours only."""
        return {
            "po": frozenset(pair for thread in self._threads() for pair in pairwise(thread)),
            "co": frozenset(pair for chain in self.chains for pair in pairwise(chain)),
        }

    def _threads(self) -> list[list[int]]:
        return [
            [self.ids[t, i] for i in range(len(thread.events))] for t, thread in enumerate(self.graph.threads)
        ]

    def _reads_from(self) -> Iterator[Pair]:
        for ref, number in self.ids.items():
            event = self.graph[ref]
            if event.kind != "R":
                continue
            for part in event.pieces:
                write = self.initial.get(part.address) if part.write is None else self.ids[part.write]
                if write is not None:
                    yield write, number

    def _creations(self) -> Iterator[Pair]:
        for t, thread in enumerate(self.graph.threads):
            if thread.parent is not None and thread.created_by is not None and thread.events:
                yield self.ids[thread.parent, thread.created_by], self.ids[t, 0]

    def _joins(self) -> Iterator[Pair]:
        for ref, number in self.ids.items():
            event = self.graph[ref]
            if event.kind == "JOIN" and event.other is not None and self.graph.threads[event.other].events:
                yield self.ids[event.other, len(self.graph.threads[event.other].events) - 1], number

    def final(self) -> dict[str, int]:
        """What is in each place at the end."""
        last = (self.events[chain[-1]] for chain in self.chains if chain)
        known = {event.place: event.value for event in last if event.value is not None}
        only_read = (self.events[number] for number in self.initial.values())
        return {
            **{e.place: e.value for e in only_read if e.value is not None and e.place not in known},
            **known,
        }


def _signed(value: int, size: int) -> int:
    bits = 8 * size
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def _library(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        message = f"'{name}' is not installed"
        raise UsageError(ErrorCode.USAGE, message, hint=f"python -m pip install {name}") from error
