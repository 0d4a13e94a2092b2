"""The tables of accesses of several sizes: counts that are known, and no difference byte by byte."""

from __future__ import annotations

import itertools
import math

import pytest
from mazurka.frontend import compile_program
from mazurka.kat.language.load import named_model
from mazurka.reference import consistency
from mazurka.reference.mixing.mixer import verify_mixed
from profiles import heavy

from benchmarks.sizes import forced, lockref, naive, tables


def test_names_are_unique() -> None:
    names = [row.name for row in tables.everything()]
    assert len(set(names)) == len(names)
    assert {*naive.SHORT, *forced.SHORT} <= set(names)


def test_names_select_rows_of_all_tables() -> None:
    assert [row.name for row in tables.select(["mcs-lock(4)"], short=True).rows] == ["mcs-lock(4)"]
    assert len(tables.select(["lockref"], short=False).lockrefs) == 3
    assert not tables.select(["no such row"], short=False)


def test_programs_of_one_size_have_the_same_executions() -> None:
    """More locations in some graphs than in others: what is reused must be empty."""
    (found,) = forced.force(forced.select(["mcs-lock(4)"], short=True), repetitions=1)
    assert found.executions == 1080 + 1944  # without load annotations (benchmarks/README.md)


def test_lockref() -> None:
    (two,) = lockref.explore(lockref.select(["lockref(2)"], short=True))
    assert two.complete == two.paper


def counted_by_hand(threads: int) -> int:
    """The executions of lockref, from what its states can be and without any graph.

    The writes to the word are in one order: threads hold the lock or swap one after the other. What is left
    open is which states a thread saw before its own write: first any one, then, at each swap that fails, a
    later one of another value. Seeing the lock taken ends this, and so does a swap that succeeds.
    """
    getters, total = range(1, threads), 0
    for order in itertools.permutations(range(threads)):
        for swaps in itertools.product((False, True), repeat=threads - 1):
            states, seen, count = [(0, 0)], {}, 0
            for thread in order:
                seen[thread] = list(states)
                if thread == 0:
                    states += [(1, count), (0, count)]
                elif swaps[thread - 1]:
                    states += [(0, count + 1)]
                else:
                    states += [(1, count), (1, count + 1), (0, count + 1)]
                count += thread > 0
            total += math.prod(ways(seen[thread], swaps[thread - 1]) for thread in getters)
    return total


def ways(states: list[tuple[int, int]], swaps: bool) -> int:
    """In how many ways a thread can come to swap the last state, or to take the lock."""
    after = [0] * len(states)
    for place in reversed(range(len(states))):
        later = sum(after[other] for other in range(place, len(states)) if states[other] != states[place])
        succeeds = swaps and states[place] == states[-1]
        after[place] = int(not swaps) if states[place][0] else later + succeeds
    return sum(after)


def test_lockref_counted_by_hand() -> None:
    """A word whose accesses are never torn has these executions, and not the paper's 142 and 27192."""
    assert [counted_by_hand(row.threads) for row in lockref.EXPECTED] == [5, 84, 4776]
    assert [row.complete for row in lockref.EXPECTED] == [5, 84, 4776]


@heavy
def test_lockref_as_the_reference_counts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The paper's count for three threads, 142, is neither that of our client nor that of torn accesses.

    The axioms of the paper's model, as printed, allow a load to see a part of a write.
    """
    program, model = compile_program(lockref.PROGRAM, cflags=["-DN=3"]), named_model(lockref.MODEL)
    assert len(verify_mixed(program, model).complete) == lockref.EXPECTED[1].complete
    monkeypatch.setattr(consistency, "is_untorn", lambda graph: True)
    assert len(verify_mixed(program, model).complete) == 122


def test_single_bytes() -> None:
    """A word of 4 bytes that is written once and read once: whole, or each byte old or new."""
    (found,) = naive.compare(naive.select(["words(1,1,4)"], short=True))
    assert found.naive is not None
    assert (found.mixer.executions, found.naive.executions) == (2, 2**4)
    assert "Rrlx x[0:3]" in found.shape.whole
    assert "Rrlx x[0]; Rrlx x[1]; Rrlx x[2]; Rrlx x[3]" in found.shape.bytes
