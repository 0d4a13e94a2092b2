"""All executions of a program by brute force where po and rf may have a common cycle.

As in ``brute``, events are added at the ends of threads, and writes take every place in co. But a read is
added without a write to read from: it is *late* (``dependencies``), and its thread goes on for as long as it
does not need the value. When no thread can go on, late reads that are needed get any write whose value is
known, in every order and in every way; those that nobody needs come last, one after the other. A late
compare-exchange is tried with and without its write. When a read gets its value, its thread is run again:
values that were not known may be known now, and everything else must be as it was.

Why nothing is missed: let G be a consistent full graph, and H the part of it that was built so far, with late
reads. Among the reads that are needed in H, take one that comes first by dependencies and rf, which have no
common cycle in G (I1). Were the write that it reads from missing in H, or its value unknown, then another
needed read would come before it: what a thread needs to go on, all that follows depends on. And H is
consistent, because models are monotone (``brute`` I2). Why there are no spurious graphs: each is checked.

I1: rf has no common cycle with dependencies, in any model: with data, addr, ctrl and rmw, nor with what comes
after an access whose address depends on a read. So no values come from nowhere. In the shipped models this
follows from the axioms, but for the write of a read-modify-write: what an exchange writes is known before
what it reads, while a compare-exchange has to succeed first. In models with a ppo of po and dependencies
alone, ppo is among these relations, and what depends on the read of a read-modify-write comes after its write
as well. All that follows a compare-exchange comes after it there. A ppo that names rf or co, as those of
machines do, changes nothing.

Departs 1: operations on synchronisation objects read at once, as all of them acquire. Departs 2: findings are
those of full graphs. Departs 3: compare-exchanges neither confirm nor help, and no thread is stopped because
it spins. Departs 4: what follows an instruction that may fail, such as a division, waits for its operands,
though it does not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import parts
from mazurka.kat.meaning.rows import closure, is_irreflexive
from mazurka.program.sync import Effect
from mazurka.reference.consistency import is_consistent
from mazurka.reference.graph import Cell, Choice, Graph
from mazurka.reference.machine import Machine, Threads
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import (
    INIT,
    NO_READS,
    Dependencies,
    Ending,
    EventId,
    Kind,
    Label,
    Late,
    ReferenceUnsupported,
)

_DATA, _CTRL, _ADDR, _PO, _RMW, _RF = map(terms.Base, ("data", "ctrl", "addr", "po", "rmw", "rf"))
_DEPENDS = terms.Union(terms.Union(_DATA, _CTRL), terms.Sequence(_ADDR, terms.Maybe(_PO)))
# What depends on a read-modify-write comes after its write, too. That write may depend on its own read.
_HALVES = terms.Union(terms.Sequence(terms.Inverse(_RMW), terms.Difference(_DEPENDS, _RMW)), _RMW)
CAUSES = terms.Union(terms.Union(_DEPENDS, _HALVES), _RF)
_WITHIN_PO = {"po", "po-imm", "po-loc", "rmw", "tc", "tj", *Dependencies._fields}


def may_be_unordered(model: terms.Model) -> bool:
    """Whether a model may allow a common cycle of po and rf: it has a ppo, or asks for dependencies."""
    named = {name for axiom in model.axioms for name in _relations(axiom.relation, model)}
    return model.ppo is not None or not named.isdisjoint(Dependencies._fields)


def _relations(term: terms.Relation, model: terms.Model) -> set[str]:
    """The built-in relations that a term names. Each object is looked at once: some terms are large."""
    found: set[str] = set()
    seen: set[int] = set()
    waiting = [term]
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        match one:
            case terms.Base(name):
                found.add(name)
            case terms.View(name):
                waiting.append(model.views[name])
        waiting += parts(one)
    return found


def full_graphs(
    machine: Machine,
    model: terms.Model,
    most_graphs: int | None,
    keeps: Callable[[Graph], bool] = lambda _: True,
    *,
    in_order: Container[Cell] = (),
) -> Iterator[Graph]:
    """All consistent graphs to which nothing can be added, each once; the machine tracks dependencies.

    With ``keeps`` only those that have it; no graph that lacks it may be part of one that has it. Of the
    cells that are ``in_order``, a read is given the latest write when it is added.
    """
    is_part_of_po = model.ppo is not None and _relations(model.ppo, model) <= _WITHIN_PO
    seen: set[Hashable] = set()
    pending = [Graph()]
    while pending:
        graph = pending.pop()
        form = _form(graph)
        if form in seen or not keeps(graph) or not is_consistent(graph, model):
            continue
        if model.ppo is not None and is_part_of_po and not has_causes(graph, model.ppo, model.views):
            continue
        seen.add(form)
        if most_graphs is not None and len(seen) > most_graphs:
            raise ReferenceUnsupported(f"a program with more than {most_graphs} partial executions")
        state = _State.of(machine, graph)
        if not state.available and not state.waiting and not any(map(graph.is_late, graph.order)):
            yield graph
        pending.extend(_extensions(machine, graph, state, in_order))


def has_causes(graph: Graph, ppo: terms.Relation, views: Mapping[str, terms.Relation]) -> bool:
    """Whether no value comes from nowhere: ppo, dependencies and rf have no common cycle (I1)."""
    relations = Relations(graph, views)
    rows = list(relations.rows(terms.Union(CAUSES, ppo)))
    for first, second in _after_outcomes(graph):
        rows[relations.numbers[first]] |= 1 << relations.numbers[second]
    return is_irreflexive(closure(rows))


def _after_outcomes(graph: Graph) -> Iterator[tuple[EventId, EventId]]:
    """From the events of a compare-exchange, or of another that may write or not, to all that follow."""
    for read in graph.rf:
        label, write = graph.labels[read], graph.rmw_write(read)
        cases = () if label.use is None else label.use.operation.cases
        if label.expected is None and all(case.effect is Effect.WRITE for case in cases):
            continue
        for half in (read, write):
            if half is not None:
                yield from ((half, event) for event in graph.thread(read[0]) if event > half)


def _form(graph: Graph) -> Hashable:
    """Everything about a graph but the order in which it was built."""
    return frozenset(graph.labels.items()), frozenset(graph.rf.items()), frozenset(graph.co.items())


class _State(NamedTuple):
    """What can be done with a graph."""

    available: list[tuple[EventId, Label]]  # events that can be added whatever others do
    waiting: list[tuple[EventId, Label]]  # reads that can be added only with a write to read from
    needed: set[EventId]  # late reads

    @classmethod
    def of(cls, machine: Machine, graph: Graph) -> _State:
        """What the threads of a graph ask for."""
        state = cls([], [], set())
        threads = Threads(machine, graph)
        for thread in sorted(threads.starts):
            step = threads.step(thread)
            if isinstance(step, Ending):
                state.needed.update((thread, number) for number in step.needs)
            elif not threads.waits(step):
                reads_at_once = step.kind is Kind.READ and step.use is not None
                (state.waiting if reads_at_once else state.available).append(
                    ((thread, graph.length(thread)), step)
                )
        for (thread, _), label in graph.labels.items():
            state.needed.update((thread, number) for number in label.awaits)
        return state


def _extensions(machine: Machine, graph: Graph, state: _State, in_order: Container[Cell]) -> Iterator[Graph]:
    """The graph with one event more, or with one late read less, in every way that has to be tried."""
    if state.available:
        yield from _with_event(machine, graph, *state.available[0], in_order)
        return
    for event, label in state.waiting:
        if label.use is not None and label.use.operation.fails_relaxed:
            raise ReferenceUnsupported("an attempt that does not acquire if it fails, with dependencies")
        added = graph.add(event, label)
        for writes in _known_choices(added, event):
            yield from _with_write_half(machine, added.set_rf(event, writes), event)
    late = [event for event in graph.order if graph.is_late(event)]
    for read in sorted(state.needed) if state.needed or state.waiting else late[:1]:
        for writes in _known_choices(graph, read):
            again = _run_again(machine, graph.set_rf(read, writes), read)
            if again is not None:
                yield again


def _with_event(
    machine: Machine, graph: Graph, event: EventId, label: Label, in_order: Container[Cell]
) -> Iterator[Graph]:
    graph = graph.add(event, label)
    match label.kind:
        case Kind.WRITE:
            yield from (graph.set_co(predecessors, event) for predecessors in graph.choices(event))
        case Kind.CHOOSE:
            yield from (graph.choose(event, value) for value in label.options)
        case Kind.READ if label.exclusive:
            if label.expected is not None:
                yield graph
            yield from _with_write_half(machine, graph, event)
        case Kind.READ:
            yield _with_latest(graph, event, in_order)
        case _:
            yield graph


def _with_write_half(machine: Machine, graph: Graph, read: EventId) -> Iterator[Graph]:
    """A graph whose last event is an exclusive read, with its write, if it has one; a late read does."""
    thread, number = read
    write = (thread, number + 1)
    threads = Threads(machine, graph)
    answer = Late.SUCCEEDS if graph.is_late(read) else threads.answer(read)
    step = threads.after(thread, (*threads.answers(thread, number), answer))
    if isinstance(step, Label) and step.kind is Kind.WRITE and step.exclusive:
        graph = graph.add(write, step)
        yield from (graph.set_co(predecessors, write) for predecessors in graph.choices(write))
    else:
        yield graph


def _with_latest(graph: Graph, read: EventId, in_order: Container[Cell]) -> Graph:
    """A graph in which a new read sees the latest write, if its cell is in order; else the read is late."""
    cells = graph.cells(read)
    if len(cells) != 1 or cells[0] not in in_order:
        return graph
    latest = next(reversed(graph.writes(cells[0])), INIT)
    return graph if latest is not None and graph.labels[latest].awaits else graph.set_rf(read, latest)


def _known_choices(graph: Graph, read: EventId) -> Iterator[Choice]:
    """The writes that a read can read from whose values are known."""
    trial = (graph.set_rf(read, writes) for writes in graph.choices(read))
    for taken in trial:
        sources = (write for write in taken.sources(read) if write is not None)
        if not any(graph.labels[write].awaits for write in sources):
            yield taken.rf[read]


def _run_again(machine: Machine, graph: Graph, read: EventId) -> Graph | None:
    """The graph with what is known now about the thread of a read; None if the thread did something else."""
    thread = read[0]
    threads = Threads(machine, graph)
    run = machine.run(threads.starts[thread], threads.objects)
    step = machine.completed(next(run))
    for event in graph.thread(thread):
        old = graph.labels[event]
        if not isinstance(step, Label) or _known_before(step, old) != _known_before(old, old):
            return None
        if step.kind is not Kind.CHOOSE:
            graph = replace(graph, labels={**graph.labels, event: step})
        step = machine.completed(run.send(Threads(machine, graph).answer(event)))
    reads = [event for event in graph.thread(thread) if event in graph.rf and graph.labels[event].exclusive]
    wrong = any(graph.is_failed(event) != (graph.rmw_write(event) is None) for event in reads)
    return None if wrong else graph


def _known_before(label: Label, old: Label) -> Label:
    """The part of a label that was known already."""
    if old.awaits:
        return label._replace(value=0, expected=None, awaits=NO_READS)
    return label._replace(value=0) if label.kind is Kind.CHOOSE else label
