"""Random well-formed execution graphs in plain Python, as docs/reference/models.md describes them.

Shares nothing with the prover. Events stand in threads, one after the other; program order also leads from
the creation of a thread to its events and from these to a join. Each location that is accessed has one
initial write, which is of no thread. Each read reads from one write of its location, never from a later one
of its thread; co orders each location's writes, the initial one first; the two events of a read-modify-write
stand next to each other, and its write comes next in co after what its read reads from.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]
NO_THREAD, NO_PLACE = -1, -1
MODES = {
    "R": ("na", "rlx", "acq", "sc"),
    "W": ("na", "rlx", "rel", "sc"),
    "F": ("rlx", "acq", "rel", "acqrel", "sc"),
}
_HALVES = ("rf", "co", "fr")


@dataclass(frozen=True)
class Event:
    """What an event is: "R", "W", "F", "CREATE", "JOIN" or "INIT", and its mode.

    ``part`` is "rmw" of the halves of a read-modify-write and "failed" of the read of one that failed;
    ``child`` is the thread that is created or joined.
    """

    kind: str
    thread: int
    mode: str = ""
    place: int = NO_PLACE
    part: str = ""
    child: int = NO_THREAD
    extra: frozenset[str] = frozenset()

    @property
    def predicates(self) -> frozenset[str]:
        """The predicates that hold of it."""
        found = set(self.extra)
        access = self.kind in ("R", "W", "INIT")
        if access:
            found |= {"LOC", "W" if self.kind == "INIT" else self.kind}
            found.add("EXCL" if self.part == "rmw" else "NEXCL")
        found |= {"F"} if self.kind == "F" else set()
        found |= {"TC"} if self.kind == "CREATE" else {"TJ"} if self.kind == "JOIN" else set()
        if self.part == "rmw":
            found.add("UR" if self.kind == "R" else "UW")
        found |= {"UX"} if self.part == "failed" else set()
        found |= {"NA"} if self.mode == "na" else set()
        found |= {"ACQ"} if self.mode in ("acq", "acqrel", "sc") and self.kind in "RF" else set()
        found |= {"REL"} if self.mode in ("rel", "acqrel", "sc") and self.kind in "WF" else set()
        found |= {"SC"} if self.mode == "sc" else set()
        return frozenset(found)


@dataclass
class Graph:
    """Events in the order of their threads, and the relations that are chosen; the others follow."""

    nodes: tuple[Event, ...]
    rf: frozenset[Pair] = frozenset()
    co: frozenset[Pair] = frozenset()
    rmw: frozenset[Pair] = frozenset()
    addr: frozenset[Pair] = frozenset()
    data: frozenset[Pair] = frozenset()
    branches: frozenset[Pair] = frozenset()  # where ctrl begins; it reaches all that follows
    declared: Mapping[str, frozenset[Pair]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.events = range(len(self.nodes))
        self.predicates = [node.predicates for node in self.nodes]
        self._relations = self._derived()

    def relation(self, name: str) -> frozenset[Pair]:
        """The pairs of a relation."""
        return self.declared[name] if name in self.declared else self._relations[name]

    def with_declared(self, declared: Mapping[str, frozenset[Pair]]) -> Graph:
        """The same graph with other declared relations."""
        other = object.__new__(Graph)
        other.__dict__.update(self.__dict__, declared=declared)
        return other

    def _derived(self) -> dict[str, frozenset[Pair]]:
        node, every = self.nodes, [(a, b) for a in self.events for b in self.events]
        thread = frozenset(
            (a, b) for a, b in every if a != b and node[a].thread == node[b].thread != NO_THREAD
        )
        real = [e for e in self.events if node[e].kind in ("R", "W")]
        place = frozenset((a, b) for a in real for b in real if a != b and node[a].place == node[b].place)
        tc = frozenset(
            (a, b) for a, b in every if node[a].kind == "CREATE" and node[a].child == node[b].thread
        )
        tj = frozenset((a, b) for a, b in every if node[b].kind == "JOIN" and node[b].child == node[a].thread)
        po = _closed({(a, b) for a, b in thread if a < b} | tc | tj)
        fr = frozenset((r, b) for w, r in self.rf for a, b in self.co if w == a)
        found = {
            **{"po": po, "rf": self.rf, "co": self.co, "fr": fr, "rmw": self.rmw, "tc": tc, "tj": tj},
            **{"addr": self.addr, "data": self.data, "same-thread": thread, "loc-overlap": place},
            "po-loc": po & place,
            "po-imm": frozenset(
                (a, b) for a, b in po if not any((a, e) in po and (e, b) in po for e in self.events)
            ),
            "any": frozenset(every),
            "ctrl": self.branches | {(a, d) for a, b in self.branches for c, d in po if b == c},
        }
        for whole in _HALVES:
            found[f"{whole}i"] = found[whole] & thread
            found[f"{whole}e"] = found[whole] - thread
        between = {(a, d) for a, b in found["coe"] for c, d in found["rfe"] if b == c}
        found["detour"] = found["po-loc"] & between
        return found

    def flaws(self) -> Iterator[str]:
        """What is not well-formed."""
        node, po = self.nodes, self._relations["po"]
        reads = {e for e in self.events if node[e].kind == "R"}
        writes = {e for e in self.events if node[e].kind in ("W", "INIT")}
        initial = {e for e in self.events if node[e].kind == "INIT"}
        if any(a == b for a, b in po):
            yield "po has a cycle"
        if sorted(r for _, r in self.rf) != sorted(reads):
            yield "not each read reads once"
        if any(w not in writes or node[w].place != node[r].place for w, r in self.rf):
            yield "rf is not from a write of the location"
        if any(node[w].thread == node[r].thread and (w, r) not in po for w, r in self.rf):
            yield "a read reads from a later write of its thread"
        pairs = {(a, b) for a in writes for b in writes if a != b and node[a].place == node[b].place}
        if not self.co <= pairs or any(((a, b) in self.co) == ((b, a) in self.co) for a, b in pairs):
            yield "co is not total on the writes of each location"
        if any((a, d) not in self.co for a, b in self.co for c, d in self.co if b == c):
            yield "co is not transitive"
        if any(b in initial for _, b in self.co):
            yield "an initial write is not first"
        places = [node[e].place for e in initial]
        if sorted(places) != sorted({node[e].place for e in reads | writes}):
            yield "not each location has its initial write"
        yield from self._flaws_of_updates()
        yield from self._flaws_of_dependencies(reads, writes - initial)

    def _flaws_of_updates(self) -> Iterator[str]:
        node = self.nodes
        halves = {e for e in self.events if node[e].part == "rmw"}
        if sorted(e for pair in self.rmw for e in pair) != sorted(halves):
            yield "not each half of a read-modify-write has the other"
        for r, w in self.rmw:
            if (node[r].kind, node[w].kind) != ("R", "W") or node[r].place != node[w].place:
                yield "rmw is not from a read to a write of its location"
            if (r, w) not in self._relations["po-imm"]:
                yield "the halves of a read-modify-write are not neighbours"
            source = next(a for a, b in self.rf if b == r)
            between = any((source, e) in self.co and (e, w) in self.co for e in self.events)
            if (source, w) not in self.co or between:
                yield "a read-modify-write is not atomic"

    def _flaws_of_dependencies(self, reads: set[int], writes: set[int]) -> Iterator[str]:
        po = self._relations["po"]
        for name in ("addr", "data", "ctrl"):
            if any(pair not in po or pair[0] not in reads for pair in self._relations[name]):
                yield f"{name} is not from a read along po"
        if any(b not in writes for _, b in self.data):
            yield "data does not lead to a write"


def _closed(pairs: set[Pair] | frozenset[Pair]) -> frozenset[Pair]:
    found = set(pairs)
    while True:
        more = {(a, d) for a, b in found for c, d in found if b == c} - found
        if not more:
            return frozenset(found)
        found |= more


# Random graphs ------------------------------------------------------------------------------------------


def random_graph(draw: random.Random, most: int = 5) -> Graph:
    """A well-formed graph with up to ``most`` events beside the initial writes."""
    while True:
        graph = _attempt(draw, draw.randint(1, most))
        if graph is not None:
            return graph


def _attempt(draw: random.Random, size: int) -> Graph | None:
    nodes, rmw = _nodes(draw, size)
    first = len(nodes)
    nodes += [
        Event("INIT", NO_THREAD, place=place, extra=_extra(draw))
        for place in sorted({node.place for node in nodes} - {NO_PLACE})
    ]
    writes = [e for e, node in enumerate(nodes) if node.kind in ("W", "INIT")]
    rf = []
    for read in (e for e in range(first) if nodes[e].kind == "R"):
        fitting = [
            w
            for w in writes
            if nodes[w].place == nodes[read].place and (nodes[w].thread != nodes[read].thread or w < read)
        ]
        rf.append((draw.choice(fitting), read))
    co: set[Pair] = set()
    for initial in range(first, len(nodes)):
        own = [w for w in writes if nodes[w].place == nodes[initial].place and w != initial]
        draw.shuffle(own)
        line = [initial, *own]
        co |= {(a, b) for i, a in enumerate(line) for b in line[i + 1 :]}
    deps = [
        (a, b)
        for a in range(first)
        for b in range(a + 1, first)
        if nodes[a].kind == "R" and nodes[a].thread == nodes[b].thread and draw.random() < 0.5
    ]
    graph = Graph(
        tuple(nodes),
        frozenset(rf),
        frozenset(co),
        rmw,
        frozenset(p for p in deps if nodes[p[1]].kind in "RW" and draw.random() < 0.4),
        frozenset(p for p in deps if nodes[p[1]].kind == "W" and draw.random() < 0.4),
        frozenset(p for p in deps if draw.random() < 0.4),
    )
    return None if any(True for _ in graph.flaws()) else graph


def _nodes(draw: random.Random, size: int) -> tuple[list[Event], frozenset[Pair]]:
    """Events in threads, and the pairs of read-modify-writes."""
    threads = sorted(draw.randrange(draw.randint(1, 3)) for _ in range(size))
    nodes: list[Event] = []
    rmw: set[Pair] = set()
    created: set[int] = set()
    places = draw.randint(1, 2)
    for thread in threads:
        if len(nodes) >= size:
            break
        kind = draw.choice(("R", "R", "R", "W", "W", "W", "F", "F", "U", "C"))
        place = draw.randrange(places)
        if kind == "U":
            rmw.add((len(nodes), len(nodes) + 1))
            for half in "RW":
                mode = draw.choice(MODES[half][1:])
                nodes.append(Event(half, thread, mode, place, "rmw", extra=_extra(draw)))
        elif kind == "C":
            child = draw.choice([t for t in range(3) if t != thread])
            what = "JOIN" if child in created else "CREATE"
            created.add(child)
            nodes.append(Event(what, thread, child=child, extra=_extra(draw)))
        elif kind == "F":
            nodes.append(Event("F", thread, draw.choice(MODES["F"]), extra=_extra(draw)))
        else:
            mode = draw.choice(MODES[kind])
            part = "failed" if kind == "R" and mode != "na" and draw.random() < 0.1 else ""
            nodes.append(Event(kind, thread, mode, place, part, extra=_extra(draw)))
    return nodes, frozenset(rmw)


def _extra(draw: random.Random) -> frozenset[str]:
    return frozenset(name for name in ("A", "B") if draw.random() < 0.4)


# Other executions, and other programs -------------------------------------------------------------------


def executions(graph: Graph) -> Iterator[Graph]:
    """All well-formed graphs with the same events: what the program of a graph may do, consistent or not."""
    node = graph.nodes
    writes = [e for e in graph.events if node[e].kind in ("W", "INIT")]
    reads = [e for e in graph.events if node[e].kind == "R"]
    sources = [[(w, r) for w in writes if node[w].place == node[r].place] for r in reads]
    lines = [
        [
            (place, *order)
            for order in permutations(
                [w for w in writes if w != place and node[w].place == node[place].place]
            )
        ]
        for place in writes
        if node[place].kind == "INIT"
    ]
    for rf in product(*sources):
        for order in product(*lines):
            co = {(a, b) for line in order for i, a in enumerate(line) for b in line[i + 1 :]}
            other = Graph(
                node, frozenset(rf), frozenset(co), graph.rmw, graph.addr, graph.data, graph.branches
            )
            if not any(True for _ in other.flaws()):
                yield other.with_declared(graph.declared)


def without_a_fence(graph: Graph) -> Iterator[Graph]:
    """The graph without one of its fences."""
    for gone in graph.events:
        if graph.nodes[gone].kind == "F":
            yield _renumbered(graph, [e for e in graph.events if e != gone])


def with_a_weaker_mode(graph: Graph) -> Iterator[Graph]:
    """The graph with a weaker mode of one of its accesses or fences."""
    weaker: dict[str, dict[str, tuple[str, ...]]] = {
        "R": {"sc": ("acq",), "acq": ("rlx",), "rlx": ("na",)},
        "W": {"sc": ("rel",), "rel": ("rlx",), "rlx": ("na",)},
        "F": {"sc": ("acqrel",), "acqrel": ("acq", "rel"), "acq": ("rlx",), "rel": ("rlx",)},
    }
    for event, node in enumerate(graph.nodes):
        for mode in weaker.get(node.kind, {}).get(node.mode, ()):
            if mode != "na" or not node.part:
                nodes = list(graph.nodes)
                nodes[event] = replace(node, mode=mode)
                yield Graph(
                    tuple(nodes), graph.rf, graph.co, graph.rmw, graph.addr, graph.data, graph.branches
                )


def with_a_thread_cut(graph: Graph) -> Iterator[Graph]:
    """The graph with one of its threads cut in two, if no thread is created and nothing leads across."""
    if any(node.child != NO_THREAD for node in graph.nodes):
        return
    for cut in graph.events[1:]:
        thread = graph.nodes[cut].thread
        if graph.nodes[cut - 1].thread != thread or thread == NO_THREAD or (cut - 1, cut) in graph.rmw:
            continue
        nodes = [
            replace(node, thread=9) if e >= cut and node.thread == thread else node
            for e, node in enumerate(graph.nodes)
        ]

        def within(pairs: frozenset[Pair], nodes: list[Event] = nodes) -> frozenset[Pair]:
            return frozenset((a, b) for a, b in pairs if nodes[a].thread == nodes[b].thread)

        addr, data, branches = within(graph.addr), within(graph.data), within(graph.branches)
        if addr == graph.addr and data == graph.data:
            yield Graph(tuple(nodes), graph.rf, graph.co, graph.rmw, addr, data, branches)


def _renumbered(graph: Graph, kept: list[int]) -> Graph:
    number = {old: new for new, old in enumerate(kept)}

    def pairs(old: frozenset[Pair]) -> frozenset[Pair]:
        return frozenset((number[a], number[b]) for a, b in old if a in number and b in number)

    # A branch whose first dependent event is gone still reaches what follows.
    po = graph.relation("po")
    branches = graph.branches | {
        (a, d) for a, b in graph.branches if b not in number for c, d in po if b == c
    }
    nodes = tuple(graph.nodes[e] for e in kept)
    rf, co, rmw = pairs(graph.rf), pairs(graph.co), pairs(graph.rmw)
    return Graph(nodes, rf, co, rmw, pairs(graph.addr), pairs(graph.data), pairs(branches))
