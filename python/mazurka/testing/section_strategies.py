"""Hypothesis strategies that draw tests with atomic sections.

A test is drawn as for other properties, with accesses of one size or of several. Then some neighbouring
operations of each thread are put into a section, so that plain accesses, read-modify-writes, fences, guards
and assumptions are in sections and beside them.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from mazurka.testing.mixed_strategies import mixed_tests
from mazurka.testing.operations import Guard, Operation, Section, Test
from mazurka.testing.strategies import litmus_tests

_LENGTHS = st.integers(1, 3)


@st.composite
def section_tests(
    draw: st.DrawFn, *, max_threads: int = 3, max_events: int = 9, max_candidates: int = 1_000
) -> Test:
    """A random test with at least two threads, of which some operations are in sections."""
    sizes = st.one_of(
        litmus_tests(
            max_threads=max_threads,
            max_events=max_events,
            max_candidates=max_candidates,
            mutexes=False,
            non_atomic=True,
        ),
        mixed_tests(
            max_threads=max_threads,
            max_events=max_events,
            max_candidates=max_candidates,
            assumes=True,
            non_atomic=True,
        ),
    )
    test = draw(sizes)
    return replace(test, threads=tuple(_enclosed(draw, thread) for thread in test.threads))


def _enclosed(draw: st.DrawFn, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations, some of them in sections, which may have sections within."""
    result: tuple[Operation, ...] = ()
    while operations:
        length = draw(_LENGTHS)
        group, operations = operations[:length], operations[length:]
        match draw(st.sampled_from(["section", "section", "plain", "within"])):
            case "section":
                result += (Section(group),)
            case "within":
                result += tuple(_within(operation) for operation in group)
            case _:
                result += group
    return result


def _within(operation: Operation) -> Operation:
    """A guard with its body in a section; a single operation in two sections."""
    if isinstance(operation, Guard):
        return replace(operation, body=(Section(operation.body),))
    return Section((Section((operation,)),))
