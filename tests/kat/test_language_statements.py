"""Each statement form of the language, and what the resolver makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.errors import ModelError
from mazurka.kat.language.load import load_model, load_text
from mazurka.kat.meaning.show import show, show_inclusion, show_test
from mazurka.kat.meaning.terms import (
    Anything,
    Base,
    Both,
    Difference,
    Empty,
    Guard,
    Identity,
    Inclusion,
    Intersection,
    Model,
    Not,
    Plus,
    Primitive,
    Relation,
    Span,
    Test,
    Union,
    View,
)

PO, RF, CO = Base("po"), Base("rf"), Base("co")


def lemmas(text: str) -> Model:
    return load_text(text, "lemmas.kat", require_axioms=False)


def test_header() -> None:
    model = load_text('model rc11 "Repaired C11"\ncite "PLDI 2017"\ncite "thesis"\nacyclic po', "file.kat")
    assert (model.name, model.title, model.citations) == ("rc11", "Repaired C11", ("PLDI 2017", "thesis"))


def test_a_model_without_a_name_is_called_like_its_file() -> None:
    assert load_text("acyclic po", "models/mine.kat").name == "mine"


@pytest.mark.parametrize("prefix", ["", "export "])
@pytest.mark.parametrize("kind", ["acyclic", "irreflexive", "empty", "coherence"])
def test_axioms(prefix: str, kind: str) -> None:
    (axiom,) = load_text(f"// first line\n{prefix}{kind} po | rf as order", "m.kat").axioms
    assert (axiom.kind, axiom.relation, axiom.name) == (kind, Union(PO, RF), "order")
    assert axiom.span == Span("m.kat", 2, len(prefix) + 1, len(kind))
    assert axiom.unless is None


def test_an_axiom_without_a_name_is_called_by_its_place() -> None:
    (axiom,) = load_text("\n\nacyclic po", "m.kat").axioms
    assert axiom.name == "acyclic at m.kat:3"


@pytest.mark.parametrize("tail", ["unless rf = 0 as thin-air", "as thin-air unless rf = 0"])
def test_unless_and_as_in_either_order(tail: str) -> None:
    (axiom,) = load_text(f"export acyclic po {tail}").axioms
    assert axiom.name == "thin-air"
    assert axiom.unless == Inclusion(RF, Empty(), equal=True)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("export po ; rf = 0 as a", "po ; rf"),
        ("export po <= 0", "po"),
        ("export po <= rf", "po \\ rf"),
        ("export po = rf", "po \\ rf | rf \\ po"),
        ("export [W] ; po = 0", "[W] ; po"),
        ("export (po) = 0", "po"),
    ],
)
def test_exported_constraints_say_that_something_is_empty(text: str, relation: str) -> None:
    (axiom,) = load_text(text).axioms
    assert (axiom.kind, show(axiom.relation)) == ("empty", relation)


@pytest.mark.parametrize("prefix", ["", "export "])
@pytest.mark.parametrize("word", ["error", "warning"])
def test_error_rules(prefix: str, word: str) -> None:
    text = f"view hb = po\n{prefix}{word} race unless [NA] ; loc-overlap ; [W] <= hb^=\nacyclic po"
    (rule,) = load_text(text).errors
    assert (rule.name, rule.warning, rule.span.line) == ("race", word == "warning", 2)
    assert show_inclusion(rule.constraint) == "[NA] ; loc-overlap ; [W] <= hb | hb^-1"


@pytest.mark.parametrize(
    ("constraint", "claim"),
    [
        ("empty po", Inclusion(PO, Empty())),
        ("irreflexive po", Inclusion(Intersection(PO, Identity()), Empty())),
        ("acyclic po", Inclusion(Intersection(Plus(PO), Identity()), Empty())),
        ("po <= rf", Inclusion(PO, RF)),
        ("po = rf", Inclusion(PO, RF, equal=True)),
    ],
)
def test_constraints(constraint: str, claim: Inclusion) -> None:
    model = load_text(f"assert {constraint} assume {constraint} acyclic po unless {constraint}")
    assert [s.claim for s in (*model.assertions, *model.assumptions)] == [claim, claim]
    assert model.axioms[0].unless == claim


def test_total() -> None:
    (statement,) = lemmas("assume total co").assumptions
    assert (statement.claim, statement.total) == (None, CO)


def test_total_may_be_a_name() -> None:
    (statement,) = lemmas("let total = co assume total <= po").assumptions
    assert (statement.claim, statement.total) == (Inclusion(CO, PO), None)


def test_declarations() -> None:
    model = lemmas("relation link predicate Marked\ndisjoint Marked # R # W\nlet both = [Marked] ; link")
    both = model.definitions["both"]
    assert isinstance(both, Relation)
    assert show(both) == "[Marked] ; link"
    assert model.disjoint == (("Marked", "R", "W"),)


def test_extra_is_checked_and_left_to_others() -> None:
    model = load_text(
        "export extra Other acyclic po unless rf = 0 export extra More po = 0 export acyclic rf"
    )
    assert [axiom.relation for axiom in model.axioms] == [RF]
    with pytest.raises(ModelError, match="unknown name 'nothing'"):
        load_text("export extra Other acyclic nothing acyclic po")


def test_let_is_written_out_and_view_is_kept() -> None:
    model = load_text("let a = po | rf\nview hb = a+\nlet b = hb ; co\nacyclic b")
    assert model.definitions["a"] == Union(PO, RF)
    assert model.views == {"hb": Plus(Union(PO, RF))}
    assert model.definitions["hb"] == model.views["hb"]
    assert show(model.axioms[0].relation) == "hb ; co"
    assert View("hb") in vars(model.axioms[0].relation).values()


def test_let_of_a_test() -> None:
    model = lemmas("let strong = [SC] | ACQ ; REL\nlet weak = [] \\ strong\nassert weak ; po <= [strong ; W]")
    strong = model.definitions["strong"]
    assert isinstance(strong, Test)
    assert show_test(strong) == "SC | ACQ & REL"
    assert isinstance(model.definitions["weak"], Not)
    claim = model.assertions[0].claim
    assert claim is not None
    assert show_inclusion(claim) == "[[] \\ (SC | ACQ & REL)] ; po <= [(SC | ACQ & REL) & W]"


@pytest.mark.parametrize(
    ("written", "test"),
    [
        ("[]", Anything()),
        ("[W]", Primitive("W")),
        ("[W&SC]", Both(Primitive("W"), Primitive("SC"))),
        ("[W;SC]", Both(Primitive("W"), Primitive("SC"))),
        ("[W \\ SC]", Both(Primitive("W"), Not(Primitive("SC")))),
        ("[[] \\ SC]", Not(Primitive("SC"))),
    ],
)
def test_tests(written: str, test: Test) -> None:
    (axiom,) = load_text(f"acyclic {written}").axioms
    assert axiom.relation == Guard(test)


def test_a_bare_predicate_is_its_guard() -> None:
    assert load_text("acyclic W;po;R").axioms == load_text("acyclic [W];po;[R]").axioms


def test_mo_is_co() -> None:
    (axiom,) = load_text("let co = mo let moe = coe acyclic mo | moe | moi | co").axioms
    assert show(axiom.relation) == "co | coe | coi | co"


def test_ppo_is_a_statement_and_may_be_a_name() -> None:
    model = load_text("let x = po\nppo = x \\ [W];x;[R]\nacyclic x")
    assert model.ppo is not None
    assert show(model.ppo) == "po \\ [W] ; po ; [R]"
    named = load_text("let ppo = rf assert ppo = po acyclic ppo")
    assert (named.ppo, named.axioms[0].relation) == (None, RF)


def test_words_of_mazurka_may_be_names() -> None:
    text = "let model = po let cite = model let empty = cite let error = empty let as = error acyclic as"
    assert load_text(text).axioms[0].relation == PO


def test_map() -> None:
    model = load_text('map store.sc "store.sc ; fence.sc" map load.acq "load.rlx" acyclic po')
    assert model.mapping == (("store.sc", "store.sc ; fence.sc"), ("load.acq", "load.rlx"))


def test_comments_and_line_ends() -> None:
    (axiom,) = load_text(
        "// one\r\n/* two\r\n ** three */ acyclic /**/ po // four\r\n;\r\nrf", "m.kat"
    ).axioms
    assert (show(axiom.relation), axiom.span.line, axiom.span.column) == ("po ; rf", 3, 14)


def test_includes(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "base.kat").write_text("let eco = (rf | co | fr)+\nview hb = po\nassume po <= rf")
    (tmp_path / "left.kat").write_text('include "lib/base.kat"\nlet x = eco\nacyclic x as left\nppo = po-loc')
    (tmp_path / "right.kat").write_text('include "lib/base.kat"\nlet x = hb\nview hb = rf\nassert x = hb')
    (tmp_path / "main.kat").write_text(
        'include "left.kat" include "right.kat"\nlet y = left::x;right::x;base::hb;eco\nacyclic y as main'
    )
    model = load_model(tmp_path / "main.kat")
    assert [axiom.name for axiom in model.axioms] == ["left", "main"]
    eco = "(rf | co | fr)+"
    assert show(model.axioms[1].relation) == f"{eco} ; base::hb ; base::hb ; {eco}"
    assert {name: show(body) for name, body in model.views.items()} == {"base::hb": "po", "right::hb": "rf"}
    assert (len(model.assumptions), len(model.assertions)) == (1, 1)  # base.kat is read once
    assert Path(model.assertions[0].span.path).name == "right.kat"
    assert model.ppo == Base("po-loc")
    assert model.definitions["left::x"] == model.definitions["base::eco"]


def test_an_own_definition_hides_an_included_one(tmp_path: Path) -> None:
    (tmp_path / "other.kat").write_text("let hb = po")
    (tmp_path / "main.kat").write_text('include "other.kat"\nlet hb = other::hb | rf\nacyclic hb')
    assert show(load_model(tmp_path / "main.kat").axioms[0].relation) == "po | rf"


def test_included_files_must_agree_on_ppo(tmp_path: Path) -> None:
    (tmp_path / "a.kat").write_text("ppo = po")
    (tmp_path / "b.kat").write_text("ppo = po-loc")
    (tmp_path / "main.kat").write_text('include "a.kat" include "b.kat" acyclic po')
    with pytest.raises(ModelError, match="'ppo' differs here") as caught:
        load_model(tmp_path / "main.kat")
    assert str(caught.value.place).endswith("b.kat:1:1")
    (tmp_path / "own.kat").write_text('include "a.kat" include "b.kat" ppo = rf acyclic po')
    assert load_model(tmp_path / "own.kat").ppo == RF


def test_difference_of_relations_and_tests() -> None:
    (axiom,) = load_text("acyclic po \\ W").axioms
    assert axiom.relation == Difference(PO, Guard(Primitive("W")))


def test_no_two_axioms_have_the_same_name(tmp_path: Path) -> None:
    """On one line, and on the same line of files of one name in two directories."""
    line = "acyclic po | rf acyclic po | co"
    for directory in ("first", "second"):
        (tmp_path / directory).mkdir()
        (tmp_path / directory / "part.kat").write_text(line)
    main = tmp_path / "part.kat"
    main.write_text('include "first/part.kat" include "second/part.kat"\nacyclic po')
    names = [axiom.name for axiom in load_model(main).axioms]
    assert names[:2] == ["acyclic at part.kat:1", "acyclic at part.kat:1:17"]
    assert names[-1] == "acyclic at part.kat:2"
    assert len(set(names)) == len(names) == 5


def test_a_name_given_twice_is_an_error() -> None:
    with pytest.raises(ModelError, match="'x' is already used on line 1"):
        load_text("acyclic po | rf as x acyclic po | co as x")
