"""Small graphs in which two events are related by a term, whatever operators it has.

Automata approximate intersections and differences from one side, so their words may miss an existing
counterexample. Here a term is unfolded instead: a composition has an event in the middle, a union is one
of its operands, and both operands of an intersection lead from the same event to the same event. For a
difference, the first operand is unfolded; the caller evaluates the result.
I1: a graph with the steps of an unfolding, and events that pass its guards, has the term between its two
ends, except for what differences take away. I2: unfoldings come by their number of steps, at most MOST_STEPS,
and at most MOST_TRIED parts of the term are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from mazurka._engine import Guard
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.facts import Label, label
from mazurka.kat.meaning.terms import Relation
from mazurka.prover.theory.alphabet import Alphabet

MOST_STEPS = 7
MOST_TRIED = 60_000


@dataclass(frozen=True)
class Unfolding:
    """Events by what they can be, the steps between them, and the present end of a walk along the term."""

    guards: tuple[Guard, ...]
    edges: tuple[tuple[int, Label, int], ...]
    at: int
    walk: tuple[tuple[int, Label], ...] = ()  # steps from the first event, each with where it begins

    def is_simple(self) -> bool:
        """Whether the walk visits no event twice, unless it comes back to its beginning."""
        visited = [event for event, _ in self.walk]
        return len(set(visited)) == len(visited) and (self.at not in visited[1:])


def unfoldings(
    term: Relation, alphabet: Alphabet, views: Mapping[str, Relation], *, loops: bool
) -> Iterator[Unfolding]:
    """Unfoldings of a term from event 0, back to it if only ``loops`` are wanted (I1, I2)."""
    unfolder = _Unfolder(alphabet, views)
    start = Unfolding((alphabet.alive,), (), 0)
    for steps in range(1, MOST_STEPS + 1):
        for found in unfolder.walks(term, False, start, 0 if loops else None, steps):
            if len(found.edges) == steps and found.walk and found.is_simple():
                yield found
        if not unfolder.left:
            return


class _Unfolder:
    def __init__(self, alphabet: Alphabet, views: Mapping[str, Relation]) -> None:
        self.alphabet = alphabet
        self.views = views
        self.look: Callable[[], None] = alphabet.kernel.look
        self.left = MOST_TRIED

    def walks(
        self, term: Relation, inverse: bool, state: Unfolding, to: int | None, most: int
    ) -> Iterator[Unfolding]:
        """Ways to go on by a term, to an event if one is named; ``most`` limits all steps together."""
        if not self.left:
            return
        self.left -= 1
        self.look()
        match term:
            case terms.Identity():
                yield from self._stay(state, self.alphabet.alive, to)
            case terms.Guard(test):
                yield from self._stay(state, self.alphabet.events.mask(test), to)
            case terms.Base(name):
                yield from self._step(label(name, inverse), state, to, most)
            case terms.View(name):
                yield from self.walks(self.views[name], inverse, state, to, most)
            case terms.Inverse(body):
                yield from self.walks(body, not inverse, state, to, most)
            case terms.Union(left, right):
                yield from self.walks(left, inverse, state, to, most)
                yield from self.walks(right, inverse, state, to, most)
            case terms.Sequence(left, right):
                first, second = (right, left) if inverse else (left, right)
                for middle in self.walks(first, inverse, state, None, most):
                    yield from self.walks(second, inverse, middle, to, most)
            case terms.Plus(body):
                yield from self._repeated(body, inverse, state, to, most)
            case terms.Star(body):
                yield from self._stay(state, self.alphabet.alive, to)
                yield from self._repeated(body, inverse, state, to, most)
            case terms.Maybe(body):
                yield from self._stay(state, self.alphabet.alive, to)
                yield from self.walks(body, inverse, state, to, most)
            case terms.Intersection(left, right):
                yield from self._both(left, right, inverse, state, to, most)
            case terms.Difference(left, _):
                yield from self.walks(left, inverse, state, to, most)

    def _stay(self, state: Unfolding, guard: Guard, to: int | None) -> Iterator[Unfolding]:
        narrowed = state.guards[state.at] & guard
        if to in (None, state.at) and narrowed:
            yield replace(state, guards=_with(state.guards, state.at, narrowed))

    def _step(self, which: Label, state: Unfolding, to: int | None, most: int) -> Iterator[Unfolding]:
        if len(state.edges) >= most or to == state.at:
            return
        before, after = self.alphabet.domain(which)
        before &= state.guards[state.at]
        after &= self.alphabet.alive if to is None else state.guards[to]
        if not (before and after):
            return
        guards = _with(state.guards, state.at, before)
        there = len(guards) if to is None else to
        guards = (*guards, after) if to is None else _with(guards, there, after)
        yield Unfolding(
            guards, (*state.edges, (state.at, which, there)), there, (*state.walk, (state.at, which))
        )

    def _repeated(
        self, body: Relation, inverse: bool, state: Unfolding, to: int | None, most: int
    ) -> Iterator[Unfolding]:
        yield from self.walks(body, inverse, state, to, most)
        for middle in self.walks(body, inverse, state, None, most):
            if len(middle.edges) > len(state.edges):
                yield from self._repeated(body, inverse, middle, to, most)

    def _both(
        self, left: Relation, right: Relation, inverse: bool, state: Unfolding, to: int | None, most: int
    ) -> Iterator[Unfolding]:
        """Walks by one operand, then from the same event to the same event by the other."""
        for first, second in ((left, right), (right, left)):
            for one in self.walks(first, inverse, state, to, most):
                if first is right and (one.at != state.at or to is not None):
                    continue  # walks that end at another event were tried the other way round
                begin = replace(one, at=state.at, walk=state.walk)
                for two in self.walks(second, inverse, begin, one.at, most):
                    yield replace(two, walk=max(one.walk, two.walk, key=len))


def _with(guards: tuple[Guard, ...], at: int, guard: Guard) -> tuple[Guard, ...]:
    return (*guards[:at], guard, *guards[at + 1 :])
