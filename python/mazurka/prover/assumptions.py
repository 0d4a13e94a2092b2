"""Assumptions A <= B used on the larger side of an inclusion: where it has all of B, it may as well have A.

Implements the saturation of thesis §3.7 ("KATER uses such assumptions in a heuristic fashion"), Prop. 3 and
4.
Departs 1: a pair of A has some word of B, not all of them; so A is added between two states only if every
word of B between the same blocks leads from one to the other.
Departs 2: it is repeated until nothing changes, but at most ROUNDS times, as each round may make new
states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mazurka.prover.alphabet import Alphabet, Arc
from mazurka.prover.automata import END, START, Edge, Nfa, uncovered
from mazurka.prover.closure import Saturated
from mazurka.prover.facts import Label, contains
from mazurka.prover.search import Steps

ROUNDS = 3
MOST_STATES = 4000


@dataclass(frozen=True)
class Rule:
    """``smaller <= larger``: the words of the one may stand for those of the other."""

    smaller: Nfa
    larger: Nfa
    own: Label | None = None  # use it only where this step is made, and not by a wider relation


def saturate(right: Saturated, rules: list[Rule]) -> Saturated:
    """An automaton with what the rules put within it."""
    right = right.settled()
    for _ in range(ROUNDS):
        steps = _steps(right, None)
        owned = {own: _steps(right, own) for own in {rule.own for rule in rules} if own is not None}
        new = []
        for number, rule in enumerate(rules):
            new += _added(right, steps, owned[rule.own] if rule.own else None, rule, number)
        if not right.add(new):
            break
        right = right.settled()
        if right.states > MOST_STATES:
            break
    return right


def saturate_once(right: Saturated, rules: list[Rule]) -> Saturated:
    """The same in one round, for rules with many words: these are closed before they are put in."""
    steps = _steps(right, None)
    for number, rule in enumerate(rules):
        words = Saturated(rule.smaller, right.alphabet).settled()
        small = Nfa(words.states, frozenset(words.edges))
        right.add_closed(_added(right, steps, None, Rule(small, rule.larger), number))
    return right.settled()


def _steps(right: Saturated, own: Label | None) -> Steps:
    arcs = right.alphabet.within(right.edges)
    if own is None or not right.alphabet.has(own):
        return Steps(arcs, right.everything)
    number = right.alphabet.number(own)
    wider = {n for n, letter in enumerate(right.alphabet.letters) if letter != own and contains(letter, own)}
    beside: dict[tuple[int, int], list[Arc]] = {}
    for a in arcs:
        if a.letter in wider:
            beside.setdefault((a.source, a.target), []).append(a)
    kept = []
    for a in arcs:
        others = beside.get((a.source, a.target), []) if a.letter == number else []
        before = uncovered(a.before, a.after, [(b.before, b.after) for b in others])
        if before:
            kept.append(a._replace(before=before))
    return Steps(kept, right.everything)


def useful_rules(rules: list[Rule], alphabet: Alphabet) -> list[Rule]:
    """The rules by which words over the letters can come to be accepted; the letters they need are added."""
    useful: list[Rule] = []
    left = list(rules)
    while True:
        found = [
            rule
            for rule in left
            if all(alphabet.has(part) for e in rule.smaller.edges for part in alphabet.parts(e.label))
        ]
        if not found:
            return useful
        useful += found
        left = [rule for rule in left if rule not in found]
        for rule in found:
            alphabet.exactly(rule.larger.edges)


def _added(right: Saturated, steps: Steps, owned: Steps | None, rule: Rule, number: int) -> list[Edge]:
    arcs = right.alphabet.exactly(rule.larger.edges)
    edges: list[Edge] = []
    for source in sorted(steps.states | {START, END}):
        cells: dict[
            tuple[int, int], int
        ] = {}  # for a target and blocks of the first event: those of the last
        for before, after, targets in _led_to(source, steps, arcs, rule.larger.nullable, right.everything):
            if owned is not None:
                targets &= _met(source, owned, arcs, before, after, right.everything)
            while targets:
                lowest = targets & -targets
                targets ^= lowest
                key = (lowest.bit_length() - 1, before)
                cells[key] = cells.get(key, 0) | after
        wide: dict[tuple[int, int], int] = {}
        for (target, before), after in cells.items():
            wide[target, after] = wide.get((target, after), 0) | before
        for (target, after), before in wide.items():
            edges += _copied(right, rule.smaller, number, source, target, before, after)
    return edges


def _met(source: int, steps: Steps, arcs: list[Arc], before: int, after: int, everything: int) -> int:
    """The states to which some word between blocks leads."""
    found = 0
    for first, last, states in _ends(source, steps, arcs, everything):
        if first & before and last & after:
            found |= states
    return found


def _copied(
    right: Saturated, nfa: Nfa, number: int, source: int, target: int, before: int, after: int
) -> Iterator[Edge]:
    """The steps of an automaton between two states of another, for given blocks at both ends."""

    def name(state: int) -> int:
        if state in (START, END):
            return source if state == START else target
        return right.state("rule", number, state, target, after)

    for e in nfa.edges:
        first = e.before & before if e.source == START else e.before
        second = e.after & after if e.target == END else e.after
        if first and second:
            yield Edge(name(e.source), e.label, name(e.target), first, second)


def _led_to(
    source: int, steps: Steps, arcs: list[Arc], nullable: int, everything: int
) -> Iterator[tuple[int, int, int]]:
    """For blocks of the first and of the last event the states to which all words between them lead."""
    ends = _ends(source, steps, arcs, everything)
    if not arcs:
        ends = [(nullable, nullable, 1 << source)]
    elif nullable:
        # The empty word: of the same block at both ends.
        ends += [(1 << b, 1 << b, 1 << source) for b in range(everything.bit_length()) if nullable >> b & 1]
    firsts = _cells([first for first, _, _ in ends])
    for before in firsts:
        some = [(last, states) for first, last, states in ends if first & before]
        for after in _cells([last for last, _ in some]):
            targets = -1
            for last, states in some:
                if last & after:
                    targets &= states
            if targets:
                yield before, after, targets


def _ends(source: int, steps: Steps, arcs: list[Arc], everything: int) -> list[tuple[int, int, int]]:
    """For each way to walk the arcs from start to end: the blocks at both ends, the states reached."""
    found: set[tuple[int, int, int]] = set()
    waiting = [(START, 1 << source, everything, everything)]
    seen = set(waiting)
    while waiting:
        state, states, first, here = waiting.pop()
        for arc in arcs:
            if arc.source != state or not here & arc.before:
                continue
            for firsts, seconds in steps.after(states, arc.letter):
                origin = firsts & here & arc.before
                if not origin:
                    continue
                begun = origin if state == START else first
                for second, reached in seconds:
                    there = second & arc.after
                    if not there:
                        continue
                    if arc.target == END:
                        found.add((begun, there, reached))
                    elif not reached:
                        # Nothing more is led to, wherever the rest of the word ends.
                        found.add((begun, everything, 0))
                    else:
                        place = (arc.target, reached, begun, there)
                        if place not in seen:
                            seen.add(place)
                            waiting.append(place)
    return list(found)


def _cells(masks: list[int]) -> list[int]:
    """The coarsest partition of the union of masks of which each mask is a union."""
    cells: list[int] = []
    for mask in masks:
        left = mask
        split = []
        for cell in cells:
            inside = cell & mask
            split += [part for part in (inside, cell & ~mask) if part]
            left &= ~cell
        cells = [*split, left] if left else split
    return cells
