"""Looks for the execution that ends as asked and is closest to being allowed.

Loops may make executions longer without end, so only some sizes are looked at: first that of the smallest
executions that were explored, in which compare-exchanges succeed at once; then those of about the size of the
largest ones. Executions in which no thread contradicts itself (``coherent``) come before others of their
size, and without loops before all others. The first of them are those in which locations that are in order
in all explored executions are so again.

I1: what is found ends as asked. Nothing is said about executions that were not looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from mazurka.program.loop_notes import Obstacle
from mazurka.reference.running.labels import ReferenceUnsupported
from mazurka.why_not.candidates import Candidate, closest
from mazurka.why_not.programs.coherent import in_order, is_coherent

if TYPE_CHECKING:
    from mazurka.checking.execution import Graph
    from mazurka.kat.meaning import terms
    from mazurka.program import Program
    from mazurka.reference.graph import Graph as ReferenceGraph
    from mazurka.why_not.candidates import LastBytes

    Wanted: TypeAlias = Callable[[ReferenceGraph], bool]

MOST_GRAPHS = 10_000  # partial ones, in which a reason is looked for: up to about half a minute
MOST_WORK = 16_000_000  # squares of their numbers of events, all together: to extend one takes about as long
MORE_EVENTS = 4  # than an explored execution has


class _Sizes:
    """How many events executions may have, in each thread and together."""

    def __init__(self, most: int, threads: Mapping[int, int] | None) -> None:
        self.most, self.threads = most, threads
        self.was_cut = False

    def fit(self, graph: ReferenceGraph) -> bool:
        """Whether a part of an execution is not too large."""
        fits = len(graph.order) <= self.most
        if fits and self.threads is not None:
            own = Counter(thread for thread, _ in graph.order)
            fits = all(count <= self.threads.get(thread, 0) for thread, count in own.items())
        self.was_cut |= not fits
        return fits


class _Work:
    """How long the search takes, by the sizes of what it looked at: it ends before anyone loses patience."""

    def __init__(self) -> None:
        self.done = 0

    def goes_on(self, graph: ReferenceGraph) -> bool:
        """Counts one more part of an execution."""
        self.done += len(graph.order) ** 2
        if self.done > MOST_WORK:
            raise ReferenceUnsupported("a program with so many partial executions of this length")
        return True


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
    return _Sizes(least, threads)


def closest_of(
    program: Program, model: terms.Model, graphs: Sequence[Graph], ends_so: Callable[[LastBytes], bool]
) -> Candidate | None:
    """That execution, given those that were explored; None if there is none of any size."""
    small = _smallest(graphs)
    large = _Sizes(max(map(size_of, graphs), default=0) + MORE_EVENTS, None)
    loop, missing = _repeated(program), ""
    work, ordered = _Work(), in_order(graphs)
    for sizes, wanted, is_ordered in _passes(small, large, small_first=bool(loop)):
        if sizes is large and (missing or not small.was_cut):
            continue  # it was too large already, or there is no larger execution
        try:
            found = closest(
                program,
                model,
                ends_so,
                _all(work, sizes, wanted),
                most_graphs=MOST_GRAPHS,
                in_order=ordered if is_ordered else (),
            )
        except ReferenceUnsupported as problem:
            if sizes is small:
                raise
            missing = str(problem)
            continue
        if found is not None:
            return found
    if large.was_cut and not missing:
        missing = f"executions of more than {large.most} events"
    if missing:
        raise ReferenceUnsupported(missing + loop)
    return None


def _passes(small: _Sizes, large: _Sizes, *, small_first: bool) -> list[tuple[_Sizes, Wanted, bool]]:
    """What is looked at, one after the other, and whether locations are in order in it.

    With loops, it takes long to look at large executions.
    """
    both, wanted = (small, large), ((is_coherent, True), (is_coherent, False), (_anything, False))
    if small_first:
        return [(sizes, *kind) for sizes in both for kind in wanted]
    return [(sizes, *kind) for kind in wanted for sizes in both]


def _anything(graph: ReferenceGraph) -> bool:
    return True


def _all(work: _Work, sizes: _Sizes, wanted: Wanted) -> Wanted:
    return lambda graph: work.goes_on(graph) and sizes.fit(graph) and wanted(graph)


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
