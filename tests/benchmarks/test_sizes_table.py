"""The tables of accesses of several sizes: counts that are known, and no difference byte by byte."""

from __future__ import annotations

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


def test_single_bytes() -> None:
    """A word of 4 bytes that is written once and read once: whole, or each byte old or new."""
    (found,) = naive.compare(naive.select(["words(1,1,4)"], short=True))
    assert found.naive is not None
    assert (found.mixer.executions, found.naive.executions) == (2, 2**4)
    assert "Rrlx x[0:3]" in found.shape.whole
    assert "Rrlx x[0]; Rrlx x[1]; Rrlx x[2]; Rrlx x[3]" in found.shape.bytes
