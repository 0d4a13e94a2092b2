"""The order of a report's rows is an execution: it respects every edge of the graph where it can."""

from __future__ import annotations

from executions import DATA, FLAG, creates, early_read, event, message_passing, read, three_threads, write
from mazurka.checking.execution import Event, EventRef
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


def exclusive(kind: str, thread: int, pc: int, stamp: int, value: int, rf: EventRef | None = None) -> Event:
    return event(kind, thread, pc, stamp, address=FLAG, size=4, value=value, exclusive=True, rf=rf)


def test_nothing_comes_between_the_halves_of_a_read_modify_write() -> None:
    """The reader must come before the increment, although the increment's read does not know."""
    graph = three_threads(
        creates(),
        [exclusive("R", 1, 1, 2, 0), exclusive("W", 1, 1, 3, 1)],
        [read(0, FLAG, 0, 4, None)],
        [(FLAG, [(1, 1)])],
    )
    assert linearise(graph)[2:] == [(2, 0), (1, 0), (1, 1)]


def test_a_wanted_order_ends_the_story_whatever_comes_later() -> None:
    """A weaker model may order what follows the access before the free; that must not turn them around."""
    free, access = (1, 1), (2, 0)
    graph = three_threads(
        creates(),
        [write(1, FLAG, 2, 2), event("FREE", 1, 0, 3, address=DATA), write(0, DATA, 1, 6)],
        [read(1, DATA, 0, 4, None), write(0, FLAG, 1, 5)],
        [(FLAG, [(1, 0), (2, 1)]), (DATA, [(1, 2)])],
    )
    assert linearise(graph, (free, access)) == [(0, 0), (0, 1), (1, 0), free, access]


def test_a_wanted_order_keeps_what_both_events_depend_on() -> None:
    graph = three_threads(
        creates(),
        [write(1, FLAG, 1, 2), write(0, DATA, 1, 3)],
        [read(0, FLAG, 1, 4, (1, 0)), event("FREE", 2, 1, 5, address=DATA)],
        [(FLAG, [(1, 0)]), (DATA, [(1, 1)])],
    )
    assert linearise(graph, ((2, 1), (1, 1)))[2:] == [(1, 0), (2, 0), (2, 1), (1, 1)]
