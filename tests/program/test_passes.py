"""The list of passes: its order, what each pass does, and a toy pass that the how-to adds to it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from mazurka import _engine
from mazurka.frontend import compile_text
from mazurka.program import Function, Instr, Op, Program, Rounds
from mazurka.program.flow.draft import Draft
from mazurka.program.flow.graph import FlowGraph
from mazurka.program.flow.program import ProgramFlow
from mazurka.program.passes import PASSES, Pass, run_passes
from shipped_models import plan_of

ROOT = Path(__file__).resolve().parents[2]
RETURN = Instr(Op.RET)


def one_function(*code: Instr) -> Program:
    return Program((Function("main", 0, 4, 0, (), code),), 0, lists=((),), strings=("",))


def test_passes_have_names_of_their_own_and_come_after_what_they_need() -> None:
    names = [one.name for one in PASSES]
    assert len(names) == len(set(names))
    for place, one in enumerate(PASSES):
        assert set(one.needs) <= set(names[:place]), one.name
        assert one.does, one.name


def test_a_pass_that_comes_too_early_is_a_bug() -> None:
    early = Pass("early", "", lambda flow: flow.program, needs=("late",))
    with pytest.raises(AssertionError, match="early comes too early"):
        run_passes(one_function(RETURN), (early,))


def test_passes_share_the_control_flow_until_one_changes_the_program() -> None:
    seen: list[ProgramFlow] = []
    first, second = one_function(RETURN), one_function(Instr(Op.NOP), RETURN)

    def look(flow: ProgramFlow) -> Program:
        seen.append(flow)
        return flow.program

    def change(flow: ProgramFlow) -> Program:
        seen.append(flow)
        return second

    passes = [Pass(str(number), "", run) for number, run in enumerate((look, change, look, look))]
    assert run_passes(first, passes) is second
    assert [flow.program for flow in seen] == [first, first, second, second]
    assert seen[0] is seen[1]
    assert seen[2] is seen[3]


MANY_LOOPS = "#include <stdatomic.h>\natomic_int x;\nint main(int n, char **words) {\n  int sum = 0;\n"
MANY_LOOPS += "  for (int i = 0; i < n; i++) sum += x;\n" * 20
MANY_LOOPS += "  return sum;\n}\n"


def test_loops_share_the_control_flow_of_their_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """To look at it again for each loop took minutes where long functions have many."""
    drawn: list[Draft] = []
    graph = Draft.graph

    def counted(draft: Draft) -> FlowGraph:
        drawn.append(draft)
        return graph(draft)

    monkeypatch.setattr(Draft, "graph", counted)
    assert len(compile_text(MANY_LOOPS).loops) == 20
    assert len(drawn) < 20


def rounds(*code: Instr) -> list[int]:
    """The marks of a function's LOOP instructions after all passes."""
    return [i.x for i in run_passes(one_function(*code)).functions[0].code if i.op == Op.LOOP]


LOOP, BACK = Instr(Op.LOOP, 1), Instr(Op.JMP, a=0)
ENDINGS = {
    "returns": (RETURN, Rounds.ANY),
    "ends the thread": (Instr(Op.EXIT), Rounds.ANY),
    "runs in another circle": (Instr(Op.JMP, a=3), Rounds.ANY),
    "fails": (Instr(Op.FAIL), Rounds.ENDLESS),
    "is refused": (Instr(Op.REFUSE), Rounds.ENDLESS),
    "cannot go on": (Instr(Op.UNREACHABLE), Rounds.ENDLESS),
}


@pytest.mark.parametrize("what", ENDINGS)
def test_a_loop_is_endless_if_nothing_is_left_for_that_goes_on(what: str) -> None:
    ending, mark = ENDINGS[what]
    assert rounds(Instr(Op.BR, b=1, c=3), LOOP, BACK, ending) == [mark]


@pytest.mark.parametrize(("ending", "mark"), [(Op.EXIT, Rounds.ANY), (Op.FAIL, Rounds.ENDLESS)])
def test_a_call_of_what_ends_the_thread_is_an_exit(ending: Op, mark: Rounds) -> None:
    """Also if it only calls a function that does."""
    code = (Instr(Op.BR, b=1, c=3), LOOP, BACK, Instr(Op.CALL, a=1), Instr(Op.UNREACHABLE))
    through = (Instr(Op.CALL, a=2), Instr(Op.UNREACHABLE))
    program = one_function(*code)
    others = (Function("f", 0, 1, 0, (), through), Function("g", 0, 1, 0, (), (Instr(ending),)))
    marked = run_passes(replace(program, functions=program.functions + others))
    assert [i.x for i in marked.functions[0].code if i.op == Op.LOOP] == [mark]


def test_a_loop_with_a_constant_number_of_rounds_stays_one() -> None:
    constant = Instr(Op.LOOP, 1, x=Rounds.CONSTANT)
    assert rounds(Instr(Op.BR, b=1, c=3), constant, BACK, RETURN) == [Rounds.CONSTANT]


def test_a_program_without_endless_loops_is_not_touched() -> None:
    program = one_function(Instr(Op.BR, b=1, c=3), LOOP, BACK, RETURN)
    endless = next(one for one in PASSES if one.name == "endless-loops")
    assert run_passes(program, (endless,)) is program
    assert run_passes(program).functions == program.functions


def toy_pass() -> Pass:
    """The pass of docs/howto/extend.md, as its code says, with the line for the list."""
    page = (ROOT / "docs" / "howto" / "extend.md").read_text(encoding="utf-8")
    section = page.split("## A pass\n")[1].split("\n## ")[0]
    module = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    line = re.search(r"`(Pass\(.*?\))`", section)
    assert module is not None
    assert line is not None
    names: dict[str, object] = {"Pass": Pass}
    exec(module[1], names)
    added = eval(line[1], names)
    assert isinstance(added, Pass)
    return added


SOURCE = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
extern int strange(int);
static void *thread(void *arg) {
    switch (x) {
    case 0: x = 1; break;
    case 5: x = strange(2) + 1; break;
    default: x = 3;
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x != 0);
}
"""


def test_the_toy_pass_of_the_how_to_removes_code_and_changes_no_result() -> None:
    program = compile_text(SOURCE)
    shorter = run_passes(program, (*PASSES, toy_pass()))
    sizes = [sum(len(f.code) for f in one.functions) for one in (program, shorter)]
    assert sizes[1] < sizes[0], "the code after the unknown function"
    plan = plan_of("sc").encode()
    ran = [_engine.explore(one.encode(), plan) for one in (program, shorter)]
    counts = [(result.status, result.complete, result.blocked) for result in ran]
    assert counts[0] == counts[1]
    assert counts[0][0] == "finished"
    assert counts[0][1] > 1
