"""The cycles that the assumptions of a query forbid, and those that follow from them.

Irreflexive relations forbid their cycles. If coherence is known to hold, what it forbids is known in closed
form (``coherence``); otherwise the consequences of locations and of the totality of co are searched for
(``totality``). With more effort, wider relations are shown to be irreflexive, too, and orders are used.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka._engine import Guard, Nfa, Saturated
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.facts import ACROSS, HALVES, IRREFLEXIVE, ONE_LOCATION, WHOLE
from mazurka.prover.deciding.assumptions import RewriteRule
from mazurka.prover.deciding.hypotheses import Hypotheses
from mazurka.prover.deciding.totality import one_location_cycles, order_rules, within_order
from mazurka.prover.theory.alphabet import edges_of
from mazurka.prover.theory.coherence import cycles_against_coherence

EFFORTS = 2  # levels of effort: without and with lemmas and totality
_ABOUT_LOCATIONS = ONE_LOCATION | {"po"}


class Forbidden:
    """The forbidden cycles of a query, as automata over the current letters."""

    def __init__(self, known: Hypotheses) -> None:
        self._known = known
        self._kernel, self._alphabet = known.kernel, known.alphabet
        self._forbidden: dict[tuple[int, int], Saturated] = {}

    def cycles(self, effort: int) -> Saturated:
        """The forbidden cycles: those of irreflexive relations and, with effort, those that follow."""
        # Consequences of locations and orders are found with these letters, even if no word of the claim has
        # them.
        for name in ("po-loc", "co", *self._known.orders):
            self._alphabet.add_letters(name)
        # Letters may have been added since, and with them more can be forbidden.
        key = (effort, len(self._alphabet.letters))
        if key not in self._forbidden:
            self._forbidden[key] = self._all_forbidden(effort)
        return self._forbidden[key]

    def _all_forbidden(self, effort: int) -> Saturated:
        bases = self._irreflexive_bases()
        rules: list[RewriteRule] = []
        if self._known.coherent:
            right = self._forbidden_if_coherent(bases, effort)
        else:
            # Consequences of locations are searched for only where nothing else plays a part.
            inside = [nfa for nfa in self._known.irreflexive if _is_about_locations(nfa)]
            local = self._known.saturated(*inside, *bases)
            rules += self._order_rules(local, "co", *self._alphabet.domain(("co", False))) if effort else []
            right = self._known.saturated(
                *self._known.irreflexive, *bases, one_location_cycles(local, self._alphabet)
            )
        if effort:
            for name, test in self._known.orders.items():
                ordered = self._known.events.mask(test) & self._alphabet.alive
                rules += self._order_rules(right, name, ordered, ordered)
        return self._kernel.saturate_once(right, rules) if rules else right

    def _forbidden_if_coherent(self, bases: list[Nfa], effort: int) -> Saturated:
        builder = self._known.builder(above=False)
        cycles = [builder.build(term) for term in cycles_against_coherence()]
        parts = self._known.irreflexive
        wider = []
        for number, part in enumerate(self._known.short_forms if effort else ()):
            for external, wide in self._widened(part):
                left = self._known.smaller(wide)
                self._kernel.add_letters(left)
                key = (self._known.identity, number, external, frozenset(e.label for e in edges_of(wide)))
                wider.append((key, wide, left))
        right = self._known.saturated(*parts, *bases, known=cycles)
        for key, _, left in wider:
            if key not in self._known.shown:
                self._known.shown[key] = self._known.all_cycles(left, right)
        lemmas = [wide for key, wide, _ in wider if self._known.shown[key]]
        return self._known.saturated(*parts, *lemmas, *bases, known=cycles) if lemmas else right

    def _widened(self, part: Nfa) -> Iterator[tuple[str, Nfa]]:
        """An irreflexive relation with all of fr (or co) instead of only the external half.

        If that is irreflexive, too, words that may or may not leave a thread are forbidden.
        """
        edges = [e for e in edges_of(part) if self._alphabet.has_words(e.label)]
        for external in ("fre", "coe"):
            half, whole = (external, False), (WHOLE[external], False)
            if any(e.label == half for e in edges):
                wide = [e._replace(label=whole) if e.label == half else e for e in edges]
                yield (
                    external,
                    self._kernel.reduced(self._kernel.nfa(part.states, wide, part.nullable)),
                )

    def _order_rules(self, right: Saturated, name: str, before: Guard, after: Guard) -> list[RewriteRule]:
        """What follows from forbidden cycles because an order is total between some events."""
        within = within_order(right, self._alphabet, name, before, after, one_location=name == "co")
        return order_rules(self._alphabet, name, within, before, after) if within.has_edges else []

    def _irreflexive_bases(self) -> list[Nfa]:
        builder = self._known.builder(above=False)
        names = (
            {WHOLE.get(name, name) for name in self._known.names & IRREFLEXIVE}
            | {"po", "co"}
            | self._known.orders.keys()
        )
        alone = [terms.Base(name) for name in sorted(names)]
        return [builder.build(term) for term in (*alone, *self._there_and_back())]

    def _there_and_back(self) -> list[terms.Relation]:
        """A step to another thread and one within a thread, which together are no cycle."""
        halves = HALVES.values()
        away = sorted(self._known.names & {external for external, _ in halves} - {ACROSS})
        within = {internal for _, internal in halves} | {"rmw", "addr", "data"}
        return [terms.Sequence(terms.Base(out), terms.Base(back)) for out in away for back in sorted(within)]


def _is_about_locations(nfa: Nfa) -> bool:
    return all(e.label[0] in _ABOUT_LOCATIONS for e in edges_of(nfa))
