"""Which relations of an execution a drawing shows, and how each looks.

An order is drawn by its immediate pairs: po and co to the next event, fr to the write that overwrites what
was read. The edges of the word are always drawn, and marked. Initial writes are left out unless the
word meets one: the value of a read shows that it reads from there.
"""

from __future__ import annotations

from itertools import pairwise

from mazurka.counterexamples.execution import Counterexample, is_initial, reduced
from mazurka.counterexamples.word import event_name
from mazurka.kat.meaning.facts import DEPENDENCIES, WHOLE
from mazurka.pictures.picture import Edge

_TONES = {"po": "po", "rf": "rf", "co": "co", "fr": "fr", "rmw": "po"} | dict.fromkeys(
    DEPENDENCIES, "dependency"
)


def _edge(first: int, second: int, name: str, marked: bool) -> Edge:
    """An edge of a drawing, in the colour of its relation; halves of relations have that of the whole."""
    whole = WHOLE.get(name, name)
    along = name.startswith("po")
    return Edge(first, second, name, _TONES.get("po" if along else whole, "other"), marked, dashed=not along)


def edges(example: Counterexample) -> list[Edge]:
    """The edges to draw, the word's first; each pair once for a relation."""
    shown = set(drawn_events(example))
    found: dict[tuple[int, int], dict[str, Edge]] = {}
    for first, step, second in example.steps():
        a, b = (second, first) if step.inverse else (first, second)
        found.setdefault((a, b), {})[_whole(step.relation)] = _edge(a, b, step.relation, True)
    for name, pairs in _others(example):
        for a, b in pairs:
            if a in shown and b in shown:
                found.setdefault((a, b), {}).setdefault(name, _edge(a, b, name, False))
    return [edge for named in found.values() for edge in named.values()]


def _whole(name: str) -> str:
    whole = WHOLE.get(name, name)
    return "po" if whole in ("po-loc", "po-imm") else whole


def _others(example: Counterexample) -> list[tuple[str, list[tuple[int, int]]]]:
    pairs = [("rmw", example.pairs("rmw"))]
    halves = set(example.pairs("rmw"))
    pairs.append(("po", [pair for pair in reduced(example, "po") if pair not in halves]))
    pairs.append(("rf", example.pairs("rf")))
    pairs.append(("co", reduced(example, "co")))
    pairs.append(("fr", _next_writes(example)))
    pairs += [(name, _first_targets(example, name)) for name in sorted(DEPENDENCIES)]
    known = {*_TONES, *WHOLE, "po-loc", "po-imm", "same-thread", "loc-overlap", "any"}
    pairs += [(name, example.pairs(name)) for name in sorted(example.graph.relations.keys() - known)]
    return pairs


def _next_writes(example: Counterexample) -> list[tuple[int, int]]:
    """Each read with the write that overwrites what it read."""
    following = dict(pair for writes in example.coherence.values() for pair in pairwise(writes))
    read_from = {read: write for write, read in example.pairs("rf")}
    halves = set(example.pairs("rmw"))
    found = [(read, following[write]) for read, write in read_from.items() if write in following]
    return [pair for pair in found if pair not in halves]


def _first_targets(example: Counterexample, name: str) -> list[tuple[int, int]]:
    """The pairs of a dependency; ctrl reaches everything that follows, so the first event is enough."""
    pairs = example.pairs(name)
    if name != "ctrl":
        return pairs
    po = example.graph.relations["po"]
    return [(a, b) for a, b in pairs if not any(c == a and po[d] >> b & 1 for c, d in pairs)]


def drawn_events(example: Counterexample) -> list[int]:
    """The events that a drawing has: those of threads, and initial writes that the word meets."""
    return [event for event in example.events if event in example.path or not is_initial(example, event)]


def label(example: Counterexample, event: int) -> str:
    """An event in a box: what it does, with the value that it reads or writes."""
    shown = example.events[event]
    if shown.kind == "INIT":
        return f"init {shown.place} = 0"
    name = event_name(example, event, with_mode=True)
    return f"{name} {shown.place} = {shown.value}" if shown.place else name


def caption(example: Counterexample) -> str:
    """What holds before the threads start."""
    return " = ".join((*example.coherence, "0")) + " initially" if example.coherence else ""
