"""C11's races under models of machines: the engine finds one where brute force does, and only there.

The rule is that of another model, and it is about the source: brute force turns each graph of the compiled
program into one of the source (``reference.graph``) before it looks at the rule.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

import pytest
from comparison import SEEDS, assert_same, explore, shipped
from hypothesis import given
from hypothesis import strategies as st
from mazurka.kat.language.load import load_text, named_model
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.kat.meaning.plan import Plan
from mazurka.kat.meaning.terms import Model
from mazurka.kat.planning.computed import with_rules_of
from mazurka.kat.planning.planner import tables_of
from mazurka.models.registry import machine_models
from mazurka.program import Mode, Program, Source
from mazurka.reference import Executions, enumerate_executions
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.dependency_strategies import dependency_tests
from mazurka.testing.operations import (
    CompareExchange,
    Exchange,
    Fence,
    Guard,
    Load,
    Operation,
    Register,
    Store,
)
from profiles import examples, some

MODELS = [*(name for name in machine_models() if name != "lkmm"), "tso"]  # lkmm has a rule of its own
RULES = ("rc11", "rc11-cpp11", "rc11-ra")
LOADS, STORES = (Mode.RLX, Mode.ACQ, Mode.SC), (Mode.RLX, Mode.REL, Mode.SC)
UPDATES, FENCES = (*STORES, Mode.ACQ, Mode.ACQ_REL), (Mode.ACQ, Mode.REL, Mode.ACQ_REL, Mode.SC)


@cache
def planned(name: str, rules: str) -> tuple[Model, Plan]:
    model = named_model(name)
    return replace(model, ppo=None), with_rules_of(tables_of(replace(model, errors=())), shipped(rules))


@st.composite
def messages(draw: st.DrawFn) -> Test:
    """Threads that tell each other, by flags, that they have used plain data."""

    def pick(modes: tuple[Mode, ...]) -> Mode:
        return draw(st.sampled_from(modes))

    def fence() -> tuple[Operation, ...]:
        return (Fence(pick(FENCES)),) if draw(st.integers(0, 3)) == 0 else ()

    def use() -> Operation:
        return Store(Mode.NA, "d", 1) if draw(st.booleans()) else Load(Mode.NA, "d")

    def tell(flag: str) -> Operation:
        update = draw(st.integers(0, 3)) == 0
        return Exchange(pick(UPDATES), flag, 1) if update else Store(pick(STORES), flag, 1)

    def ask(flag: str) -> Operation:
        if draw(st.integers(0, 3)) == 0:
            return CompareExchange(pick(UPDATES), flag, draw(st.integers(0, 1)), 2, pick(LOADS))
        return Load(pick(LOADS), flag)

    count = draw(st.sampled_from([2, 2, 3]))
    threads: list[tuple[Operation, ...]] = [(Store(Mode.NA, "d", 1), *fence(), tell("f"))]
    for number in range(1, count):
        heard = (*fence(), use()) if draw(st.integers(0, 3)) else (use(),)
        after = (*fence(), tell("g")) if number + 1 < count else ()
        threads.append((ask("f" if number == 1 else "g"), Guard(Register(0), 1, (*heard, *after))))
    return Test(tuple(threads), (("d", 0), ("f", 0), ("g", 0)))


@lru_cache(maxsize=1)  # for several schedules of one test
def brute_force(test: Test, name: str, rules: str) -> tuple[Program, Executions]:
    """The test as it is compiled, and what brute force finds."""
    program = apply_mapping(to_program(test), named_model(name).mapping)
    return program, enumerate_executions(program, planned(name, rules)[0], rules=shipped(rules))


def check(test: Test, name: str, rules: str, seed: int | None) -> bool:
    """Whether there is a race, which both must find."""
    program, expected = brute_force(test, name, rules)
    found = explore(program, planned(name, rules)[1], seed=seed)
    assert_same(found, expected, early=True)
    assert expected.findings <= {"race"}
    return found.status == "violation"


@pytest.mark.parametrize("name", some(MODELS, every=2))
@examples(ci=100, slow=3_000)
@given(messages(), st.sampled_from(RULES), SEEDS)
def test_messages(name: str, test: Test, rules: str, seed: int | None) -> None:
    check(test, name, rules, seed)


@pytest.mark.parametrize("name", some(MODELS, every=3))
@examples(ci=40, slow=2_000)
@given(dependency_tests(), st.integers(0, 2**16), SEEDS)
def test_dependencies(name: str, test: Test, plain: int, seed: int | None) -> None:
    """Cycles of po and rf: some of the accesses become plain."""
    check(_with_plain(test, plain), name, "rc11", seed)


def _with_plain(test: Test, plain: int) -> Test:
    bits = iter(int(digit) for digit in f"{plain:016b}" * 4)

    def weaker(operation: Operation) -> Operation:
        if isinstance(operation, Guard):
            return replace(operation, body=tuple(map(weaker, operation.body)))
        if isinstance(operation, Load | Store) and next(bits) and next(bits):
            return replace(operation, mode=Mode.NA)
        return operation

    return replace(test, threads=tuple(tuple(map(weaker, thread)) for thread in test.threads))


# A message, and whether rc11 has an order of the two accesses of d: what the machine makes of the flag's
# accesses, such as full fences, makes no difference.
SAID = {
    "Wna d 1; Wrel f 1 || Racq f; if r0==1 Rna d": False,
    "Wna d 1; Wsc f 1 || Rsc f; if r0==1 Rna d": False,
    "Wna d 1; Frel; Wrlx f 1 || Rrlx f; Facq; if r0==1 Rna d": False,
    "Wna d 1; Xacqrel f 1 || Racq f; if r0==1 Rna d": False,
    # A full fence follows the store, and releases nothing that comes before it.
    "Wna d 1; Wrlx f 1; Wsc g 1 || Racq f; if r0==1 Rna d": True,
    # So it does on machines where it comes first: it is not in the source.
    "Wna d 1; Wsc g 1; Wrlx f 1 || Racq f; if r0==1 Rna d": True,
    "Wna d 1; Wrel f 1 || Rrlx f; Rsc g; if r0==1 Rna d": True,
    "Wna d 1; Wrel f 1 || Rrlx f; if r0==1 Rna d": True,
    "Wna d 1; Xrlx f 1 || Racq f; if r0==1 Rna d": True,
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("text", SAID)
def test_what_the_source_says_counts(name: str, text: str) -> None:
    test = parse_litmus(text)
    for seed in (None, 1, 2):
        assert check(test, name, "rc11", seed) == SAID[text]


def test_a_compiled_program_knows_its_source() -> None:
    program = to_program(parse_litmus("Wsc x 1; Cacqrel x 1 2; Fsc || Rna x"))
    mapped = apply_mapping(program, (("store.sc", "fence.rel ; store.rlx"), ("rmw.acqrel", "rmw.sc")))
    sources = [i.source for function in mapped.functions for i in function.code if i.source is not None]
    assert sources == [Source(), Source(Mode.SC), Source(Mode.ACQ_REL, Mode.RLX)]


OWN_RULES = """
model own "Coherence, and a rule"
acyclic po-loc | rf | co | fr
let order = ([F & SC] ; po | po ; [F & SC] | rfe)+
ppo = po-loc | [F & SC] ; po | po ; [F & SC]
export error told unless [NA] ; loc-overlap ; [W] <= order
"""


@examples(ci=60, slow=2_000)
@given(messages(), SEEDS)
def test_rules_of_a_model_with_gaps(test: Test, seed: int | None) -> None:
    """The order of a rule may be any relation: this one leaves out most of po."""
    model = load_text(OWN_RULES, "own.kat")
    program = to_program(test)
    expected = enumerate_executions(program, model)
    assert_same(explore(program, tables_of(model), seed=seed), expected, early=True)
