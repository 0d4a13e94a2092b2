"""All well-formed execution graphs of a few events, up to the names of threads and locations.

A graph is what docs/reference/models.md describes: threads are sequences of events, each read reads a write
of its location or the initial one but no later one of its thread, co is any order of each location's writes
after the initial one, the two events of a read-modify-write stand next to each other, and a created thread
stands after its creation and before a join of it. No axiom of any model is asked for, nor that
read-modify-writes are atomic. The prover is not used.
A shape has the choices of who reads what and of the order of writes; all combinations of them are graphs.
I1: events are numbered thread by thread, then come the initial writes in the order of the locations.
I2: each graph with at most MOST_NAMING creations and joins is there at least once, whatever its threads and
locations are called.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations, product
from typing import TypeAlias

READ, WRITE, FENCE, UPDATE_READ, UPDATE_WRITE, CREATE, JOIN = "RWFrwCJ"
ACCESSES = "RWrw"
READS, WRITES = "Rr", "Ww"
MOST_NAMING = 2
Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Shape:
    """What stands in each thread, which location each event accesses (-1: none), and program order."""

    kinds: str
    threads: tuple[int, ...]
    locations: tuple[int, ...]
    po: frozenset[Pair]
    children: tuple[Pair, ...]  # creations, joins: the event and the thread that it names

    @property
    def places(self) -> int:
        """The number of locations."""
        return max(self.locations, default=-1) + 1

    def readings(self) -> list[tuple[Pair, ...]]:
        """The choices of rf: each read reads a write of its location, but no later one of its own thread."""
        return list(product(*(self._sources(e) for e, kind in enumerate(self.kinds) if kind in READS)))

    def _sources(self, read: int) -> list[Pair]:
        writes = [e for e in self._writes(self.locations[read]) if not self._is_earlier(read, e)]
        return [(write, read) for write in (*writes, len(self.kinds) + self.locations[read])]

    def _writes(self, place: int) -> list[int]:
        return [e for e, kind in enumerate(self.kinds) if kind in WRITES and self.locations[e] == place]

    def _is_earlier(self, one: int, two: int) -> bool:
        return self.threads[one] == self.threads[two] and one < two

    def orders(self) -> list[tuple[Pair, ...]]:
        """The choices of co: any order of each location's writes, after the initial one."""
        first = len(self.kinds)
        lines = [
            [tuple(combinations((first + place, *line), 2)) for line in permutations(self._writes(place))]
            for place in range(self.places)
        ]
        return [tuple(pair for pairs in chosen for pair in pairs) for chosen in product(*lines)]


def shapes(size: int, kinds: str) -> Iterator[Shape]:
    """Threads, locations and program orders of so many events."""
    for sizes in _partitions(size, size):
        threads = tuple(number for number, length in enumerate(sizes) for _ in range(length))
        for word in _words(sizes, kinds):
            for po, children in _program_orders(word, threads, len(sizes)):
                for locations in _locations(word):
                    yield Shape(word, threads, locations, po, children)


def _partitions(total: int, most: int) -> Iterator[tuple[int, ...]]:
    """Sizes of threads, the longest first."""
    if total == 0:
        yield ()
    for first in range(min(total, most), 0, -1):
        for rest in _partitions(total - first, first):
            yield (first, *rest)


def _words(sizes: tuple[int, ...], kinds: str) -> Iterator[str]:
    """The kinds of the events of all threads; threads of one size in alphabetic order."""
    of_size = {
        size: [word for word in map("".join, product(kinds, repeat=size)) if _paired(word)] for size in sizes
    }
    for words in product(*(of_size[size] for size in sizes)):
        word = "".join(words)
        sorted_words = all(len(a) > len(b) or a <= b for a, b in pairwise(words))
        if sorted_words and word.count(CREATE) + word.count(JOIN) <= MOST_NAMING:
            yield word


def _paired(word: str) -> bool:
    """Whether the events of read-modify-writes stand in pairs."""
    for number, kind in enumerate(word):
        if kind == UPDATE_WRITE and (number == 0 or word[number - 1] != UPDATE_READ):
            return False
        if kind == UPDATE_READ and word[number + 1 : number + 2] != UPDATE_WRITE:
            return False
    return True


def _locations(word: str) -> Iterator[tuple[int, ...]]:
    """Ways to share locations, numbered in the order of the accesses."""
    choices: list[tuple[int, ...]] = [()]
    for number, kind in enumerate(word):
        longer = []
        for chosen in choices:
            if kind not in ACCESSES:
                longer.append((*chosen, -1))
            elif kind == UPDATE_WRITE:
                longer.append((*chosen, chosen[number - 1]))
            else:
                longer += [(*chosen, place) for place in range(max(chosen, default=-1) + 2)]
        choices = longer
    yield from choices


def _program_orders(
    word: str, threads: tuple[int, ...], count: int
) -> Iterator[tuple[frozenset[Pair], tuple[Pair, ...]]]:
    """Program order, for each choice of the threads that creations and joins name."""
    within = {(a, b) for a, b in combinations(range(len(word)), 2) if threads[a] == threads[b]}
    naming = [number for number, kind in enumerate(word) if kind in (CREATE, JOIN)]
    if not naming:
        yield frozenset(within), ()
        return
    for named in product(range(-1, count), repeat=len(naming)):
        children = tuple((e, child) for e, child in zip(naming, named, strict=True) if child >= 0)
        created = [child for e, child in children if word[e] == CREATE]
        joined = [child for e, child in zip(naming, named, strict=True) if word[e] == JOIN]
        if len(created) > len(set(created)) or not set(joined) <= set(created):
            continue  # a thread is created once, and what is joined was created
        edges = set(within)
        for event, child in children:
            others = [e for e, thread in enumerate(threads) if thread == child]
            edges |= {(event, e) if word[event] == CREATE else (e, event) for e in others}
        po = _closure(edges, len(word))
        if all(a != b for a, b in po):
            yield frozenset(po), children


def _closure(edges: set[Pair], size: int) -> set[Pair]:
    for middle in range(size):
        before = {a for a, b in edges if b == middle}
        after = {b for a, b in edges if a == middle}
        edges = edges | set(product(before, after))
    return edges
