"""A question to the prover that only a limit ends."""

from __future__ import annotations

HALF = 30


def endless_question() -> str:
    """A claim that fails only for words whose two halves are the same.

    The larger side has the words with two different letters at the distance of half a word, so that a search
    has to know the letters of the first half: there are ``2 ** HALF`` of them.
    """
    step = ["(r | s)"]
    between = " ; ".join(step * (HALF - 1))
    different = (f"(r | s)* ; {one} ; {between} ; {other} ; (r | s)*" for one, other in ("rs", "sr"))
    return f"relation r relation s\nassert {' ; '.join(step * (2 * HALF))} <= {' | '.join(different)}\n"
