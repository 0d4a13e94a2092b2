"""The table of programs that wait: each is verified without a bound, with the count that is known."""

from __future__ import annotations

from benchmarks.waiting import SHORT, WAITING, select, wait


def test_names_are_rows() -> None:
    names = [row.name for row in WAITING]
    assert len(set(names)) == len(names)
    assert set(SHORT) <= set(names)
    assert [row.name for row in select(["mcs-lock"], short=True)] == ["mcs-lock(3)"]


def test_a_row_has_the_thesis_s_complete_executions() -> None:
    (found,) = wait(select(["mcs-lock"], short=True), plain=False)
    assert found.reduced[0] == 66  # table 10.11
    assert found.plain is None
    assert found.gain is None
    assert found.row.gain == 7128 / (66 + 124)
