"""Looks for stronger orderings, and for fences, with which a wrong program is right.

The strongest variant comes first: if it is wrong, no weaker one is tried. It shows that there is no fix only
if all accesses that lead to its violation are ``seq_cst``: those that a variable orders, say, stay.
Then come single orderings, by the number of steps by which they become stronger, then single fences, and
within each those first that the counterexample suggests. If no single change is enough, changes are taken
back from the strongest variant one by one, as far as it stays right. What is left is needed: without any one
of them, the program is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mazurka.repair.accesses import unchangeable
from mazurka.repair.fences import FencePoint, fence_points
from mazurka.repair.orders import steps_up
from mazurka.repair.reached import Ranks, Reached
from mazurka.repair.trials import Finding, LimitReached, Trial, Trials
from mazurka.repair.variants import SlotRef, Variant

_FENCES = ("acq_rel", "seq_cst")
STRONGEST = "seq_cst"


class Fix(NamedTuple):
    """What was found."""

    variant: Variant | None  # None: no fix
    trial: Trial | None  # of the variant
    attempts: int
    stays: Finding | None = None  # what is wrong with the strongest variant
    fenced: bool = False  # whether that one has fences
    limit: str = ""  # why the search ended early
    unchangeable: str = ""  # which accesses have no ordering that can be changed, and so may be too weak
    slots: int = 0  # how many orderings the program reaches


class _Search:
    def __init__(self, trials: Trials, reached: Reached, ranks: Ranks) -> None:
        self.trials, self.reached, self.ranks = trials, reached, ranks
        self.sources = trials.sources
        self.slots = sorted(reached.slots, key=lambda ref: self._rank(ref))
        self.points = sorted(self._points(), key=lambda point: ranks.of(self._lines_of(point)))

    def run(self) -> Fix:
        try:
            return self._run()
        except LimitReached as limit:
            return self._fix(None, limit=str(limit))

    def _run(self) -> Fix:
        strong, fenced = self._all_orders(), self._all_orders(self.points)
        trial = self.trials.run(strong)
        if trial.is_right:
            found = self._first((*self._single_orders(), *self._single_fences()))
            return self._fix(found or self._reduced(strong))
        with_fences = self.trials.run(fenced) if self.points else trial
        if with_fences.is_right:
            return self._fix(self._first(self._single_fences()) or self._reduced(fenced))
        if with_fences.has_violation:
            return self._wrong(fenced)._replace(fenced=bool(self.points))
        # Nothing is known about the strongest variant, so single changes are all that is tried.
        orders = () if trial.has_violation else self._single_orders()
        found = self._first((*orders, *self._single_fences()))
        if found is not None or not trial.has_violation:
            return self._fix(found, limit="" if found else f"all orderings at seq_cst: {trial.finding}")
        return self._wrong(strong)

    def _wrong(self, strongest: Variant) -> Fix:
        """There is no fix, unless something that leads to the violation could be stronger."""
        weak = [one for one in self.trials.accesses(strongest) if not one.is_strongest]
        finding = self.trials.run(strongest).finding
        return self._fix(None)._replace(stays=finding, unchangeable=unchangeable(weak))

    def _first(self, variants: Iterable[Variant]) -> Variant | None:
        """The first variant that is right."""
        right = (one for one in variants if self.trials.step(one, Variant()).is_right)
        return next(right, None)

    def _fix(self, variant: Variant | None, limit: str = "") -> Fix:
        trial = self.trials.run(variant) if variant is not None else None
        return Fix(variant, trial, self.trials.count, limit=limit, slots=len(self.slots))

    def _all_orders(self, points: Sequence[FencePoint] = ()) -> Variant:
        """The variant with all orderings at their strongest, and with fences at these points."""
        variant = Variant()
        for ref in self.slots:
            if self.sources.slot(ref).order != STRONGEST:
                variant = variant.with_order(ref, STRONGEST)
        for point in points:
            variant = variant.with_fence(point, STRONGEST)
        return variant

    def _single_orders(self) -> Iterator[Variant]:
        steps = [
            (count, self._rank(ref), Variant().with_order(ref, order))
            for ref in self.slots
            for order, count in steps_up(self.sources.slot(ref).kind, self.sources.slot(ref).order).items()
        ]
        return (variant for _, _, variant in sorted(steps, key=lambda step: step[:2]))

    def _single_fences(self) -> Iterator[Variant]:
        return (Variant().with_fence(point, order) for order in _FENCES for point in self.points)

    def _reduced(self, variant: Variant) -> Variant:
        """Takes back what is not needed, the least likely changes first."""
        for fence in reversed(variant.fences):
            without = variant._replace(fences=tuple(one for one in variant.fences if one != fence))
            if self.trials.run(without).is_right:
                variant = without
        for ref, _ in sorted(variant.orders, key=lambda changed: -self._rank(changed[0])):
            slot = self.sources.slot(ref)
            up = steps_up(slot.kind, slot.order)
            weaker = [None, *sorted(up, key=lambda order: up[order])]
            options = (variant.with_order(ref, order) for order in weaker)
            variant = next(
                option for option in options if option == variant or self.trials.run(option).is_right
            )
        return variant

    def _rank(self, ref: SlotRef) -> int:
        return self.ranks.of(self.reached.sites[ref.file, ref.site])

    def _points(self) -> Iterator[FencePoint]:
        for file, sites in self.sources.sites.items():
            reached = [site for number, site in enumerate(sites) if (file, number) in self.reached.sites]
            yield from fence_points(file, self.sources.texts[file], reached)

    def _lines_of(self, point: FencePoint) -> set[tuple[str, int]]:
        sites = enumerate(self.sources.sites[point.file])
        number = next(number for number, site in sites if site.start == point.call_start)
        return self.reached.sites[point.file, number]


def find_fix(trials: Trials, reached: Reached, ranks: Ranks) -> Fix:
    """Looks for the smallest change with which the program has no violation."""
    return _Search(trials, reached, ranks).run()
