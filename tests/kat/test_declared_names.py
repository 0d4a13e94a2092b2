"""Declared relations and predicates: each file has its own, and answers distinguish them."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.errors import ModelError
from mazurka.kat.language.load import load_model, load_text
from mazurka.kat.meaning.builtins import PREDICATES, RELATIONS, SYNONYMS
from mazurka.kat.meaning.declared import apart
from mazurka.kat.meaning.show import show
from mazurka.prover import Proved, decide, load_claims, weaker

STRICT = "relation to\nassume to <= po\nacyclic po | rf as causal\n"
LOOSE = "relation to\nassume po <= to\nacyclic po | rf as causal\n"


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.kat"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", sorted({*RELATIONS, *PREDICATES, *SYNONYMS}))
@pytest.mark.parametrize("sort", ["relation", "predicate"])
def test_no_built_in_name_can_be_declared(sort: str, name: str) -> None:
    with pytest.raises(ModelError, match=f"'{name}' is built in and cannot be declared") as caught:
        load_text(f"acyclic po\n{sort} {name}\n")
    assert caught.value.place is not None
    assert caught.value.place[1:] == (2, len(sort) + 2)
    assert caught.value.hint


def test_two_files_with_a_relation_of_one_name_have_two(tmp_path: Path) -> None:
    both = 'include "strict.kat"\ninclude "loose.kat"\n'
    write(tmp_path, strict=STRICT, loose=LOOSE.replace("causal", "causal2"))
    write(tmp_path, mixed=f"{both}assert strict::to <= loose::to\nassert loose::to <= strict::to\n")
    forth, back = load_claims(tmp_path / "mixed.kat")
    assert (show(forth.claim.left), show(forth.claim.right)) == ("strict::to", "loose::to")
    assert isinstance(decide(forth), Proved)  # strict::to is within po, which is within loose::to
    assert not isinstance(decide(back), Proved)


def test_a_plain_name_of_two_included_files_is_ambiguous(tmp_path: Path) -> None:
    write(tmp_path, one="relation r\n", two="relation r\n")
    write(tmp_path, mixed='include "one.kat"\ninclude "two.kat"\nassert r = 0\n')
    with pytest.raises(ModelError, match="several included files") as caught:
        load_claims(tmp_path / "mixed.kat")
    assert caught.value.hint == "write the one that you mean: one::r or two::r"


@pytest.mark.parametrize("kept", ["relation r", "predicate r", "view r = po"])
def test_files_of_one_name_in_two_folders_keep_their_names_apart(tmp_path: Path, kept: str) -> None:
    first = f"{kept}\nassert r <= r\n"
    second = "view r = rf\nassert r <= r\n"
    write(tmp_path, base=first, other__base=second)
    write(tmp_path, mixed='include "base.kat"\ninclude "other/base.kat"\nrelation r\nassert r <= r')
    claims = {show(query.claim.left) for query in load_claims(tmp_path / "mixed.kat")}
    assert len(claims) == 3
    write(tmp_path, mixed='include "base.kat"\ninclude "other/base.kat"\nassert base::r = 0')
    with pytest.raises(ModelError, match="several included files") as caught:
        load_claims(tmp_path / "mixed.kat")
    assert "rename one of them" in str(caught.value.hint)


def test_a_file_that_is_included_twice_declares_once(tmp_path: Path) -> None:
    write(tmp_path, base="relation r\n", one='include "base.kat"\nassume r <= po\n')
    write(tmp_path, two='include "base.kat"\nlet s = r\n')
    write(tmp_path, mixed='include "one.kat"\ninclude "two.kat"\nassert s <= po\nassert r <= po\n')
    assert all(isinstance(decide(query), Proved) for query in load_claims(tmp_path / "mixed.kat"))


def test_a_file_hides_what_the_files_that_it_includes_declare(tmp_path: Path) -> None:
    write(tmp_path, base="relation r\nassume r <= po\n")
    write(tmp_path, main='include "base.kat"\nrelation r\nassert base::r <= po\nassert r <= po\n')
    other, own = load_claims(tmp_path / "main.kat")
    assert (show(other.claim.left), show(own.claim.left)) == ("base::r", "r")
    assert isinstance(decide(other), Proved)
    assert not isinstance(decide(own), Proved)


# Two models ---------------------------------------------------------------------------------------------


def test_models_that_are_compared_keep_their_private_relations(tmp_path: Path) -> None:
    """``to`` of the one model is within po and of the other contains it: together they would be equal."""
    write(tmp_path, strict=STRICT, loose=f"{LOOSE}empty to \\ po as exact\n")
    strict, loose = (load_model(tmp_path / f"{name}.kat") for name in ("strict", "loose"))
    exact = next(query for query in weaker(loose, strict) if query.name == "exact")
    assert show(exact.claim.left) == r"loose::to \ po"
    assert not isinstance(decide(exact, allow_unused=True), Proved)


def test_a_model_is_weaker_than_itself_with_its_private_relation(tmp_path: Path) -> None:
    write(tmp_path, mine="relation to\npredicate P\nassume to <= po\nacyclic [P] ; (to | rf) as mine\n")
    one, other = (load_model(tmp_path / "mine.kat") for _ in range(2))
    assert all(isinstance(decide(query), Proved) for query in weaker(one, other))


def test_models_share_what_an_included_file_declares(tmp_path: Path) -> None:
    write(tmp_path, base="relation to\n", one='include "base.kat"\nacyclic to | po as one\n')
    write(tmp_path, two='include "base.kat"\nirreflexive to as two\n')
    one, two = (load_model(tmp_path / f"{name}.kat") for name in ("one", "two"))
    assert all(isinstance(decide(query), Proved) for query in weaker(two, one))


def test_every_part_of_a_model_is_renamed(tmp_path: Path) -> None:
    text = (
        "relation r\npredicate P\npredicate Q\ndisjoint P # Q\nview v = [P] ; r\nassume total [Q] ; r ; [Q]\n"
        "assume r <= po\nassert r ; [P] <= po\nacyclic v | [Q & P] ; r as a\nerror e unless [P] ; r <= v\n"
        "ppo = po | r\n"
    )
    write(tmp_path, one=text, two=text)
    one, two = apart(load_model(tmp_path / "one.kat"), load_model(tmp_path / "two.kat"))
    assert one.declared.keys() == {"one::r", "one::P", "one::Q"}
    said = repr((one.axioms, one.views, one.errors, one.assumptions, one.assertions, one.disjoint, one.ppo))
    assert said.count("'one::r'") == text.count("r ") + text.count("r\n") - 1 - text.count("error ")
    assert "'r'" not in said
    assert "'P'" not in said
    assert said.replace("one::", "two::").replace("one.kat", "two.kat") == repr(
        (two.axioms, two.views, two.errors, two.assumptions, two.assertions, two.disjoint, two.ppo)
    )
