"""Names that look like one that nobody knows: every "did you mean" is asked here.

I1: ``difflib`` is loaded only when an error is reported: a check that goes well does not need it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_ALIKE = 0.65  # of two names that may be one, mistyped: 1 is the same


def did_you_mean(name: str, known: Iterable[str], *, most: int = 1) -> str | None:
    """A question after the known names that look like this one; None if none does."""
    from difflib import get_close_matches  # late (I1)

    names = {one.lower(): one for one in sorted(set(known), reverse=True)}
    close = get_close_matches(name.lower(), sorted(names), n=most, cutoff=_ALIKE)
    return f"did you mean {' or '.join(repr(names[one]) for one in close)}?" if close else None


def hint_about(name: str, known: Iterable[str], otherwise: str, *, most: int = 1) -> str:
    """A cure for an unknown name: the names that look like it, if any, and then what else to do."""
    near = did_you_mean(name, known, most=most)
    return f"{near} {otherwise}" if near else otherwise
