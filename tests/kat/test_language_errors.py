"""Broken model files: the first line of each has the place of the error, the message and the cure."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.language.load import load_model, load_text
from mazurka.kat.meaning.parts import size

BROKEN = Path(__file__).parent / "broken"
EXPECTED = re.compile(
    r"// load error (?:(?P<file>[\w/-]+\.kat):)?(?P<line>\d+):(?P<column>\d+): (?P<message>.+)"
    r" \| (?P<hint>.+)"
)
FILES = [
    path for path in sorted(BROKEN.glob("*.kat")) if not path.read_text("utf-8").startswith("// plan error ")
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_broken_model(path: Path) -> None:
    expected = EXPECTED.match(path.read_text(encoding="utf-8"))
    assert expected is not None, (
        "the first line must say what is expected: // load error LINE:COLUMN: … | hint"
    )
    with pytest.raises(ModelError) as caught:
        load_model(path)
    error = caught.value
    assert error.place is not None
    assert Path(error.place.file).resolve() == (BROKEN / (expected["file"] or path.name)).resolve()
    assert (error.place.line, error.place.column) == (int(expected["line"]), int(expected["column"]))
    assert expected["message"] in error.message
    assert expected["hint"] in (error.hint or "")
    assert error.code == ErrorCode.BAD_MODEL


def test_the_caret_stands_under_the_name() -> None:
    with pytest.raises(ModelError) as caught:
        load_text("acyclic po\n\tlet x = rf | nothing-here ; co\n", "mine.kat")
    assert str(caught.value).splitlines()[:3] == [
        "mine.kat:2:15: error: unknown name 'nothing-here' [bad-model]",
        "    \tlet x = rf | nothing-here ; co",
        "    \t             ^^^^^^^^^^^^",
    ]


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"acyclic po\nlet \xff\xfe", 2, 5),
        (b"\x7fELF\x02\x01\x01\x00\x00", 1, 8),
        (b"acyclic po\n\n\x00", 3, 1),
    ],
)
def test_binary_file(data: bytes, line: int, column: int, tmp_path: Path) -> None:
    (tmp_path / "model.kat").write_bytes(data)
    with pytest.raises(ModelError) as caught:
        load_model(tmp_path / "model.kat")
    place = caught.value.place
    assert place is not None
    assert (place.line, place.column) == (line, column)
    assert "not a UTF-8 text file" in caught.value.message


def test_missing_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        load_model(tmp_path / "absent.kat")
    assert caught.value.code == ErrorCode.UNKNOWN_MODEL


def test_directory_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        load_model(tmp_path)
    assert caught.value.code == ErrorCode.UNKNOWN_MODEL


def test_a_name_of_two_included_files_is_ambiguous(tmp_path: Path) -> None:
    (tmp_path / "a.kat").write_text("let hb = po")
    (tmp_path / "b.kat").write_text("let hb = rf")
    (tmp_path / "main.kat").write_text('include "a.kat"\ninclude "b.kat"\nacyclic hb')
    with pytest.raises(ModelError, match="several included files") as caught:
        load_model(tmp_path / "main.kat")
    assert caught.value.hint == "write the one that you mean: a::hb or b::hb"
    assert str(caught.value.place).endswith("main.kat:3:9")


@pytest.mark.parametrize(
    "text",
    [
        "acyclic " + "(" * 5000 + "po" + ")" * 5000,
        "acyclic " + "[" * 5000,
        "acyclic " + " \\ ".join(["po"] * 5000),
        "acyclic po" + "?" * 5000,
        "acyclic " + "rot " * 5000 + "po",
        "let a0 = po\n" + "".join(f"let a{i + 1} = a{i} ; a{i}\n" for i in range(64)) + "acyclic a64",
        "let a0 = po\n" + "".join(f"let a{i + 1} = a{i}+\n" for i in range(5000)) + "acyclic a5000",
        "let a0 = W\n" + "".join(f"let a{i + 1} = a{i} | a{i}\n" for i in range(64)) + "acyclic a64",
    ],
    ids=["parentheses", "brackets", "difference", "postfix", "rot", "doubling", "deepening", "doubled test"],
)
def test_a_huge_expression_is_refused_quickly(text: str) -> None:
    with pytest.raises(ModelError, match=r"nested more than|too large"):
        load_text(text)


@pytest.mark.parametrize("operator", ["|", "&", ";"])
def test_many_operands_are_not_nesting(operator: str) -> None:
    model = load_text("acyclic " + f" {operator} ".join(["po"] * 5000))
    assert size(model.axioms[0].relation) == 9999


def failure(text: str) -> ModelError | None:
    try:
        load_text(text, require_axioms=False)
    except ModelError as error:
        return error
    return None


@pytest.mark.parametrize("cut", range(0, 200, 3))
def test_a_text_cut_anywhere_is_a_model_or_an_error(cut: int) -> None:
    text = (
        'model m "t" /* c */ let rec x = po;[W&R] | x;rf^-1 and y = id\nview v = x? assume total co\n'
        'disjoint R # W export error e unless po <= 0 acyclic (v | y)+ as n map load.sc "load.sc"'
    )
    assert len(text) < 200
    error = failure(text[:cut])
    assert error is None or (error.hint and error.place)


WORDS = r"""
include relation predicate disjoint let view rec and assume assert export acyclic irreflexive unless rot id
model cite as empty coherence map error warning extra total ppo
= <= | & \ ; * + ? ^-1 ^= ( ) [ ] 0 # . :: po rf co W R hb x y a::b "text" // /* */ store sc load.sc
"""


@given(st.lists(st.sampled_from(WORDS.split()), max_size=20))
def test_no_text_ends_in_anything_but_a_model_or_an_error(words: list[str]) -> None:
    error = failure(" ".join(words))
    assert error is None or (error.hint and error.place)


@given(st.text(max_size=30))
def test_no_characters_do_either(text: str) -> None:
    error = failure(text)
    assert error is None or (error.hint and error.place)
