"""What the program leaves open: ``--nondet`` and ``--stub``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import mazurka, write
from mazurka.checking.left_open import read_stubs
from mazurka.errors import UsageError
from profiles import some

SUM = """\
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  srand(1);
  int a = rand();
  int n = __VERIFIER_nondet_int();
  assert(a + n < 7);
}
"""


def test_what_is_not_known_names_the_option(tmp_path: Path) -> None:
    done = mazurka("check", write(tmp_path, SUM))
    assert done.status == 2
    assert "program.c:6:11: error: the program reaches the function 'rand'" in done.err
    assert "--stub rand=zero" in done.err


def test_too_many_values_name_the_option(tmp_path: Path) -> None:
    done = mazurka("check", write(tmp_path, SUM), "--stub", "rand=zero")
    assert done.status == 2
    assert "program.c:7:11: error: the program reaches a choice among 4294967296 values" in done.err
    assert "--nondet LO..HI" in done.err


def test_values_that_are_left_out_make_the_verdict_bounded(tmp_path: Path) -> None:
    """Four values and five make twenty executions."""
    path = write(tmp_path, SUM)
    options = ["--stub", "rand=nondet:0..3", "--nondet", "-1..3"]
    for _ in range(2):  # the second time, the program is cached
        done = mazurka("check", path, *options)
        assert done.status == 3
        assert (
            "Bounded under rc11: no violation found, but --nondet left out executions (20 complete"
            in done.out
        )
        assert "program.c:7: only 5 values were explored of those that main leaves open" in done.out
        stub = "--stub rand=nondet:0..3: each call of 'rand' returns one of 0..3"
        assert f"warning: {stub}; the real function is not checked" in done.out
    told = json.loads(mazurka("check", path, *options, "--json", "-").out)
    assert [(one["kind"], one["line"], one["bound"]) for one in told["bounds"]] == [("nondet", 7, 5)]


def test_values_that_were_chosen_are_in_the_report(tmp_path: Path) -> None:
    done = mazurka("check", write(tmp_path, SUM), "--stub", "rand=nondet:2..3", "--nondet=3..4")
    assert done.status == 1
    assert "a = 3 (chosen)" in done.out
    assert "n = 4 (chosen)" in done.out


@pytest.mark.parametrize(
    ("stub", "executions"),
    [("zero", 1), ("nondet:5..5", 1), ("nondet:-2..-1", 2), ("nondet:65535..65537", 3)],
)
def test_stubs_return_what_they_say(tmp_path: Path, stub: str, executions: int) -> None:
    first = stub.partition(":")[2].partition("..")[0] or "0"
    source = f"#include <assert.h>\nint ask(int);\nint main(void) {{ assert(ask(7) >= {first}); }}\n"
    told = json.loads(mazurka("check", write(tmp_path, source), "--stub", f"ask={stub}", "--json", "-").out)
    assert (told["verdict"], told["executions"]["complete"]) == ("verified", executions)
    source = source.replace(">=", "<")
    assert mazurka("check", write(tmp_path, source, "other.c"), "--stub", f"ask={stub}").status == 1


def test_a_stub_of_any_value_follows_assumptions(tmp_path: Path) -> None:
    source = "#include <mazurka.h>\nunsigned ask(void);\nint main(void) { __VERIFIER_assume(ask() < 3); }\n"
    told = json.loads(mazurka("check", write(tmp_path, source), "--stub", "ask=nondet", "--json", "-").out)
    assert (told["verdict"], told["executions"]["complete"], told["executions"]["blocked"]) == (
        "verified",
        3,
        0,
    )


def test_a_stub_may_be_called_undeclared_and_through_a_pointer(tmp_path: Path) -> None:
    source = """\
#include <assert.h>
int ask(void);
int (*how)(void) = ask;
int main(void) { assert(how() + other() == 2); }
"""
    done = mazurka("check", write(tmp_path, source), "--stub", "ask=nondet:2..2", "--stub", "other=zero")
    assert done.status == 0, done.err


def test_a_file_may_define_what_the_program_does_not(tmp_path: Path) -> None:
    stubs = "#include <mazurka.h>\nint rand(void) { return __VERIFIER_nondet_range(0, 1); }\n"
    source = SUM.replace("__VERIFIER_nondet_int();\n  assert", "0;\n  assert")
    done = mazurka("check", write(tmp_path, source), write(tmp_path, stubs, "stubs.c"))
    assert done.status == 0
    assert "2 complete executions" in done.out


BAD_STUBS = {
    "rand=maybe": "'rand=maybe' does not say what a function does",
    "rand=zero:0..1": "'rand=zero:0..1' does not say what a function does",
    "rand": "'rand' does not say what a function does",
    "rand=nondet:3..1": "'3..1' is not a range of values",
    "rand=nondet:": "'' is not a range of values",
    "rand=zero rand=skip": "there are two stubs for 'rand'",
}


@pytest.mark.parametrize("stubs", BAD_STUBS)
def test_stubs_that_make_no_sense_are_refused(stubs: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_stubs(stubs.split())
    assert caught.value.message == BAD_STUBS[stubs]
    assert caught.value.hint


BAD = {
    "no range": (["--nondet", "3"], "'3' is not a range of values"),
    "not called": (["--stub", "random=zero"], "the program does not call 'random'"),
    "defined": (["--stub", "main=zero"], "the program defines 'main' itself"),
    "a used result": (["--stub", "rand=skip"], "the result of 'rand', which '--stub rand=skip' leaves open"),
    "too wide": (["--stub", "rand=nondet:0..4294967296"], "'rand', whose values have 32 bits, fewer than"),
    "no value": (
        ["--stub", "rand=zero", "--nondet", "9999999999..9999999999"],
        "this call in main can return no value in 9999999999..9999999999",
    ),
}


@pytest.mark.parametrize("name", some(list(BAD), 3))
def test_what_does_not_fit_the_program_is_refused(tmp_path: Path, name: str) -> None:
    options, message = BAD[name]
    done = mazurka("check", write(tmp_path, SUM), *options)
    assert done.status == 2
    assert message in done.err
    assert "hint: " in done.err
