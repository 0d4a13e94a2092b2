"""Which model is weaker than which: all pairs of some models, asked until the time is used up.

The easy questions come first, because answers imply others. For models a, b and c: if c allows all that a
allows, and a allows all that b allows, then c allows all that b allows. And if c allows all that a allows, an
execution that b allows and c forbids is also forbidden by a.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations

from mazurka.kat.meaning.show import show
from mazurka.kat.meaning.terms import Model
from mazurka.prover.deciding.decide import decide
from mazurka.prover.theory.answers import Proved, Refuted
from mazurka.prover.theory.queries import weaker

Pair = tuple[str, str]  # the model that may be weaker, and the other one
_SLICES = (1.0, 10.0, float("inf"))  # seconds for a question, before easier ones get their turn


@dataclass
class Lattice:
    """Models by name, and which of them are weaker than which; missing pairs are unknown."""

    names: tuple[str, ...]
    answers: dict[Pair, bool] = field(default_factory=dict)

    def open_pairs(self) -> list[Pair]:
        """The pairs without an answer."""
        return [pair for pair in permutations(self.names, 2) if pair not in self.answers]

    def learn(self, pair: Pair, answer: bool) -> None:
        """Records an answer, and everything that follows from it and the others."""
        self.answers[pair] = answer
        while True:
            found = {pair: known for pair in self.open_pairs() if (known := self._implied(*pair)) is not None}
            if not found:
                return
            self.answers |= found

    def _implied(self, weak: str, strong: str) -> bool | None:
        for name in self.names:
            known = self.answers.get
            if known((weak, name)) and known((name, strong)):
                return True
            # What `strong` allows and `name` forbids, `weak` forbids; what `name` allows, `strong` does.
            if known((name, strong)) is False and known((name, weak)):
                return False
            if known((weak, name)) is False and known((strong, name)):
                return False
        return None

    def groups(self) -> list[tuple[str, ...]]:
        """Groups of models that allow the same executions."""
        found: list[tuple[str, ...]] = []
        for name in self.names:
            if not any(name in group for group in found):
                same = (o for o in self.names if self.answers.get((name, o)) and self.answers.get((o, name)))
                found.append(tuple(dict.fromkeys((name, *same))))
        return found

    def covers(self) -> list[Pair]:
        """The pairs of a weaker and a stronger model with none between: the lines of a Hasse diagram."""
        firsts = [group[0] for group in self.groups()]
        return [
            (weak, strong)
            for weak, strong in permutations(firsts, 2)
            if self.answers.get((weak, strong))
            and not any(
                self.answers.get((weak, between)) and self.answers.get((between, strong))
                for between in firsts
                if between not in (weak, strong)
            )
        ]


def explore(lattice: Lattice, models: Mapping[str, Model], time_limit: float | None) -> Iterator[Pair]:
    """Asks about the pairs without an answer; yields each pair that was asked about."""
    deadline = float("inf") if time_limit is None else time.monotonic() + time_limit
    sizes = {name: _size(models[name]) for name in lattice.names}
    for most in _SLICES:
        for weak, strong in sorted(lattice.open_pairs(), key=lambda pair: sum(sizes[name] for name in pair)):
            left = min(most, deadline - time.monotonic())
            if left <= 0:
                return
            if (weak, strong) in lattice.answers:
                continue  # it has followed from another answer in the meantime
            answer = _is_weaker(models[weak], models[strong], None if left == float("inf") else left)
            if answer is not None:
                lattice.learn((weak, strong), answer)
            yield weak, strong


def _size(model: Model) -> int:
    """The length of a model's axioms and views as text: a guess at how hard questions about it are."""
    return sum(
        len(show(term)) for term in (*(axiom.relation for axiom in model.axioms), *model.views.values())
    )


def _is_weaker(weak: Model, strong: Model, time_limit: float | None) -> bool | None:
    """Whether all axioms follow; stops at the first that does not."""
    proved = True
    for query in weaker(weak, strong):
        answer = decide(query, time_limit=time_limit, allow_unused=True)
        if isinstance(answer, Refuted):
            return False
        proved = proved and isinstance(answer, Proved)
    return True if proved else None
