"""Automata as the engine runs them: words of at least one step from state 0 to a final state, made small.

An axiom ``acyclic e`` is the machine whose only final state is 0, so that its words are those of ``e+``. A
view's machine starts with any number of immediate steps of po. Machines are made small by trial: two states
are merged, or a step is left out or loses its guards, if the machine then still accepts only what it accepted
before. A large machine may stay larger than necessary, because the work is bounded. The bound is not a time,
so that a model always has the same plan.

I1: in the graphs that ``inclusion`` is about, every change keeps the relation. For a machine of an acyclicity
axiom it keeps at least whether the relation has a cycle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from mazurka.kat.automata import guarded
from mazurka.kat.automata.automaton import END, START, Nfa, compact, reachable
from mazurka.kat.automata.guarded import HALVES, Guarded
from mazurka.kat.automata.inclusion import BudgetSpent, Language, SearchBudget
from mazurka.kat.meaning.classes import domain
from mazurka.kat.meaning.plan import EVERY_CLASS, Symbol, Transition

MOST_WORK = 200_000  # places that inclusions may visit to make one machine small: some seconds


@dataclass(frozen=True)
class EngineAutomaton:
    """Words of at least one step from state 0 to a state of ``final``."""

    states: int
    steps: frozenset[Transition]
    final: frozenset[int]
    classes: int = EVERY_CLASS  # of the events that can occur; words through others do not count
    only_cycles: bool = False  # for an acyclicity axiom, where only cycles matter, wherever they start

    def language(self, steps: Iterable[Transition] | None = None) -> Nfa:
        """The same words as an automaton with a start and an end of their own."""
        out = []
        for s in self.steps if steps is None else steps:
            sources = (s.source + 2, START) if s.source == 0 else (s.source + 2,)
            targets = (s.target + 2, END) if s.target in self.final else (s.target + 2,)
            for symbol in HALVES.get(s.symbol, (s.symbol,)):
                first, second = domain(symbol, s.inverse)
                before, after = s.before & first & self.classes, s.after & second & self.classes
                out += [Transition(p, symbol, q, before, after, s.inverse) for p in sources for q in targets]
        return Nfa(self.states + 2, frozenset(out))


def cyclic(nfa: Nfa, classes: int = EVERY_CLASS) -> EngineAutomaton:
    """The machine of an acyclicity axiom: start and end become one state."""
    steps = (_closed(s, classes) for s in compact(_renamed(nfa.steps, lambda q: max(q - 1, 0))))
    return EngineAutomaton(nfa.states - 1, compact(steps), frozenset((0,)), classes, only_cycles=True)


def _closed(s: Transition, classes: int) -> Transition:
    """Replaces an unguarded loop of po-imm at state 0 by one of po, its transitive closure."""
    whole = domain(Symbol.PO_IMM)[0] & classes
    loop = s.symbol == Symbol.PO_IMM and s.source == s.target == 0 and not s.inverse
    if loop and s.before & whole == whole and s.after & whole == whole:
        return s._replace(symbol=int(Symbol.PO))
    return s


def _renamed(steps: Iterable[Transition], name: Callable[[int], int]) -> list[Transition]:
    return [
        Transition(name(source), symbol, name(target), before, after, inverse)
        for source, symbol, target, before, after, inverse in steps
    ]


def shrink(machine: EngineAutomaton, transitive: frozenset[int] = frozenset()) -> EngineAutomaton:
    """A machine of the same relation with few states and steps, and without useless guards (I1)."""
    return _Shrinking(_merge_alike(_tight(machine)), transitive).result()


def _tight(machine: EngineAutomaton) -> EngineAutomaton:
    """Guards narrowed to the classes that the steps before and after let through."""
    while True:
        into: dict[int, int] = defaultdict(int)
        out_of: dict[int, int] = defaultdict(int)
        for s in machine.steps:
            into[s.target] |= s.after
            out_of[s.source] |= s.before
        into[0] = EVERY_CLASS
        for state in machine.final:
            out_of[state] = EVERY_CLASS
        narrow = (
            s._replace(before=s.before & into[s.source], after=s.after & out_of[s.target])
            for s in machine.steps
        )
        steps = compact(narrow)
        if steps == machine.steps:
            return machine
        machine = replace(machine, steps=steps)


def _trimmed(machine: EngineAutomaton) -> EngineAutomaton:
    """The machine without states that no word passes."""
    forward = reachable((0,), ((s.source, s.target) for s in machine.steps))
    backward = reachable(machine.final, ((s.target, s.source) for s in machine.steps))
    names = {state: index for index, state in enumerate(sorted({0} | forward & backward))}
    steps = (s for s in machine.steps if s.source in names and s.target in names)
    final = frozenset(names[state] for state in machine.final if state in names)
    return replace(
        machine, states=len(names), steps=frozenset(_renamed(steps, names.__getitem__)), final=final
    )


def _merge_alike(machine: EngineAutomaton) -> EngineAutomaton:
    """Merges states that have the same steps out of them, or the same steps into them."""
    while True:
        pair = _alike(machine)
        if pair is None:
            return machine
        machine = _merged(machine, *pair)
        machine = replace(machine, steps=compact(machine.steps))


def _alike(machine: EngineAutomaton) -> tuple[int, int] | None:
    after: dict[int, set[tuple[object, ...]]] = defaultdict(set)
    before: dict[int, set[tuple[object, ...]]] = defaultdict(set)
    for s in machine.steps:
        after[s.source].add((s.symbol, s.target, s.before, s.after, s.inverse))
        before[s.target].add((s.symbol, s.source, s.before, s.after, s.inverse))
    for p in range(1, machine.states):
        for q in range(p + 1, machine.states):
            same_end = (p in machine.final) == (q in machine.final)
            if (same_end and after[p] == after[q]) or (before[p] == before[q]):
                return p, q
    return None


def _merging(p: int, q: int) -> Callable[[int], int]:
    """The new names of states when q becomes p < q."""
    return lambda state: p if state == q else state - (state > q)


def _merged(machine: EngineAutomaton, p: int, q: int) -> EngineAutomaton:
    """The machine with state q merged into state p < q."""

    name = _merging(p, q)
    final = frozenset(name(state) for state in machine.final)
    return replace(
        machine, states=machine.states - 1, steps=frozenset(_renamed(machine.steps, name)), final=final
    )


class _Shrinking:
    """Tries changes one by one and compares each result with the words that the machine accepted at first.

    Each change leaves a machine of the same relation, so shrinking may stop at any point, after MOST_WORK.
    """

    def __init__(self, machine: EngineAutomaton, transitive: frozenset[int]) -> None:
        self.machine = machine
        self.allowed = Language(machine.language(), transitive)
        self.transitive = transitive
        self.apart: set[tuple[int, int]] = set()  # states that cannot be merged, now or later
        self.work = SearchBudget(MOST_WORK)

    def result(self) -> EngineAutomaton:
        with suppress(BudgetSpent):
            while self._merge_two():
                pass
        self.machine = replace(self.machine, steps=_with_wholes(self.machine.steps))
        with suppress(BudgetSpent):
            self._drop_steps()
        self.machine = _trimmed(self.machine)
        with suppress(BudgetSpent):
            self._drop_guards()
        return self.machine

    def _merge_two(self) -> bool:
        for q in range(self.machine.states - 1, 0, -1):
            for p in range(q):
                if (p, q) in self.apart:
                    continue
                candidate = _merged(self.machine, p, q)
                turning = p == 0 and self.machine.only_cycles
                if self._keeps_cycles(candidate, q) if turning else self._within(candidate):
                    self.machine = replace(candidate, steps=compact(candidate.steps))
                    self._rename(p, q)
                    return True
                if not turning:
                    self.apart.add((p, q))
        return False

    def _rename(self, p: int, q: int) -> None:
        """Renames ``apart`` after q was merged into p. Its pairs stay valid: a merged state accepts more."""
        name = _merging(p, q)
        renamed = ((name(a), name(b)) for a, b in self.apart)
        self.apart = {(min(pair), max(pair)) for pair in renamed}

    def _within(self, candidate: EngineAutomaton) -> bool:
        return self.allowed.lacks(candidate.language(), work=self.work) is None

    def _keeps_cycles(self, candidate: EngineAutomaton, q: int) -> bool:
        """Whether the machine finds each cycle that the candidate finds, possibly from another event.

        ``here`` has the classes of the events at which the machine can be in state q. If a cycle of the
        candidate passes state 0 at an event of another class, it is examined from there. Otherwise it passes
        state 0 only at events of ``here``.
        """
        steps = self.machine.steps
        here = _union(s.after for s in steps if s.target == q) & _union(
            s.before for s in steps if s.source == q
        )
        elsewhere = EVERY_CLASS & ~here
        words = candidate.language()
        if self.allowed.lacks(words, elsewhere, self.work) is not None:
            return False
        only_here = (
            s._replace(
                before=s.before & here if s.source == 0 else s.before,
                after=s.after & here if s.target == 0 else s.after,
            )
            for s in candidate.steps
        )
        return self.allowed.lacks(candidate.language(only_here), work=self.work) is None

    def _drop_steps(self) -> None:
        """Leaves out the steps that the others make redundant."""
        words = self.machine.language()
        # Immediate steps first: each of them costs time whenever an event is added.
        for s in sorted(self.machine.steps, key=lambda s: (s.symbol != Symbol.PO_IMM, -s.symbol, *_order(s))):
            if s.symbol == Symbol.PO_IMM and s.source == s.target == 0:
                continue  # views need this loop
            fewer = replace(self.machine, steps=self.machine.steps - {s})
            fewer_words = fewer.language()
            if Language(fewer_words, self.transitive).lacks(words, work=self.work) is None:
                self.machine, words = fewer, fewer_words

    def _drop_guards(self) -> None:
        for s in sorted(self.machine.steps, key=_order):
            if s.symbol == Symbol.PO_LOC:
                continue  # the engine looks for each pair of it
            before, after = domain(s.symbol, s.inverse)
            for wider in (
                s._replace(before=before, after=after),
                s._replace(after=after),
                s._replace(before=before),
            ):
                candidate = replace(self.machine, steps=self.machine.steps - {s} | {wider})
                if wider != s and self._within(candidate):
                    self.machine = candidate
                    break


def _union(masks: Iterable[int]) -> int:
    out = 0
    for mask in masks:
        out |= mask
    return out


def _with_wholes(steps: Iterable[Transition]) -> frozenset[Transition]:
    """The steps with whole rf, co and fr where both halves are present."""
    between: dict[tuple[int, int], Guarded] = defaultdict(dict)
    for s in steps:
        rows = guarded.restrict(guarded.base(s.symbol, s.inverse), s.before, s.after)
        between[(s.source, s.target)] = guarded.unite(between[(s.source, s.target)], rows)
    return frozenset(
        Transition(source, symbol, target, before, after, inverse)
        for (source, target), union in between.items()
        for (symbol, inverse), rows in guarded.merged(union).items()
        for before, after in guarded.rectangles(rows)
    )


def emitted(steps: Iterable[Transition]) -> tuple[Transition, ...]:
    """Steps as a Plan's tables have them: in a fixed order, with all classes where a guard is useless."""
    out = []
    for s in steps:
        before, after = domain(s.symbol, s.inverse)
        out.append(
            s._replace(
                symbol=int(s.symbol),
                before=EVERY_CLASS if s.before & before == before else s.before,
                after=EVERY_CLASS if s.after & after == after else s.after,
            )
        )
    return tuple(sorted(out, key=_order))


def _order(s: Transition) -> tuple[int, ...]:
    return (s.source, s.target, s.symbol, s.before, s.after, s.inverse)
