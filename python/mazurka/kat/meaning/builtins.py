"""The names that every model file knows: base relations and predicates (kat-language, "Built in")."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Kater's mo is the literature's co; terms use co.
SYNONYMS = {"mo": "co", "moe": "coe", "moi": "coi"}

RELATIONS = _words(
    """
    po po-loc po-imm rmw ctrl addr data same-thread rf rfe rfi co coe coi fr fre fri
    detour loc-overlap same-domain alloc free tc tj any si
    """
)

PREDICATES = _words(
    """
    R W F INIT UR UW UX EXCL NEXCL NA RLX ACQ REL SC TC TB TJ TE TK BARRIER
    ACQPC AQ RL NORET SUCCESS F.r-r F.r-w F.w-r F.w-w F.w-rw F.rw-r F.i
    LOCK UNLOCK F.before-atomic F.after-atomic F.after-spinlock F.after-unlock-lock
    F.rcu-lock F.rcu-unlock F.rcu-sync F.srcu-lock F.srcu-unlock F.srcu-sync
    ALLOC FREE HPRET HPPROT NOTHPPROT HEAP DEP LOC REC D
    """
)

# Keywords of statements and expressions, which cannot be names.
RESERVED = _words(
    """
    include relation predicate disjoint let view rec and assume assert export acyclic irreflexive
    unless rot id
    """
)
