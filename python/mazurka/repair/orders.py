"""Memory orderings by kind of operation: which are allowed, and which are next to each other.

Orderings are the words of C, ``relaxed`` to ``seq_cst``; ``REMOVED`` is a fence that is left out.
"""

from __future__ import annotations

from functools import cache

REMOVED = "removed"
LOAD, STORE, RMW, FENCE, UNKNOWN = "load", "store", "read-modify-write", "fence", "access"

# From each ordering, those that are one step weaker. Where C has both, the writing side comes first.
_BOTH_SIDES = {
    "seq_cst": ("acq_rel",),
    "acq_rel": ("release", "acquire"),
    "release": ("relaxed",),
    "acquire": ("relaxed",),
    "relaxed": (),
}
_WEAKER: dict[str, dict[str, tuple[str, ...]]] = {
    LOAD: {"seq_cst": ("acquire",), "acquire": ("relaxed",), "relaxed": ()},
    STORE: {"seq_cst": ("release",), "release": ("relaxed",), "relaxed": ()},
    RMW: _BOTH_SIDES,
    FENCE: {**_BOTH_SIDES, "relaxed": (REMOVED,), REMOVED: ()},
    # An ordering that is passed to something else: only what every operation accepts.
    UNKNOWN: {"seq_cst": ("relaxed",), "relaxed": ()},
}


def kind_of_lone(order: str) -> str:
    """What an ordering may be for that does not stand in a call of a known operation."""
    return {"acquire": LOAD, "release": STORE, "acq_rel": RMW}.get(order, UNKNOWN)


def is_allowed(kind: str, order: str) -> bool:
    """Whether an operation may have the ordering."""
    return order in _WEAKER[kind]


def one_weaker(kind: str, order: str) -> tuple[str, ...]:
    """The orderings that are one step weaker."""
    return _WEAKER[kind].get(order, ())


@cache
def steps_down(kind: str, order: str) -> dict[str, int]:
    """All weaker orderings, and how many steps lead to each."""
    found: dict[str, int] = {}
    ahead, steps = [order], 0
    while ahead:
        steps += 1
        ahead = [weaker for one in ahead for weaker in one_weaker(kind, one) if weaker not in found]
        found |= dict.fromkeys(ahead, steps)
    return found


def steps_up(kind: str, order: str) -> dict[str, int]:
    """All stronger orderings, and how many steps lead to each."""
    below = {stronger: steps_down(kind, stronger).get(order) for stronger in _WEAKER[kind]}
    return {stronger: steps for stronger, steps in below.items() if steps is not None}


def is_at_most(kind: str, order: str, limit: str) -> bool:
    """Whether an ordering is the limit or weaker."""
    return order == limit or order in steps_down(kind, limit)
