"""Errors in Python name options as Python does."""

from __future__ import annotations

import inspect
import pickle

import mazurka
import pytest
from mazurka.api.in_python import _SWITCHES, _VALUED, in_words_of_python
from mazurka.checking import check as checking
from mazurka.cli.commands import _parser

ENDLESS = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
void *count(void *p) { for (;;) n = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, count, 0); return 0; }
"""


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("bound it with --unroll N", "bound it with unroll=N"),
        ("such as --attempts 50", "such as attempts=50"),
        ("give --workers a number from 1 to 9", "give workers a number from 1 to 9"),
        (
            "use --equivalence co, or leave out --mixed-size on",
            'use equivalence="co", or leave out mixed_size="on"',
        ),
        (
            "say: --stub rand=zero, or --stub rand=nondet:LO..HI",
            'say: stubs=["rand=zero"], or stubs=["rand=nondet:LO..HI"]',
        ),
        ("only some values: --nondet LO..HI", 'only some values: nondet="LO..HI"'),
        ("without --races and --equivalence rf", 'without races and equivalence="rf"'),
        ("use --model rc11, or leave --model out", 'use model="rc11", or leave model out'),
        ("use --symmetry off", "use symmetry=False"),
        ("leave out --reuse-memory", "leave out reuse_memory=True"),
        ("accept it with '-- -Wno-error=vla'", 'accept it with cflags=["-Wno-error=vla"]'),
        ("precise enough: -- -mlong-double-64", 'precise enough: cflags=["-mlong-double-64"]'),
        (
            "leave out --cc and the flags after '--', one by one",
            "leave out cc and the flags in cflags, one by one",
        ),
        ("--explain says why a bound is needed", "'mazurka check --explain' says why a bound is needed"),
        (
            "name a file that 'mazurka check --witness' wrote",
            "name a file that 'mazurka check --witness' wrote",
        ),
    ],
)
def test_options_have_their_names_in_python(said: str, heard: str) -> None:
    assert in_words_of_python(said) == heard


def test_errors_of_a_check() -> None:
    with pytest.raises(mazurka.SourceError) as caught:
        mazurka.check(ENDLESS)
    assert "unroll=N" in str(caught.value)
    assert "--unroll" not in str(caught.value)
    with pytest.raises(mazurka.SourceError, match="unroll=N"):
        list(mazurka.explore(ENDLESS))
    with pytest.raises(mazurka.SourceError, match="--unroll N"):
        checking.check(ENDLESS)
    with pytest.raises(mazurka.UsageError, match="give workers a number"):
        mazurka.check(ENDLESS, workers=0)
    with pytest.raises(mazurka.UsageError, match="such as attempts=50"):
        mazurka.fix("some.c", attempts=0)


def test_functions_can_be_sent_to_other_processes() -> None:
    for function in (mazurka.check, mazurka.estimate, mazurka.prove):
        assert pickle.loads(pickle.dumps(function)) is function
    assert inspect.signature(mazurka.check) == inspect.signature(checking.check)


def test_all_options_of_a_check_are_known() -> None:
    """Each has a name in Python, or is about the command's own output."""
    actions = _parser("check", comes_first=True)[1]["check"]._actions
    options = {name[2:] for action in actions for name in action.option_strings if name.startswith("--")}
    assert len(options) > 50
    assert options - {*_SWITCHES} - {*_VALUED} == {
        *("json", "junit", "sarif", "witness", "html", "svg", "dot", "all-executions", "calls", "help"),
        *("progress", "quiet", "allow-bounded", "fail-on-vacuous", "no-cache"),
    }
    assert {*_SWITCHES, *_VALUED} - options == {
        "allow-unused",
        "attempts",
    }  # of other commands
    names = {said.partition("=")[0] for said in (*_SWITCHES.values(), *_VALUED.values())}
    known = {*inspect.signature(mazurka.check).parameters, "expect_outcome", "attempts", "allow_unused"}
    assert names - known == {"'mazurka check --explain'"}
