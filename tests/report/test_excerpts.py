"""Lines with carets: the caret is under its column, and a long line is cut around it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from mazurka.excerpts import WIDEST, excerpt


@given(st.integers(1, 3 * WIDEST), st.data())
def test_the_carets_stand_under_the_part(size: int, data: st.DataObject) -> None:
    column = data.draw(st.integers(1, size))
    length = data.draw(st.integers(1, size - column + 1))
    line = "." * (column - 1) + "x" * length + "." * (size - column - length + 1)
    shown, carets = excerpt(line, column, length)
    assert len(shown) == min(size, WIDEST)
    marked = {character for character, caret in zip(shown, carets, strict=False) if caret == "^"}
    assert marked <= {"x", "…"}
    assert "x" in marked
    assert (len(carets.strip()) == length) or (carets.endswith("^") and len(carets) == WIDEST)
    assert ("…" in shown) == (size > WIDEST)


def test_the_end_of_a_line_has_a_place() -> None:
    assert excerpt("\tassert", 8) == ("\tassert", "\t      ^")
