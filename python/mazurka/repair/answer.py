"""What a search found, as values that the command, its JSON and Python programs show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from mazurka.repair.accesses import unchangeable
from mazurka.repair.fixing import find_fix
from mazurka.repair.patch import Change, call_of, changes_of, unified
from mazurka.repair.trials import Finding, Trials
from mazurka.repair.tuning import find_weakest
from mazurka.repair.variants import Sources, Variant
from mazurka.repair.work import Work

if TYPE_CHECKING:
    from mazurka.checking.outcome import Outcome


class NeededOrder(NamedTuple):
    """An ordering that must stay, and what is wrong with one that is a step weaker."""

    file: str
    line: int
    call: str
    order: str
    weaker: str  # removed: without the fence
    finding: Finding


class Repair(NamedTuple):
    """The answer of ``fix`` and ``tune``."""

    result: str  # fix: fixed correct unfixed undecided; tune: weakened weakest wrong undecided
    before: Outcome
    after: Outcome | None = None  # of the changed program; its files are those of a temporary copy
    changes: tuple[Change, ...] = ()
    patch: str = ""
    texts: Mapping[str, str] = {}  # what the patch makes of each file that it changes, by absolute path
    needs: tuple[NeededOrder, ...] = ()  # why the orderings that are left are not weaker
    left: Finding | None = None  # what is wrong even with the strongest orderings
    fenced: bool = False  # whether these had fences around all accesses
    orderings: int = 0  # how many the program reaches
    variants: int = 0  # how many were checked
    unchangeable: str = ""  # which accesses may need another ordering, but have none that can be changed
    limit: str = ""  # why there is no answer, or why the search ended early

    def __hash__(self) -> int:
        return hash((self.result, self.before, self.after, self.patch))  # the texts are a dictionary

    def __repr__(self) -> str:
        return f"<Repair: {self.result}, changes: {len(self.changes)}, variants checked: {self.variants}>"


_OPEN = {"bounded": "a bound cut the exploration", "interrupted": "the exploration did not finish"}


def fixed(work: Work | Outcome) -> Repair:
    """Looks for stronger orderings. What has no violation is not changed."""
    outcome = work.outcome if isinstance(work, Work) else work
    if not isinstance(work, Work) or outcome.verdict != "violation":
        return Repair(
            "correct" if outcome.verdict == "verified" else "undecided", outcome, limit=_why(outcome)
        )
    found = find_fix(work.trials, work.reached, work.ranks)
    common = Repair("undecided", outcome, orderings=found.slots, variants=found.attempts, limit=found.limit)
    if found.variant is not None and found.trial is not None:
        after = found.trial.outcome
        return _changed(work.trials.sources, found.variant, common._replace(result="fixed", after=after))
    limit = found.limit or found.unchangeable
    left = None if limit else found.stays
    return common._replace(
        result="undecided" if limit else "unfixed",
        left=left,
        fenced=found.fenced,
        limit=limit,
        unchangeable=found.unchangeable,
    )


def tuned(work: Work | Outcome) -> Repair:
    """Looks for weaker orderings. Only what is right can be tuned."""
    outcome = work.outcome if isinstance(work, Work) else work
    if outcome.verdict == "violation":
        return Repair("wrong", outcome)
    if not isinstance(work, Work) or outcome.vacuous or outcome.verdict == "interrupted":
        why = "no execution runs to its end" if outcome.vacuous else _why(outcome)
        return Repair("undecided", outcome, limit=why)
    sources, found = work.trials.sources, find_weakest(work.trials, work.reached)
    result = "weakened" if found.variant.size else "undecided" if found.limit else "weakest"
    needs = tuple(
        NeededOrder(
            *sources.place(need.ref), call_of(sources, need.ref), need.order, need.weaker, need.finding
        )
        for need in found.needs
    )
    after = work.trials.run(found.variant).outcome
    stays = "" if needs or found.limit else _strong(work.trials, found.variant)
    common = Repair(result, outcome, after, needs=needs, variants=found.attempts, limit=found.limit)
    common = common._replace(orderings=len(work.reached.slots), unchangeable=stays)
    return _changed(sources, found.variant, common)


def _strong(trials: Trials, variant: Variant) -> str:
    """Which accesses are stronger than relaxed although no ordering is needed: it cannot be changed."""
    return unchangeable([one for one in trials.accesses(variant) if not one.is_weakest])


def _why(outcome: Outcome) -> str:
    return _OPEN.get(outcome.verdict, "")


def _changed(sources: Sources, variant: Variant, repair: Repair) -> Repair:
    texts = sources.changed(variant)
    patch, changes = unified(sources.texts, texts), tuple(changes_of(sources, variant))
    return repair._replace(changes=changes, patch=patch, texts=texts)
