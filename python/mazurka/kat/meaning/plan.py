"""The Plan: what the engine checks, as tables that name no model.

``docs/reference/plan.md`` describes the meaning of each part and the encoding. The planner (``kat.planning``)
makes Plans from models; nothing else should.

I1: read-modify-writes are atomic in every Plan: in co, no write comes between the write that one reads from
and its own.
I2: ``po`` everywhere includes thread creation (before all events of the new thread), joining (after all of
them) and meetings (from each arrival of a round to each departure), and is transitive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

MAGIC = b"MZPL\x01"

# Every event has a class, and a guard is the set of classes that pass it. The engine has the same tables
# (`numbered!` in `crates/engine`); tests/quality/test_vocabularies.py compares them all.
READ_MODES = ("na", "rlx", "acq", "sc")
READ_KINDS = ("load", "rmw", "failed")  # failed: the read of an RMW instruction that did not write
WRITE_MODES = ("na", "rlx", "rel", "sc")
WRITE_KINDS = ("store", "rmw")
FENCE_MODES = ("rlx", "acq", "rel", "acqrel", "sc")
# What only instructions of machines, or the kernel's functions, make; programs in C do not.
MACHINE_READS = (
    *("R.pc.load", "R.rl.load", "R.rl.rmw", "R.aqrl.load", "R.aqrl.rmw", "R.noret.rmw"),
    *("R.success.load", "R.lock.rmw"),
)
MACHINE_WRITES = (*("W.aq.store", "W.aq.rmw", "W.aqrl.store", "W.aqrl.rmw", "W.lock.rmw", "W.unlock.store"),)
MACHINE_FENCES = (
    *("F.r-r", "F.r-w", "F.w-r", "F.w-w", "F.w-rw", "F.rw-r", "F.i", "F.before-atomic", "F.after-atomic"),
    *("F.after-spinlock", "F.after-unlock-lock", "F.rcu-lock", "F.rcu-unlock", "F.rcu-sync"),
    *("F.srcu-lock", "F.srcu-unlock", "F.srcu-sync"),
)
CLASSES = (
    *(f"R.{mode}.{kind}" for mode in READ_MODES for kind in READ_KINDS),  # 0-11
    *MACHINE_READS,  # 12-19
    *(f"W.{mode}.{kind}" for mode in WRITE_MODES for kind in WRITE_KINDS),  # 20-27
    *MACHINE_WRITES,  # 28-33
    *(f"F.{mode}" for mode in FENCE_MODES),  # 34-38
    *MACHINE_FENCES,  # 39-55
    "ALLOC",  # 56
    "FREE",  # 57
    "CREATE",  # 58
    "JOIN",  # 59
    "BARRIER",  # 60: both events of a meeting
    "CHOOSE",  # 61
    "INIT",  # 62: initial writes; only matrix programs and the reference see these
)
assert len(CLASSES) < 64, "the engine's sets of classes have 64 bits"
EVERY_CLASS = (1 << len(CLASSES)) - 1


class Symbol(IntEnum):
    """Relations that tables name.

    ``VIEW + k`` is the k-th view, ``VIEW_LOC + k`` its pairs of accesses of one location.
    """

    PO = 0
    PO_IMM = 1
    PO_LOC = 2
    RF = 3
    RFE = 4
    RFI = 5
    CO = 6
    COE = 7
    COI = 8
    FR = 9
    FRE = 10
    FRI = 11
    RMW = 12
    SAME_THREAD = 13
    LOC_OVERLAP = 14
    TC = 15
    TJ = 16
    ANY = 17
    ALLOC = 18
    FREE = 19
    PO_IMM_LOC = 20  # immediate steps of po between accesses of one location
    PO_IMM_ELSEWHERE = 21  # the other immediate steps of po
    ADDR = 22
    DATA = 23
    CTRL = 24
    SI = 25  # pieces of one access, if accesses have several sizes; else the identity
    SAME_DOMAIN = 26  # fences of SRCU whose domains have common bytes
    VIEW = 64
    VIEW_LOC = 4096


def view_of(symbol: int) -> int | None:
    """The index of the view that a symbol is about, if it is about one."""
    if symbol >= Symbol.VIEW_LOC:
        return symbol - Symbol.VIEW_LOC
    return symbol - Symbol.VIEW if symbol >= Symbol.VIEW else None


class Transition(NamedTuple):
    """An edge of an automaton: from state ``source`` by a relation to ``target``.

    The pair's first event must be of a class in ``before``, its second of one in ``after``. ``inverse`` walks
    the relation backwards (``before`` is then still about where the walk comes from).
    """

    source: int
    symbol: int
    target: int
    before: int = EVERY_CLASS
    after: int = EVERY_CLASS
    inverse: bool = False


@dataclass(frozen=True)
class PlanView:
    """A relation of the causal past, kept for every event as one clock per state.

    State 0 is the start. The clock of state q at event e counts the events x with a path from (x, 0) to (e,
    q) (the empty path at state 0 included). (x, e) is in the relation iff there is a path of at least one
    step to a state of ``final``. Symbols: PO_IMM, PO_LOC, RF, RFE, RFI, RMW, never inverse.
    I1: state 0 has an unguarded PO_IMM loop, so every clock is a prefix of each thread.
    """

    name: str
    states: int
    transitions: tuple[Transition, ...]
    final: tuple[int, ...]


@dataclass(frozen=True)
class GuardedEdge:
    """Pairs of a relation between two sets of classes."""

    symbol: int
    before: int = EVERY_CLASS
    after: int = EVERY_CLASS


@dataclass(frozen=True)
class Closure:
    """Acyclic: the union of ``edges``, kept transitively closed edge by edge.

    Symbols: PO and PO_LOC (any guards), RF, RFE, RFI (any guards), CO and FR (no guards), RMW, views.
    """

    edges: tuple[GuardedEdge, ...]


@dataclass(frozen=True)
class Coherence:
    """Irreflexive: a relation, then eco. ``view`` indexes the plan's views."""

    view: int


@dataclass(frozen=True)
class Automaton:
    """Acyclic: the words that lead from state 0 to state 0."""

    states: int
    transitions: tuple[Transition, ...]


class MatrixOp(IntEnum):
    """Instructions of a stack machine whose values are relations."""

    RELATION = 0  # operand: a symbol (no view)
    TEST = 1  # operands: low and high half of a set of classes
    EMPTY = 2
    IDENTITY = 3
    UNION = 4
    INTERSECTION = 5
    DIFFERENCE = 6
    SEQUENCE = 7
    PLUS = 8
    STAR = 9
    MAYBE = 10
    INVERSE = 11
    STORE = 12  # operand: a slot; keeps the top of the stack
    LOAD = 13  # operand: a slot
    VARIABLE = 14  # operand: a variable of a fixpoint
    FIXPOINT = 15  # operand: the variable that the top of the stack defines; variables 0, 1, … from outside


class CheckKind(IntEnum):
    """How an axiom is checked."""

    CLOSURE = 0
    COHERENCE = 1
    AUTOMATON = 2
    MATRIX = 3
    LOCAL = 4


class LifetimeOrder(IntEnum):
    """What orders accesses before the end of their object's life; CAUSAL is po and rf."""

    CAUSAL = 0
    VIEW = 1
    AXIOM = 2
    COMPUTED = 3


CAUSAL = (LifetimeOrder.CAUSAL, 0)


class Verdict(IntEnum):
    """What a matrix program's relation must be."""

    ACYCLIC = 0
    IRREFLEXIVE = 1
    EMPTY = 2


@dataclass(frozen=True)
class Matrix:
    """Any axiom: a program over bit matrices, and what its result must be. Views are written out in it."""

    program: tuple[int, ...]
    verdict: Verdict


@dataclass(frozen=True)
class LocalClosure:
    """Acyclic: the union of a part of po and of ``edges``, kept transitively closed edge by edge.

    ``within`` computes the part of po; its verdict means nothing. Symbols of edges: RF, CO, FR and their
    halves. Only Plans whose causal order is a program have this check.
    """

    within: Matrix
    edges: tuple[GuardedEdge, ...]


@dataclass(frozen=True)
class PlanAxiom:
    """An axiom: the check that the engine runs, and a matrix program with the same meaning, which defines it.

    ``reason`` tells the user why this check was chosen. ``stated`` is the number of the model's axiom that it
    checks, if there is one. Neither is encoded.
    """

    name: str
    check: Closure | Coherence | Automaton | Matrix | LocalClosure
    meaning: Matrix
    reason: str = ""
    stated: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class PlanRule:
    """Two accesses of overlapping locations, one in ``first`` and one in ``second``, neither before the other
    in a view, are an error (``warning``: a warning); ``kind`` is the violation's kind.

    In a Plan with computed orders, ``view`` is one of these; ``between``: it has all pairs of one thread.
    """

    name: str
    kind: str
    warning: bool
    first: int
    second: int
    view: int
    between: bool = False


@dataclass(frozen=True)
class PlanOrder:
    """An order that is computed on whole graphs, by a program that views are written out in."""

    name: str
    program: Matrix


@dataclass(frozen=True)
class Plan:
    """A memory model as the engine runs it."""

    name: str
    axioms: tuple[PlanAxiom, ...]
    views: tuple[PlanView, ...] = ()
    errors: tuple[PlanRule, ...] = ()
    # Orders for error rules and lifetimes; if there are any, all error rules are about these.
    orders: tuple[PlanOrder, ...] = ()
    # These are about what the source says, not about what it was compiled to.
    of_source: bool = False
    # What orders an access before the end of its object's life, with the number of the view, axiom or order.
    happens_before: tuple[LifetimeOrder, int] = CAUSAL
    # The part of po in the causal order, as guarded PO and PO_LOC or as a program; None: all of it.
    preserved: tuple[GuardedEdge, ...] | Matrix | None = None
    # The program was derived from the axioms. The engine refuses if an event cannot be added because of it.
    is_assumed: bool = False
    # The same for graphs in which po and rf have no common cycle; it follows all of po.
    unbuffered: Plan | None = None
    # Such a Plan may be about fewer graphs still: between events of these classes, po and rf lead nowhere
    # where the view of its coherence does not lead. The engine refuses others.
    watched: int = 0
    # The same for rf from or to events of these classes: the view of its coherence has it.
    watched_rf: int = 0
    # Cycles that an axiom forbids whatever depends on what: why some reads cannot see a later write.
    causality: Automaton | None = None
    # For the user, not encoded: what was not shown about an unchecked model, and the axioms that need no
    # check, with the reasons.
    warnings: tuple[str, ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()

    def order_of(self, rule: PlanRule) -> str:
        """The name of the order that a rule requires."""
        return self.orders[rule.view].name if self.orders else self.views[rule.view].name

    def encode(self) -> bytes:
        """The Plan as the engine reads it (docs/reference/plan.md)."""
        return MAGIC + b"".join(word.to_bytes(4, "little") for word in self._words())

    def _words(self) -> list[int]:
        words: list[int] = []
        words.append(len(self.views))
        for view in self.views:
            words.append(view.states)
            _put_transitions(words, view.transitions)
            words += [len(view.final), *view.final]
        words.append(len(self.axioms))
        for axiom in self.axioms:
            _put_check(words, axiom.check)
            _put_matrix(words, axiom.meaning)
        words.append(len(self.errors))
        for index, rule in enumerate(self.errors):
            words += [index, int(rule.warning), *_mask(rule.first), *_mask(rule.second)]
            words += [rule.view, int(rule.between)]
        words.append(len(self.orders))
        for order in self.orders:
            _put_matrix(words, order.program)
        words.append(int(self.of_source))
        words += self.happens_before
        match self.preserved:
            case None:
                words.append(0)
            case Matrix():
                words.append(3 if self.is_assumed else 2)
                _put_matrix(words, self.preserved)
            case edges:
                words.append(1)
                _put_edges(words, edges)
        words.append(int(self.unbuffered is not None))
        if self.unbuffered is not None:
            stated = [axiom.stated for axiom in self.axioms]
            words += self.unbuffered._words()
            words.append(len(self.unbuffered.axioms))
            words += [stated.index(axiom.stated) for axiom in self.unbuffered.axioms]
        words += [*_mask(self.watched), *_mask(self.watched_rf)]
        words.append(int(self.causality is not None))
        if self.causality is not None:
            words.append(self.causality.states)
            _put_transitions(words, self.causality.transitions)
        return words


def _put_transitions(words: list[int], transitions: tuple[Transition, ...]) -> None:
    words.append(len(transitions))
    for t in transitions:
        words += [t.source, t.symbol, t.target, *_mask(t.before), *_mask(t.after), int(t.inverse)]


def _put_check(words: list[int], check: Closure | Coherence | Automaton | Matrix | LocalClosure) -> None:
    match check:
        case Closure(edges):
            words.append(CheckKind.CLOSURE)
            _put_edges(words, edges)
        case Coherence(view):
            words += [CheckKind.COHERENCE, view]
        case Automaton(states, transitions):
            words += [CheckKind.AUTOMATON, states]
            _put_transitions(words, transitions)
        case Matrix():
            words.append(CheckKind.MATRIX)
            _put_matrix(words, check)
        case LocalClosure(within, edges):
            words.append(CheckKind.LOCAL)
            _put_matrix(words, within)
            _put_edges(words, edges)


def _put_edges(words: list[int], edges: tuple[GuardedEdge, ...]) -> None:
    words.append(len(edges))
    for edge in edges:
        words += [edge.symbol, *_mask(edge.before), *_mask(edge.after)]


def _put_matrix(words: list[int], matrix: Matrix) -> None:
    words += [int(matrix.verdict), len(matrix.program), *matrix.program]


def _mask(classes: int) -> tuple[int, int]:
    return classes & 0xFFFF_FFFF, classes >> 32
