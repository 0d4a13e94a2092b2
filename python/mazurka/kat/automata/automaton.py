"""Automata of relations: words of relations, with a set of classes at both ends of each step (thesis §4.2).

An automaton has a path for each way in which two events can be related; ``builder`` makes automata from
terms. Guards are part of the steps, so there are no empty steps and no steps that only test.

I1: state 0 is the start and nothing leads to it, state 1 is the end and nothing leads from it.
I2: ``nullable`` is the set of classes whose events the term relates to themselves by the empty word.
I3: steps name the halves of rf, co and fr (``guarded`` I1), so that the relations of two steps never overlap
by one half only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from mazurka.deadline import look
from mazurka.kat.automata import guarded
from mazurka.kat.automata.guarded import Guarded
from mazurka.kat.meaning.plan import EVERY_CLASS, Symbol, Transition

START, END = 0, 1


@dataclass(frozen=True)
class Nfa:
    """An automaton (I1-I3)."""

    states: int
    steps: frozenset[Transition]
    nullable: int = 0


NOTHING = Nfa(2, frozenset())


def compact(steps: Iterable[Transition]) -> frozenset[Transition]:
    """Equivalent steps, as few as possible, without those that no pair of events can make."""
    look()
    between: dict[tuple[int, int, int, bool], int] = {}
    for source, symbol, target, before, after, inverse in steps:
        for part, way, first, second in guarded.parts(symbol, inverse):
            key = (source, target, part, way)
            rows = guarded.rectangle(before & first, after & second)
            between[key] = between[key] | rows if key in between else rows
    return frozenset(
        Transition(source, symbol, target, before, after, inverse)
        for (source, target, symbol, inverse), rows in between.items()
        for before, after in guarded.rectangles(rows)
    )


def renumber(nfa: Nfa, kept: Iterable[int]) -> Nfa:
    """The automaton with only some states; 0 and 1 are always kept."""
    names = {state: index for index, state in enumerate(sorted({START, END, *kept}))}
    steps = (
        Transition(names[s.source], s.symbol, names[s.target], s.before, s.after, s.inverse)
        for s in nfa.steps
        if s.source in names and s.target in names
    )
    return Nfa(len(names), frozenset(steps), nfa.nullable)


def of_guarded(union: Guarded) -> Nfa:
    """One step for each part of a union."""
    steps = (
        Transition(START, symbol, END, before, after, inverse)
        for (symbol, inverse), rows in union.items()
        if symbol != guarded.IDENTITY
        for before, after in guarded.rectangles(rows)
    )
    return Nfa(2, frozenset(steps), guarded.diagonal(union))


def _shift(nfa: Nfa, start: int, end: int, first: int) -> list[Transition]:
    """The steps with other names for the two ends, and inner states from ``first`` on."""

    def name(state: int) -> int:
        return start if state == START else end if state == END else first + state - 2

    return [
        Transition(name(s.source), s.symbol, name(s.target), s.before, s.after, s.inverse) for s in nfa.steps
    ]


def unite(left: Nfa, right: Nfa) -> Nfa:
    """The words of either automaton."""
    steps = [*left.steps, *_shift(right, START, END, left.states)]
    return Nfa(left.states + right.states - 2, compact(steps), left.nullable | right.nullable)


def concatenate(left: Nfa, right: Nfa) -> Nfa:
    """A word of the first, then one of the second."""
    middle = left.states
    steps = _shift(left, START, middle, 2) + _shift(right, middle, END, middle + 1)
    skips = []
    for s in steps:
        if s.target == middle and right.nullable:
            skips.append(Transition(s.source, s.symbol, END, s.before, s.after & right.nullable, s.inverse))
        if s.source == middle and left.nullable:
            skips.append(Transition(START, s.symbol, s.target, s.before & left.nullable, s.after, s.inverse))
    both = Nfa(middle + right.states - 1, compact(steps + skips), left.nullable & right.nullable)
    return trim(both)


def repeat(body: Nfa) -> Nfa:
    """One or more words, one after the other."""
    middle = body.states
    steps = list(body.steps)
    for s in body.steps:
        sources = (s.source, middle) if s.source == START else (s.source,)
        targets = (s.target, middle) if s.target == END else (s.target,)
        steps += [Transition(p, s.symbol, q, s.before, s.after, s.inverse) for p in sources for q in targets]
    return trim(Nfa(body.states + 1, compact(steps), body.nullable))


def maybe(body: Nfa) -> Nfa:
    """A word, or the empty word."""
    return Nfa(body.states, body.steps, EVERY_CLASS)


def trim(nfa: Nfa) -> Nfa:
    """The automaton without states that no accepted word passes."""
    forward = reachable((START,), ((s.source, s.target) for s in nfa.steps))
    backward = reachable((END,), ((s.target, s.source) for s in nfa.steps))
    return renumber(nfa, forward & backward)


def narrowed(nfa: Nfa) -> Nfa:
    """The automaton with guards narrowed to the classes that the steps before and after let through."""
    while True:
        into: dict[int, int] = defaultdict(int, {START: EVERY_CLASS})
        out_of: dict[int, int] = defaultdict(int, {END: EVERY_CLASS})
        for s in nfa.steps:
            into[s.target] |= s.after
            out_of[s.source] |= s.before
        steps = compact(
            s._replace(before=s.before & into[s.source], after=s.after & out_of[s.target]) for s in nfa.steps
        )
        if steps == nfa.steps:
            return nfa
        nfa = Nfa(nfa.states, steps, nfa.nullable)


def reachable(starts: Iterable[int], edges: Iterable[tuple[int, int]]) -> set[int]:
    """The states that can be reached along edges from the given ones, including these."""
    successors: dict[int, set[int]] = defaultdict(set)
    for source, target in edges:
        successors[source].add(target)
    seen = set(starts)
    waiting = list(seen)
    while waiting:
        for state in successors[waiting.pop()] - seen:
            seen.add(state)
            waiting.append(state)
    return seen


def is_empty(nfa: Nfa) -> bool:
    """Whether an automaton has no word."""
    return not nfa.steps and not nfa.nullable


def one_step(nfa: Nfa) -> Guarded:
    """The words of one step."""
    out: Guarded = {}
    for s in nfa.steps:
        if (s.source, s.target) == (START, END):
            part = guarded.restrict(guarded.base(s.symbol, s.inverse), s.before, s.after)
            out = guarded.unite(out, part)
    return out


def step(symbol: int, before: int = EVERY_CLASS, after: int = EVERY_CLASS) -> Nfa:
    """The automaton of a guarded base relation."""
    return of_guarded(guarded.restrict(guarded.base(symbol), before, after))


def test(classes: int) -> Nfa:
    """The automaton that relates each event of some classes to itself."""
    return Nfa(2, frozenset(), classes)


def steps(*symbols: int) -> Nfa:
    """The automaton of a union of base relations."""
    return reduce(unite, (step(symbol) for symbol in symbols), NOTHING)


ECO = repeat(steps(Symbol.RF, Symbol.CO, Symbol.FR))
PORF = repeat(steps(Symbol.PO, Symbol.RF))
