"""What is known of the built-in relations: one table for the planner and the prover (thesis §3.4-3.6).

The graphs meant are well-formed ones: events stand in threads, each read reads from one write of its
location, co is a total order of each location's writes, initial writes first. po includes creation and
joining of threads. A half is internal if both events are of one thread, else external. Each UR has its UW and
each UW its UR: they stand next to each other in their thread, and the UW comes next in co after what the UR
reads from. (An execution that is left between the two is judged without the UR.)
Departs 1: ``coi`` and ``fri`` are not within po: that follows from coherence, which is an axiom of models.
Departs 2: dependencies start at reads, ``data`` ends at a write, and ``ctrl`` reaches all that follows in
po.
"""

from __future__ import annotations

from typing import TypeAlias

from mazurka.kat.meaning import classes
from mazurka.kat.meaning.plan import EVERY_CLASS

Label: TypeAlias = tuple[str, bool]  # a relation, and whether it is walked backwards

# Names that models cannot write: po-loc within a thread, and from one to another by creation or join;
# immediate steps of po between accesses of one location, and the others.
WITHIN, ACROSS = "po-loc(within)", "po-loc(across)"
STEP_LOC, STEP_ELSEWHERE = "po-imm(loc)", "po-imm(elsewhere)"
HALVES = {"rf": ("rfe", "rfi"), "co": ("coe", "coi"), "fr": ("fre", "fri"), "po-loc": (ACROSS, WITHIN)}
WHOLE = {half: whole for whole, halves in HALVES.items() for half in halves}
SYMMETRIC = frozenset(("same-thread", "loc-overlap", "any"))
_COMMUNICATION = frozenset((*HALVES, *WHOLE)) - {"po-loc", WITHIN, ACROSS}
DEPENDENCIES = frozenset(("ctrl", "addr", "data"))
# Relations between accesses of one location.
ONE_LOCATION = _COMMUNICATION | {"po-loc", WITHIN, ACROSS, STEP_LOC, "rmw", "loc-overlap", "detour"}
TRANSITIVE = frozenset(("po", "po-loc", WITHIN))
# Relations of which no event is related to itself; what is not here may be, such as declared relations.
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
    # A read-modify-write's write comes next after the one it reads from.
    "fr": frozenset((*HALVES["fr"], "rmw")),
    "fri": frozenset(("rmw",)),
}
_BY_ATOMICITY = frozenset((("fr", "rmw"), ("fri", "rmw")))
_APART = [
    *(frozenset(halves) for halves in HALVES.values()),
    frozenset((STEP_LOC, STEP_ELSEWHERE)),
    *(frozenset(("same-thread", external)) for external, _ in HALVES.values()),
]
_DEPENDENCY_ENDS = {
    "ctrl": (classes.READS, classes.EVENTS),
    "addr": (classes.READS, classes.EVENTS),
    "data": (classes.READS, classes.WRITES & classes.EVENTS),
    "detour": (classes.WRITES & classes.EVENTS, classes.READS),
}


def label(name: str, inverse: bool = False) -> Label:
    """A relation with a direction; symmetric ones have one."""
    return name, inverse and name not in SYMMETRIC


def contains(outer: Label, inner: Label, *, atomic: bool = True) -> bool:
    """Whether each pair of one relation is one of another, in every graph.

    Unless ``atomic``, also in graphs in which writes come between the two of a read-modify-write.
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
    return _DEPENDENCY_ENDS.get(name, (EVERY_CLASS, EVERY_CLASS))


class NotKnown(Exception):  # noqa: N818 - says what a term is, not that something broke
    """How two relations lie to each other is not known; the message says which operator needs it."""


def meet(one: Label, two: Label, *, atomic: bool = True) -> Label | None:
    """The intersection of two relations if it is one; None if they are disjoint."""
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
