"""Whether a graph is one of those that docs/reference/models.md describes; shares nothing with the prover.

The prover's graphs have no creation of threads, so program order is within threads.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.kat.meaning.plan import CLASSES
from mazurka.prover import CandidateGraph

_HALVES = ("rf", "co", "fr")


def flaws(graph: CandidateGraph) -> list[str]:
    """What is wrong with a graph."""
    return list(_Checker(graph).flaws())


class _Checker:
    def __init__(self, graph: CandidateGraph) -> None:
        self.graph = graph
        self.events = range(graph.size)
        self.names = [CLASSES[kind.number] for kind in graph.kinds]
        self.initial = [e for e in self.events if self.names[e] == "INIT"]
        self.reads = [e for e in self.events if self.names[e].startswith("R.")]
        self.writes = [e for e in self.events if self.names[e].startswith("W.") or e in self.initial]

    def pairs(self, name: str) -> set[tuple[int, int]]:
        rows = self.graph.relations.get(name, [0] * self.graph.size)
        return {(a, b) for a in self.events for b in self.events if rows[a] >> b & 1}

    def flaws(self) -> Iterator[str]:
        """What is wrong."""
        checks = (
            ("initial writes", self._initial_writes()),
            ("locations", self._locations()),
            ("po", self._is_program_order()),
            ("rf", self._is_reads_from()),
            ("co", self._is_coherence()),
            ("fr", self.pairs("fr") == self._from_reads()),
            ("halves", all(self._split(name) for name in _HALVES)),
            ("what po and locations define", self._derived()),
            ("rmw", self._updates()),
            ("dependencies", self._dependencies()),
        )
        yield from (name for name, fine in checks if not fine)

    def _initial_writes(self) -> bool:
        places = [self.graph.locations[e] for e in self.initial]
        outside = all((self.graph.threads[e] == -1) == (e in self.initial) for e in self.events)
        return outside and sorted(places) == sorted(set(self.graph.locations) - {-1})

    def _locations(self) -> bool:
        accesses = {*self.reads, *self.writes}
        return all((self.graph.locations[e] != -1) == (e in accesses) for e in self.events)

    def _same_thread(self) -> set[tuple[int, int]]:
        threads = self.graph.threads
        return {(a, b) for a in self.events for b in self.events if a != b and threads[a] == threads[b] != -1}

    def _same_location(self, events: list[int]) -> set[tuple[int, int]]:
        places = self.graph.locations
        return {(a, b) for a in events for b in events if a != b and places[a] == places[b] != -1}

    def _is_order(self, order: set[tuple[int, int]], ordered: set[tuple[int, int]]) -> bool:
        """Whether a relation is a strict order, total on given pairs and of nothing else."""
        transitive = all((a, d) in order for a, b in order for c, d in order if b == c)
        one_way = all(((a, b) in order) != ((b, a) in order) for a, b in ordered)
        return order <= ordered and transitive and one_way

    def _is_program_order(self) -> bool:
        return self._is_order(self.pairs("po"), self._same_thread())

    def _is_coherence(self) -> bool:
        co = self.pairs("co")
        first = all((b, a) not in co for a in self.initial for b in self.writes)
        return first and self._is_order(co, self._same_location(self.writes))

    def _is_reads_from(self) -> bool:
        rf, later = self.pairs("rf"), {(b, a) for a, b in self.pairs("po")}
        places = self.graph.locations
        return sorted(b for _, b in rf) == self.reads and all(
            a in self.writes and places[a] == places[b] and (a, b) not in later for a, b in rf
        )

    def _from_reads(self) -> set[tuple[int, int]]:
        return {
            (read, after) for write, read in self.pairs("rf") for w, after in self.pairs("co") if w == write
        }

    def _split(self, name: str) -> bool:
        within = self.pairs(name) & self._same_thread()
        return self.pairs(f"{name}i") == within and self.pairs(f"{name}e") == self.pairs(name) - within

    def _derived(self) -> bool:
        po = self.pairs("po")
        place = self._same_location([e for e in self.events if e not in self.initial])
        between = {(a, d) for a, b in po for c, d in po if b == c}
        return (
            self.pairs("same-thread") == self._same_thread()
            and self.pairs("loc-overlap") == place
            and self.pairs("po-loc") == po & place
            and self.pairs("po-imm") == po - between
            and len(self.pairs("any")) == self.graph.size**2
        )

    def _updates(self) -> bool:
        """Pairs of neighbours of one location, and nothing in co between what one reads and writes."""
        halves = {e for e in self.events if self.names[e].endswith(".rmw")}
        rmw, co, rf = self.pairs("rmw"), self.pairs("co"), self.pairs("rf")
        next_to = {(a, b) for a, b in self.pairs("po-imm") & self.pairs("po-loc") if {a, b} <= halves}
        kinds = {(a, b) for a, b in next_to if a in self.reads and b in self.writes}
        paired = {e for pair in rmw for e in pair}
        atomic = all(
            (w, b) in co and not any((w, c) in co and (c, b) in co for c in self.writes)
            for a, b in rmw
            for w, read in rf
            if read == a
        )
        return rmw == kinds and paired == halves and atomic

    def _dependencies(self) -> bool:
        po = self.pairs("po")
        found = {name: self.pairs(name) for name in ("addr", "data", "ctrl")}
        along = all(pairs <= po and all(a in self.reads for a, _ in pairs) for pairs in found.values())
        control = all((a, d) in found["ctrl"] for a, b in found["ctrl"] for c, d in po if b == c)
        return along and control and all(b in self.writes for _, b in found["data"])
