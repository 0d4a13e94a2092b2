"""``si``: what a model says of pieces of accesses, and what is left of it if accesses have one size."""

from __future__ import annotations

from itertools import pairwise

import pytest
from mazurka.kat.language.load import load_text, named_model
from mazurka.kat.language.pieces import SI, one_size
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.plan import Matrix, Symbol
from mazurka.kat.meaning.terms import Base, Identity, Inverse, Maybe, Model, Sequence, Union, mentions
from mazurka.kat.planning.planner import tables_of
from mazurka.soundness.requirements import plan_model

RF, CO = Base("rf"), Base("co")


def model(text: str) -> Model:
    return load_text(f'model m "m"\n{text}', "m.kat")


@pytest.mark.parametrize(
    ("term", "left"),
    [
        (SI, Identity()),
        (Sequence(RF, SI), RF),
        (Sequence(SI, Sequence(RF, SI)), RF),
        (Union(Sequence(RF, SI), CO), Union(RF, CO)),
        (Sequence(RF, Maybe(Inverse(SI))), RF),
        (Union(RF, Identity()), Union(RF, Identity())),
    ],
)
def test_si_is_the_identity_if_accesses_have_one_size(term: terms.Relation, left: terms.Relation) -> None:
    assert one_size(term) == left


def test_only_axioms_about_pieces_keep_it() -> None:
    axioms = "acyclic po-loc | rf | co | fr\nacyclic po-loc | seen"
    text = f"let seen = (rf | co | fr) ; si\n{axioms}\nppo = po-loc ; si"
    stated, plain = model(text), model(text.replace(" ; si", ""))
    assert [axiom.relation for axiom in stated.axioms] == [axiom.relation for axiom in plain.axioms]
    assert stated.definitions == plain.definitions
    assert stated.ppo == plain.ppo
    assert [mentions(axiom.relation, SI) for axiom in stated.pieces] == [False, True]
    assert plain.pieces == ()


def test_a_model_whose_ppo_is_po_is_about_whole_accesses() -> None:
    stated = model("acyclic po | (rf | co | fr) ; si")
    assert stated.pieces == ()
    assert plan_model(stated).encode() == plan_model(model("acyclic po | (rf | co | fr)")).encode()


def test_claims_are_about_one_size() -> None:
    stated = model("acyclic po | rf\nassume acyclic rf ; si\nassert co ; si <= co")
    assert not any(mentions(s.claim.left, SI) for s in (*stated.assumptions, *stated.assertions) if s.claim)


@pytest.mark.parametrize("name", ["armv8", "riscv", "riscv-tso"])
def test_plans_for_one_size_do_not_name_it(name: str) -> None:
    stated = named_model(name)
    plans = [tables_of(stated), tables_of(stated, mixed_sizes=True)]
    programs = [[axiom.meaning.program for axiom in plan.axioms] for plan in plans]
    named = [any((0, Symbol.SI) in pairwise(p) for p in each) for each in programs]
    assert named == [False, True]
    assert isinstance(plans[1].preserved, Matrix)
    assert plans[1].preserved == plans[0].preserved
