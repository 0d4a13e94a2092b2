"""What a proof rests on: which of its assumptions it needs, and whether executions satisfy them.

Assumptions are left out, and the claim proved again: half of them at a time, then half of what is left
(QuickXplain, Junker 2004). Of several sufficient sets it finds one in which every assumption is needed, and
prefers assumptions that come first.
I1: the needed assumptions prove the claim. I2: the work is bounded by the size of the proof itself, not by
the clock, so the answer is the same each time; if the work was not enough, ``exact`` is false.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mazurka._engine import OutOfMemory, OutOfTime
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.meaning.terms import Inclusion, Statement
from mazurka.prover.deciding.decide import is_proved
from mazurka.prover.deciding.hypotheses import Hypotheses
from mazurka.prover.refuting.refute import Path
from mazurka.prover.theory.answers import Proved
from mazurka.prover.theory.limits import Limits
from mazurka.prover.theory.queries import Query

MOST_TRIES = 24
MOST_WORK = 40_000  # of all tries together, in units of ``Proved.size``
_ANYTHING = Inclusion(terms.Identity(), terms.Empty())  # a claim that every execution with an event violates
_EVENTS = ("W.rlx.store", "R.rlx.load", "F.sc", "W.sc.store", "R.sc.load", "W.na.store", "R.na.load")


def with_support(query: Query, proof: Proved, limits: Limits) -> Proved:
    """The proof, with the assumptions that it needs, and whether some execution satisfies all assumptions."""
    if not query.theory.assumptions:
        return replace(proof, exact=True, satisfiable=True)
    given = [s for s in query.theory.assumptions if s.span in proof.assumptions]
    search = _Search(query, limits, min(MOST_TRIES, MOST_WORK // max(proof.size, 1)))
    try:
        proof = replace(proof, satisfiable=_is_satisfiable(query, limits))
        needed = search.needed(given)
    except (OutOfTime, OutOfMemory, _Enough):
        return proof
    spans = tuple(dict.fromkeys(statement.span for statement in needed))
    return replace(proof, assumptions=spans, exact=True)


class _Enough(Exception):  # noqa: N818 - ends a search
    pass


class _Search:
    def __init__(self, query: Query, limits: Limits, tries: int) -> None:
        self._query, self._limits, self._tries = query, limits, tries

    def needed(self, given: Sequence[Statement]) -> list[Statement]:
        """Assumptions of which none can be left out (I1)."""
        return [] if self._suffices([]) else self._part([], [], list(given))

    def _part(self, kept: list[Statement], new: list[Statement], others: list[Statement]) -> list[Statement]:
        """The needed ones among some, in addition to the kept ones; ``new`` ones were added to these last."""
        if new and self._suffices(kept):
            return []
        if len(others) == 1:
            return others
        half = len(others) // 2
        first, second = others[:half], others[half:]
        late = self._part([*kept, *first], first, second)
        early = self._part([*kept, *late], late, first)
        return [*early, *late]

    def _suffices(self, statements: list[Statement]) -> bool:
        if not self._tries:
            raise _Enough
        self._tries -= 1
        kept = tuple(s for s in self._query.theory.assumptions if s in statements)
        theory = replace(self._query.theory, assumptions=kept)
        return is_proved(replace(self._query, theory=theory), self._limits)


def _is_satisfiable(query: Query, limits: Limits) -> bool:
    """Whether some small execution with an event satisfies the assumptions."""
    known = Hypotheses(query, limits)
    known.refuter.errors = None
    for name in (*_EVENTS, *CLASSES):
        alive = known.events.of_classes(1 << CLASSES.index(name)) & known.alphabet.alive
        if alive:
            path = Path((), (known.events.kind(alive.example()),), cyclic=False)
            if known.refuter.graph(path, _ANYTHING) is not None:
                return True
    return False
