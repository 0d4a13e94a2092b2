"""The Plan: what the engine checks, with no model's name in it.

A Plan lists orders that must stay acyclic, each the union of some of the graph's base relations,
and says whether read-modify-writes are atomic. The engine keeps each order as a closure, edge by edge.
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
    atomic_rmw: bool = True  # no write stands in co between what an RMW read and what it wrote

    def encode(self) -> bytes:
        """The Plan as the engine reads it: magic, atomicity, then a bit set of base relations an axiom."""
        out = bytearray(MAGIC)
        out.append(self.atomic_rmw)
        out.append(len(self.axioms))
        for axiom in self.axioms:
            out.append(sum(1 << BASE_RELATIONS.index(r) for r in axiom.relations))
        return bytes(out)


SC = Plan("sc", (Acyclic("sequential-consistency", frozenset(BASE_RELATIONS)),))

PLANS = {plan.name: plan for plan in (SC,)}
