"""Steps from and to read-modify-writes, split on the smaller side of an inclusion.

The two events of a read-modify-write are adjacent in their thread, and its write comes directly after the one
it reads from in co. So a path along po from its read passes through its write, a path along po to its write
passes through its read, and every event that its read is fr-before is its write or comes after that in co.
These are equalities: words with such steps split denote the same relation, and facts about rmw apply to them.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka._engine import Nfa
from mazurka.kat.meaning.classes import EXCLUSIVE_READS, EXCLUSIVE_WRITES
from mazurka.kat.meaning.facts import ACROSS, WITHIN, Label
from mazurka.prover.theory.alphabet import NfaStep, edges_of
from mazurka.prover.theory.events import Events

_ALONG_PO = frozenset(("po", "po-loc", WITHIN, ACROSS))
_AFTER_A_READ = {"fr": "co", "fre": "coe", "fri": "coi"}
_RMW: Label = ("rmw", False)


def with_updates_split(nfa: Nfa, events: Events) -> Nfa:
    """The automaton with its steps from and to read-modify-writes split."""
    edges: list[NfaStep] = []
    split = _Split(nfa.states, events)
    for edge in edges_of(nfa):
        edges += _reversed(split.steps(_reversed([edge])[0])) if edge.label[1] else split.steps(edge)
    return events.kernel.reduced(events.kernel.nfa(split.states, edges, nfa.nullable))


def _reversed(edges: list[NfaStep]) -> list[NfaStep]:
    return [NfaStep(e.target, (e.label[0], not e.label[1]), e.source, e.after, e.before) for e in edges]


class _Split:
    def __init__(self, states: int, events: Events) -> None:
        self.states = states
        self.reads, self.writes = events.of_classes(EXCLUSIVE_READS), events.of_classes(EXCLUSIVE_WRITES)

    def steps(self, e: NfaStep) -> list[NfaStep]:
        """The step itself, or steps that together mean the same."""
        name = e.label[0]
        if name in _ALONG_PO:
            return list(self._along_po(e))
        if name in _AFTER_A_READ:
            return list(self._after_a_read(e, _AFTER_A_READ[name]))
        return [e]

    def _state(self) -> int:
        self.states += 1
        return self.states - 1

    def _along_po(self, e: NfaStep) -> Iterator[NfaStep]:
        """``po = [~UR] ; po ; [~UW] | rmw | [~UR] ; po ; rmw | rmw ; po ; [~UW] | rmw ; po ; rmw``."""
        reads, writes = e.before & self.reads, e.after & self.writes
        others, ends = e.before & ~self.reads, e.after & ~self.writes
        yield e._replace(before=others, after=ends)
        if e.label[0] != ACROSS:
            yield NfaStep(e.source, _RMW, e.target, reads, writes)
        written, read = self._state(), self._state()
        yield NfaStep(e.source, _RMW, written, reads, self.writes)
        yield NfaStep(written, e.label, e.target, self.writes, ends)
        yield NfaStep(written, e.label, read, self.writes, self.reads)
        yield NfaStep(e.source, e.label, read, others, self.reads)
        yield NfaStep(read, _RMW, e.target, self.reads, writes)

    def _after_a_read(self, e: NfaStep, order: str) -> Iterator[NfaStep]:
        """``[UR] ; fr = rmw | rmw ; co``; for ``fre`` the write of the same thread is excluded."""
        reads = e.before & self.reads
        yield e._replace(before=e.before & ~self.reads)
        if e.label[0] != "fre":
            yield NfaStep(e.source, _RMW, e.target, reads, e.after & self.writes)
        written = self._state()
        yield NfaStep(e.source, _RMW, written, reads, self.writes)
        yield NfaStep(written, (order, False), e.target, self.writes, e.after)
