"""Mixer for atomic sections: a section is a read and a write, of bytes that turn out as it runs.

Implements Mixer §5 on top of ``mixer``. A section is added at once: its read, which becomes wider as the
section runs, in every way; then its write, which is placed and revisits like any other.

What the paper leaves open. Its revisiting condition is liberal, since the section of a revisited read is run
again, and may then read bytes that it did not read before: a new write revisits the read of every section
that has read something and is not causally before it, with any set of writes to keep. In the end the
section must have read from all of these (relevance), or the graph is dropped. A revisited read keeps its
place in the order in which events were added; the write of its section comes last.

The new write takes its place in co before the section is run again, so that its read can find it there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from mazurka.kat.meaning import terms
from mazurka.program import Program
from mazurka.reference.consistency import causal_prefix
from mazurka.reference.graph import NOTHING, Graph
from mazurka.reference.machine import Machine
from mazurka.reference.mixing.mixer import (
    Mixer,
    added_after,
    clock,
    is_independent,
    is_maximal_extension,
    is_relevant,
    past,
)
from mazurka.reference.running.labels import EventId, Kind, Label
from mazurka.reference.running.sections import read_label
from mazurka.reference.sections import run_section
from mazurka.reference.shipped import SC
from mazurka.reference.trust import Exploration


def verify_sections(program: Program, model: terms.Model = SC) -> Exploration:
    """Explores a program with atomic sections, and accesses of any sizes."""
    mixer = SectionMixer(Machine(program), model)
    mixer.explore(Graph())
    return mixer.result


class SectionMixer(Mixer):
    """Steps and revisits of sections, beside those of single accesses."""

    def extend(self, graph: Graph, event: EventId, label: Label) -> None:
        """A section is run to its end."""
        if label.scattered is None:
            super().extend(graph, event, label)
            return
        self.finish(graph.add(event, label).set_rf(event, NOTHING), event)

    def finish(self, graph: Graph, read: EventId, relevant: frozenset[EventId] = frozenset()) -> None:
        """The read of a section is there; all that comes of it, if it reads from some writes."""
        for done in run_section(self.machine, graph, read):
            write = done.section_write(read)
            if not is_relevant(done, read, {*relevant}):
                continue
            if write is None:
                self.explore_if_consistent(done)
            else:
                self.explore_cos(done, write)
                self.revisit(done, write)

    def revisit(self, graph: Graph, write: EventId) -> None:
        """The revisits of single reads, and then those of sections."""
        super().revisit(graph, write)
        sections = [e for e, label in graph.labels.items() if e in graph.rf and label.scattered]
        for read in sorted(sections, key=graph.order.index):
            if read in causal_prefix(graph, write):
                continue
            for others in self.keep_any(graph, read, write):
                kept = past(graph, {*others, write})
                affected = {read, *added_after(graph, read) - kept}
                if is_maximal_extension(graph, affected):
                    self.run_again(graph, read, affected, frozenset({*others, write}))

    def revisited_reads(self, graph: Graph, write: EventId) -> list[EventId]:
        """The single reads that a write may revisit."""
        return [read for read in graph.reads(write) if graph.labels[read].scattered is None]

    def keep_any(self, graph: Graph, read: EventId, write: EventId) -> Iterator[tuple[EventId, ...]]:
        """The sets of writes that may revisit a section together with a new write, whatever they write."""
        now, stays = clock(graph, write), past(graph, {write})
        candidates = [
            w
            for w in sorted(added_after(graph, read) - stays)
            if graph.labels[w].kind is Kind.WRITE
            and clock(graph, w) < now
            and read not in causal_prefix(graph, w)
        ]
        for size in range(len(candidates) + 1):
            for others in combinations(candidates, size):
                if is_independent(graph, {*others, write}):
                    yield others

    def run_again(
        self, graph: Graph, read: EventId, affected: set[EventId], revisiting: frozenset[EventId]
    ) -> None:
        """A section is run again without what a revisit deletes; its read keeps its place."""
        rest = graph.restrict(set(graph.order) - affected)
        place = sum(e in rest.labels for e in graph.order[: graph.order.index(read)])
        (new,) = (w for w in revisiting if not any(w in writes for writes in rest.co.values()))
        for predecessors in rest.choices(new):
            placed = rest.set_co(predecessors, new)
            if self.is_consistent(placed):
                begun = placed.add(read, read_label([])).set_rf(read, NOTHING)
                order = (*rest.order[:place], read, *rest.order[place:])
                self.finish(replace(begun, order=order), read, revisiting)
