"""Automata of relations over labels: as ``kat.automata``, but over any relations and any blocks of events.

I1: state 0 is the start and nothing leads to it, state 1 is the end and nothing leads from it.
I2: ``nullable`` has the blocks whose events the term relates to themselves by the empty word.
I3: guards are part of the steps, so there are no empty steps and no steps that only test.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from mazurka.kat.automata import reachable
from mazurka.prover.facts import Label

START, END = 0, 1
MOST_PASSES = 3  # of making automata smaller; more seldom helps


class Edge(NamedTuple):
    """A step by a relation between events of two sets of blocks."""

    source: int
    label: Label
    target: int
    before: int
    after: int


@dataclass(frozen=True)
class Nfa:
    """An automaton (I1-I3)."""

    states: int
    edges: frozenset[Edge]
    nullable: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether it has no word."""
        return not self.edges and not self.nullable


NOTHING = Nfa(2, frozenset())


def step(label: Label, before: int, after: int) -> Nfa:
    """One step."""
    return Nfa(2, frozenset((Edge(START, label, END, before, after),)) if before and after else frozenset())


def test(blocks: int) -> Nfa:
    """The events of some blocks, each with itself."""
    return Nfa(2, frozenset(), blocks)


def _shift(nfa: Nfa, start: int, end: int, first: int) -> list[Edge]:
    def name(state: int) -> int:
        return start if state == START else end if state == END else first + state - 2

    return [e._replace(source=name(e.source), target=name(e.target)) for e in nfa.edges]


def unite(*parts: Nfa) -> Nfa:
    """Words of one or another."""
    edges: list[Edge] = []
    states, nullable = 2, 0
    for part in parts:
        edges += _shift(part, START, END, states)
        states += part.states - 2
        nullable |= part.nullable
    return reduced(Nfa(states, frozenset(edges), nullable))


def concatenate(left: Nfa, right: Nfa) -> Nfa:
    """A word of the first, then one of the second."""
    middle = left.states
    edges = _shift(left, START, middle, 2) + _shift(right, middle, END, middle + 1)
    for e in list(edges):
        if e.target == middle and right.nullable & e.after:
            edges.append(e._replace(target=END, after=e.after & right.nullable))
        if e.source == middle and left.nullable & e.before:
            edges.append(e._replace(source=START, before=e.before & left.nullable))
    whole = Nfa(middle + right.states - 1, frozenset(edges), left.nullable & right.nullable)
    return reduced(whole)


def repeat(body: Nfa) -> Nfa:
    """One or more words, one after the other."""
    middle = body.states
    edges = set(body.edges)
    for e in body.edges:
        sources = (e.source, middle) if e.source == START else (e.source,)
        targets = (e.target, middle) if e.target == END else (e.target,)
        edges |= {e._replace(source=p, target=q) for p in sources for q in targets}
    return reduced(Nfa(body.states + 1, frozenset(edges), body.nullable))


def reverse(nfa: Nfa) -> Nfa:
    """The inverse relation: words backwards, each step turned around."""
    swap = {START: END, END: START}
    edges = (
        Edge(
            swap.get(e.target, e.target),
            (e.label[0], not e.label[1]),
            swap.get(e.source, e.source),
            e.after,
            e.before,
        )
        for e in nfa.edges
    )
    return Nfa(nfa.states, frozenset(edges), nfa.nullable)


def rotate(nfa: Nfa) -> Nfa:
    """The rotational closure: for each state the words from there to the end, then from the start to it."""
    parts = [nfa]
    for state in range(2, nfa.states):
        parts.append(concatenate(_from(nfa, state), _until(nfa, state)))
    return unite(*parts)


def _from(nfa: Nfa, state: int) -> Nfa:
    """The words from a state to the end."""
    inner = nfa.states
    edges = [e._replace(source=inner if e.source == START else e.source) for e in nfa.edges]
    edges += [e._replace(source=START) for e in edges if e.source == state]
    return reduced(Nfa(inner + 1, frozenset(edges), 0))


def _until(nfa: Nfa, state: int) -> Nfa:
    """The words from the start to a state."""
    return reverse(_from(reverse(nfa), state))


def trim(nfa: Nfa) -> Nfa:
    """The automaton without states that no word passes."""
    forward = reachable((START,), ((e.source, e.target) for e in nfa.edges))
    backward = reachable((END,), ((e.target, e.source) for e in nfa.edges))
    kept = sorted({START, END} | (forward & backward))
    names = {state: index for index, state in enumerate(kept)}
    edges = (
        e._replace(source=names[e.source], target=names[e.target])
        for e in nfa.edges
        if e.source in names and e.target in names and e.before and e.after
    )
    return Nfa(len(kept), frozenset(edges), nfa.nullable)


def reduced(nfa: Nfa) -> Nfa:
    """The same words with fewer states: those with the same ways on, or the same ways in, are made one."""
    nfa = trim(_compact(nfa))
    for _ in range(MOST_PASSES):
        size = nfa.states
        nfa = _merged(nfa, forward=True)
        nfa = _merged(nfa, forward=False)
        if nfa.states == size:
            break
    return nfa


def _compact(nfa: Nfa) -> Nfa:
    return Nfa(nfa.states, merged_guards(nfa.edges), nfa.nullable)


def merged_guards(edges: Iterable[Edge]) -> frozenset[Edge]:
    """The same steps: those between the same states that differ in one guard only become one."""
    for _ in range(2):
        after: dict[tuple[int, Label, int, int], int] = defaultdict(int)
        for e in edges:
            after[e.source, e.label, e.target, e.before] |= e.after
        before: dict[tuple[int, Label, int, int], int] = defaultdict(int)
        for (source, name, target, first), second in after.items():
            before[source, name, target, second] |= first
        edges = [Edge(s, name, t, first, second) for (s, name, t, second), first in before.items()]
    return frozenset(edges)


def uncovered(before: int, after: int, others: list[tuple[int, int]]) -> int:
    """The first blocks for which other pairs of guards do not allow all of the second ones."""
    if not others:
        return before
    left = 0
    for block in range(before.bit_length()):
        if before >> block & 1:
            allowed = 0
            for first, second in others:
                if first >> block & 1:
                    allowed |= second
            left |= bool(after & ~allowed) << block
    return left


def _merged(nfa: Nfa, *, forward: bool) -> Nfa:
    """States that nothing tells apart, looking at what follows (or at what comes before), made one."""
    block = [0] * nfa.states
    block[START], block[END] = 1, 2
    beside: list[list[tuple[Label, int, int, int]]] = [[] for _ in range(nfa.states)]
    for e in nfa.edges:
        if forward:
            beside[e.source].append((e.label, e.before, e.after, e.target))
        else:
            beside[e.target].append((e.label, e.before, e.after, e.source))
    count = 0
    while True:
        numbers: dict[object, int] = {}
        following = [0] * nfa.states
        for state in range(nfa.states):
            ways = frozenset(
                (name, first, second, block[other]) for name, first, second, other in beside[state]
            )
            following[state] = numbers.setdefault((block[state], ways), len(numbers))
        block = following
        if len(numbers) == count:
            break
        count = len(numbers)
    if count == nfa.states:
        return nfa
    names = {block[START]: START, block[END]: END}
    for number in block:
        names.setdefault(number, len(names))
    edges = frozenset(
        e._replace(source=names[block[e.source]], target=names[block[e.target]]) for e in nfa.edges
    )
    return trim(_compact(Nfa(count, edges, nfa.nullable)))
