"""Whether a graph is consistent or erroneous, straight from a model's axioms and error rules (thesis §2.3).

An axiom with ``unless c`` must hold where c does not. In every model, read-modify-writes are atomic, an
access happens as a whole, whatever the sizes of others that share bytes with it (``is_untorn``), and atomic
sections happen one after the other (``is_serialisable``; Mixer §5). Only a model with ``si`` says itself what
of an access may be seen before the rest (``relations.Pieces``).

Departs 1: a rule ``error NAME unless a <= b`` allows a pair of ``a`` that is in ``b`` either way round:
conflicts are symmetric, and an order that had both directions would have a cycle.
Departs 2: warnings are not findings, and are ignored here.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.denotation import Denotation
from mazurka.kat.meaning.rows import closure, compose, inverse, is_irreflexive, is_within, union
from mazurka.reference.bases import later_writes, po_imm
from mazurka.reference.graph import Graph
from mazurka.reference.relations import Pieces, Relations
from mazurka.reference.running.labels import EventId

PO, RF = terms.Base("po"), terms.Base("rf")
ECO = terms.Plus(terms.Union(terms.Union(RF, terms.Base("co")), terms.Base("fr")))


def is_consistent(graph: Graph, model: terms.Model) -> bool:
    """Whether every axiom of a model holds, and what holds in every model."""
    if not is_atomic(graph):
        return False
    if graph.is_mixed and model.pieces:
        pieces = Pieces(graph, model.views)
        return all(holds(pieces, axiom) for axiom in model.pieces)
    if not is_untorn(graph):
        return False
    relations = Relations(graph, model.views)
    if graph.has_sections and not is_serialisable(relations):
        return False
    return all(holds(relations, axiom) for axiom in model.axioms)


def is_serialisable(relations: Relations) -> bool:
    """Whether the atomic sections have a common order with rf, co and fr, and with po among themselves."""
    labels = relations.graph.labels
    sections = sum(
        1 << n for n, e in enumerate(relations.events) if e in labels and labels[e].scattered is not None
    )
    po = relations.base("po")
    between = [row & sections if sections >> n & 1 else 0 for n, row in enumerate(po)]
    orders = [between, *map(relations.base, ("rf", "co", "fr"))]
    return is_irreflexive(closure(reduce(union, orders)))


def holds(relations: Denotation, axiom: terms.Axiom) -> bool:
    """Whether an axiom holds, or need not hold."""
    if axiom.unless is not None and _is_included(relations, axiom.unless):
        return True
    rows = relations.rows(axiom.relation)
    match axiom.kind:
        case "acyclic":
            return is_irreflexive(closure(rows))
        case "irreflexive":
            return is_irreflexive(rows)
        case "empty":
            return not any(rows)
        case "coherence":
            return is_irreflexive(compose(rows, relations.rows(ECO)))
    raise AssertionError(f"no such kind of axiom: {axiom.kind}")


def _is_included(relations: Denotation, claim: terms.Inclusion) -> bool:
    left, right = relations.rows(claim.left), relations.rows(claim.right)
    return is_within(left, right) and (not claim.equal or is_within(right, left))


def is_atomic(graph: Graph) -> bool:
    """Whether the write of each read-modify-write is the co-successor of what its read reads, in each cell.

    That excludes writes in between, and with them two read-modify-writes that read the same write.
    """
    for read in graph.rf:
        write = graph.rmw_write(read)
        if write is not None and any(
            later_writes(graph, read, cell)[:1] != (write,) for cell in graph.cells(read)
        ):
            return False
    return True


def is_untorn(graph: Graph) -> bool:
    """Whether no access is torn: rf, co and fr, lifted to whole accesses, have no common cycle.

    If all accesses have one size, these relations have no common cycle anyway.
    """
    if not graph.is_mixed:
        return True
    after: dict[EventId, set[EventId]] = {event: set() for event in graph.order}  # immediate successors do
    for writes in graph.co.values():
        for older, newer in pairwise(writes):
            after[older].add(newer)
    for read in graph.rf:
        for cell in graph.cells(read):
            source = graph.source(read, cell)
            if source is not None:
                after[source].add(read)
            after[read] |= {*later_writes(graph, read, cell)[:1]}
    return _is_acyclic(after)


def _is_acyclic(after: dict[EventId, set[EventId]]) -> bool:
    """Whether events can be taken away one by one, each when nothing is after it."""
    left = dict(after)
    while left:
        last = [event for event, successors in left.items() if not successors & left.keys()]
        if not last:
            return False
        for event in last:
            del left[event]
    return True


def model_errors(graph: Graph, model: terms.Model) -> set[str]:
    """The names of the error rules that a graph violates (departs 1, 2)."""
    rules = [rule for rule in model.errors if not rule.warning]
    if not rules:
        return set()
    relations = Relations(graph, model.views)
    return {rule.name for rule in rules if _is_violated(relations, rule.constraint)}


def _is_violated(relations: Relations, claim: terms.Inclusion) -> bool:
    left, right = relations.rows(claim.left), relations.rows(claim.right)
    sides = [(left, right), (right, left)] if claim.equal else [(left, right)]
    return not all(is_within(one, union(two, inverse(two))) for one, two in sides)


def happens_before(model: terms.Model) -> terms.Relation:
    """The relation that must order an access before the end of its object's lifetime.

    The model's own ``lifetimes`` or ``hb``, if that contains po; else the union of its acyclic axioms, if
    that does; else po and rf.
    """
    own = _own_order(model)
    if own is not None:
        return own
    relations = [axiom.relation for axiom in model.axioms if axiom.kind == "acyclic" and axiom.unless is None]
    if any(_contains_po(relation, model) for relation in relations):
        return terms.Plus(reduce(terms.Union, relations))
    return terms.Plus(terms.Union(PO, RF))


def has_own_order(model: terms.Model) -> bool:
    """Whether a model has an order of its own for lifetimes."""
    return _own_order(model) is not None


def _own_order(model: terms.Model) -> terms.Relation | None:
    for name in ("lifetimes", "hb"):
        own = model.views.get(name, model.definitions.get(name))
        if own is not None and not isinstance(own, terms.Test) and _contains_po(own, model):
            return own
    return None


def _contains_po(relation: terms.Relation, model: terms.Model) -> bool:
    """Whether a relation obviously contains po."""
    match relation:
        case terms.Base("po"):
            return True
        case terms.Union(left, right):
            return _contains_po(left, model) or _contains_po(right, model)
        case terms.Plus(body) | terms.Star(body) | terms.Maybe(body):
            return _contains_po(body, model)
        case terms.View(name):
            return _contains_po(model.views[name], model)
    return False


def causal_prefix(graph: Graph, event: EventId) -> set[EventId]:
    """The events strictly porf-before an event."""
    predecessors: dict[EventId, set[EventId]] = {}
    reads_from = {(write, read) for read in graph.rf for write in graph.sources(read) if write is not None}
    for before, after in po_imm(graph) | reads_from:
        predecessors.setdefault(after, set()).add(before)
    found: set[EventId] = set()
    pending = [event]
    while pending:
        new = predecessors.get(pending.pop(), set()) - found
        found |= new
        pending.extend(new)
    return found
