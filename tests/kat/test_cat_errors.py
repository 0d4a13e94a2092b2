"""Malformed ``.cat`` files: each gets its place, carets under what is wrong, a reason and a cure."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.cli import commands
from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.language.load import load_model, load_text

# Each function calls the one before. A call takes two of the hundred levels, and the first, in line 92, has
# level 1. So that in line 42 has level 101.
CALLS = "\n".join(
    ["let f0(r) = r", *(f"let f{n + 1}(r) = f{n}(r) | po" for n in range(90)), "acyclic f90(po)"]
)
# The text, the line and the column, the message, and the cure.
MALFORMED: list[tuple[str, str, int, int, str, str]] = [
    ("open comment", "acyclic po\n (* (* *) never ends", 2, 2, "this comment is not closed", "*)"),
    ("open string", 'include "cos.cat\nacyclic po', 1, 9, "this string is not closed", 'close it with "'),
    ("character", "acyclic po ∪ rf", 1, 12, "unexpected character '∪'", "write |"),
    ("minus", "acyclic po - rf", 1, 12, "unexpected character '-'", "write \\"),
    ("statement", "acylic po | rf", 1, 1, "expected a statement, found 'acylic'", "did you mean 'acyclic'?"),
    (
        "no statement",
        "acyclic po\n) let x = po",
        2,
        1,
        "expected a statement, found ')'",
        "begins with one of",
    ),
    ("lone end", "acyclic po\nend", 2, 1, "'end' is not supported", "it closes a procedure"),
    ("no expression", "acyclic po |\nlet x = po", 2, 1, "expected an expression, found 'let'", "begins with"),
    (
        "semicolon",
        "let x = po ;\nacyclic x",
        2,
        1,
        "expected an expression, found 'acyclic'",
        "no terminator",
    ),
    ("open bracket", "acyclic [W ; po", 1, 16, "expected an operator or ']'", "column 9 is unclosed"),
    ("no set", "acyclic [] ; po", 1, 9, "'[ ]' needs one set", "[_] is every event"),
    ("no equals", "let x po\nacyclic po", 2, 1, "expected '=', found 'acyclic'", "let x = e"),
    ("let without in", "acyclic (let x = po)", 1, 20, "expected 'in', found ')'", "let x = e in f"),
    ("parameters", "let f(x y) = x\nacyclic po", 1, 9, "expected ')', found 'y'", "(x, y)"),
    ("no kind", "flag ~po as x", 1, 7, "expected acyclic, irreflexive or empty", "flag ~empty r as name"),
    ("label", "acyclic po as (x)", 1, 15, "expected a name behind 'as', found '('", "as happens-before"),
    ("include", "include cos.cat\nacyclic po", 1, 9, "expected the name of a file", 'include "cos.cat"'),
    (
        "no file",
        'include "absent.cat"\nacyclic po',
        1,
        9,
        "there is no file 'absent.cat'",
        "looked for next to",
    ),
    ("enum", "enum E = once\nacyclic po", 1, 10, "expected a tag, found 'once'", "'wmb || 'rmb"),
    (
        "instructions",
        "instructions R['once\nacyclic po",
        2,
        1,
        "expected ']', found 'acyclic'",
        "instructions R",
    ),
    ("tags", "instructions R[W]\nacyclic po", 1, 16, "expected tags for the instructions 'R'", "enumeration"),
    ("open procedure", "procedure p(x) =\nacyclic x", 1, 1, "this procedure does not end", "end"),
    ("no procedure", "let p = po\ncall p(po)", 2, 6, "'p' is a relation, not a procedure", "procedure p(x)"),
    (
        "match",
        "let x = match po with end\nacyclic x",
        1,
        23,
        "expected a tag or _, found 'end'",
        "'once -> e",
    ),
    ("matched set", "let x = match W with || _ -> po end\nacyclic x", 1, 15, "expected a tag", "for tags"),
    (
        *("no case", "enum E = 'a || 'b\nlet x = match 'b with || 'a -> po end\nacyclic x", 2, 9),
        *("no case matches 'b", "|| _ -> e"),
    ),
    ("lone match", "acyclic po\nmatch", 2, 1, "'match' is not supported", "inside expressions"),
    ("lone else", "acyclic po\nelse", 2, 1, "'else' is not supported", "belongs to an if"),
    ("open if", 'acyclic po\nif "x" acyclic rf', 2, 1, "this if does not end", "close it with end"),
    ("condition", "if x then acyclic po end", 1, 4, "expected the name of a variant", 'if "name"'),
    ("add", "let x = W ++ R\nacyclic po", 1, 11, "'++' is not supported", "write |"),
    ("forall", "forall x in W do acyclic po end", 1, 13, "expected a set of tags", "once for each case"),
    ("open forall", "enum E = 'a\nforall x in E do acyclic po", 2, 1, "this forall does not end", "with end"),
    ("events of a set", "acyclic fencerel(tag2events(W))", 1, 29, "expected a tag", "write 'once"),
    ("values", "acyclic different-values(rf)", 1, 26, "relations do not know values", "leave it out"),
    ("generated", "with ws from linearisations(W, co)\nacyclic po", 1, 6, "only co can be generated", "let"),
    ("unknown", "acyclic po | rff", 1, 14, "unknown name 'rff'", "did you mean 'rf'?"),
    ("later", "let x = y\nlet y = po\nacyclic x", 1, 9, "unknown name 'y'", "before this line"),
    ("no counterpart", "acyclic [X] ; po", 1, 10, "'X' cannot be used: Mazurka's graphs", "leave it out"),
    ("one instruction", "acyclic po | amo", 1, 1, "this check needs 'amo'", "write rmw"),
    (
        "tag",
        "enum B = 'odd || 'mb\nacyclic fencerel(Odd)",
        2,
        18,
        "'Odd' is the set of the tag 'odd",
        "cat.md",
    ),
    (
        *("events of a tag", "enum B = 'odd || 'mb\nacyclic fencerel(tag2events('odd))", 2, 29),
        *("no event of Mazurka's graphs has the tag 'odd", "cat.md"),
    ),
    ("ambiguous", "acyclic [A] ; po", 1, 10, "'A' is ambiguous", "R & ACQ"),
    ("ambiguous filter", "acyclic WA(po)", 1, 9, "'WA' is ambiguous", "UR | UW | UX"),
    ("sorts", "acyclic po | W", 1, 12, "'|' needs two sets or two relations", "[S]"),
    ("set in sequence", "acyclic W ; po", 1, 9, "expected a relation, but this is a set", "[S]"),
    ("relation in brackets", "acyclic [po]", 1, 10, "expected a set, but this is a relation", "domain(r)"),
    ("product", "acyclic po & (po * W)", 1, 15, "expected a set, but this is a relation", "range(r)"),
    ("set as axiom", "acyclic W", 1, 9, "expected a relation, but this is a set", "[S]"),
    ("no operator", "acyclic [W] po", 1, 13, "this is the argument of a call", "write ;"),
    ("function as relation", "acyclic fencerel | po", 1, 9, "but this is a function", "f(x)"),
    ("too many", "let f(x, y) = x | y\nacyclic f(po, rf, co)", 2, 10, "expected 2 values here", "(x, y)"),
    ("braces", "let x = {po, rf}\nacyclic po", 1, 10, "expected a tag between braces", "sets of sets"),
    (
        "twice",
        "let rec x = po and x = rf\nacyclic x",
        1,
        20,
        "'x' is defined twice in one let",
        "another name",
    ),
    ("recursive function", "let rec f(x) = f(x)\nacyclic po", 1, 9, "the function 'f' is recursive", "rec"),
    ("negative", "let rec r = po \\ r\nacyclic r", 1, 9, "has 'r' behind '\\' or '~'", "before this let rec"),
    ("negated axiom", "acyclic po\n~empty rf as some", 2, 1, "'~empty' requires something to", "empty"),
    ("flagged axiom", "acyclic po\nflag empty rf", 2, 1, "'flag empty' requires", "flag ~empty"),
    ("no axiom", "let x = po", 1, 1, "this model has no axiom", "acyclic"),
    ("nesting", f"acyclic {'(' * 60}po{')' * 60}", 1, 49, "nested more than 40 deep", "let"),
    ("definition", f"let x = W{' * W' * 100}\nacyclic po", 1, 1, "nested more than 80 deep", "let"),
    ("calls", CALLS, 42, 18, "functions are applied too often, or too deep inside", "fewer functions"),
    ("repetition", f"acyclic po{'?' * 200}", 1, 9, "nested more than 80 deep", "let"),
    (
        *("growth", "let d(r) = r ; r\nlet q(r) = d(d(d(d(r))))\nacyclic q(q(q(q(q(po)))))", 1, 12),
        *("this expression is too large", "simplify"),
    ),
]


@pytest.mark.parametrize("case", MALFORMED, ids=[case[0] for case in MALFORMED])
def test_malformed(case: tuple[str, str, int, int, str, str]) -> None:
    _, text, line, column, message, cure = case
    with pytest.raises(ModelError) as caught:
        load_text(text, "bad.cat")
    error = caught.value
    assert error.code is ErrorCode.BAD_MODEL
    assert message in error.message
    assert cure in (error.hint or "")
    assert error.place is not None
    assert (error.place.file, error.place.line, error.place.column) == ("bad.cat", line, column)
    if message != "this model has no axiom":
        assert error.snippet is not None
        assert set(error.snippet.split("\n")[1].strip()) == {"^"}


def test_a_file_that_includes_itself(tmp_path: Path) -> None:
    (tmp_path / "a.cat").write_text('include "b.cat"\nacyclic po')
    (tmp_path / "b.cat").write_text('\n  include "a.cat"')
    with pytest.raises(ModelError, match=r"'a\.cat' includes itself") as caught:
        load_model(tmp_path / "a.cat")
    assert str(caught.value.place) == f"{tmp_path / 'b.cat'}:2:11"


def test_an_error_in_an_included_file_stands_there(tmp_path: Path) -> None:
    (tmp_path / "a.cat").write_text('include "b.cat"\nacyclic po')
    (tmp_path / "b.cat").write_text("let x =\n  nothing")
    with pytest.raises(ModelError, match="unknown name 'nothing'") as caught:
        load_model(tmp_path / "a.cat")
    assert str(caught.value.place) == f"{tmp_path / 'b.cat'}:2:3"
    assert caught.value.snippet == "      nothing\n      ^^^^^^^"


def test_a_bad_model_never_stops_a_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each test of the suite says what is wrong with the model, and the status is that of bad input."""
    model, suite = tmp_path / "bad.cat", tmp_path / "suite"
    model.write_text("acyclic po | rff\n")
    suite.mkdir()
    for name in ("a", "b"):
        (suite / f"{name}.litmus").write_text(f"X86 {name}\n{{}}\nP0;\nMOV [x],$1;\nexists (x=1)\n")
    assert commands.main(["litmus", str(suite), "--model", str(model), "--workers", "1"]) == 2
    shown = capsys.readouterr()
    assert shown.err.count("bad.cat:1:14: error: unknown name 'rff' [bad-model]") == 2
    assert shown.out.endswith("2 tests: 0 ran, 2 could not run\n")


def test_flags_do_not_matter_for_litmus_tests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A program cannot be checked under this model, because such a flag cannot be looked for."""
    (tmp_path / "m.cat").write_text("acyclic po | com\nflag ~empty po-loc & (W * W) as again\n")
    (tmp_path / "t.litmus").write_text("X86 T\n{}\nP0;\nMOV [x],$1;\nMOV [x],$2;\nexists (x=2)\n")
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    model = ["--model", str(tmp_path / "m.cat")]
    assert commands.main(["litmus", str(tmp_path / "t.litmus"), *model]) == 0
    assert "Observation T Always 1 0" in capsys.readouterr().out
    assert commands.main(["check", str(tmp_path / "p.c"), *model]) == 2
    assert "m.cat:2:1: error: the error rule again" in capsys.readouterr().err


# Right files that the engine cannot run: the reason stands at the line that needs more.
REFUSED: list[tuple[str, str, int, str, str]] = [
    (
        "fixpoint",
        "acyclic po | rf | co\nlet rec a = po ; b ; po | rf and b = a ; rf ; a | co\nacyclic a as odd",
        *(3, "the engine cannot use odd: no regular solution of its recursion", "let rec x = r | r ; x"),
    ),
    (
        *("dependencies", "acyclic data | rf as data-order", 1),
        *("no axiom forbids cycles of ctrl ; [W], addr ; [W]", "ctrl ; [W] | addr ; [W] | addr ; po ; [W]"),
    ),
    (
        "load buffering",
        "acyclic po-loc | rf | co | fr",
        1,
        "cycles of po and rf are not shown",
        "acyclic po | rf",
    ),
    (
        "flag",
        "acyclic po | rf\nflag ~empty po & loc & (W * W) as again",
        *(2, "the error rule again", "flag ~empty c \\ (hb | hb^-1)"),
    ),
]


@pytest.mark.parametrize("case", REFUSED, ids=[case[0] for case in REFUSED])
def test_what_the_engine_cannot_run(
    case: tuple[str, str, int, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, text, line, message, cure = case
    (tmp_path / "m.cat").write_text(text)
    assert load_model(tmp_path / "m.cat").axioms
    assert commands.main(["models", "--explain", str(tmp_path / "m.cat")]) == 2
    said = capsys.readouterr().err
    assert f"m.cat:{line}:1: error: {message}" in said
    assert cure in said
