"""``mazurka.check``: options are checked, and engine results become values or errors of the right class."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mazurka
import pytest
from command import mazurka as command
from command import write
from mazurka import InternalError, ModelError, SourceError, UsageError
from mazurka import check as check_function
from mazurka.cache.compiled import Compiled
from mazurka.cache.plans import ReadyPlan, ReadyRule
from mazurka.errors import ErrorCode
from mazurka.program import Function, Global, Instr, Loop, Op, Position, Program, Region, address, pieces_of

GREETING = address(Region.GLOBAL, 64)
PROGRAM = Program(
    functions=(Function("main", 0, 1, 0, (), (Instr(Op.NOP, position=0),)),),
    entry=0,
    globals=(Global("text", GREETING, 3, pieces_of(b"hi\0"), True),),
    positions=(Position("a.c", 3, 5), Position("a.c", 7, 1)),
    loops=(Loop("spin", 1),),
)
PLAN = ReadyPlan(b"", ("coherence",), (ReadyRule("race", "race", False, "hb"),), None)
FINDING = {
    "kind": "assertion",
    "message": "m",
    "thread": 0,
    "function": 0,
    "pc": 0,
    "stack": [(0, 0)],
    "event": None,
    "other": None,
    "rule": None,
    "loop": None,
    "recursion": None,
    "address": None,
    "object": None,
}


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., mazurka.Outcome]:
    """Checks a program whose compilation and exploration are made up."""
    import sys

    module, exploring = (sys.modules[f"mazurka.checking.{name}"] for name in ("check", "exploring"))

    def run(**result: Any) -> mazurka.Outcome:
        full: dict[str, Any] = {
            "status": "finished",
            "complete": 1,
            "blocked": 0,
            "explored_complete": 1,
            "fraction": 1.0,
            "explored_blocked": 0,
            "seconds": 0.5,
            "forbidden": [0],
            "warnings": [],
            "leaks": [],
            "route": None,
            "spared": False,
            "cuts": [],
            "observed": [],
            "contended": [],
            "stops_attempts": False,
            "out_of_memory": False,
            "system_refused": False,
            "grew": None,
            "finding": None,
            "graph": None,
            "graphs": [],
            "output": [],
            "objects": [],
            "prologue": [],
            **result,
        }
        if full["finding"]:
            full["finding"] = SimpleNamespace(**full["finding"])
        monkeypatch.setattr(module, "_compile", lambda *_: Compiled.of(PROGRAM))
        monkeypatch.setattr(exploring, "_run", lambda *_, **__: SimpleNamespace(**full))
        monkeypatch.setattr(exploring, "plan_for", lambda *_, **__: PLAN)
        return check_function("a.c", model="sc")

    return run


def test_verified(answer: Callable[..., mazurka.Outcome]) -> None:
    outcome = answer(output=[(0, [GREETING])], prologue=[(16, 4, 1, 3)])
    assert (outcome.verdict, outcome.complete, outcome.violation) == ("verified", 1, None)
    assert outcome.output == ((0, "hi"),)
    assert (outcome.prologue[0].size, outcome.prologue[0].pc) == (4, 3)


def test_a_cut_makes_it_bounded_unless_there_is_a_violation(answer: Callable[..., mazurka.Outcome]) -> None:
    outcome = answer(cuts=[(0, 0, 0)])
    assert outcome.verdict == "bounded"
    assert (outcome.bounds[0].function, outcome.bounds[0].line) == ("spin", 7)
    assert answer(status="violation", finding=FINDING, cuts=[(0, 0, 0)]).verdict == "violation"
    assert answer(status="interrupted", cuts=[(0, 0, 0)]).verdict == "interrupted"


def test_a_violation_has_its_place(answer: Callable[..., mazurka.Outcome]) -> None:
    violation = answer(status="violation", finding=FINDING).violation
    assert violation is not None
    assert violation.location == Position("a.c", 3, 5)


def test_nothing_but_blocked_executions_is_a_warning(answer: Callable[..., mazurka.Outcome]) -> None:
    assert "every execution was blocked" in answer(complete=0, blocked=4).warnings[0]


@pytest.mark.parametrize("kind", ["unknown-function", "unsupported", "mixed-size", "endless-loop"])
def test_what_the_engine_refuses_is_a_source_error(answer: Callable[..., mazurka.Outcome], kind: str) -> None:
    with pytest.raises(SourceError) as caught:
        answer(status="refused", finding={**FINDING, "kind": kind})
    assert caught.value.code == kind
    assert str(caught.value.place) == "a.c:3:5"
    assert caught.value.hint


def test_an_endless_loop_is_named_by_its_own_line(answer: Callable[..., mazurka.Outcome]) -> None:
    with pytest.raises(SourceError) as caught:
        answer(status="refused", finding={**FINDING, "kind": "endless-loop", "loop": 0})
    assert str(caught.value.place) == "a.c:7:1"
    assert "spin" in caught.value.message
    assert "unroll=N" in (caught.value.hint or "")


def test_an_unforeseen_exception_is_our_bug(answer: Callable[..., mazurka.Outcome]) -> None:
    with pytest.raises(InternalError) as caught:
        answer(cuts=[(99, 0, 0)])
    assert isinstance(caught.value.__cause__, IndexError)
    assert "bug in Mazurka" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("error", "code", "options"),
    [
        (ModelError, ErrorCode.UNKNOWN_MODEL, {"model": "sparc"}),
        (ModelError, ErrorCode.UNKNOWN_MODEL, {"model": "absent.kat"}),
        (ModelError, ErrorCode.UNKNOWN_MODEL, {"model": "absent.cat"}),
        (UsageError, ErrorCode.BAD_VALUE, {"equivalence": "mo"}),
        (UsageError, ErrorCode.BAD_VALUE, {"unroll": 0}),
        (UsageError, ErrorCode.BAD_VALUE, {"schedule_seed": -1}),
        (UsageError, ErrorCode.BAD_VALUE, {"time_limit": 0.0}),
        (UsageError, ErrorCode.BAD_VALUE, {"time_limit": float("nan")}),
        (UsageError, ErrorCode.BAD_VALUE, {"workers": 0}),
        (UsageError, ErrorCode.BAD_VALUE, {"workers": -2}),
        (UsageError, ErrorCode.BAD_VALUE, {"workers": 1 << 40}),
        (UsageError, ErrorCode.BAD_VALUE, {"watch": print}),
        (UsageError, ErrorCode.BAD_VALUE, {"route": [1, 2]}),
    ],
)
def test_options_are_checked_before_anything_runs(
    error: type[mazurka.MazurkaError], code: ErrorCode, options: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(error) as caught:
        check_function(tmp_path / "absent.c", **options)
    assert caught.value.code == code
    assert caught.value.hint


def test_every_execution_can_be_collected(tmp_path: Path) -> None:
    source = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
atomic_int x;
void *writer(void *arg) { x = 1; return arg; }
int main(void) { pthread_t t; pthread_create(&t, NULL, writer, NULL); return x; }
"""
    outcome = check_function(write(tmp_path, source), collect=True)
    values = sorted(
        graph[ref].value for graph in outcome.graphs for ref in graph.refs() if graph[ref].kind == "R"
    )
    assert values == [0, 1]


ARGUMENTS = """#include <pthread.h>
#include <stdlib.h>
static void *nothing(void *arg) { return arg; }
int main(int argc, char **argv)
{
    if (argc %s 2) return 1;
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, argv[0]);
    return pthread_join(thread, NULL);
}
"""


@pytest.mark.parametrize(("comparison", "warned"), [("<", True), (">", False)])
def test_a_main_that_wants_arguments_is_warned_of(comparison: str, warned: bool, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(ARGUMENTS % comparison)
    for _ in range(2):  # the second time, from the cache
        said = [warning for warning in check_function(path).warnings if "without arguments" in warning]
        assert bool(said) is warned
        assert not warned or f"{path}:6" in said[0]


@pytest.mark.parametrize("text", ["int main(void) { return 0; }\0", 'char *s = "\udc80"; int main(void) {}'])
def test_a_text_that_no_file_could_hold_is_refused(text: str) -> None:
    with pytest.raises(SourceError) as caught:
        mazurka.check(mazurka.Source(text, "dir/odd.c"))
    assert caught.value.code == ErrorCode.NOT_TEXT
    assert str(caught.value).startswith("dir/odd.c: error: the text of a program cannot contain ")


@pytest.mark.parametrize("name", ["folder/", ".", "..", "null\0.c", "\ud800.c", "n" * 300 + ".c"])
def test_a_name_that_no_file_could_have_is_refused(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        mazurka.check(mazurka.Source("int main(void) { return 0; }", name))
    assert (caught.value.code, repr(name) in str(caught.value)) == (ErrorCode.BAD_VALUE, True)


ROOT = Path(__file__).resolve().parents[2]
ENDS_EARLY = """
import sys, threading
import mazurka
from mazurka import _engine

begun = threading.Event()

def explore(*given, **more):
    begun.set()
    return usual(*given, **more)

usual, _engine.explore = _engine.explore, explore
ask = {"check": mazurka.check, "litmus": mazurka.litmus}[sys.argv[1]]
options = {"cflags": ["-DN=40"]} if sys.argv[1] == "check" else {}
threading.Thread(target=ask, args=sys.argv[2:], kwargs=options, daemon=True).start()
begun.wait()
threading.Event().wait(0.5)
print("the main thread has ended")
"""
MANY = "\n".join(["X86 many", "{}", " P0 | P1 ;", *[" MOV [x],$1 | MOV [x],$2 ;"] * 16, "exists (x=1)", ""])


@pytest.mark.parametrize("asked", ["check", "litmus"])
def test_a_process_may_end_while_a_daemon_thread_explores(asked: str, tmp_path: Path) -> None:
    large = ROOT / "benchmarks" / "programs" / "lastzero.c"
    program = str(large) if asked == "check" else str(write(tmp_path, MANY, "many.litmus"))
    done = subprocess.run(
        [sys.executable, "-c", ENDS_EARLY, asked, program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "the main thread has ended\n", "")


def test_page_breaks_do_not_move_the_lines_that_reports_show(tmp_path: Path) -> None:
    """Python ends a line at each of these characters, and C at none: GNU's sources have page breaks."""
    text = "#include <assert.h>\n\f\n// \u2028 \v \x1c \x85\nint main(void) {\n    assert(1 == 2);\n}\n"
    path = write(tmp_path, '#include "checks.h"\n', "program.c")
    write(tmp_path, text, "checks.h")
    for program in (mazurka.Source(text), write(tmp_path, text, "pages.c"), path):
        report = mazurka.check(program).report()
        assert "     5 | assert(1 == 2);\n" in report


def test_errors_show_the_right_line_below_a_page_break(tmp_path: Path) -> None:
    path = write(tmp_path, 'int x;\n\f\nint main(void) { __asm__("cpuid"); }\n')
    assert '      3 | int main(void) { __asm__("cpuid"); }\n' in command("check", path).err


def test_a_function_below_a_page_break_may_be_used_before_it_is_declared() -> None:
    text = "int x;\n\f\nint main(void) { set(); }\nvoid set(void) { x = 1; }\n"
    assert mazurka.check(text).verdict == "verified"
