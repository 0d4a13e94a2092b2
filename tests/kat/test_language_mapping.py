"""Compilation mappings: what instructions become, and that nothing else about a program changes.

Fences and modes mean nothing under sequential consistency, so a mapped program must have the same executions.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mazurka import _engine
from mazurka.errors import ModelError
from mazurka.frontend import compile_text
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.program import Function, Instr, Mode, Op, Program, Source, SwitchTable
from mazurka.program.sync import Operation, SyncObject, becomes
from mazurka.testing import parse_litmus, to_program
from shipped_models import plan_of

SC = plan_of("sc").encode()
FENCED = (
    ("load.sc", "fence.sc ; load.acq ; fence.acq"),
    ("load.rlx", "load.rlx ; fence.acq"),
    ("store.sc", "fence.rel ; fence.acqrel ; store.rel ; fence.sc"),
    ("store.rlx", "fence.rel ; store.rlx"),
    ("rmw.sc", "fence.sc ; rmw.rlx ; fence.sc"),
    ("rmw.rlx", "rmw.acqrel ; fence.acq"),
    ("fence.sc", "fence.rel ; fence.sc"),
)
LITMUS = [
    "Wsc x 1; Rsc y || Wsc y 1; Rsc x",
    "Wrlx x 1; Wsc y 1 || Rsc y; if r0==1 Rrlx x",
    "Asc x; Asc x || Asc x || Rsc x",
    "Csc x 0 1; Rsc y; if r0==1 Wsc x 3 || Csc x 0 2; Wsc y 1",
    "Xrlx x 1; Fsc; Rrlx y || Xrlx y 1; Fsc; Rrlx x",
]
BRANCHES_AND_LOOPS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, kind;
static int spread(int n) {
  switch (n) {
    case 0: return atomic_load(&x);
    case 1: atomic_store(&y, n); break;
    case 2: atomic_fetch_add(&x, 2); break;
    case 7: atomic_store_explicit(&x, 1, memory_order_relaxed); return 7;
    default: atomic_thread_fence(memory_order_seq_cst);
  }
  return atomic_load_explicit(&y, memory_order_relaxed);
}
void *run(void *arg) {
  int total = 0;
  for (int i = 0; i < 3; i++) {
    if (atomic_load(&kind) == i)
      total += spread(i);
    else
      atomic_store(&kind, i);
  }
  int expected = 0;
  while (!atomic_compare_exchange_strong(&y, &expected, total + 1))
    if (expected > 0) break;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int seen = spread(7);
  atomic_store(&kind, 2);
  seen += spread(2) + spread(1) + spread(9);
  pthread_join(t, 0);
  assert(seen >= 7);
  return 0;
}
"""


def explored(program: Program) -> _engine.Explored:
    return _engine.explore(program.encode(), SC, collect=True)


def without_fences(program: Program) -> Counter[tuple[object, ...]]:
    """The executions, by what each thread's accesses read and wrote."""
    return Counter(
        tuple(
            tuple((e.kind, e.address, e.value) for e in thread.events if e.kind != "F")
            for thread in graph.threads
        )
        for graph in explored(program).graphs
    )


def fences(program: Program) -> int:
    return sum(i.op == Op.FENCE for f in program.functions for i in f.code)


def same_executions(program: Program, mapping: tuple[tuple[str, str], ...]) -> None:
    before, after = explored(program), explored(apply_mapping(program, mapping))
    assert (after.status, after.complete, after.blocked) == (
        before.status,
        before.complete,
        before.blocked,
    )
    assert without_fences(apply_mapping(program, mapping)) == without_fences(program)


@pytest.mark.parametrize("text", LITMUS)
def test_litmus_programs_keep_their_executions(text: str) -> None:
    program = to_program(parse_litmus(text))
    assert fences(apply_mapping(program, FENCED)) > fences(program)
    same_executions(program, FENCED)


def test_branches_loops_and_switches_keep_their_executions() -> None:
    program = compile_text(BRANCHES_AND_LOOPS)
    ops = Counter(i.op for f in program.functions for i in f.code)
    assert {Op.SWITCH, Op.BR, Op.LOOP, Op.CAS, Op.RMW, Op.FENCE} <= ops.keys(), "the program tests too little"
    assert explored(program).status == "finished"
    assert explored(program).complete > 10
    same_executions(program, FENCED)


@given(st.sampled_from(LITMUS), st.integers(0, 2**16))
def test_random_mappings_keep_executions(text: str, seed: int) -> None:
    same_executions(to_program(parse_litmus(text)), _random_mapping(random.Random(seed)))


def _random_mapping(choice: random.Random) -> tuple[tuple[str, str], ...]:
    modes = {
        "load": ["rlx", "acq", "sc"],
        "store": ["rlx", "rel", "sc"],
        "rmw": ["rlx", "acq", "acqrel", "sc"],
    }
    rules = []
    for kind, names in modes.items():
        for mode in choice.sample(names, choice.randint(0, len(names))):
            around = [[f"fence.{choice.choice(['acq', 'rel', 'sc'])}"] * choice.randint(0, 2) for _ in "ab"]
            rules.append(
                (f"{kind}.{mode}", " ; ".join([*around[0], f"{kind}.{choice.choice(names)}", *around[1]]))
            )
    return tuple(rules)


def test_no_rules_give_the_same_program() -> None:
    program = to_program(parse_litmus(LITMUS[0]))
    assert apply_mapping(program, ()) is program


def one_function(*code: Instr, switches: tuple[SwitchTable, ...] = ()) -> Program:
    return Program((Function("main", 0, 4, 0, (), code),), 0, switches=switches, lists=((),))


def test_what_an_access_becomes() -> None:
    store = Instr(Op.STORE, a=1, b=2, width=32, mode=Mode.SC, position=5, expr="x")
    program = one_function(store, replace(store, mode=Mode.REL), Instr(Op.RET))
    mapped = apply_mapping(program, [("store.sc", "fence.rel ; store.rlx ; fence.sc")])
    assert mapped.functions[0].code == (
        Instr(Op.FENCE, mode=Mode.REL, position=5, source=Source()),
        replace(store, mode=Mode.RLX, source=Source(Mode.SC)),
        Instr(Op.FENCE, mode=Mode.SC, position=5, source=Source()),
        replace(store, mode=Mode.REL),
        Instr(Op.RET),
    )


def test_jumps_follow_and_enter_before_the_fences() -> None:
    store = Instr(Op.STORE, mode=Mode.SC)
    table = SwitchTable(((3, 1), (4, 3)), 4)
    code = (Instr(Op.SWITCH), store, Instr(Op.JMP, a=1), Instr(Op.BR, a=3, b=1, c=4), Instr(Op.RET))
    moving = Function("moving", 0, 4, 0, (), code)
    staying = replace(moving, name="staying", code=(code[0], Instr(Op.NOP), *code[2:]))
    program = Program((moving, staying), 0, switches=(table,), lists=((),))
    mapped = apply_mapping(program, [("store.sc", "fence.sc ; store.sc ; fence.sc")])
    switch, *_, jump, branch, _ = mapped.functions[0].code
    assert mapped.switches[switch.c] == SwitchTable(((3, 1), (4, 5)), 6)
    assert jump.a == 1
    assert (branch.a, branch.b, branch.c) == (3, 1, 6)  # a is an operand, no target
    assert mapped.functions[1] == staying
    assert mapped.switches[staying.code[0].c] == table


@pytest.mark.parametrize(
    ("text", "mode", "failure"),
    [
        ("rmw.acqrel", Mode.ACQ_REL, Mode.ACQ),
        ("rmw.rel", Mode.REL, Mode.RLX),
        ("rmw.rlx ; fence.sc", Mode.RLX, Mode.RLX),
        ("fence.sc ; rmw.sc", Mode.SC, Mode.RLX),  # not changed, so the failure mode is not either
    ],
)
def test_failure_modes(text: str, mode: Mode, failure: Mode) -> None:
    program = one_function(Instr(Op.CAS, mode=Mode.SC, x=Mode.RLX), Instr(Op.RET))
    code = apply_mapping(program, [("rmw.sc", text)]).functions[0].code
    (cas,) = (i for i in code if i.op == Op.CAS)
    assert (cas.mode, cas.x) == (mode, failure)


@pytest.mark.parametrize(
    ("success", "failure", "is_fenced"),
    [
        (Mode.RLX, Mode.RLX, False),
        (Mode.RLX, Mode.ACQ, True),
        (Mode.REL, Mode.ACQ, True),
        (Mode.REL, Mode.RLX, False),
        (Mode.ACQ, Mode.RLX, True),
    ],
)
def test_a_compare_exchange_gets_the_fences_of_its_failure(
    success: Mode, failure: Mode, is_fenced: bool
) -> None:
    rules = (("rmw.acq", "rmw.rlx ; fence.sc"), ("rmw.rel", "fence.rel ; rmw.rlx"))
    code = (Instr(Op.CAS, mode=success, x=failure), Instr(Op.RET))
    mapped = apply_mapping(one_function(*code), rules).functions[0].code
    assert (mapped[-2] == Instr(Op.FENCE, mode=Mode.SC, source=Source())) == is_fenced
    assert (mapped[0] == Instr(Op.FENCE, mode=Mode.REL, source=Source())) == (success == Mode.REL)


def test_plain_accesses_are_left_alone() -> None:
    code = (Instr(Op.LOAD), Instr(Op.STORE), Instr(Op.RET))
    assert apply_mapping(one_function(*code), FENCED).functions[0].code == code


def test_operations_on_objects_get_the_fences_of_their_modes() -> None:
    word = SyncObject("word", size=4, kind="word", title="a word is misused")
    lock = Operation(word, "lock", reads=Mode.ACQ, writes=Mode.RLX, cases=(becomes(1),))
    unlock = Operation(word, "unlock", reads=None, writes=Mode.REL, cases=(becomes(0),))
    code = (Instr(Op.SYNC, c=0), Instr(Op.SYNC, c=1), Instr(Op.RET))
    program = replace(one_function(*code), operations=(lock, unlock))
    rules = (("rmw.acq", "rmw.rlx ; fence.sc"), ("store.rel", "fence.rel ; store.rlx"))
    fences = [Instr(Op.FENCE, mode=mode, source=Source()) for mode in (Mode.SC, Mode.REL)]
    assert apply_mapping(program, rules).functions[0].code == (code[0], *fences, *code[1:])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("store.sc", "", "'' is not an access"),
        ("store.sc", "fence.sc", "must have one store, but it has none"),
        ("store.sc", "store.sc ; store.sc", "but it has 2"),
        ("store.sc", "store.sc ; load.sc", "cannot contain a load"),
        ("store.sc", "store.acq", "a store has no mode 'acq'"),
        ("jump.sc", "store.sc", "'jump.sc' is not an access"),
        ("store", "store.sc", "a store has no mode ''"),
        ("load.na", "load.na ; fence.sc", "a plain access cannot have fences"),
    ],
)
def test_bad_rules(name: str, text: str, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        apply_mapping(one_function(Instr(Op.RET)), [(name, text)])
    assert message in caught.value.message
    assert caught.value.hint
