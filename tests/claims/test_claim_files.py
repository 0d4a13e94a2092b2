"""The claims that come with the package: they say what the table says, and none is empty.

The prover is tested elsewhere; here a claim is read, compared with its models, and tried on graphs.
Those come from cycles (``cycle_executions``), which tell models apart.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from claim_files import claim, is_allowed, is_true, model
from claim_table import CLAIMS, ROWS, Row, is_fact_of_model
from cycle_executions import cycle_execution
from litmus_executions import read_execution
from mazurka.kat.meaning import terms
from mazurka.models.registry import (
    FOLDER_FOR_PROOFS,
    all_models,
    find_any,
    find_runnable,
    machine_models,
    models_for_proofs,
)
from mazurka.reference.consistency import ECO, is_atomic
from mazurka.reference.relations import Relations
from profiles import some
from random_executions import Execution, random_execution

SHARED = {"scheme-x86", "scheme-armv8"}  # how programs are compiled, for several claims
IDS = [row.file for row in ROWS]


def test_every_file_is_in_the_table() -> None:
    assert Counter(IDS) == Counter({path.stem for path in CLAIMS.glob("*.kat")} - SHARED)


def test_the_table_has_all_rows_of_the_thesis() -> None:
    rows = {row.row: row.expected for row in ROWS if row.row != "-"}
    assert len(rows) == 21
    assert {name for name, expected in rows.items() if expected == "refuted"} == {
        "C11orig → POWERweak",
        "C11orig → POWER",
    }
    assert {row.expected for row in ROWS} == {"proved", "refuted"}
    both = Counter(row.row for row in ROWS if "⇔" in row.row)
    assert both == {name: 1 if name == "eco ⇔ eco₂" else 2 for name in both}
    assert len(both) == 7


def test_seconds_of_kater_are_where_they_were_measured() -> None:
    seconds = {row.row: float(row.kater_seconds) for row in ROWS if row.kater_seconds != "-"}
    assert len(seconds) == 19  # all of the thesis's rows but those of eco and of coherence
    assert sum(seconds.values()) == pytest.approx(28.0, abs=0.5)


@pytest.mark.parametrize("name", models_for_proofs())
def test_a_model_for_proofs_says_what_it_is(name: str) -> None:
    assert model(name).name == name
    assert model(name).title
    assert model(name).citations
    assert not [axiom.name for axiom in model(name).axioms if ":" in axiom.name or "." in axiom.name]


@pytest.mark.parametrize("name", sorted(path.stem for path in CLAIMS.glob("*.kat")))
def test_a_file_says_what_it_claims(name: str) -> None:
    assert (CLAIMS / f"{name}.kat").read_text(encoding="utf-8").startswith("// ")
    statements = claim(name)
    assert bool(statements.assertions) == (name not in SHARED)
    assert all(s.claim is not None for s in (*statements.assumptions, *statements.assertions))


# The statements are the axioms ---------------------------------------------------------------------------


def stated(statements: tuple[terms.Statement, ...], file: str) -> list[terms.Relation]:
    """What must be irreflexive, views written out."""
    found = []
    for statement in statements:
        assert statement.claim is not None
        if is_fact_of_model(statement):
            left = statement.claim.left
            assert isinstance(left, terms.Intersection)
            found.append(written_out(left.left, claim(file)))
    return found


def axioms(name: str) -> dict[str, terms.Relation]:
    """What the axioms of a model say is irreflexive, views written out."""
    found: dict[str, terms.Relation] = {}
    for axiom in model(name).axioms:
        relation = axiom.relation
        if axiom.kind == "acyclic":
            relation = terms.Plus(relation)
        if axiom.kind == "coherence":
            relation = terms.Sequence(relation, ECO)
        found[axiom.name] = written_out(relation, model(name))
    return found


def written_out(term: terms.Relation, source: terms.Model) -> terms.Relation:
    """A term without views."""
    match term:
        case terms.View(name):
            return written_out(source.views[name], source)
        case terms.Union(left, right) | terms.Sequence(left, right) | terms.Intersection(left, right):
            return type(term)(written_out(left, source), written_out(right, source))
        case terms.Plus(body) | terms.Star(body) | terms.Maybe(body) | terms.Inverse(body):
            return type(term)(written_out(body, source))
        case _:
            return term


@pytest.mark.parametrize("row", [row for row in ROWS if row.weaker != "-"], ids=lambda row: row.file)
def test_what_is_asserted_are_the_axioms_of_the_weaker_model(row: Row) -> None:
    names = axioms(row.weaker) if row.axioms == "*" else row.axioms.split()
    assert stated(claim(row.file).assertions, row.file) == [axioms(row.weaker)[name] for name in names]


@pytest.mark.parametrize("row", [row for row in ROWS if row.weaker != "-"], ids=lambda row: row.file)
def test_what_is_assumed_are_the_axioms_of_the_stronger_model(row: Row) -> None:
    # rc11-alt says nothing about cycles of po and rf, and is compared with RC11 without that axiom.
    left_out = {"no-thin-air"} if row.file == "rc11-alt-under-rc11-genmc" else set()
    expected = [relation for name, relation in axioms(row.stronger).items() if name not in left_out]
    assert stated(claim(row.file).assumptions, row.file) == expected


def test_no_model_is_there_twice() -> None:
    """Under another name, and with other names for its axioms."""
    stated_by: dict[frozenset[str], str] = {}
    for name in all_models():
        meaning = frozenset(repr(relation) for relation in axioms(name).values())
        assert stated_by.setdefault(meaning, name) == name


@pytest.mark.parametrize("name", machine_models())
def test_the_prover_has_the_models_that_the_engine_runs(name: str) -> None:
    assert find_any(name) == find_runnable(name)
    assert not (Path(FOLDER_FOR_PROOFS) / f"{name}.kat").exists()


# The claims on graphs ------------------------------------------------------------------------------------


@cache
def executions() -> list[Execution]:
    """Executions around cycles, with many and with few SC accesses, and others; always the same ones."""
    rng = random.Random(1)
    found = [cycle_execution(rng, sc) for sc in (0.0, 0.3, 0.8) for _ in range(300)]
    found += [random_execution(rng, 6) for _ in range(200)]
    return [execution for execution in found if is_atomic(execution.graph)]


def verdicts(row: Row, execution: Execution) -> tuple[bool, bool, bool]:
    """Whether the claim is about such programs, the stronger model allows it, and the assertions hold."""
    statements = claim(row.file)
    relations = execution.relations(statements)
    facts = [s for s in statements.assumptions if is_fact_of_model(s)]
    rest = [s for s in statements.assumptions if not is_fact_of_model(s)]
    about, allowed, kept = (
        all(s.claim is not None and is_true(relations, s.claim) for s in group)
        for group in (rest, facts, statements.assertions)
    )
    return about, allowed, kept


@pytest.mark.parametrize("row", some(ROWS, every=8), ids=lambda row: row.file)
def test_no_graph_refutes_a_claim_and_none_is_vacuous(row: Row) -> None:
    found = Counter(verdicts(row, execution) for execution in executions())
    assert found[True, True, True] >= 20, "programs that the claim is about have executions"
    if row.expected == "proved":
        assert not found[True, True, False]
    if row.file != "eco":  # which holds of every graph
        assert found[True, False, False] + found[True, True, False] >= 5, "the assertions can fail"


def holds_of(statement: terms.Statement, relations: Relations) -> bool:
    return statement.claim is not None and is_true(relations, statement.claim)


@pytest.mark.parametrize("row", some(ROWS, every=8), ids=lambda row: row.file)
def test_every_assertion_is_about_something(row: Row) -> None:
    """What it says has no cycle, has steps in executions that all assumptions allow, and can have a cycle."""
    assumed = claim(row.file).assumptions
    scheme = [s for s in assumed if not is_fact_of_model(s)]
    every = [execution.relations(claim(row.file)) for execution in executions()]
    for statement in claim(row.file).assertions:
        assert statement.claim is not None
        left = statement.claim.left
        steps = left.left if isinstance(left, terms.Intersection) else left
        assert any(any(r.rows(steps)) and all(holds_of(s, r) for s in assumed) for r in every)
        if row.file != "eco":
            assert any(not holds_of(statement, r) and all(holds_of(s, r) for s in scheme) for r in every)


Z6_U = "Wsc x 1; Wrel y 1 || Usc y 1>2; Rrlx y 3 || Wsc y 3; Rsc x 0"
# Figure 3.1 of the thesis, and a shorter one of its kind: an SC read of a write that is not SC.
LATER_FORBIDDEN = (
    "Rsc x 1; Wrel y 1 || Rsc y 1 || Wsc y 2; Rsc x 0 || Wsc x 1",
    "Wsc x 1; Wrel y 1 || Rsc y 1 || Wsc y 2; Rsc x 0",
)
WITNESSES = {
    "c11-orig-under-power-weak": Z6_U,
    "c11-orig-under-power": Z6_U,
    "thin-air-under-power-weak": "Rrlx x 1; data:Wrlx y 1 || Rrlx y 1; data:Wrlx x 1",
    "rc11-genmc-sc-rmw-under-power": Z6_U,
}


@pytest.mark.parametrize("row", [row for row in ROWS if row.expected == "refuted"], ids=lambda row: row.file)
def test_a_graph_refutes_what_is_to_be_refuted(row: Row) -> None:
    assert verdicts(row, read_execution(WITNESSES[row.file])) == (True, True, False)


@pytest.mark.parametrize("source", LATER_FORBIDDEN)
def test_the_first_c11_allows_what_its_later_strengthening_forbids(source: str) -> None:
    """From-reads of a write that is not SC ordered SC accesses only later; POWER never allowed less."""
    for row in ROWS:
        if row.weaker == "c11-orig":
            assert verdicts(row, read_execution(source)) == (True, True, True)


def test_the_published_rc11_allows_what_a_machine_shows() -> None:
    assert is_allowed(read_execution(Z6_U), "rc11")
    assert is_allowed(read_execution(Z6_U), "power")
    assert not is_allowed(read_execution(Z6_U), "rc11-genmc")


# What the compilation schemes say of a program: with the fences it is one of theirs, without it is not, and
# then the target allows what the source forbids.
SCHEMES = [
    ("rc11-under-x86", "Wsc x 1; Fsc; Rsc y 0 || Wsc y 1; Fsc; Rsc x 0", (True, False, False)),
    ("rc11-under-x86", "Wsc x 1; Rsc y 0 || Wsc y 1; Rsc x 0", (False, True, False)),
    ("rc11-under-x86", "Usc x 0>1; Rsc y 0 || Usc y 0>1; Rsc x 0", (True, False, False)),
    ("imm-under-x86", "Wsc x 1; Rsc y 0 || Wsc y 1; Rsc x 0", (False, True, False)),
    ("c11-strong-under-x86", "Wsc x 1; Rsc y 0 || Wsc y 1; Rsc x 0", (False, True, False)),
    ("imm-under-armv8", "Urlx x 1>2; ctrl:Wrlx y 1 || Rrlx y 1; data:Wrlx x 1", (True, False, False)),
    ("imm-under-armv8", "Urlx x 1>2; Wrlx y 1 || Rrlx y 1; data:Wrlx x 1", (False, True, False)),
    ("armv8-under-x86", "Wrel x 1; Racq y 0 || Wrel y 1; Racq x 0", (False, True, False)),
    ("armv8-under-x86", "Wrlx x 1; Facqrel; Rrlx y 0 || Wrlx y 1; Facqrel; Rrlx x 0", (False, True, False)),
    ("armv8-under-x86", "Wsc x 1; Rrlx y 0 || Wsc y 1; Rrlx x 0", (True, True, True)),
    ("armv7-under-x86", "Wrlx x 1; Facqrel; Rrlx y 0 || Wrlx y 1; Facqrel; Rrlx x 0", (False, True, False)),
    ("power-under-x86", "Wrlx x 1; Rsc y 0 || Wrlx y 1; Rsc x 0", (False, True, False)),
    ("armv7-under-armv8", "Wrlx x 1; Facq; Wrlx y 1 || Rrlx y 1; addr:Rrlx x 0", (False, True, False)),
    ("armv7-under-armv8", "Wrlx x 1; Fsc; Wrlx y 1 || Rrlx y 1; addr:Rrlx x 0", (True, False, False)),
    (
        "armv7-under-armv8",
        "Urlx x 1>2; Rrlx x 2; data:Wrlx y 1 || Rrlx y 1; data:Wrlx x 1",
        (False, True, False),
    ),
]


@pytest.mark.parametrize(("file", "source", "expected"), SCHEMES)
def test_a_scheme_is_needed_and_can_be_kept_to(
    file: str, source: str, expected: tuple[bool, bool, bool]
) -> None:
    (row,) = (row for row in ROWS if row.file == file)
    assert verdicts(row, read_execution(source)) == expected
