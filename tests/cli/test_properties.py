"""Properties of SV-COMP: what they are about, which model is meant, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import mazurka, write
from mazurka import check
from mazurka.checking.properties import NAMED, read_property
from mazurka.errors import UsageError
from mazurka.frontend import compile_text
from mazurka.frontend.c.dialect import Dialect
from mazurka.program import Op

REACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
FILES = {
    "unreach-call": (REACH, "reach_error", {"assertion"}, "sc"),
    "old": (
        "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n",
        "__VERIFIER_error",
        {"assertion"},
        "sc",
    ),
    "no-data-race": ("CHECK( init(main()), LTL(G ! data-race) )\n\n", "", {"race"}, "rc11"),
    "no-overflow": ("CHECK( init(main()), LTL(G ! overflow) )\n", "", {"overflow"}, "sc"),
    "memory": (
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n",
        "",
        {"double-free", "invalid-free", "unallocated", "freed"},
        "sc",
    ),
    "valid-memcleanup": ("CHECK( init(main()), LTL(G valid-memcleanup) )\n", "", {"leak"}, "sc"),
}


@pytest.mark.parametrize("name", FILES)
def test_property_files(name: str, tmp_path: Path) -> None:
    text, target, kinds, model = FILES[name]
    found = read_property(write(tmp_path, text, f"{name}.prp"))
    assert (found.name, found.target, set(found.kinds), found.model) == (name, target, kinds, model)
    assert found.specification == text.strip()
    if name in NAMED:
        assert read_property(name) == found


REFUSED = {
    "CHECK( init(main()), LTL(F end) )": "whether every execution ends is not decided",
    "CHECK( init(main()), LTL(G happy) )": "the property 'G happy' is not supported",
    REACH + REACH.replace("reach_error", "other"): "only one function may be named",
    "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )": "is not a property that can be checked",
    "\n": "there is no property in this file",
}


@pytest.mark.parametrize("text", REFUSED)
def test_properties_that_are_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=REFUSED[text]) as caught:
        read_property(write(tmp_path, text, "some.prp"))
    assert caught.value.place is not None
    assert caught.value.hint


def test_a_property_that_is_not_there() -> None:
    with pytest.raises(UsageError, match=r"'no-such\.prp' is not a property file") as caught:
        read_property("no-such.prp")
    names = "unreach-call, no-data-race, no-overflow, valid-memsafety, valid-memcleanup"
    assert names in str(caught.value.hint)


def ops(source: str, function: str, target: str | None) -> set[Op]:
    """The opcodes of a function, read for a property."""
    program = compile_text(source, dialect=Dialect(target=target))
    return {instr.op for f in program.functions if f.name == function for instr in f.code}


ERRORS = """\
#include <assert.h>
#include <stdlib.h>
void __VERIFIER_error(void);
void __VERIFIER_assert(int);
void reach_error(void) {}
int call(void (*error)(void)) { error(); return 0; }
void aborts(void) { abort(); }
void asserts(int c) { assert(c); }
void asserts_so(int c) { __VERIFIER_assert(c); }
void errs(void) { __VERIFIER_error(); }
void reaches(void) { reach_error(); }
void assume_abort_if_not(int c) { if (!c) abort(); }
int main(void) { return call(reach_error); }
"""


def test_what_fails_depends_on_the_property() -> None:
    """With a property, only its target fails; reach_error fails without one, too, whatever it does."""
    names = ("aborts", "asserts", "asserts_so", "errs", "reaches", "assume_abort_if_not", "reach_error")
    failing = {
        target: {name for name in names if Op.FAIL in ops(ERRORS, name, target)}
        for target in (None, "", "reach_error", "__VERIFIER_error")
    }
    assert failing == {
        None: {"aborts", "asserts", "asserts_so", "errs", "reaches", "reach_error"},
        "": set(),
        "reach_error": {"reaches", "reach_error"},
        "__VERIFIER_error": {"errs"},
    }


PREPROCESSED = """\
# 1 "original.c"
# 1 "<built-in>" 1
# 7 "original.c" 2
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
# 30 "original.c"
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 3 || n > 4) abort();
  if (n == 4) reach_error();
  return 0;
}
"""


def test_a_preprocessed_file_and_its_witness(tmp_path: Path) -> None:
    """Reports name the original lines, witnesses those of the file that was given."""
    path, witness = write(tmp_path, PREPROCESSED, "program.i"), tmp_path / "witness.yml"
    done = mazurka("check", path, "--property", write(tmp_path, REACH, "any.prp"), "--witness", witness)
    assert done.status == 1
    assert "original.c:33:15: reach_error() was called" in done.out
    assert "property: unreach-call does not hold" in done.out
    text = witness.read_text(encoding="utf-8")
    assert "              line: 9\n              column: 33\n" in text
    assert 'value: "\\\\result == 4"' in text
    assert "              line: 11\n              column: 15\n" in text
    assert f'file_name: "{path}"' in text


def test_another_violation_leaves_the_property_open(tmp_path: Path) -> None:
    path = write(tmp_path, "int *p;\nint main(void) { return *p; }\n")
    witness = tmp_path / "witness.yml"
    done = mazurka("check", path, "--property", "unreach-call", "--witness", witness)
    assert done.status == 1
    assert "the property 'unreach-call' is not about this violation" in done.out
    assert "property: unreach-call is not decided" in done.out
    assert "no witness is written" in done.err
    assert not witness.exists()


def test_options_that_do_not_go_together(tmp_path: Path) -> None:
    path = write(tmp_path, "int main(void) {}\n")
    for options, message in (
        (["--property", "unreach-call", "--witness", "-", "--json", "-"], "only one output"),
        (["--property", "no-data-race", "--model", "sc"], "the model 'sc' has no rule for them"),
    ):
        done = mazurka("check", path, *options)
        assert done.status == 2
        assert message in done.err
    assert "property: no-data-race holds" in mazurka("check", path, "--property", "no-data-race").out


def test_what_is_undefined_is_no_overflow(tmp_path: Path) -> None:
    """A shift by too much is reported, but says nothing about numbers that do not fit."""
    program = write(tmp_path, "int by = 32;\nint main(void) { return 1u << by == 0; }\n", "shift.c")
    said = mazurka("check", "--property", "no-overflow", "--json", "-", str(program))
    found = json.loads(said.out)
    assert (said.status, found["violation"]["kind"]) == (1, "undefined")
    assert found["property"]["holds"] is None
    program.write_text(
        "int by = 32;\nint main(void) { return INT_MAX + 1 == by; }\n".replace("INT_MAX", "0x7fffffff")
    )
    said = mazurka("check", "--property", "no-overflow", str(program))
    assert said.status == 2
    assert "overflow in expression" in said.err


NEVER = "the program never calls 'reach_error', so the property says nothing about it"
POINTER = "extern void reach_error(void); int main(void) { void (*f)(void) = reach_error; if (!f) f(); }"


@pytest.mark.parametrize(
    ("source", "warned"),
    [
        ("int main(void) { return 0; }", True),
        ("void reach_error(void) {} int main(void) { return 0; }", True),
        ("extern void reach_error(void); int main(int n, char **v) { if (n > 3) reach_error(); }", False),
        ("extern void reach_error(void); void g(void) { reach_error(); } int main(void) { }", False),
        (POINTER, False),
    ],
)
def test_a_program_that_calls_no_target_is_warned_of(source: str, warned: bool, tmp_path: Path) -> None:
    path = write(tmp_path, source, "program.c")
    assert (NEVER in check(path, property_file="unreach-call").warnings) is warned
    assert NEVER not in check(path, property_file="no-data-race").warnings
    assert NEVER not in check(path).warnings


def test_in_llvm_ir_the_target_may_have_been_inlined(tmp_path: Path) -> None:
    path = write(tmp_path, "define i32 @main() {\n  ret i32 0\n}\n", "program.ll")
    (warning,) = check(path, property_file="unreach-call").warnings
    assert warning.endswith("; in LLVM IR, 'reach_error' may have been inlined")
