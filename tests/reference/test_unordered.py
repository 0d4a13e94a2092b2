"""Brute force where po and rf may have a common cycle, with dependencies.

Counts were worked out by hand, or are GenMC's. Random programs are compared with two other ways to find all
executions: the usual brute force, under models without such cycles, and a guess of every value that is read.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import Phase, find, given, settings
from litmus_table import LitmusRow, litmus_rows
from mazurka.kat.language.load import load_text, named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.rows import is_irreflexive
from mazurka.kat.meaning.terms import Model
from mazurka.program import Mode, Program
from mazurka.reference import Graph, Machine, enumerate_executions
from mazurka.reference.canonical import Canonical
from mazurka.reference.consistency import is_consistent
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import Dependencies, Ending, EventId, Kind, Label
from mazurka.reference.running.processor import Start
from mazurka.reference.unordered import full_graphs, may_be_unordered
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.dependency_strategies import dependency_tests
from mazurka.testing.operations import (
    Assume,
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Indexed,
    Load,
    Operation,
    Register,
    Store,
    flatten,
)
from mazurka.testing.strategies import litmus_tests
from profiles import examples, heavy, some

RLX = Mode.RLX
MODELS = ("imm", "armv8", "power")


def count(program: Program, name: str) -> int:
    executions = enumerate_executions(program, named_model(name))
    assert not executions.findings
    return len(executions.complete)


@pytest.mark.parametrize("row", some(litmus_rows(), 3), ids=lambda row: row.name)
def test_counts_of_imm(row: LitmusRow) -> None:
    assert count(to_program(parse_litmus(row.program)), "imm") == row.imm


# Dependencies, on the variables x, y and z in this order; the value 7 is never read.
READ_X, READ_Y, READ_Z = (Load(RLX, name) for name in "xyz")
READ_X_AT_R0, READ_X_AT_R1 = (Load(RLX, Indexed(Register(n), 0)) for n in (0, 1))
WRITE_X_AT_R0 = Store(RLX, Indexed(Register(0), 0), 1)
BRANCH = Guard(Register(0), 7, (Store(RLX, "z", 7),))


def write(name: str, value: int | Register = 1) -> Store:
    return Store(RLX, name, value)


SENDER = (write("x"), Fence(Mode.REL), write("y"))
COPY_X_TO_Y, COPY_Y_TO_X = (READ_X, write("y", Register(0))), (READ_Y, write("x", Register(0)))


@pytest.mark.parametrize(
    ("threads", "counts"),
    [
        pytest.param([[READ_Y, write("x")], COPY_X_TO_Y], (4, 4, 4), id="LB+po+data"),
        pytest.param([[READ_Y, WRITE_X_AT_R0], COPY_X_TO_Y], (3, 3, 3), id="LB+addr+data"),
        pytest.param([[READ_Y, BRANCH, write("x")], COPY_X_TO_Y], (3, 3, 3), id="LB+ctrl+data"),
        # The assumption holds only if the thread reads what it writes later.
        pytest.param(
            [[READ_Y, Assume(Register(0), 1), write("x")], COPY_X_TO_Y], (0, 0, 0), id="LB+assume+data"
        ),
        # y is written from x, z is not: a write whose value is not known yet holds nothing up.
        pytest.param(
            [[*COPY_X_TO_Y, write("z")], [READ_Z, write("x", Register(0))]], (4, 4, 4), id="LB+po-after-data"
        ),
        # All later writes wait for an address, but in none of the models for data.
        pytest.param(
            [[READ_Y, WRITE_X_AT_R0, write("z")], [READ_Z, write("y", Register(0))]],
            (3, 3, 3),
            id="LB+addr-po+data",
        ),
        # IMM orders reads neither by addr nor by ctrl.
        pytest.param([SENDER, [READ_Y, READ_X_AT_R0]], (4, 3, 3), id="MP+rel+addr"),
        pytest.param([SENDER, [READ_Y, BRANCH, READ_X]], (4, 4, 4), id="MP+rel+ctrl"),
        # A write that is forwarded to a read, before it is certain (PPOCA) and while its value is computed.
        pytest.param([SENDER, [READ_Y, BRANCH, write("z"), READ_Z, READ_X_AT_R1]], (4, 4, 4), id="PPOCA"),
        pytest.param(
            [SENDER, [READ_Y, write("z", Register(0)), READ_Z, READ_X_AT_R1]], (4, 3, 3), id="PPODA"
        ),
        # In IMM, co is not part of the order that must have no cycles.
        pytest.param(
            [(write("x", 2), *SENDER[1:]), [READ_Y, write("x", Register(0))]], (4, 3, 3), id="S+rel+data"
        ),
        # POWER is not multi-copy atomic.
        pytest.param([[write("x")], COPY_X_TO_Y, [READ_Y, READ_X_AT_R0]], (8, 7, 8), id="WRC+data+addr"),
        # In IMM everything waits for the read of a read-modify-write, in ARMv8 and POWER it does not.
        pytest.param([[Exchange(RLX, "x", 1), write("y", 2)], COPY_Y_TO_X], (3, 4, 4), id="LB+xchg+data"),
        pytest.param([[FetchAdd(RLX, "x", 1), write("y", 2)], COPY_Y_TO_X], (3, 4, 4), id="LB+add+data"),
        pytest.param(
            [[CompareExchange(RLX, "x", 2, 1), write("y", 2)], COPY_Y_TO_X], (3, 4, 4), id="LB+cas+data"
        ),
    ],
)
def test_dependencies(threads: list[list[Operation]], counts: tuple[int, int, int]) -> None:
    test = Test(tuple(map(tuple, threads)), (("x", 0), ("y", 0), ("z", 0)))
    program = to_program(test)
    assert tuple(count(program, name) for name in MODELS) == counts


def test_which_models_may_have_cycles() -> None:
    ordered = ["sc", "tso", "pso", "ra", "rc11", "rc11-cpp11", "rc11-genmc", "rc11-ra"]
    assert not any(may_be_unordered(named_model(name)) for name in ordered)
    assert all(may_be_unordered(named_model(name)) for name in MODELS)
    assert may_be_unordered(load_text("acyclic po-loc | rf | co | fr\nppo = po-loc"))
    assert may_be_unordered(load_text("view seen = po-loc | data\nacyclic seen | rf | co | fr"))


# Other ways to find the same ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sc", "rc11"])
@examples(ci=75, slow=3_000)
@given(litmus_tests(max_events=9, max_candidates=300, non_atomic=True))
def test_models_without_cycles(name: str, test: Test) -> None:
    """Late reads make no difference under a model that forbids every cycle of po and rf."""
    program, model = to_program(test), named_model(name)
    expected = enumerate_executions(program, model, confirms=False)
    machine = Machine(program, confirms=False, tracks=True)
    found = [
        (machine.canonical(graph), machine.frontier(graph).complete)
        for graph in full_graphs(machine, model, None)
    ]
    if not expected.findings:
        assert len(found) == len(set(found))
        assert {form for form, complete in found if complete} == expected.complete
        assert {form for form, complete in found if not complete} == expected.blocked | expected.early


@pytest.mark.parametrize("name", MODELS)
@examples(ci=60, slow=3_000)
@given(dependency_tests(max_events=8, max_candidates=200))
def test_every_value_guessed(name: str, test: Test) -> None:
    """The executions are those in which each value that was guessed for a read is one that it reads."""
    program, model = to_program(test), named_model(name)
    assert enumerate_executions(program, model).complete == guessed(test, program, model)


@heavy
def test_cycles_with_dependencies_are_drawn() -> None:
    """Some program has an execution with a cycle of po and rf, and with dependencies."""
    porf = terms.Plus(terms.Union(terms.Base("po"), terms.Base("rf")))

    def is_cyclic(graph: Graph) -> bool:
        depend = any(label.depends and any(label.depends) for label in graph.labels.values())
        return depend and not is_irreflexive(Relations(graph, {}).rows(porf))

    def has_cycles(test: Test) -> bool:
        machine = Machine(to_program(test), tracks=True)
        return any(map(is_cyclic, full_graphs(machine, named_model("armv8"), None)))

    drawn = settings(max_examples=600, database=None, phases=[Phase.generate])
    find(dependency_tests(max_events=8, max_candidates=200), has_cycles, settings=drawn, random=Random(0))


def guessed(test: Test, program: Program, model: Model) -> set[Canonical]:
    """All consistent executions, from all runs of each thread with values out of a range."""
    operations = [operation for thread in test.threads for operation in flatten(thread)]
    adds = sum(isinstance(operation, FetchAdd) for operation in operations)
    machine = Machine(program, tracks=True)
    runs = [list(_runs(machine, number, range(3 + adds))) for number in range(1, len(test.threads) + 1)]
    found: set[Canonical] = set()
    for labels in itertools.product(*runs):
        events = {event: (label, value) for run in labels for event, (label, value) in run.items()}
        for graph in _graphs(len(test.threads), events):
            if is_consistent(graph, model):
                found.add(machine.canonical(graph))
    return found


Run = dict[EventId, tuple[Label, int]]  # and what a read reads


def _runs(machine: Machine, thread: int, values: range) -> Iterator[Run]:
    """The events of a thread, for all values that its reads might read."""
    waiting: list[tuple[tuple[int, ...], Run]] = [((), {})]
    while waiting:
        answers, events = waiting.pop()
        step = machine.resume(Start(thread, thread, (0,)), answers)
        if isinstance(step, Ending):
            yield events
            continue
        for value in values if step.kind is Kind.READ else [0]:
            waiting.append(((*answers, value), {**events, (thread, len(answers)): (step, value)}))


def _graphs(threads: int, events: Run) -> Iterator[Graph]:
    """The graphs with these events in which reads read what was guessed; main depends on nothing."""
    created = range(1, threads + 1)
    main = [
        Label(kind, other=n, depends=Dependencies()) for kind in (Kind.CREATE, Kind.JOIN) for n in created
    ]
    labels = {(0, number): label for number, label in enumerate(main)}
    labels.update((event, label) for event, (label, _) in events.items())
    writes: dict[int, list[EventId]] = {}
    for event, label in labels.items():
        if label.kind is Kind.WRITE:
            writes.setdefault(label.address, []).append(event)
    reads = [event for event, label in labels.items() if label.kind is Kind.READ]
    sources = [
        [
            write
            for write in [None, *writes.get(labels[read].address, [])]
            if events[read][1] == (labels[read].initial if write is None else labels[write].value)
        ]
        for read in reads
    ]
    for orders in itertools.product(*(itertools.permutations(found) for found in writes.values())):
        co = dict(zip(writes, orders, strict=True))
        for chosen in itertools.product(*sources):
            yield Graph(tuple(labels), labels, dict(zip(reads, chosen, strict=True)), co)
