"""What is folded, and what is never folded: the answer must explain the failure and little else."""

from __future__ import annotations

from executions import DATA, FLAG, creates, event, message_passing, read, three_threads, write
from mazurka.report.relevance import relevant

ELSEWHERE = 0x1000_0000_9000


def test_the_whole_of_a_small_failure_is_kept() -> None:
    graph = message_passing()
    assert relevant(graph, 2, None) == set(graph.refs())


def test_writes_to_places_that_nobody_in_the_slice_reads_are_folded() -> None:
    graph = three_threads(
        creates(),
        [write(0, ELSEWHERE, 7, 2), write(1, FLAG, 1, 3)],
        [read(0, FLAG, 1, 4, (1, 1))],
        [(ELSEWHERE, [(1, 0)]), (FLAG, [(1, 1)])],
    )
    assert relevant(graph, 2, None) == {(0, 0), (0, 1), (1, 1), (2, 0)}


def test_an_overtaken_write_is_kept() -> None:
    """A lost update: the writer's store is the point, though nothing reads from it."""
    graph = three_threads(
        creates(),
        [read(0, DATA, 0, 2, None), write(0, DATA, 1, 3)],
        [read(0, DATA, 0, 4, None), write(0, DATA, 1, 5), read(1, DATA, 1, 6, (2, 1))],
        [(DATA, [(1, 1), (2, 1)])],
    )
    assert {(1, 0), (1, 1)} <= relevant(graph, 2, None)


def test_reads_by_bystanders_are_folded() -> None:
    graph = three_threads(
        creates(),
        [write(0, DATA, 1, 2), read(0, DATA, 1, 4, (1, 0))],
        [read(0, DATA, 0, 3, None)],
        [(DATA, [(1, 0)])],
    )
    kept = relevant(graph, 2, None)
    assert (1, 0) in kept
    assert (1, 1) not in kept


def test_only_the_last_turn_of_a_wait_loop_is_kept() -> None:
    spins = [read(0, FLAG, 0, 4 + n, None) for n in range(5)]
    graph = three_threads(
        creates(),
        [write(1, FLAG, 1, 2)],
        [*spins, read(0, FLAG, 1, 9, (1, 0))],
        [(FLAG, [(1, 0)])],
    )
    assert {ref for ref in relevant(graph, 2, None) if ref[0] == 2} == {(2, 4), (2, 5)}


def test_of_what_a_container_reads_in_one_call_each_member_is_kept_once() -> None:
    """Several instructions, all of them at the place of the call."""
    members = [read(n, DATA + 8 * (n % 2), 0, 4 + n, None) for n in range(6)]
    graph = three_threads(
        creates(), [write(0, DATA, 1, 2)], [*members, read(9, FLAG, 0, 11, None)], [(DATA, [(1, 0)])]
    )
    assert {ref for ref in relevant(graph, 2, None) if ref[0] == 2} == {(2, n) for n in range(7)}
    kept = relevant(graph, 2, None, place=lambda event: event.pc < 9)
    assert {ref for ref in kept if ref[0] == 2} == {(2, 4), (2, 5), (2, 6)}


def test_how_a_library_hands_over_arguments_is_folded() -> None:
    """Plain reads without a place, and what they read; not if nothing in the thread has a place."""
    graph = three_threads(
        creates(),
        [write(0, ELSEWHERE, 7, 2), write(1, DATA, 1, 3)],
        [read(0, ELSEWHERE, 7, 4, (1, 0)), read(1, DATA, 1, 5, (1, 1)), read(2, FLAG, 0, 6, None)],
        [(ELSEWHERE, [(1, 0)]), (DATA, [(1, 1)])],
    )
    kept = relevant(graph, 2, None, place=lambda event: event.pc or None)
    assert {ref for ref in kept if ref[0]} == {(1, 1), (2, 1), (2, 2)}
    assert relevant(graph, 2, None, place=lambda _: None) == set(graph.refs())


def test_the_slice_follows_a_write_into_its_thread() -> None:
    graph = three_threads(
        creates(),
        [read(0, ELSEWHERE, 0, 2, None), write(1, FLAG, 1, 3), read(1, ELSEWHERE + 64, 0, 4, None)],
        [read(0, FLAG, 1, 5, (1, 1))],
        [(FLAG, [(1, 1)])],
    )
    kept = relevant(graph, 2, None)
    assert (1, 0) in kept
    assert (1, 2) not in kept


def test_what_main_wrote_before_and_nobody_changes_is_the_setting() -> None:
    setting = [read(0, ELSEWHERE, 7, 4, None), read(0, DATA, 0, 5, None)]
    last = [read(1, ELSEWHERE + 8 * n, 0, 6 + n, None) for n in range(1, 4)]
    graph = three_threads(creates(), [write(0, DATA, 1, 3)], [*setting, *last], [(DATA, [(1, 0)])])
    initial = {ELSEWHERE, DATA, *(event.address for event in last)}
    kept = relevant(graph, 2, None, initial)
    assert {ref for ref in kept if ref[0] == 2} == {(2, 1), (2, 2), (2, 3), (2, 4)}
    assert (2, 0) in relevant(graph, 2, None), "an initial value may yet change: the writer may not have run"
    assert (2, 0) in relevant(graph, 2, (2, 0), initial), "the finding names it"


def test_both_halves_of_a_read_modify_write_stay_together() -> None:
    graph = three_threads(
        creates(),
        [
            event("R", 1, 0, 2, address=FLAG, size=4, exclusive=True),
            event("W", 1, 0, 3, address=FLAG, size=4, value=1, exclusive=True),
        ],
        [read(0, FLAG, 1, 4, (1, 1))],
        [(FLAG, [(1, 1)])],
    )
    assert {(1, 0), (1, 1)} <= relevant(graph, 2, None)


def test_a_failing_thread_without_events_and_the_other_side() -> None:
    graph = three_threads(creates(), [write(0, DATA, 1, 2)], [], [(DATA, [(1, 0)])])
    assert relevant(graph, 2, (1, 0)) == {(1, 0), (0, 0), (0, 1)}


def test_what_a_thread_read_is_kept_if_its_value_was_just_taken() -> None:
    """The failing thread only joined: it judges what the other returned."""
    graph = three_threads(
        [*creates(), event("JOIN", 0, 2, 7, other=2)],
        [write(0, FLAG, 1, 3)],
        [read(0, FLAG, 1, 4, (1, 0))],
        [(FLAG, [(1, 0)])],
    )
    assert {(1, 0), (2, 0)} <= relevant(graph, 0, None)
