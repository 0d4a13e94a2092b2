"""Tags of events, as bell files declare them: ``enum Barriers = 'wmb || 'rmb``, ``instructions F[Barriers]``.

Each tag of an enumeration has a set, by its name with a capital letter: ``Wmb``. The events of Mazurka's
graphs have no tags, but those of the kernel's C have modes that say the same. So the tags of the kernel's
model mean these, and other tags are refused where their sets are used.

A lock and an unlock of SRCU are fences, and no load and store of the srcu_struct, as herd has them. What
models know of these is that ``data`` leads from one to the other, and ``loc`` between those of one
srcu_struct.

A read-modify-write that is fully ordered has no fences beside it here: it is SC. ``fencerel`` knows
(``MB``). Locks have no tags: their sets are built in for a model that declares tags of the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable

from mazurka.kat.cat.algebra import SAME_LOCATION
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.terms import Base, Test


def _both(*tests: Test) -> Test:
    found = tests[0]
    for test in tests[1:]:
        found = terms.Both(found, test)
    return found


def _p(name: str) -> Test:
    return terms.Primitive(name)


_NONE = terms.Not(terms.Anything())
_WEAKER = terms.Not(_p("SC"))
# Written unlike the full fences of machines, so that ``fencerel`` can tell.
MB = terms.Either(terms.Either(_p("TC"), _p("TJ")), _both(_p("F"), _p("SC")))
_ACQUIRE = _both(_p("R"), _p("ACQ"), _WEAKER, terms.Not(_p("LOCK")))
_RELEASE = _both(_p("W"), _p("REL"), _WEAKER, terms.Not(_p("UNLOCK")))

TAGS: dict[str, Test] = {
    # Accesses. A fully ordered read-modify-write is made of marked accesses between two fences.
    "once": _both(
        _p("LOC"), _p("RLX"), *map(terms.Not, (_ACQUIRE, _RELEASE, _p("NORET"), _p("LOCK"), _p("UNLOCK")))
    ),
    "acquire": _ACQUIRE,
    "release": _RELEASE,
    "noreturn": _p("NORET"),
    # Barriers
    "mb": MB,
    "MB": MB,
    "rmb": _p("F.r-r"),
    "wmb": _p("F.w-w"),
    "barrier": _NONE,  # it is no event, and orders nothing
    "before-atomic": _p("F.before-atomic"),
    "after-atomic": _p("F.after-atomic"),
    "after-spinlock": _p("F.after-spinlock"),
    "after-unlock-lock": _p("F.after-unlock-lock"),
    "rcu-lock": _p("F.rcu-lock"),
    "rcu-unlock": _p("F.rcu-unlock"),
    "sync-rcu": _p("F.rcu-sync"),
    "srcu-lock": _p("F.srcu-lock"),
    "srcu-unlock": _p("F.srcu-unlock"),
    "sync-srcu": _p("F.srcu-sync"),
    "after-srcu-read-unlock": _NONE,  # tests that use it are refused
}
# What kernel models know without declaring it. Reads of a lock that do not take it are refused in tests.
_BESIDE: dict[str, Test] = {
    "RMW": _both(terms.Either(_p("EXCL"), _p("UX")), terms.Not(_p("LOCK"))),  # also if they fail
    "LKR": _both(_p("R"), _p("LOCK")),
    "LKW": _both(_p("W"), _p("LOCK")),
    "UL": _p("UNLOCK"),
    **dict.fromkeys(("LF", "RL", "RU"), _NONE),
}
_EVIDENCE = frozenset(("once", "rcu-lock", "before-atomic", "wmb"))


_OF_SRCU = terms.Guard(terms.Either(terms.Either(_p("F.srcu-lock"), _p("F.srcu-unlock")), _p("F.srcu-sync")))
# From a lock of SRCU to the next unlock of the same section, as in ``lkmm.kat``.
_ENDS = terms.Guard(terms.Either(_p("F.srcu-lock"), _p("F.srcu-unlock")))
_SAME_SECTION = terms.Sequence(
    terms.Sequence(_ENDS, terms.Intersection(Base("po"), Base("same-domain"))), _ENDS
)
_NEXT = terms.Difference(_SAME_SECTION, terms.Sequence(_SAME_SECTION, _SAME_SECTION))
_SECTION = terms.Sequence(
    terms.Sequence(terms.Guard(_p("F.srcu-lock")), _NEXT), terms.Guard(_p("F.srcu-unlock"))
)
_WITH_SRCU: dict[str, terms.Relation] = {
    "data": terms.Union(Base("data"), _SECTION),
    "loc": terms.Union(SAME_LOCATION, terms.Union(Base("same-domain"), _OF_SRCU)),
}


def relation_of(name: str, declared: Iterable[str]) -> terms.Relation | None:
    """The relation that a name means in a model that declares tags, if that is not what it always means."""
    return _WITH_SRCU.get(name) if "srcu-lock" in declared else None


def tag_of(name: str, declared: Iterable[str]) -> str | None:
    """The tag whose set has a name, if it is declared."""
    for tag in declared:
        if name == tag[:1].upper() + tag[1:]:
            return tag
    return None


def set_of(name: str, declared: Iterable[str]) -> Test | None:
    """The set that a name means in a model that declares tags; None if it means none."""
    tags = frozenset(declared)
    found = TAGS.get(tag_of(name, tags) or "")
    return _BESIDE.get(name) if found is None and tags & _EVIDENCE else found
