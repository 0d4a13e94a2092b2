"""Models that a user might write, at random: the engine's executions are brute force's, each exactly once.

A model is text; what is drawn is which edges each axiom has. Models that ``plan_model`` refuses are left out;
most must not be. The engine compares its checks with its general evaluator throughout (``audit``).
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from comparison import EQUIVALENCES, SEEDS, assert_same, explore
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mazurka.errors import ModelError
from mazurka.kat.language.load import load_text
from mazurka.kat.meaning.plan import Automaton, Closure, Coherence, Matrix, Plan
from mazurka.kat.meaning.terms import Model
from mazurka.reference import enumerate_executions
from mazurka.soundness.requirements import plan_model
from mazurka.testing import Test, to_program
from mazurka.testing.cycle_strategies import varied_tests
from profiles import examples, heavy

COHERENCE = "acyclic po-loc | rf | co | fr"
CAUSALITY = "acyclic po | rf"
GUARDS = st.sampled_from(
    ["R", "W", "R | W", "SC", "F & SC", "REL", "ACQ", "W & REL", "UR", "UW", "UX", "TJ", "RLX", "NA"]
)


def union(parts: list[str]) -> str:
    return " | ".join(parts)


# What keeps order within a thread: pairs of guards, with or without another event between.
_PRESERVED = st.one_of(
    st.builds("[{}] ; po ; [{}]".format, GUARDS, GUARDS),
    st.builds("[{}] ; po".format, GUARDS),
    st.builds("po ; [{}]".format, GUARDS),
    st.builds("[{}] ; po ; [{}] ; po ; [{}]".format, GUARDS, GUARDS, GUARDS),
)
PRESERVED = st.lists(_PRESERVED, min_size=1, max_size=3).map(union)

# Unions: every set of base relations, with po and rf in it or in an axiom of their own.
_BASES = st.sampled_from(["co", "fr", "po-loc", "rfe", "coe", "fre", "rfi", "po-imm", "rmw"])
_SETS = st.lists(_BASES, min_size=1, max_size=4, unique=True).map(union)
UNIONS = st.one_of(
    _SETS.map("acyclic po | rf | {}".format),
    _SETS.map(f"{CAUSALITY}\nacyclic {{}}".format),
    _SETS.map(f"{CAUSALITY}\nacyclic po | {{}}".format),
    _SETS.map(f"{CAUSALITY}\nacyclic rf | {{}}".format),
)

# Store buffers and the like: coherence, and what is preserved.
BUFFERS = st.builds(
    f"{COHERENCE}\nacyclic {{}} | [R] ; po ; [W] | {{}}".format,
    PRESERVED,
    st.sampled_from(["rfe | co | fr", "rf | co | fr", "rfe | coe | fre", "rfe | co", "rfe | fr", "rfe"]),
)

# Views: what synchronises, and an axiom over it.
_SW = st.builds(
    "[{}] ; {} ; [{}]".format,
    GUARDS,
    st.sampled_from(["rf", "rfe", "rf ; rmw ; rf", "(rf ; rmw)* ; rf"]),
    GUARDS,
)
_FENCED = st.builds("[{}] ; (po ; [W])? ; rf ; ([R] ; po)? ; [{}]".format, GUARDS, GUARDS)
_OVER_VIEW = st.sampled_from(
    [
        *(
            "coherence hb",
            "acyclic hb | co",
            "acyclic hb | fr",
            "acyclic hb | co | fr",
            "irreflexive hb ; co",
        ),
        *(
            "irreflexive hb ; fr ; rf?",
            "acyclic [SC] ; (hb | co | fr) ; [SC]",
            "irreflexive hb ; (rf | co | fr)+",
        ),
        "acyclic [SC] ; hb ; (co | fr)? ; hb? ; [SC]",
    ]
)
VIEWS = st.builds(
    f"view hb = (po | {{}})+\n{CAUSALITY}\n{{}}\n{{}}".format,
    st.one_of(_SW, _FENCED),
    _OVER_VIEW,
    st.sampled_from(["", COHERENCE]),
)

# Intersections and differences, which only bit matrices can do.
_MATRICES = st.sampled_from(
    [
        *(
            "po & loc-overlap | rf | co | fr",
            "(po \\ po-loc) | rfe | co",
            "(po \\ [W] ; po ; [R]) | rfe | co | fr",
        ),
        *("(rf \\ rfi) | co | [R] ; po", "(co & coe) | rf | po-loc", "(fr \\ fri) ; (po & same-thread) | rf"),
        *(
            "([SC] ; po ; [SC] \\ po-loc) | fr | co",
            "(po \\ (po ; [F] ; po)) | co",
            "(rf & rfe) | (po \\ po-imm) | fr",
        ),
    ]
)
_DIFFERENCES = st.builds(
    "({} \\ ({})) | {}".format,
    st.sampled_from(["po", "po", "po ; rfe", "[W] ; po ; [W]"]),
    PRESERVED,
    st.sampled_from(["rfe | co", "co | fr", "rfe | fr", "rf | co | fr"]),
)
MATRICES = st.builds(
    f"{CAUSALITY}\nacyclic {{}}\n{{}}".format,
    st.one_of(_MATRICES, _DIFFERENCES),
    st.sampled_from(["", COHERENCE]),
)

FAMILIES = {"unions": UNIONS, "buffers": BUFFERS}
FAMILIES |= {"views": VIEWS, "matrices": MATRICES}


@cache
def planned(text: str) -> tuple[Model, Plan] | None:
    """A model and its Plan; None if it is refused."""
    model = load_text(text)
    try:
        return model, plan_model(model)
    except ModelError:
        return None


@pytest.mark.parametrize("family", FAMILIES)
@examples(ci=60, slow=4_000)
@given(st.data(), varied_tests(max_candidates=400), SEEDS)
def test_engine_agrees_with_brute_force(
    family: str, data: st.DataObject, test: Test, seed: int | None
) -> None:
    found = planned(data.draw(FAMILIES[family]))
    if found is None:
        assume(False)
        return
    model, plan = found
    program = to_program(test)
    expected = enumerate_executions(program, model)
    for equivalence in EQUIVALENCES:
        result = explore(program, plan, equivalence=equivalence, seed=seed, audit=True)
        assert_same(result, expected, equivalence)


@heavy
def test_every_kind_of_check_is_drawn() -> None:
    """The families reach all that a Plan can have, and few of their models are refused."""
    kinds: Counter[str] = Counter()

    @settings(max_examples=300)
    @given(st.one_of(*FAMILIES.values()))
    def count(text: str) -> None:
        found = planned(text)
        kinds["drawn"] += 1
        kinds["refused"] += found is None
        for axiom in found[1].axioms if found else ():
            kinds[type(axiom.check).__name__] += 1

    count()
    assert kinds["refused"] < kinds["drawn"] / 2
    assert min(kinds[kind.__name__] for kind in (Closure, Coherence, Automaton, Matrix)) > 5
