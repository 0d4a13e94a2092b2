"""Counterexamples: a word read as a graph, which must satisfy the assumptions and violate the claim.

A word's events and steps are a sketch. Where an assumption A <= B asks for more (a fence between two
accesses, say), a path of B between fresh events is added, a bounded number of times.
I1: what is returned has been evaluated: the graph is well-formed (``wellformed``), satisfies every assumption
but not the claim, and belongs to a program without undefined behaviour (``undefined``). I2: at most
MOST_GRAPHS graphs are tried per word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from mazurka._engine import Guard, Nfa
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.facts import HALVES, Label
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.meaning.rows import union
from mazurka.kat.meaning.terms import Inclusion, Relation
from mazurka.prover.refuting.completion import Sketch, completions
from mazurka.prover.refuting.undefined import is_undefined, program_of
from mazurka.prover.theory.alphabet import END, START, edges_of
from mazurka.prover.theory.events import EventKind, Events
from mazurka.prover.theory.graphs import CandidateGraph, CannotEvaluate, Evaluator
from mazurka.prover.theory.queries import ErrorRules
from mazurka.prover.theory.wellformed import flaws

MOST_ADDITIONS = 6
MOST_GRAPHS = 5_000
# What a graph gets for a step by a relation that graphs do not have under its own name. The result is
# checked, so a step to another thread may be tried within one.
_MADE_OF: dict[str, tuple[str, ...]] = {
    "any": (),
    **dict.fromkeys(HALVES["po-loc"], ("po-loc", "same-thread")),
}
MOST_WORDS = 4
MOST_PLACES = 200
_ANOTHER_WRITE = EventKind(CLASSES.index("W.rlx.store"), frozenset())


@dataclass(frozen=True)
class Path:
    """A word for a graph: the labels of its steps and what each event is; cyclic ones come back."""

    labels: tuple[Label, ...]
    kinds: tuple[EventKind, ...]
    cyclic: bool


@dataclass
class Refuter:
    """Turns words into graphs that refute a claim, under given assumptions.

    ``inclusions`` are the assumptions with the automata of their larger sides; ``orders`` are relations that
    are assumed to be strict total orders, with the test that the ordered events pass; ``transitive`` has them
    and others that are to be closed.
    """

    events: Events
    views: Mapping[str, Relation]
    inclusions: list[tuple[Inclusion, Nfa | None]]
    orders: dict[str, terms.Test]
    transitive: frozenset[str]
    reflexive: Mapping[str, terms.Test]  # relations, and the events that they relate to themselves
    look: Callable[[], None]  # raises an exception that ends the work when the time is over
    errors: ErrorRules | None = None
    undefined: bool = False  # whether executions were left out because their program is undefined
    _left: int = 0
    _programs: dict[object, bool] = field(default_factory=dict)

    def graph(self, path: Path, claim: Inclusion) -> CandidateGraph | None:
        """A graph with the word that refutes the claim, if one is found (I2)."""
        size = len(path.kinds)
        steps = [(number, step, (number + 1) % size) for number, step in enumerate(path.labels)]
        return self.graph_with(path.kinds, steps, claim, MOST_GRAPHS)

    def graph_with(
        self,
        kinds: tuple[EventKind, ...],
        steps: Iterable[tuple[int, Label, int]],
        claim: Inclusion,
        most: int,
    ) -> CandidateGraph | None:
        """A graph with some events and steps between them that refutes the claim, among ``most`` graphs."""
        self._left = most
        try:
            return self._search(self._sketch(list(kinds), steps), claim, MOST_ADDITIONS)
        except CannotEvaluate:
            return None

    def _sketch(self, kinds: list[EventKind], steps: Iterable[tuple[int, Label, int]]) -> Sketch:
        edges: list[tuple[int, str, int]] = []
        for first, (name, inverse), second in steps:
            if inverse:
                first, second = second, first
            edges += [(first, relation, second) for relation in _MADE_OF.get(name, (name,))]
            if name == "detour":  # by a write of another thread
                edges += [(first, "coe", len(kinds)), (len(kinds), "rfe", second)]
                kinds.append(_ANOTHER_WRITE)
        return Sketch(kinds, edges, self.transitive)

    def _search(self, sketch: Sketch, claim: Inclusion, additions: int) -> CandidateGraph | None:
        lacking: tuple[int, int, Nfa] | None = None
        for graph in islice(map(self._with_loops, completions(sketch)), max(self._left, 0)):
            self._left -= 1
            self.look()
            evaluator = Evaluator(graph, self.views)
            if evaluator.holds(claim) or not self._ordered(graph, evaluator):
                continue
            if not all(self.events.is_possible(kind) for kind in graph.kinds):
                continue
            broken = next(((c, b) for c, b in self.inclusions if not evaluator.holds(c)), None)
            if broken is None:
                if any(True for _ in flaws(graph)):
                    continue
                if self.errors is None or not self._is_undefined(graph, self.errors):
                    return graph
                self.undefined = True
                continue
            if lacking is None and broken[1] is not None:
                pair = evaluator.violation(broken[0].left, broken[0].right)
                if pair is not None and max(pair) < len(sketch.kinds):
                    lacking = (*pair, broken[1])
        if lacking is None or not additions or self._left <= 0:
            return None
        return self._extended(sketch, claim, additions, *lacking)

    def _with_loops(self, graph: CandidateGraph) -> CandidateGraph:
        """The graph with the pairs that reflexive relations need."""
        if not self.reflexive:
            return graph
        evaluator = Evaluator(graph, self.views)
        looped = {
            name: union(evaluator.base(name), evaluator.passing(test))
            for name, test in self.reflexive.items()
        }
        return replace(graph, relations={**graph.relations, **looped})

    def _is_undefined(self, graph: CandidateGraph, errors: ErrorRules) -> bool:
        """Whether the program of a graph is undefined; most graphs of one word have the same program."""
        program = program_of(graph)
        if program not in self._programs:
            self._programs[program] = is_undefined(graph, errors, self.views, self.look)
        return self._programs[program]

    def _extended(
        self, sketch: Sketch, claim: Inclusion, additions: int, first: int, last: int, wanted: Nfa
    ) -> CandidateGraph | None:
        """Tries the sketch with a path between two events that an assumption requires."""
        for word in _short_words(wanted):
            kinds = list(sketch.kinds)
            edges = list(sketch.edges)
            here = first
            for number, ((name, inverse), guard) in enumerate(word):
                there = last if number == len(word) - 1 else len(kinds)
                if there == len(kinds):
                    kinds.append(self.events.kind(guard.example()))
                edges.append((there, name, here) if inverse else (here, name, there))
                here = there
            found = self._search(Sketch(kinds, edges, sketch.transitive), claim, additions - 1)
            if found is not None:
                return found
        return None

    def _ordered(self, graph: CandidateGraph, evaluator: Evaluator) -> bool:
        """Whether the relations that are assumed to be strict total orders are such orders."""
        for name, test in self.orders.items():
            rows = evaluator.rows(terms.Base(name))
            inside = evaluator.rows(terms.Guard(test))
            for a in range(graph.size):
                for b in range(graph.size):
                    ab, ba = rows[a] >> b & 1, rows[b] >> a & 1
                    ordered = bool(inside[a] and inside[b] and a != b)
                    if ab + ba != ordered:
                        return False
        return True


def _short_words(nfa: Nfa) -> Iterator[list[tuple[Label, Guard]]]:
    """Some shortest words: for each step its label, and what the event after it can be."""
    edges = edges_of(nfa)
    waiting: list[tuple[int, tuple[tuple[Label, Guard], ...]]] = [(START, ())]
    found = 0
    for state, word in waiting:  # which grows in the meantime
        for e in edges:
            if e.source != state or (word and not word[-1][1] & e.before):
                continue
            before = (*word[:-1], (word[-1][0], word[-1][1] & e.before)) if word else ()
            longer = (*before, (e.label, e.after))
            if e.target == END:
                found += 1
                yield list(longer)
            elif len(waiting) < MOST_PLACES:
                waiting.append((e.target, longer))
            if found >= MOST_WORDS:
                return
