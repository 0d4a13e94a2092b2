"""Statements of ``.cat`` and bell files that stand for others: each text has the axioms of a plainer one."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.kat.language.load import load_model, load_text
from mazurka.kat.meaning.terms import Axiom, Relation

TAGS = "enum Fences = 'rmb || 'wmb || 'mb\n"
SAME = {
    "if": ('if "mixed" acyclic po else acyclic rf end', "acyclic rf"),
    "if then": ('if "mixed" then acyclic po end\nacyclic rf', "acyclic rf"),
    "not": ('if not "mixed" acyclic po else acyclic rf end', "acyclic po"),
    "and": ('if not "a" && "b" acyclic po else acyclic rf end', "acyclic rf"),
    "or": ('if (not ("a" && "b")) || "c" acyclic po else acyclic rf end', "acyclic po"),
    "names of an if": ('if "a" let r = po else let r = rf end\nacyclic r', "acyclic rf"),
    "nested if": ('if "a" acyclic po else if "b" acyclic rf else acyclic co end end', "acyclic co"),
    "if inside": ('acyclic if not "a" then po else rf', "acyclic po"),
    "match": (
        f"{TAGS}let f(t) = match t with || 'mb -> po || _ -> rf end\nacyclic f('mb) ; f('rmb)",
        "acyclic po ; rf",
    ),
    "tag2events": (f"{TAGS}acyclic [tag2events('wmb)] ; po", f"{TAGS}acyclic [Wmb] ; po"),
    "forall": (
        f"{TAGS}forall t in {{'rmb, 'wmb}} do\nlet s = tag2events(t)\nacyclic fencerel(s)\nend",
        f"{TAGS}acyclic fencerel(Rmb)\nacyclic fencerel(Wmb)",
    ),
    "try": ("acyclic try fencerel(ABSENT) with rf", "acyclic rf"),
    "generated": ("with co from generate_orders(W)\nacyclic co", "acyclic co"),
    "empty set of a tag": (f"{TAGS}enum S = 'barrier\nacyclic po | [Barrier] ; rf", "acyclic po"),
    "values of nothing": (
        "enum S = 'srcu-lock\nacyclic po | different-values([Srcu-lock] ; rf)",
        "acyclic po",
    ),
    "either": ("acyclic [R | AMO | W | X] ; po", "acyclic [UR | UW | UX | W | R] ; po"),
    "locks": (f'{TAGS}include "lock.cat"\nacyclic [LF | RL | RU] ; po | rf', "acyclic rf"),
}


def stated(text: str) -> list[tuple[str, Relation]]:
    return [(axiom.kind, axiom.relation) for axiom in load_text(text, "m.cat").axioms]


@pytest.mark.parametrize("name", SAME)
def test_the_same_axioms(name: str) -> None:
    text, plain = SAME[name]
    assert stated(text) == stated(plain)


def axioms_of(path: Path) -> tuple[Axiom, ...]:
    return load_model(path).axioms


def test_a_bell_file_of_the_same_name_is_read_first(tmp_path: Path) -> None:
    (tmp_path / "m.cat").write_text("acyclic fencerel(Wmb) | reversed\n")
    (tmp_path / "m.bell").write_text(f'"Tags"\n{TAGS}let reversed = rf^-1\n')
    (tmp_path / "whole.cat").write_text('include "m.bell"\nacyclic fencerel(Wmb) | reversed\n')
    one, two = axioms_of(tmp_path / "m.cat"), axioms_of(tmp_path / "whole.cat")
    assert [axiom.relation for axiom in one] == [axiom.relation for axiom in two]


def test_an_error_in_a_bell_file_stands_there(tmp_path: Path) -> None:
    (tmp_path / "m.cat").write_text("acyclic po\n")
    (tmp_path / "m.bell").write_text("enum E = 'a\nlet x = y\n")
    with pytest.raises(Exception, match="unknown name 'y'") as caught:
        load_model(tmp_path / "m.cat")
    assert str(tmp_path / "m.bell") in str(caught.value)
