"""Cycles: which cyclic words an assumed irreflexive relation forbids (thesis §3.5, Prop. 8-11).

A cyclic word is forbidden if one of its rotations, or of its powers' rotations, is a word of the relation.
Instead of building the rotational closure, the automaton is bent into a ring (its end is its start, one
round later), and a cyclic word is forbidden if it leads from some state round to the same state.
Departs 1: not all states are tried at once. The search starts with the start alone, and takes in another
one when a word that was found turns out to be forbidden from there; so the sets that it keeps stay small.
Departs 2: deduplication is found in the same way: ``w`` leads from p to q and from q to p, going round
once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from mazurka.kat.automata import reachable
from mazurka.prover.alphabet import Arc
from mazurka.prover.automata import END, START
from mazurka.prover.rings import node as place
from mazurka.prover.search import Letter, Steps

_Chain = tuple[tuple[int, int], ...]  # nodes p to q, q to r, … each by one round of the word


class Ring:
    """An automaton bent into a ring; nodes are numbered by ``rings.node``."""

    def __init__(self, arcs: Iterable[Arc], states: int, everything: int) -> None:
        self.everything = everything
        self.nodes = 2 * states
        self.arcs: list[Arc] = []
        for arc in arcs:
            for rounds in (0, 1):
                source, target = place(arc.source, rounds), place(arc.target, rounds)
                if (arc.source == END and rounds) or (arc.target == END and rounds):
                    continue  # round twice
                self.arcs.append(arc._replace(source=source, target=target))
        self._steps = Steps(self.arcs, everything)

    def closing(self, word: tuple[Letter, ...]) -> _Chain | None:
        """How a cyclic word leads round: by one round of the word if it can be, else by several."""
        reached = {node: self._walk(1 << node, word) for node in range(0, self.nodes, 2)}
        for node, states in reached.items():
            if states >> (node + 1) & 1:
                return ((node, node + 1),)
        return _longer(reached)

    def _walk(self, states: int, word: tuple[Letter, ...]) -> int:
        for step in word:
            for firsts, seconds in self._steps.after(states, step.letter):
                if firsts & step.before:
                    states = next(found for second, found in seconds if second & step.after)
                    break
            if not states:
                return 0
        return states


def _longer(reached: dict[int, int]) -> _Chain | None:
    """A chain of nodes that leads round by several rounds of the word."""
    best: _Chain | None = None
    for node in reached:
        paths: dict[int, _Chain] = {node: ()}
        waiting = [node]
        for at in waiting:  # which grows meanwhile
            rounds = at & 1
            states = reached[at - rounds]
            while states:
                lowest = states & -states
                states ^= lowest
                arrived = lowest.bit_length() - 1
                if rounds and arrived & 1:
                    continue
                target = arrived | rounds
                if target not in paths:
                    paths[target] = (*paths[at], (at - rounds, arrived))
                    waiting.append(target)
        found = paths.get(node + 1)
        if found is not None and (best is None or len(found) < len(best)):
            best = found
    return best


@dataclass
class Tried:
    """The nodes from which a search follows the ring, and what it takes to have come round."""

    ring: Ring
    starts: list[int] = field(default_factory=lambda: [2 * START])
    chains: list[_Chain] = field(default_factory=lambda: [((2 * START, 2 * START + 1),)])

    def add(self, chain: _Chain) -> None:
        """Takes in the nodes of a chain."""
        self.starts += [p for p in dict.fromkeys(p for p, _ in chain) if p not in self.starts]
        self.chains.append(chain)

    def product(self) -> tuple[Steps, int, list[int]]:
        """A copy of the ring for each start: its steps, the starting states, and what must be reached."""
        needed = {
            start: {q for chain in self.chains for p, q in chain if p == start} for start in self.starts
        }
        numbers: dict[tuple[int, int], int] = {}
        arcs: list[Arc] = []
        for start in self.starts:
            kept = self._between(start, needed[start])
            for node in sorted(kept | {start} | needed[start]):
                numbers[start, node] = len(numbers)
            arcs += [
                a._replace(source=numbers[start, a.source], target=numbers[start, a.target])
                for a in self.ring.arcs
                if a.source in kept and a.target in kept
            ]
        initial = sum(1 << numbers[start, start] for start in self.starts)
        accepting = []
        for chain in self.chains:
            bits = 0
            for p, q in chain:
                bits |= 1 << numbers[p, q]
            accepting.append(bits)
        return Steps(arcs, self.ring.everything), initial, accepting

    def _between(self, start: int, ends: set[int]) -> set[int]:
        """The nodes on a way from a start to one of some ends."""
        pairs = [(arc.source, arc.target) for arc in self.ring.arcs]
        return reachable({start}, pairs) & reachable(ends, [(b, a) for a, b in pairs])
