"""Judges answers by plain graphs: what is proved holds in all of them, what is refuted fails in one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mazurka.kat.meaning.plan import CLASSES
from mazurka.prover import CandidateGraph
from plain_claims import Claim, chosen_relations
from plain_graphs import Event, Graph, Pair, random_graph


@cache
def pool(size: int) -> tuple[Graph, ...]:
    """The same graphs for every claim."""
    draw = random.Random("graphs for all claims")
    return tuple(random_graph(draw, most=1 + number % 5) for number in range(size))


def counterexample(claim: Claim, seed: object, *, common: int, own: int, tries: int = 2) -> Graph | None:
    """A graph in which a claim fails, among those for all claims and some more of its own."""
    draw = random.Random(f"graphs for {seed}")
    for graph in (*pool(common), *(random_graph(draw) for _ in range(own))):
        for candidate in _with_relations(claim, graph, draw, tries):
            if claim.fails(candidate):
                return candidate
    return None


def _with_relations(claim: Claim, graph: Graph, draw: random.Random, tries: int) -> Iterator[Graph]:
    if not any("relation" in text for text in claim.files().values()):
        yield graph
        return
    for _ in range(tries):
        yield graph.with_declared(chosen_relations(draw, graph, claim.assumptions))


def write(files: dict[str, str], directory: Path, main: str) -> Path:
    """Writes files; returns the path of the main one."""
    for name, text in files.items():
        (directory / name).write_text(text)
    return directory / main


# The prover's graphs ------------------------------------------------------------------------------------


def plain(found: CandidateGraph) -> Graph:
    """A counterexample of the prover as a plain graph: only what a program and its execution decide."""
    number = _numbers(found)

    def pairs(name: str) -> frozenset[Pair]:
        rows = found.relations.get(name, [0] * found.size)
        events = range(found.size)
        return frozenset((number[a], number[b]) for a in events for b in events if rows[a] >> b & 1)

    nodes = tuple(_event(found, old) for old in number)
    rf, co, rmw, addr, data, ctrl = map(pairs, ("rf", "co", "rmw", "addr", "data", "ctrl"))
    return Graph(nodes, rf, co, rmw, addr, data, ctrl, {name: pairs(name) for name in ("r", "s")})


def differing(found: CandidateGraph, graph: Graph) -> list[str]:
    """The relations by which a counterexample is not the plain graph that it should be."""
    number = _numbers(found)
    wrong = []
    for name, rows in found.relations.items():
        if name in ("r", "s") or name.startswith("("):
            continue
        pairs = {(number[a], number[b]) for a in number for b in number if rows[a] >> b & 1}
        if pairs != graph.relation(name):
            wrong.append(name)
    return wrong


def _numbers(found: CandidateGraph) -> dict[int, int]:
    """The numbers of the events in the plain graph, in its order: initial writes last."""

    def place(event: int) -> tuple[bool, int, int]:
        return found.threads[event] < 0, found.threads[event], _place_in_thread(found, event)

    return {old: new for new, old in enumerate(sorted(range(found.size), key=place))}


def _place_in_thread(found: CandidateGraph, event: int) -> int:
    return sum(row >> event & 1 for row in found.relations["po"])


def _event(found: CandidateGraph, number: int) -> Event:
    kind, *rest = CLASSES[found.kinds[number].number].split(".")
    part = rest[1] if len(rest) > 1 and rest[1] in ("rmw", "failed") else ""
    return Event(
        kind,
        found.threads[number],
        rest[0] if rest else "",
        found.locations[number],
        part,
        extra=found.kinds[number].extra,
    )
