"""Files of claims that cannot be used: the place, the line with carets, and the cure."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.errors import ErrorCode, ModelError
from mazurka.prover import Unknown, load_claims, prove_file

# The text, the line and column of the error, what the carets stand under, words of the message and the cure.
BROKEN = {
    "a misspelt name": ("assert po <= po-lok", 1, 14, "po-lok", "unknown name 'po-lok'", "'po-loc'"),
    "an unknown predicate": ("assert [Z] <= id", 1, 9, "Z", "unknown name 'Z'", "declare it"),
    "an unknown order": (
        "assume total line\nassert po <= po",
        1,
        14,
        "line",
        "unknown name 'line'",
        "declare it",
    ),
    "no comparison": ("assert po ; rf", 1, 15, "", "expected '<=' or '='", "e <= f"),
    "no right side": ("assert po <=", 1, 13, "", "expected an expression", "an expression begins with"),
    "no claim": ("let x = po\nassert", 2, 7, "", "expected an expression", "an expression begins with"),
    "two comparisons": ("assert po <= po <= po", 1, 17, "<=", "expected a statement", "assert, assume"),
    "an open bracket": ("assert [R ; po", 1, 15, "", "expected an operator or ']'", "column 8 is unclosed"),
    "an open parenthesis": ("assert (po <= rf", 1, 12, "<=", "expected an operator or ')'", "is unclosed"),
    "another sign": ("assert po ≤ rf", 1, 11, "≤", "unexpected character '≤'", "write <="),
    "an arrow": ("assert po => rf", 1, 12, ">", "unexpected character '>'", "write <="),
    "a semicolon at the end": ("assert po <= rf;", 1, 17, "", "after ';'", "no ';' at their end"),
    "totality asked for": ("assert total po", 1, 8, "total", "but not asserted", "assume total"),
    "a missing file": (
        'include "rc12.kat"\nassert po <= po',
        1,
        9,
        '"rc12.kat"',
        "no file 'rc12.kat'",
        "'rc11'",
    ),
    "an unknown statement": ("prove po <= po", 1, 1, "prove", "expected a statement", "assert"),
    "a relation as a test": ("assert [po] <= id", 1, 9, "po", "", ""),
    "recursion on both sides": (
        *("let rec x = po | x ; rf ; x\nassert x <= po", 1, 27, "x"),
        *("is not linear", "once, at the end of a composition"),
    ),
}


def error_of(text: str, directory: Path) -> ModelError:
    path = directory / "mine.kat"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        load_claims(path)
    assert caught.value.code == ErrorCode.BAD_MODEL
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "column", "marked", "message", "cure"), BROKEN.values(), ids=BROKEN.keys()
)
def test_the_error_says_where_and_what_to_do(
    text: str, line: int, column: int, marked: str, message: str, cure: str, tmp_path: Path
) -> None:
    error = error_of(text, tmp_path)
    assert error.place is not None
    assert (error.place.line, error.place.column) == (line, column)
    assert message in error.message
    assert cure in (error.hint or "")
    assert error.snippet is not None
    source, carets = error.snippet.splitlines()
    assert source == "    " + text.splitlines()[line - 1]
    assert carets == " " * (4 + column - 1) + "^" * max(1, len(marked))


def test_an_error_in_an_included_file_is_shown_there(tmp_path: Path) -> None:
    (tmp_path / "parts.kat").write_text("let x = po\nlet y = pox\n", encoding="utf-8")
    error = error_of('include "parts.kat"\nassert x <= x', tmp_path)
    assert error.place is not None
    assert Path(error.place.file).name == "parts.kat"
    assert (error.place.line, error.place.column) == (2, 9)
    assert error.snippet == "    let y = pox\n            ^^^"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        load_claims(tmp_path / "nowhere.kat")
    assert "nowhere.kat" in str(caught.value)
    assert caught.value.hint


def test_what_is_not_understood_of_a_claim_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "mine.kat"
    path.write_text("assume total rf | co\nassert po <= po\n", encoding="utf-8")
    (answer,) = prove_file(path)
    assert isinstance(answer, Unknown)
    assert answer.span is not None
    assert (answer.span.line, answer.span.column) == (1, 1)
