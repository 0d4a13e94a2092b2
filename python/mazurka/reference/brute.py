"""All executions of a program by brute force: no revisits, no partial-order reduction.

Starts from the empty graph and adds available events in every way: a read takes each cell (``graph``) from
any write that is there, a write takes any place in the co of each cell, a choice takes any value, and the two
halves of a read-modify-write are added together. So are the read and the write of an atomic section.
Inconsistent graphs are dropped; a graph seen before, however it was built, is not extended again.

Why nothing is missed: let G be a consistent full graph, and H the part of it that was built so far, closed
under porf. As porf is acyclic in G (I1), some event of G comes next, and cutting G to H and that event
leaves it consistent (I2; prefix-closedness, TruSt §3.1). If a thread's next event is not a read, then it
comes next in G too, whatever else does, so it is enough to add that one; reads must be tried in every order
of threads, because the write that one reads from may depend on another (``every_order`` does so for all
events). Why there are no spurious graphs: each graph is checked.

I1: porf is acyclic in every model. sc, ra and the C11 models say so. In tso and pso a cycle would alternate
between rfe, and po from a read to a write; both are kept in order. Models with a ppo of their own, and those
that ask for dependencies, are left to ``unordered``.
I2: models are monotone: fewer events make fewer cycles. Whether an event is the read of a failed instruction
depends only on what it reads. A difference of relations could break this; that of rc11-cpp11, po without
po-loc, does not, because it concerns two events and loses nothing when others are removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mazurka.kat.meaning import terms
from mazurka.program import Program
from mazurka.reference.canonical import Canonical, Equivalence, without_co
from mazurka.reference.consistency import is_consistent
from mazurka.reference.graph import NOTHING, Graph
from mazurka.reference.machine import Child, Frontier, Machine
from mazurka.reference.running.labels import EventId, Kind, Label, ReferenceUnsupported
from mazurka.reference.sections import run_section
from mazurka.reference.shipped import SC
from mazurka.reference.unordered import full_graphs, may_be_unordered
from mazurka.reference.waiting import all_wait_in_vain


@dataclass
class Executions:
    """The full graphs in canonical form, without those that show a finding, and the kinds of findings."""

    complete: set[Canonical] = field(default_factory=set)
    blocked: set[Canonical] = field(default_factory=set)
    early: set[Canonical] = field(default_factory=set)  # as blocked, but see ``Frontier.early``
    stuck: set[Canonical] = field(default_factory=set)  # the blocked ones in which all threads wait for ever
    vain: set[Canonical] = field(default_factory=set)  # the same, as ``waiting`` defines it
    findings: set[str] = field(default_factory=set)


def enumerate_executions(
    program: Program,
    model: terms.Model = SC,
    *,
    equivalence: Equivalence = "co",
    unroll: int | None = None,
    every_order: bool = False,
    children: Mapping[Child, int] | None = None,
    confirms: bool = True,
    helps: bool = False,
    stop_spins: bool = False,
    most_graphs: int | None = None,
    rules: terms.Model | None = None,
) -> Executions:
    """All consistent executions of a program; ``children`` are ThreadIds that are already assigned.

    ``confirms`` and ``helps`` let compare-exchanges stop their threads (``annotations``).
    With the equivalence ``rf``, executions that differ only in co are one. With ``stop_spins``, executions in
    which a thread goes on after a round of a loop that changed nothing are left out; if it is the thread's
    last round, the execution is blocked. More than ``most_graphs``, also partial ones, are too many.
    The error rules of ``rules`` replace those of the model (``Machine.findings``).
    """
    with_co = equivalence == "co"
    if may_be_unordered(model):
        if stop_spins:
            raise ReferenceUnsupported("threads that spin, under a model that may allow cycles of po and rf")
        return _enumerate_unordered(program, model, equivalence, unroll, children, most_graphs, rules)
    machine = Machine(
        program, unroll, children, confirms and with_co, helps=helps and with_co, stop_spins=stop_spins
    )
    result = Executions()
    seen: set[Canonical] = set()
    pending = [Graph()]
    while pending:
        graph = pending.pop()
        form = machine.canonical(graph)
        if form in seen or not is_consistent(graph, model):
            continue
        seen.add(form)
        if most_graphs is not None and len(seen) > most_graphs:
            raise ReferenceUnsupported(f"a program with more than {most_graphs} partial executions")
        frontier = machine.frontier(graph)
        findings = machine.findings(graph, frontier, model, rules)
        result.findings |= findings
        for event, label in _candidates(frontier, every_order):
            pending.extend(_extensions(machine, graph, event, label))
        if not frontier.available and not findings:
            _record(result, frontier, form if equivalence == "co" else without_co(form), equivalence)
            if stop_spins and not frontier.complete and all_wait_in_vain(machine, graph):
                result.vain.add(form)
    return result


def _enumerate_unordered(
    program: Program,
    model: terms.Model,
    equivalence: Equivalence,
    unroll: int | None,
    children: Mapping[Child, int] | None,
    most_graphs: int | None,
    rules: terms.Model | None,
) -> Executions:
    """The same for models in which po and rf may have a common cycle."""
    machine = Machine(program, unroll, children, confirms=False, tracks=True)
    result = Executions()
    for graph in full_graphs(machine, model, most_graphs):
        frontier = machine.frontier(graph)
        findings = machine.findings(graph, frontier, model, rules)
        result.findings |= findings
        if not findings:
            _record(result, frontier, machine.canonical(graph, equivalence), equivalence)
    return result


def _record(result: Executions, frontier: Frontier, form: Canonical, equivalence: Equivalence) -> None:
    """Notes a graph to which nothing can be added. Without co, no write is the latest."""
    if frontier.spurious:
        return
    if frontier.early and equivalence == "co":
        result.early.add(form)
        return
    (result.complete if frontier.complete else result.blocked).add(form)
    if frontier.waiting and not frontier.complete:
        result.stuck.add(form)


def _candidates(frontier: Frontier, every_order: bool) -> Sequence[tuple[EventId, Label]]:
    """The events to add next: one that is not a read, or else each read."""
    unconditional = [pair for pair in frontier.available if pair[1].kind is not Kind.READ]
    return unconditional[:1] if unconditional and not every_order else frontier.available


def _extensions(machine: Machine, graph: Graph, event: EventId, label: Label) -> Iterator[Graph]:
    """The graph with an event added in every way."""
    graph = graph.add(event, label)
    if label.kind is Kind.WRITE:
        yield from _places(graph, event)
    elif label.kind is Kind.READ:
        if label.scattered is not None:
            for done in run_section(machine, graph.set_rf(event, NOTHING), event):
                write = done.section_write(event)
                yield from [done] if write is None else _places(done, write)
            return
        for writes in graph.choices(event):
            yield from _with_rmw_write(machine, graph.set_rf(event, writes), event)
    elif label.kind is Kind.CHOOSE:
        yield from (graph.choose(event, value) for value in label.options)
    else:
        yield graph


def _with_rmw_write(machine: Machine, graph: Graph, read: EventId) -> Iterator[Graph]:
    """A graph whose last event is a read; its exclusive write is added if it has one."""
    thread, index = read
    step = machine.step(graph, thread)
    if isinstance(step, Label) and step.kind is Kind.WRITE and step.exclusive:
        yield from _places(graph.add((thread, index + 1), step), (thread, index + 1))
    else:
        yield graph


def _places(graph: Graph, write: EventId) -> Iterator[Graph]:
    """A write that has no place in co yet, in each place."""
    for predecessors in graph.choices(write):
        yield graph.set_co(predecessors, write)
