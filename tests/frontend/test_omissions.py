"""C that older compilers accept: what is left out is supplied, and said; ``--strict`` rejects it."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka import Outcome, check
from mazurka.errors import ErrorCode, SourceError
from mazurka.frontend import compile_text
from mazurka.frontend.c.dialect import Dialect
from mazurka.frontend.c.omissions import declarations_for, header_of


def checked(text: str) -> Outcome:
    """The outcome of a program that is the file p.c of the working directory."""
    Path("p.c").write_text(text)
    return check("p.c")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


OLD = """\
static count;
void worker() { count++; }
main() {
  int *p = malloc(4);
  unsigned long t;
  *p = 3;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  soon(4);
  assert(same(p) == p && count == 5);
  return 0;
}
void soon(int a) { count += a; }
int *
same(x) int *x; { return x; }
"""


def test_omissions_are_warnings() -> None:
    """Neither addresses nor thread numbers are cut to the 32 bits of an int."""
    outcome = checked(OLD)
    assert outcome.verdict == "verified"
    said = "\n".join(outcome.warnings)
    assert "p.c:1: type specifier missing" in said
    assert "p.c:7: call to undeclared function 'pthread_create'; <pthread.h> was included" in said
    assert "incompatible function pointer types" in said
    assert "--strict makes them errors" in said


def test_a_check_of_a_complete_program_warns_of_nothing() -> None:
    assert checked("#include <unistd.h>\nint main(void) { usleep(1); return 0; }").warnings == ()


def test_warnings_come_from_the_cache_too() -> None:
    first, second = (checked("int main(void) { usleep(1); return 0; }") for _ in range(2))
    assert first.warnings == second.warnings != ()


def test_strict_rejects_omissions() -> None:
    with pytest.raises(SourceError) as caught:
        compile_text("main() { return 0; }", dialect=Dialect(strict=True))
    assert caught.value.code is ErrorCode.COMPILE_ERROR


@pytest.mark.parametrize("name", ["frobnicate", "pthread_frobnicate"])
def test_functions_that_nobody_knows_must_be_declared(name: str) -> None:
    with pytest.raises(SourceError, match=f"undeclared function '{name}'") as caught:
        compile_text(f"int main(void) {{\n  {name}(1);\n  return 0; }}")
    assert caught.value.place is not None
    assert caught.value.place.line == 2


def test_functions_of_the_c_library_get_their_types() -> None:
    source = """main() { char *p; int length = asprintf(&p, "%d", toascii(200));
      int (*const order)() = 0; qsort_r(p, 0, 1, order, p);
      if (length != 2 || strtoimax("12", 0, 10) != 12 || memrchr(p, '7', 2) != p) abort(); }"""
    assert checked(source).verdict == "verified"


def test_headers_are_found_by_name_or_prefix() -> None:
    assert header_of("pthread_self") == "pthread.h"
    assert header_of("time") == "time.h"
    assert header_of("timer") is None


def test_contradictions_in_headers_are_errors() -> None:
    """The header's line is behind the end of the program, whose implicit declaration it contradicts."""
    text = 'void f(void) { __assert_fail("0", "p.c", 1, "f"); }\n#include <assert.h>\nint main(void) {}\n'
    with pytest.raises(SourceError, match="conflicting types for '__assert_fail'"):
        checked(text)


def test_only_results_that_are_types_are_declared() -> None:
    said = (
        "p.c:2:7: error: conflicting types for 'f'\n p.c\n"
        "p.c:1:1: note: previous implicit declaration is here\n"
    )
    assert declarations_for(said, "f();\nvoid *f(void) {}") == ["void * f();"]
    assert declarations_for(said, "f();\nX(a b f(void) {}") == []
