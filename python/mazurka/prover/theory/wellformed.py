"""Which graphs are executions: the one definition, as claims that the general evaluator decides.

``facts`` is about these graphs, and a counterexample is accepted only if it is one of them. Graphs that the
prover builds have no creation or joining of threads, so program order stays within threads.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.facts import HALVES
from mazurka.kat.meaning.rows import Rows
from mazurka.kat.meaning.terms import Base, Inclusion, Relation
from mazurka.prover.theory.graphs import CandidateGraph, Evaluator

# What the graph says about its events apart from relations, under names that models cannot write.
_THREAD, _PLACE, _INITIAL = "(thread)", "(place)", "(initial)"
_NOTHING, _SAME = terms.Empty(), terms.Identity()


def _test(name: str) -> Relation:
    return terms.Guard(terms.Primitive(name))


def _seq(*parts: Relation) -> Relation:
    whole = parts[0]
    for part in parts[1:]:
        whole = terms.Sequence(whole, part)
    return whole


def _both_ways(relation: Relation) -> Relation:
    return terms.Union(relation, terms.Inverse(relation))


def _order(name: str, ordered: Relation) -> tuple[tuple[str, Inclusion], ...]:
    """Claims that a relation is a strict order, total on the given pairs and empty elsewhere."""
    order = Base(name)
    return (
        (f"{name} is transitive", Inclusion(_seq(order, order), order)),
        (f"{name} relates no event to itself", Inclusion(terms.Intersection(order, _SAME), _NOTHING)),
        (f"{name} is total", Inclusion(_both_ways(order), ordered, equal=True)),
    )


_PO, _RF, _CO, _FR, _RMW = (Base(name) for name in ("po", "rf", "co", "fr", "rmw"))
_READ, _WRITE, _INIT = _test("R"), _test("W"), Base(_INITIAL)
_EVERYWHERE = Base("any")
_RF_FORWARDS = Inclusion(terms.Intersection(_RF, Base(_THREAD)), _PO)


def _halves(whole: str) -> tuple[tuple[str, Inclusion], ...]:
    external, internal = (Base(name) for name in HALVES[whole])
    inside = terms.Intersection(Base(whole), Base(_THREAD))
    outside = terms.Difference(Base(whole), Base(_THREAD))
    return (
        (f"{whole}i is {whole} within a thread", Inclusion(internal, inside, equal=True)),
        (f"{whole}e is {whole} between threads", Inclusion(external, outside, equal=True)),
    )


CLAIMS: tuple[tuple[str, Inclusion], ...] = (
    *_order("po", Base(_THREAD)),
    *_order("co", _seq(_WRITE, Base(_PLACE), _WRITE)),
    ("initial writes come first", Inclusion(_seq(_CO, _INIT), _NOTHING)),
    ("initial writes are writes", Inclusion(_INIT, _WRITE)),
    ("a location has at most one initial write", Inclusion(_seq(_INIT, Base(_PLACE), _INIT), _NOTHING)),
    (
        "a location has an initial write",
        Inclusion(_test("LOC"), terms.Union(_INIT, _seq(Base(_PLACE), _INIT, Base(_PLACE)))),
    ),
    ("rf leads from a write to a read of its location", Inclusion(_RF, _seq(_WRITE, Base(_PLACE), _READ))),
    ("a read has at most one rf edge", Inclusion(_seq(_RF, terms.Inverse(_RF)), _SAME)),
    ("a read has an rf edge", Inclusion(_READ, _seq(terms.Inverse(_RF), _RF))),
    ("a read does not read from a later write of its thread", _RF_FORWARDS),
    ("fr is rf^-1 ; co", Inclusion(_FR, _seq(terms.Inverse(_RF), _CO), equal=True)),
    *(claim for whole in ("rf", "co", "fr") for claim in _halves(whole)),
    ("same-thread relates events of one thread", Inclusion(Base("same-thread"), Base(_THREAD), equal=True)),
    (
        "po-loc is po between accesses of one location",
        Inclusion(Base("po-loc"), terms.Intersection(_PO, Base(_PLACE)), equal=True),
    ),
    (
        "po-imm leads to the next event of po",
        Inclusion(Base("po-imm"), terms.Difference(_PO, _seq(_PO, _PO)), equal=True),
    ),
    ("rmw joins the halves of an update", Inclusion(_RMW, _seq(_test("UR"), Base("po-imm"), _test("UW")))),
    ("rmw keeps the location", Inclusion(_RMW, Base(_PLACE))),
    ("each read half has its write half", Inclusion(_test("UR"), _seq(_RMW, terms.Inverse(_RMW)))),
    ("each write half has its read half", Inclusion(_test("UW"), _seq(terms.Inverse(_RMW), _RMW))),
    ("an update comes after the write that it reads from", Inclusion(_seq(_RF, _RMW), _CO)),
    ("no write comes between in co", Inclusion(terms.Intersection(_RMW, _seq(_FR, _CO)), _NOTHING)),
    *(
        (f"{name} leads from a read along po", Inclusion(Base(name), _seq(_READ, _PO)))
        for name in ("addr", "data", "ctrl")
    ),
    ("data leads to a write", Inclusion(Base("data"), _seq(_EVERYWHERE, _WRITE))),
    ("ctrl reaches everything later in po", Inclusion(_seq(Base("ctrl"), _PO), Base("ctrl"))),
    (
        "a detour leads through another thread",
        Inclusion(
            Base("detour"), terms.Intersection(Base("po-loc"), _seq(Base("coe"), Base("rfe"))), equal=True
        ),
    ),
)


class _Named(Evaluator):
    """The evaluator, with names for a graph's threads, locations and initial writes."""

    def base(self, name: str) -> Rows:
        graph = self.graph
        match name:
            case _ if name == _THREAD:
                return _groups(graph.threads)
            case _ if name == _PLACE:
                return _groups(graph.locations)
            case _ if name == _INITIAL:
                return [(thread == -1) << event for event, thread in enumerate(graph.threads)]
            case _:
                return super().base(name)


def _groups(numbers: tuple[int, ...]) -> Rows:
    """Relates different events that have the same number, unless it is -1."""
    return [
        sum(1 << b for b, other in enumerate(numbers) if a != b and number == other != -1)
        for a, number in enumerate(numbers)
    ]


def flaws(graph: CandidateGraph) -> Iterator[str]:
    """What a graph lacks to be an execution."""
    evaluator = _Named(graph, {})
    yield from (name for name, claim in CLAIMS if not evaluator.holds(claim))
