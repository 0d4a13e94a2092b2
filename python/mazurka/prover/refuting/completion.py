"""From the steps of a word to whole graphs: the given relations hold, and the rest is chosen in every way.

A sketch says that some events are related. Its completions are graphs of the kind that ``facts`` describes:
po is a total order of each thread, co of each location's writes with the initial one first, each read
reads, read-modify-writes are atomic.
I1: every relation of the sketch holds in each completion. I2: at most MOST are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, permutations, product

from mazurka.kat.meaning.classes import EXCLUSIVE_READS, EXCLUSIVE_WRITES, INIT, READS, WRITES
from mazurka.kat.meaning.facts import BELOW, DEPENDENCIES, HALVES, ONE_LOCATION
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.meaning.rows import Rows, bits, closure, compose, inverse, is_within
from mazurka.prover.theory.events import EventKind
from mazurka.prover.theory.graphs import CandidateGraph

MOST = 400
_ALONG_PO = (BELOW["po"] | {"po"}) - {"tc", "tj"}
_ONE_THREAD = _ALONG_PO | {"coi", "fri", "same-thread"}
# What an execution adds to its program, and what follows from that.
CHOSEN = frozenset((*HALVES, *(half for halves in HALVES.values() for half in halves), "any", "detour"))
_NOT_MADE = frozenset(("tc", "tj", "alloc", "free"))
_Pair = tuple[int, int]


@dataclass
class Sketch:
    """Events, and which relations they are in: (first, relation, second)."""

    kinds: list[EventKind]
    edges: list[tuple[int, str, int]]
    transitive: frozenset[str] = field(default_factory=frozenset)  # relations to be transitively closed

    def pairs(self, names: Iterable[str]) -> list[_Pair]:
        """The pairs of some relations."""
        wanted = set(names)
        return [(a, b) for a, name, b in self.edges if name in wanted]

    def with_initial_writes(self, locations: list[int]) -> tuple[Sketch, list[int]]:
        """The sketch with an initial write for each location that has none."""
        kinds, places = list(self.kinds), list(locations)
        have = {place for place, kind in zip(places, kinds, strict=True) if _is(kind, INIT)}
        for place in sorted(set(places) - have - {-1}):
            kinds.append(EventKind(INIT.bit_length() - 1, frozenset()))
            places.append(place)
        return Sketch(kinds, self.edges, self.transitive), places


def _is(kind: EventKind, classes: int) -> bool:
    return bool(classes >> kind.number & 1)


def completions(sketch: Sketch) -> Iterator[CandidateGraph]:
    """Graphs in which the events are related as the sketch says (I1, I2)."""
    return islice(_completions(sketch), MOST)


def _completions(sketch: Sketch) -> Iterator[CandidateGraph]:
    if any(name in _NOT_MADE for _, name, _ in sketch.edges):
        return
    yield from _completed(_with_partners(sketch, alike=True))
    if any(kind.extra for kind in sketch.kinds):
        yield from _completed(_with_partners(sketch, alike=False))


def _completed(sketch: Sketch) -> Iterator[CandidateGraph]:
    locations = _groups(len(sketch.kinds), sketch.pairs(ONE_LOCATION))
    locations = [
        place if _is(kind, READS | WRITES) else -1
        for place, kind in zip(locations, sketch.kinds, strict=True)
    ]
    sketch, locations = sketch.with_initial_writes(locations)
    threads = _groups(len(sketch.kinds), sketch.pairs(_ONE_THREAD))
    threads = [-1 if _is(kind, INIT) else t for t, kind in zip(threads, sketch.kinds, strict=True)]
    for place in set(locations) - {-1}:
        if sum(at == place and _is(kind, INIT) for at, kind in zip(locations, sketch.kinds, strict=True)) > 1:
            return
    for po in _orders(threads, sketch.pairs(_ALONG_PO)):
        for co in _coherence(sketch, locations):
            for rf in _reads_from(sketch, locations, co):
                graph = _graph(sketch, threads, locations, po, co, rf)
                if graph is not None:
                    yield graph


def _with_partners(sketch: Sketch, *, alike: bool) -> Sketch:
    """The sketch with the other event of each read-modify-write of which it has one.

    ``alike``: it satisfies the same declared predicates.
    """
    kinds, edges = list(sketch.kinds), list(sketch.edges)
    paired = sketch.pairs(("rmw",))
    reads, writes = {a for a, _ in paired}, {b for _, b in paired}
    for event, kind in enumerate(sketch.kinds):
        if _is(kind, EXCLUSIVE_READS) and event not in reads:
            edges.append((event, "rmw", len(kinds)))
            kinds.append(EventKind(_partner("W", kind), kind.extra if alike else frozenset()))
        elif _is(kind, EXCLUSIVE_WRITES) and event not in writes:
            edges.append((len(kinds), "rmw", event))
            kinds.append(EventKind(_partner("R", kind), kind.extra if alike else frozenset()))
    return Sketch(kinds, edges, sketch.transitive)


def _partner(letter: str, kind: EventKind) -> int:
    """The class of the other event: SC if this one is, as both are of one instruction."""
    mode = "sc" if CLASSES[kind.number].split(".")[1] == "sc" else "rlx"
    return CLASSES.index(f"{letter}.{mode}.rmw")


def _groups(size: int, pairs: Iterable[_Pair]) -> list[int]:
    """For each number the least one that it is connected with."""
    group = list(range(size))
    for a, b in pairs:
        low, high = sorted((group[a], group[b]))
        group = [low if g == high else g for g in group]
    return group


def _orders(groups: list[int], before: list[_Pair], most: int | None = 24) -> Iterator[list[_Pair]]:
    """Total orders of each group that keep given pairs, as pairs."""
    names = sorted(set(groups) - {-1})
    members = [[e for e, g in enumerate(groups) if g == name] for name in names]
    choices = [list(islice(_extensions(events, before, most), most)) for events in members]
    for chosen in product(*choices):
        yield [(a, b) for order in chosen for i, a in enumerate(order) for b in order[i + 1 :]]


def _extensions(events: list[int], before: list[_Pair], most: int | None) -> Iterator[tuple[int, ...]]:
    """Orders of events that keep given pairs; for many events only one, unless all are requested."""
    own = [(a, b) for a, b in before if a in events and b in events]
    if any(a == b for a, b in own):
        return
    if len(events) <= 5 or most is None:
        for order in permutations(events):
            place = {event: index for index, event in enumerate(order)}
            if all(place[a] < place[b] for a, b in own):
                yield order
        return
    line: list[int] = []
    left = list(events)
    while left:
        first = next((e for e in left if not any(b == e and a in left for a, b in own)), None)
        if first is None:
            return
        line.append(first)
        left.remove(first)
    yield tuple(line)


def _coherence(sketch: Sketch, locations: list[int], most: int | None = 24) -> Iterator[list[_Pair]]:
    writes = [place if _is(kind, WRITES) else -1 for place, kind in zip(locations, sketch.kinds, strict=True)]
    first = [
        (a, b)
        for a, kind in enumerate(sketch.kinds)
        if _is(kind, INIT)
        for b, place in enumerate(writes)
        if a != b and place == writes[a]
    ]
    return _orders(writes, sketch.pairs(("co", *HALVES["co"])) + first, most)


def _reads_from(sketch: Sketch, locations: list[int], co: list[_Pair]) -> Iterator[list[_Pair]]:
    given: dict[int, set[int]] = {}
    for write, read in sketch.pairs(("rf", *HALVES["rf"])):
        given.setdefault(read, set()).add(write)
    reads = [e for e, kind in enumerate(sketch.kinds) if _is(kind, READS)]
    later = sketch.pairs(("fr", *HALVES["fr"]))
    ordered = set(co)
    choices = []
    for read in reads:
        known = given.get(read)
        if known is not None and len(known) > 1:
            return
        writes = known or {
            e for e, kind in enumerate(sketch.kinds) if _is(kind, WRITES) and locations[e] == locations[read]
        }
        fitting = [w for w in sorted(writes) if all((w, b) in ordered for a, b in later if a == read)]
        choices.append([(w, read) for w in fitting])
    yield from (list(chosen) for chosen in product(*choices))


def _graph(
    sketch: Sketch,
    threads: list[int],
    locations: list[int],
    po: list[_Pair],
    co: list[_Pair],
    rf: list[_Pair],
) -> CandidateGraph | None:
    """The graph of some choices, unless it is not well-formed or lacks something of the sketch."""
    size = len(sketch.kinds)
    order = set(po)
    if any(threads[w] == threads[r] and (w, r) not in order for w, r in rf):
        return None  # a read of a later write of its thread
    relations = {name: _rows(size, pairs) for name, pairs in (("po", po), ("co", co), ("rf", rf))}
    relations["fr"] = compose(inverse(relations["rf"]), relations["co"])
    relations |= _derived(size, threads, locations, relations)
    for name in {name for _, name, _ in sketch.edges} - relations.keys() | DEPENDENCIES:
        rows = _rows(size, sketch.pairs((name,)))
        if name == "ctrl":
            rows = [a | b for a, b in zip(rows, compose(rows, relations["po"]), strict=True)]
        relations[name] = closure(rows) if name in sketch.transitive else rows
    relations["rmw"] = _rows(size, sketch.pairs(("rmw",)))
    graph = CandidateGraph(tuple(sketch.kinds), tuple(threads), tuple(locations), relations)
    held = all(relations[name][a] >> b & 1 for a, name, b in sketch.edges)
    adjacent = all(relations["po-imm"][a] >> b & 1 for a, b in sketch.pairs(("rmw",)))
    return graph if held and adjacent and _is_atomic(relations) else None


def _is_atomic(relations: dict[str, Rows]) -> bool:
    """Whether the write of each read-modify-write immediately follows in co what its read reads."""
    late = compose(relations["rf"], relations["rmw"])
    between = compose(relations["fr"], relations["co"])
    apart = any(a & b for a, b in zip(relations["rmw"], between, strict=True))
    return is_within(late, relations["co"]) and not apart


def _rows(size: int, pairs: Iterable[_Pair]) -> Rows:
    rows = [0] * size
    for a, b in pairs:
        rows[a] |= 1 << b
    return rows


def _derived(
    size: int, threads: list[int], locations: list[int], relations: dict[str, Rows]
) -> dict[str, Rows]:
    """The built-in relations that follow from po, rf, co and fr."""
    po = relations["po"]
    both = range(size)
    thread = _rows(size, ((a, b) for a in both for b in both if a != b and threads[a] == threads[b] != -1))
    access = [at if owner != -1 else -1 for at, owner in zip(locations, threads, strict=True)]
    place = _rows(size, ((a, b) for a in both for b in both if a != b and access[a] == access[b] != -1))
    found = {
        "same-thread": thread,
        "loc-overlap": place,
        "any": [(1 << size) - 1] * size,
        "po-loc": [a & b for a, b in zip(po, place, strict=True)],
        "po-imm": [a & ~b for a, b in zip(po, compose(po, po), strict=True)],
    }
    for whole in ("rf", "co", "fr"):
        rows, (external, internal) = relations[whole], HALVES[whole]
        found[internal] = [a & b for a, b in zip(rows, thread, strict=True)]
        found[external] = [a & ~b for a, b in zip(rows, thread, strict=True)]
    between = compose(found["coe"], found["rfe"])
    found["detour"] = [a & b for a, b in zip(found["po-loc"], between, strict=True)]
    return found


def executions_of(graph: CandidateGraph) -> Iterator[CandidateGraph]:
    """All executions of a graph's program: the same events, with every rf and co."""
    names = {name for name in graph.relations if name not in CHOSEN} | {"po"}
    edges = [(a, name, b) for name in sorted(names) for a, b in related(graph, name)]
    sketch = Sketch(list(graph.kinds), edges)
    threads, locations, po = list(graph.threads), list(graph.locations), related(graph, "po")
    for co in _coherence(sketch, locations, most=None):
        for rf in _reads_from(sketch, locations, co):
            found = _graph(sketch, threads, locations, po, co, rf)
            if found is not None:
                yield found


def related(graph: CandidateGraph, name: str) -> list[_Pair]:
    """The pairs of a relation of a graph."""
    return [(a, b) for a, row in enumerate(graph.relations[name]) for b in bits(row)]
