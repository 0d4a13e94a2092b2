"""Weakens the orderings of a right program, one at a time, as far as it stays right.

I1: the result was checked as a whole, and so was each variant of it in which one ordering is one step weaker:
these are wrong, and that is why the ordering is needed. It is a local minimum: there may be others.
I2: threads that only ``assume`` what they wait for may block for ever, and that is no violation. So if no
execution of the user's program blocks, then none of the result does.
"""

from __future__ import annotations

from typing import NamedTuple

from mazurka.repair.orders import one_weaker, steps_down
from mazurka.repair.reached import Reached
from mazurka.repair.trials import Finding, LimitReached, Trials
from mazurka.repair.variants import SlotRef, Variant


class Need(NamedTuple):
    """An ordering that must stay, and what happens with a weaker one."""

    ref: SlotRef
    order: str
    weaker: str
    finding: Finding


class Tuning(NamedTuple):
    """The weakest orderings that were found, and why they are not weaker."""

    variant: Variant
    needs: tuple[Need, ...]
    attempts: int
    limit: str = ""  # why the search ended early: then orderings may be stronger than needed


class _Search:
    def __init__(self, trials: Trials, reached: Reached) -> None:
        self.trials, self.sources = trials, trials.sources
        # Failures first: success and failure are one access, and C11 wants failure to be no stronger.
        self.slots = sorted(reached.slots, key=lambda ref: self.sources.slot(ref).role != "failure")
        self.variant = Variant()
        self.needs: list[Need] = []

    def run(self) -> Tuning:
        limit = ""
        try:
            for ref in self.slots:
                self._weaken(ref)
            while not self._explain():
                pass
        except LimitReached as reached:
            limit = str(reached)
        return Tuning(self.variant, tuple(self.needs), self.trials.count, limit)

    def _weaken(self, ref: SlotRef) -> None:
        """Gives a slot the weakest ordering with which the program is right."""
        kind = self.sources.slot(ref).kind
        down = steps_down(kind, self.sources.order(ref, self.variant))
        for order in sorted(down, key=lambda each: -down[each]):
            weaker = self._with(ref, order)
            if self._finding(weaker) is None:
                self.variant = weaker
                return

    def _explain(self) -> bool:
        """Finds what each ordering is needed for; False if one could be weakened after all."""
        self.needs = []
        for ref in sorted(self.slots):
            order = self.sources.order(ref, self.variant)
            for weaker in one_weaker(self.sources.slot(ref).kind, order):
                finding = self._finding(self._with(ref, weaker))
                if finding is None:
                    self.variant = self._with(ref, weaker)
                    return False
                self.needs.append(Need(ref, order, weaker, finding))
        return True

    def _finding(self, weaker: Variant) -> Finding | None:
        """Why a variant is not as good as the one so far (I2)."""
        trial = self.trials.step(weaker, self.variant)
        own = self.trials.run(Variant()).outcome
        if trial.is_right and trial.outcome and own and trial.outcome.blocked and not own.blocked:
            return Finding("executions block, which none did before", "", 0)
        return trial.finding

    def _with(self, ref: SlotRef, order: str) -> Variant:
        is_own = order == self.sources.slot(ref).order
        return self.variant.with_order(ref, None if is_own else order)


def find_weakest(trials: Trials, reached: Reached) -> Tuning:
    """Looks for the weakest orderings with which the program stays right."""
    return _Search(trials, reached).run()
