"""Facts about the built-in relations: one table for the planner and the prover (thesis §3.4-3.6).

They hold in well-formed graphs: events belong to threads, each read reads from one write of its location, and
co is a total order of each location's writes, initial writes first. po includes creation, joining and
meetings of threads. A pair is in the internal half if both events are of one thread, otherwise in the
external half. Each UR has its UW and each UW its UR: they are adjacent in their thread, and in co the UW
comes directly after the write that the UR reads from. (An execution that stops between the two is judged
without the UR.)
Departs 1: ``coi`` and ``fri`` are not taken to be within po: only coherence, an axiom of models, implies it.
Departs 2: dependencies start at reads, ``data`` ends at a write, and ``ctrl`` reaches everything later
in po.
"""

from __future__ import annotations

from typing import TypeAlias

from mazurka.kat.meaning import classes
from mazurka.kat.meaning.plan import EVERY_CLASS

Label: TypeAlias = tuple[str, bool]  # a relation, and whether it is walked backwards

# Names that models cannot write: po-loc within a thread; po-loc between threads, by creation, join or
# meeting; immediate steps of po between accesses of one location; the other immediate steps.
WITHIN, ACROSS = "po-loc(within)", "po-loc(across)"
STEP_LOC, STEP_ELSEWHERE = "po-imm(loc)", "po-imm(elsewhere)"
HALVES = {"rf": ("rfe", "rfi"), "co": ("coe", "coi"), "fr": ("fre", "fri"), "po-loc": (ACROSS, WITHIN)}
WHOLE = {half: whole for whole, halves in HALVES.items() for half in halves}
SYMMETRIC = frozenset(("same-thread", "loc-overlap", "same-domain", "any"))
_COMMUNICATION = frozenset((*HALVES, *WHOLE)) - {"po-loc", WITHIN, ACROSS}
DEPENDENCIES = frozenset(("ctrl", "addr", "data"))
# Relations between accesses of one location.
ONE_LOCATION = _COMMUNICATION | {"po-loc", WITHIN, ACROSS, STEP_LOC, "rmw", "loc-overlap", "detour"}
TRANSITIVE = frozenset(("po", "po-loc", WITHIN))
# Irreflexive relations; others, such as declared relations, may relate an event to itself.
IRREFLEXIVE = (
    _COMMUNICATION
    | DEPENDENCIES
    | {
        *(
            "po",
            "po-loc",
            WITHIN,
            ACROSS,
            "po-imm",
            "rmw",
            "tc",
            "tj",
            "same-thread",
            "loc-overlap",
            "same-domain",
            "detour",
            "alloc",
            "free",
        )
    }
)

_WITHIN_PO_LOC = frozenset(("rmw", "rfi", "detour", WITHIN, ACROSS, STEP_LOC))
BELOW: dict[str, frozenset[str]] = {
    "po": _WITHIN_PO_LOC | DEPENDENCIES | {"po-loc", "po-imm", STEP_ELSEWHERE, "tc", "tj"},
    "po-loc": _WITHIN_PO_LOC,
    WITHIN: frozenset(("rmw", "rfi", STEP_LOC)),
    "po-imm": frozenset(("rmw", STEP_LOC, STEP_ELSEWHERE)),
    STEP_LOC: frozenset(("rmw",)),
    "same-thread": frozenset(("rfi", "coi", "fri", "rmw", WITHIN, STEP_LOC)),
    "loc-overlap": ONE_LOCATION - {"loc-overlap"},
    **{whole: frozenset(halves) for whole, halves in HALVES.items() if whole != "po-loc"},
    # In co, the write of a read-modify-write comes directly after the one that it reads from.
    "fr": frozenset((*HALVES["fr"], "rmw")),
    "fri": frozenset(("rmw",)),
}
_BY_ATOMICITY = frozenset((("fr", "rmw"), ("fri", "rmw")))
_APART = [
    *(frozenset(halves) for halves in HALVES.values()),
    frozenset((STEP_LOC, STEP_ELSEWHERE)),
    *(frozenset(("same-thread", external)) for external, _ in HALVES.values()),
]
_DETOUR = (classes.WRITES & classes.EVENTS, classes.READS)


def label(name: str, inverse: bool = False) -> Label:
    """A relation with a direction; symmetric relations have only one."""
    return name, inverse and name not in SYMMETRIC


def contains(outer: Label, inner: Label, *, atomic: bool = True) -> bool:
    """Whether ``outer`` contains every pair of ``inner``, in every graph.

    Unless ``atomic``, this includes graphs where a write comes between the halves of a read-modify-write.
    """
    if outer == inner or outer[0] == "any":
        return True
    if not atomic and (outer[0], inner[0]) in _BY_ATOMICITY:
        return False
    same_way = outer[1] == inner[1] or outer[0] in SYMMETRIC
    return same_way and inner[0] in BELOW.get(outer[0], ())


def ends(name: str) -> tuple[int, int]:
    """The classes that the first and the second event of a pair can have."""
    name = "po-loc" if name in HALVES["po-loc"] else name
    if name in classes.SYMBOLS:
        return classes.DOMAINS[classes.SYMBOLS[name]]
    return _DETOUR if name == "detour" else (EVERY_CLASS, EVERY_CLASS)


class NotKnown(Exception):  # noqa: N818 - says what a term is, not that something broke
    """It is not known how two relations overlap; the message says which operator needs to know."""


def meet(one: Label, two: Label, *, atomic: bool = True) -> Label | None:
    """The intersection of two relations, if a label stands for it; None if they are disjoint."""
    if contains(two, one, atomic=atomic):
        return one
    if contains(one, two, atomic=atomic):
        return two
    if frozenset((one[0], two[0])) in _APART and (one[1] == two[1] or SYMMETRIC & {one[0], two[0]}):
        return None
    if {one[0], two[0]} == {"po", "loc-overlap"}:  # accesses of one location have one size
        return "po-loc", one[1] or two[1]
    raise NotKnown(f"an intersection of {show(one)} and {show(two)}")


def show(which: Label) -> str:
    """A label as the model language writes it."""
    name = "po-loc" if which[0] in HALVES["po-loc"] else which[0]
    return f"{name}^-1" if which[1] else name
