"""Looks for the execution that ends as asked and is closest to being allowed.

Loops may make executions longer without end, so only some sizes are looked at: first that of the smallest
executions that were explored, in which compare-exchanges succeed at once; then those of about the size of the
largest ones. Executions in which no thread contradicts itself (``coherent``) come before others.

I1: what is found ends as asked. Nothing is said about executions that were not looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mazurka.program.loop_notes import Obstacle
from mazurka.reference.running.labels import ReferenceUnsupported
from mazurka.why_not.candidates import Candidate, closest
from mazurka.why_not.programs.coherent import is_coherent

if TYPE_CHECKING:
    from collections.abc import Callable

    from mazurka.checking.execution import Graph
    from mazurka.kat.meaning import terms
    from mazurka.program import Program
    from mazurka.reference.graph import Graph as ReferenceGraph
    from mazurka.why_not.candidates import LastBytes

MOST_GRAPHS = 10_000  # partial ones, in which a reason is looked for: up to about half a minute
MORE_EVENTS = 4  # than an explored execution has


class _Sizes:
    """How many events executions may have, in each thread and together."""

    def __init__(self, most: int, threads: Mapping[int, int] | None, most_graphs: int) -> None:
        self.most, self.threads, self.most_graphs = most, threads, most_graphs
        self.was_cut = False

    def fit(self, graph: ReferenceGraph) -> bool:
        """Whether a part of an execution is not too large."""
        fits = len(graph.order) <= self.most
        if fits and self.threads is not None:
            own = Counter(thread for thread, _ in graph.order)
            fits = all(count <= self.threads.get(thread, 0) for thread, count in own.items())
        self.was_cut |= not fits
        return fits


def size_of(graph: Graph) -> int:
    """How many events an execution has."""
    return sum(len(thread.events) for thread in graph.threads)


def _smallest(graphs: Sequence[Graph]) -> _Sizes:
    """The sizes of the smallest explored executions, thread by thread."""
    least = min(map(size_of, graphs), default=0)
    threads: Counter[int] = Counter()
    for graph in graphs:
        if size_of(graph) == least:
            threads |= Counter({number: len(one.events) for number, one in enumerate(graph.threads)})
    return _Sizes(least, threads, MOST_GRAPHS)


def closest_of(
    program: Program, model: terms.Model, graphs: Sequence[Graph], ends_so: Callable[[LastBytes], bool]
) -> Candidate | None:
    """That execution, given those that were explored; None if there is none of any size."""
    small = _smallest(graphs)
    large = _Sizes(max(map(size_of, graphs), default=0) + MORE_EVENTS, None, MOST_GRAPHS // 2)
    missing: ReferenceUnsupported | None = None
    for wanted in (is_coherent, _anything):
        for sizes in (small, large):
            sizes.was_cut = False
            try:
                found = closest(program, model, ends_so, _both(sizes, wanted), most_graphs=sizes.most_graphs)
            except ReferenceUnsupported as problem:
                missing = problem
                break  # a larger size has more of that
            if found is not None:
                return found
            if not sizes.was_cut:
                break  # there is no larger execution
    if missing is None and large.was_cut:
        missing = ReferenceUnsupported(f"executions of more than {large.most} events")
    if missing is not None:
        raise ReferenceUnsupported(f"{missing}{_repeated(program) if small.was_cut else ''}")
    return None


def _anything(graph: ReferenceGraph) -> bool:
    return True


def _both(sizes: _Sizes, wanted: Callable[[ReferenceGraph], bool]) -> Callable[[ReferenceGraph], bool]:
    return lambda graph: sizes.fit(graph) and wanted(graph)


def _repeated(program: Program) -> str:
    """Which loop makes executions longer without end, such as one that repeats a compare-exchange."""
    for note in program.notes:
        is_constant = note.hindrance is not None and note.hindrance.obstacle is Obstacle.CONSTANT_ROUNDS
        position = program.loops[note.loop].position
        if not is_constant and position < len(program.positions):
            where = program.positions[position]
            return (
                f"; the loop in {where.file.rpartition('/')[2]}:{where.line} can go round any number of times"
            )
    return ""
