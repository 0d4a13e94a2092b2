"""The order of a report's rows is an execution: it respects every edge of the graph where it can."""

from __future__ import annotations

from executions import DATA, FLAG, creates, early_read, message_passing, read, three_threads, write
from mazurka.report.order import linearise


def test_rows_respect_rf_and_creation() -> None:
    order = linearise(message_passing())
    assert order[:2] == [(0, 0), (0, 1)]
    assert order.index((1, 1)) < order.index((2, 0))


def test_a_read_of_the_initial_value_comes_before_the_write() -> None:
    order = linearise(early_read())
    assert order.index((2, 0)) < order.index((1, 1))
    assert order.index((2, 1)) < order.index((1, 0))


def test_coherence_is_respected_against_insertion_order() -> None:
    main = (*creates(), *[])
    graph = three_threads(
        main,
        [write(0, DATA, 1, 2)],
        [write(0, DATA, 2, 3)],
        [(DATA, [(2, 0), (1, 0)])],
    )
    order = linearise(graph)
    assert order.index((2, 0)) < order.index((1, 0))


def test_a_cyclic_graph_still_lists_every_event_once_in_program_order() -> None:
    graph = message_passing()
    order = linearise(graph)
    assert sorted(order) == sorted(graph.refs())
    for thread in range(3):
        indices = [i for t, i in order if t == thread]
        assert indices == sorted(indices)


def test_threads_are_left_only_when_they_must_wait() -> None:
    graph = three_threads(
        creates(),
        [write(0, DATA, 1, 2), write(1, FLAG, 1, 4)],
        [read(0, 0x9000, 0, 3, None), read(1, 0x9000, 0, 5, None)],
        [(DATA, [(1, 0)]), (FLAG, [(1, 1)])],
    )
    assert [t for t, _ in linearise(graph)] == [0, 0, 1, 1, 2, 2]
