"""Mixer's Algorithm 1 finds the executions of programs with accesses of several sizes, none twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mazurka.kat.language.load import named_model
from mazurka.program import CONST, Function, Global, Instr, Mode, Op, Program, Region, address
from mazurka.reference import Canonical, Graph, Machine, enumerate_executions
from mazurka.reference.mixing.mixer import Mixer, clock, is_independent, verify_mixed
from mazurka.reference.running.labels import EventId, Kind
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.build import BASE
from mazurka.testing.mixed_strategies import mixed_tests
from mazurka.testing.strategies import litmus_tests
from mixer_answers import assert_same
from profiles import examples

ALL = ("sc", "tso", "pso", "ra", "rc11-ra", "rc11", "rc11-cpp11")
MODELS = {name: named_model(name) for name in ("sc", "tso", "rc11-ra", "rc11")}

# The programs of the paper, with the number of orders of conflicting accesses, which are executions under sc.
PAPER = [
    pytest.param(
        "Wrlx x[0] 2; Rrlx x[1] || Wrlx x[0:1] 0x101",
        3,  # before the first thread, between its accesses, or after it
        id="2.3",
    ),
    pytest.param(
        "Wrlx x[0] 2; Rrlx x[2] || Arlx x[0:3] || Wrlx x[1] 1; Wrlx x[2] 1",
        # 3 places for the addition among the accesses of each other thread: if they say which access of x[2]
        # in these threads comes first (1 * 2 + 2 * 1), then once, and otherwise (2 * 2 + 1 * 1) twice.
        4 + 2 * 5,
        id="2.4",
    ),
    pytest.param("Rrlx x[0:1] || Wrlx x[0] 1 || Wrlx x[1] 1", 2 * 2, id="3.1, 3.3"),  # each byte old or new
    pytest.param("Rrlx x[0:1] || Wrlx x[0] 1; Wrlx x[1] 1", 3, id="3.2"),  # not the second byte alone
    pytest.param(
        "Wrlx x[0] 2 || Rrlx x[0:3] || Wrlx x[0:1] 0x101 || Wrlx x[2:3] 0x101",
        6 * 2,  # the orders of those that access x[0], and the last write before or after the read
        id="3.4",
    ),
    pytest.param("Arlx x || Arlx x", 2, id="4.1"),
]


def check(program: Program, name: str) -> int:
    """Compares Mixer with brute force; returns how many executions are complete."""
    model = MODELS[name]
    return assert_same(program, verify_mixed(program, model), enumerate_executions(program, model))


@pytest.mark.parametrize(("source", "count"), PAPER)
@pytest.mark.parametrize("name", ["sc", "rc11-ra"])
def test_examples_of_the_paper(name: str, source: str, count: int) -> None:
    assert check(to_program(parse_litmus(source)), name) == count


@pytest.mark.parametrize(
    ("source", "counts"),
    [
        pytest.param(
            "Wrlx x[0] 2; Rrlx x[1] || Wrlx x[0:1] 0x101",
            {"sc": 3, "tso": 4, "pso": 4, "ra": 3, "rc11-ra": 3, "rc11": 3, "rc11-cpp11": 3},
            id="2.3: in a store buffer, the first write waits for the read of the other byte",
        ),
        pytest.param(
            "Rrlx x[0:1] || Wrlx x[0] 1; Wrlx x[1] 1",
            {"sc": 3, "tso": 3, "pso": 4, "ra": 3, "rc11-ra": 3, "rc11": 3, "rc11-cpp11": 3},
            id="3.2: with a store buffer for each location, the second byte alone",
        ),
        pytest.param(
            "Rrlx x[0]; Rrlx x[1] || Wrlx x[0:1] 0x101",
            dict.fromkeys(ALL, 3),
            id="two bytes of one write are not read the wrong way round",
        ),
        pytest.param(
            "Wrlx x[0] 1; Rrlx x[1] || Wrlx x[1] 1; Rrlx x[0]",
            {"sc": 3, "tso": 4, "pso": 4, "ra": 4, "rc11-ra": 4, "rc11": 4, "rc11-cpp11": 4},
            id="bytes of one word in store buffers",
        ),
        pytest.param(
            "Wrlx x[0] 1; Rrlx x[0:1] || Wrlx x[1] 1; Rrlx x[0:1]",
            dict.fromkeys(ALL, 3),
            id="a read that needs more than its thread wrote waits until others see that",
        ),
        pytest.param("Wrlx x[0:1] 1 || Wrlx x[0:1] 2", dict.fromkeys(ALL, 2), id="no write is torn"),
        pytest.param(
            "Wrlx x[0] 1 || Wrlx x[1] 1 || Rrlx x[0:1] || Rrlx x[0:1]",
            dict.fromkeys(ALL, 4 * 4 - 2),
            id="two reads of a word agree in which order its bytes were written",
        ),
    ],
)
def test_models(source: str, counts: dict[str, int]) -> None:
    program = to_program(parse_litmus(source))
    found = {name: len(enumerate_executions(program, named_model(name)).complete) for name in ALL}
    assert found == counts


def test_what_comes_after_a_join_is_to_the_right_of_the_joined_thread() -> None:
    """Main waits for the last thread, so its write is added after that of the second thread."""
    word, first, second, one, *codes = (CONST | number for number in range(7))
    writes = [Instr(Op.STORE, mode=Mode.RLX, a=at, b=one, width=8) for at in (first, second)]
    creates = [Instr(Op.CREATE, dst=i, a=code, b=one) for i, code in enumerate(codes)]
    joins = [Instr(Op.JOIN, dst=3, a=i) for i in range(3)]
    bodies = [
        [*creates, joins[2], writes[0], *joins[:2]],
        [Instr(Op.LOAD, dst=1, mode=Mode.RLX, a=word, width=16)],
        [writes[1]],
        [Instr(Op.FENCE, mode=Mode.SC)],
    ]
    program = Program(
        functions=tuple(
            Function(f"f{i}", min(i, 1), 4, 0, (), (*body, Instr(Op.RET))) for i, body in enumerate(bodies)
        ),
        entry=0,
        globals=(Global("x", BASE, 2, (), False),),
        constants=(BASE, BASE, BASE + 1, 1, *(address(Region.CODE, 16 * i) for i in (1, 2, 3))),
        lists=((one,),),
    )
    assert check(program, "sc") == 2 * 2  # each byte old or new
    graph = verify_mixed(program).complete[0]
    stores = [event for event, label in graph.labels.items() if label.kind is Kind.WRITE]
    assert sorted(stores, key=lambda store: clock(graph, store)) == [(2, 0), (0, 4)]


class AsPrinted(Mixer):
    """Line 11 without the first departure: the keep set may have writes that stay anyway."""

    def keep_sets(self, graph: Graph, read: EventId, write: EventId) -> Iterator[tuple[EventId, ...]]:
        """Also sets with one write from before the read."""
        yield from super().keep_sets(graph, read, write)
        for other in graph.order[: graph.order.index(read)]:
            if graph.labels[other].kind is Kind.WRITE and is_independent(graph, {other, write}):
                yield (other,)


def test_as_printed_a_graph_is_found_twice() -> None:
    """The first thread writes a byte before the read is added, which reads it: kept or not, it stays."""
    machine = Machine(to_program(parse_litmus("Wrlx x[0] 1 || Rrlx x[0:1] || Wrlx x[1] 1")))
    ours, printed = [visited(algorithm(machine, MODELS["sc"])) for algorithm in (Mixer, AsPrinted)]
    assert len(ours) == len(set(ours)) == 2 * 2
    assert set(printed) == set(ours)
    assert len(printed) > len(set(printed))


def visited(mixer: Mixer) -> list[Canonical]:
    mixer.explore(Graph())
    return [mixer.machine.canonical(graph) for graph in mixer.result.complete]


@examples(ci=120, slow=5_000)
@given(mixed_tests(assumes=True, non_atomic=True), st.sampled_from(sorted(MODELS)))
def test_random_programs(test: Test, name: str) -> None:
    check(to_program(test), name)


@examples(ci=40, slow=5_000)
@given(mixed_tests(aligned=False, max_threads=3), st.sampled_from(sorted(MODELS)))
def test_footprints_that_overlap_in_part(test: Test, name: str) -> None:
    check(to_program(test), name)


@examples(ci=25, slow=1_250)
@given(litmus_tests(max_candidates=100))
def test_one_size(test: Test) -> None:
    """With accesses of one size, this is TruSt; mutexes are among them."""
    check(to_program(test), "rc11-ra")
