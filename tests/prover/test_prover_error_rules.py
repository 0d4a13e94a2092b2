"""Comparisons of models with error rules: what is undefined refutes nothing, and errors are compared, too."""

from __future__ import annotations

from mazurka.kat.language.load import load_text, named_model
from mazurka.kat.meaning.terms import Model
from mazurka.prover import Proved, Refuted, Unknown, decide, weaker
from mazurka.prover.questions.reordering import may_reorder
from mazurka.prover.questions.topics import compared
from mazurka.prover.refuting.completion import executions_of
from mazurka.prover.refuting.undefined import is_undefined
from plain_graphs import executions
from plain_judge import plain
from profiles import heavy

RACE = "let c = [W] ; loc-overlap | loc-overlap ; [W]\nlet racing = [NA] ; c | c ; [NA]\nview hb = po+\n"
RULE = "error race unless racing <= hb\n"


def model(name: str, axiom: str, *, rule: bool = True) -> Model:
    """A model with an axiom, and the rule that there is no race."""
    return load_text(f"model {name}\n{RACE}{axiom}\n{RULE if rule else ''}")


def answers(weak: Model, strong: Model) -> dict[str, type]:
    """The answers by the names of what is claimed."""
    return {query.name: type(decide(query, allow_unused=True)) for query in weaker(weak, strong)}


NO_NA_CYCLE = "acyclic [NA] ; po ; [NA] | rf as axiom"
NO_CYCLE = "acyclic po | rf as axiom"
NOTHING = "acyclic po as nothing"


def test_programs_that_race_refute_nothing() -> None:
    assert answers(model("weak", NO_NA_CYCLE, rule=False), model("strong", NOTHING))["axiom"] is Refuted
    assert answers(model("weak", NO_NA_CYCLE), model("strong", NOTHING))["axiom"] is Unknown


def test_programs_that_do_not_race_are_found() -> None:
    (query, *_) = weaker(model("weak", NO_CYCLE), model("strong", NOTHING))
    answer = decide(query)
    assert isinstance(answer, Refuted)
    assert query.theory.errors is not None
    assert not is_undefined(answer.graph, query.theory.errors, query.theory.views)


def test_the_executions_of_a_program_are_all_there() -> None:
    (query, *_) = weaker(model("weak", NO_CYCLE), model("strong", NOTHING))
    answer = decide(query)
    assert isinstance(answer, Refuted)
    graph = plain(answer.graph)
    ours = {(plain(g).rf, plain(g).co) for g in executions_of(answer.graph)}
    assert ours == {(g.rf, g.co) for g in executions(graph)}


def test_what_one_model_calls_a_race_the_other_does_too() -> None:
    smaller = f"model small\n{RACE.replace('po+', 'po ; po')}{NO_CYCLE}\n{RULE}"
    larger, small = model("large", NO_CYCLE), load_text(smaller)
    assert answers(larger, larger) == {"axiom": Proved, "error race": Proved}
    # Less is ordered in `small`: what races there need not race in `large`.
    assert answers(small, larger) == {"axiom": Proved, "error race": Proved}
    assert answers(larger, small)["error race"] is not Proved


def test_an_answer_says_what_it_means() -> None:
    rules, none = model("m", NO_CYCLE), model("n", NO_CYCLE, rule=False)
    assert compared(none, none).notes == ()
    assert "such programs refute nothing" in compared(rules, none).notes[0]
    assert "without one" in compared(none, rules).notes[0]


@heavy
def test_reordering_non_atomic_accesses_is_not_refuted_by_a_race() -> None:
    """Of rc11, which calls the programs erroneous that would refute it."""
    for question in may_reorder("rc11", "R.na ; W.na").questions:
        assert question.query is not None
        assert not isinstance(decide(question.query, allow_unused=True, time_limit=20), Refuted)


@heavy
def test_reordering_relaxed_accesses_is_refuted_without_a_race() -> None:
    queries = [question.query for question in may_reorder("rc11", "R.rlx ; W.rlx").questions]
    found = [decide(query, allow_unused=True) for query in queries if query is not None]
    assert any(isinstance(answer, Refuted) for answer in found)


def test_shipped_models_compare_their_errors() -> None:
    names = [query.name for query in weaker(named_model("rc11-ra"), named_model("rc11"))]
    assert names[-1] == "error race"
