"""The Plan: what the engine checks, with no model's name in it.

A Plan lists orders that must stay acyclic, each the union of some of the graph's base relations.
The engine keeps each order as a closure, edge by edge. Read-modify-writes are atomic in every Plan: no write
stands in co between what one read and what it wrote.
I1: every order contains ``po`` (the engine keeps it as one clock a thread, which needs that).
"""

from __future__ import annotations

from dataclasses import dataclass

BASE_RELATIONS = ("po", "rf", "co", "fr")
MAGIC = b"MZKL\x01"


@dataclass(frozen=True)
class Acyclic:
    """An axiom: the union of ``relations`` has no cycle. Thread creation and join count as ``po``."""

    name: str
    relations: frozenset[str]


@dataclass(frozen=True)
class Plan:
    """A memory model as the engine runs it."""

    name: str
    axioms: tuple[Acyclic, ...]
    # The axiom whose order must hold between an access and the end of its object's life; none: po and rf.
    happens_before: str = ""

    def encode(self) -> bytes:
        """The Plan as the engine reads it: magic, happens-before, a bit set of relations an axiom."""
        out = bytearray(MAGIC)
        names = ["", *(axiom.name for axiom in self.axioms)]
        out.append(names.index(self.happens_before))
        out.append(len(self.axioms))
        for axiom in self.axioms:
            out.append(sum(1 << BASE_RELATIONS.index(r) for r in axiom.relations))
        return bytes(out)


_SC_ORDER = Acyclic("sequential-consistency", frozenset(BASE_RELATIONS))
SC = Plan("sc", (_SC_ORDER,), happens_before=_SC_ORDER.name)

PLANS = {plan.name: plan for plan in (SC,)}
