"""Bad input: the documented exit status, a place where there is one, a cure, and never a traceback.

A program's own mistakes (a null dereference, a division by zero) are findings, exit status 1; what cannot be
checked is an error, exit status 2.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from command import mazurka, write

THREADS = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
"""


@dataclass(frozen=True)
class Bad:
    """A program that is refused: with which code, on which line (0: none), with what cure and message."""

    code: str
    source: str
    line: int
    cure: str
    options: tuple[str, ...] = ()
    says: str = ""


REFUSED = {
    "syntax error": Bad("compile-error", "int main(void) {\n  return 0\n}\n", 2, "compile"),
    "no main": Bad("no-main", "int helper(void) { return 0; }\n", 0, "main"),
    "undefined function reached": Bad(
        "unknown-function",
        "int mystery(int);\nint main(void) {\n  return mystery(1);\n}\n",
        3,
        "define",
    ),
    "inline assembly": Bad(
        "unsupported",
        'int main(void) {\n  __asm__ volatile("cpuid" ::: "memory");\n  return 0;\n}\n',
        2,
        "stdatomic.h",
    ),
    "unbounded loop without a bound": Bad(
        "endless-loop",
        THREADS
        + """\
atomic_int stop;
void *stopper(void *arg) { return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, stopper, NULL);
  int n = 0;
  for (;;)
    n += 1;
}
""",
        10,
        "--unroll",
        says="the loop in main does not end",
    ),
    "a loop that reads nothing of others": Bad(
        "endless-loop",
        THREADS
        + """\
void *forever(void *arg) {
  for (volatile int i = 0; !i;)
    ;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, forever, NULL);
}
""",
        5,
        "reads nothing that other threads write",
    ),
    "a loop that stores in each round": Bad(
        "endless-loop",
        THREADS
        + """\
atomic_int flag, rounds;
void *writer(void *arg) { flag = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  while (!flag)
    rounds = 1;
}
""",
        9,
        "--explain",
        says="the loop in main can go round any number of times",
    ),
    "a wait before the first thread": Bad(
        "endless-loop",
        THREADS + "atomic_int x;\nint main(void) {\n  while (x == 0)\n    ;\n}\n",
        6,
        "not created a thread yet",
        says="the loop in main does not end",
    ),
    "joins in a loop that does not end": Bad(
        "endless-loop",
        THREADS
        + """\
atomic_int seen;
void *writer(void *arg) { atomic_store(&seen, 1); return NULL; }
int main(void) {
  pthread_t t;
  void *result;
  do {
    pthread_create(&t, NULL, writer, NULL);
    pthread_join(t, &result);
  } while (!result);
}
""",
        9,
        "--unroll",
    ),
    "threads that are started in a loop that does not end": Bad(
        "endless-loop",
        THREADS
        + """\
void *idle(void *arg) { return arg; }
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, NULL, idle, NULL);
}
""",
        7,
        "--unroll",
    ),
    "mixed-size atomic access": Bad(
        "mixed-size",
        THREADS
        + """\
_Atomic unsigned long word;
void *half(void *arg) {
  __atomic_store_n((unsigned *)&word, 1, __ATOMIC_SEQ_CST);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, half, NULL);
  unsigned long all = atomic_load(&word);
  pthread_join(t, NULL);
  return (int)all;
}
""",
        0,
        "one size",
        ("--mixed-size", "off"),
    ),
    "cancellation": Bad(
        "unknown-function",
        THREADS
        + """\
int main(void) {
  pthread_cancel(pthread_self());
}
""",
        5,
        "pthread_exit",
    ),
    "loop that a cancellation should end": Bad(
        "endless-loop",
        THREADS
        + """\
static void *work(void *arg) {
  for (;;)
    pthread_testcancel();
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_cancel(t);
}
""",
        5,
        "threads cannot be cancelled",
    ),
    "allocator": Bad(
        "unknown-function",
        "#include <malloc.h>\nint main(int n, char **a) {\n  return malloc_usable_size(a);\n}\n",
        3,
        "remember the size",
    ),
    "exponent": Bad(
        "unknown-function",
        "#include <math.h>\nint main(int n, char **a) {\n  return pow(n + 1, 0.3);\n}\n",
        3,
        "as a constant",
    ),
    "empty range": Bad(
        "unsupported",
        "#include <mazurka.h>\nint main(void) {\n  return __VERIFIER_nondet_range(3, -1);\n}\n",
        3,
        "differently",
        says="a choice from the empty range 3..-1",
    ),
    "long initialiser of a shared thread-local": Bad(
        "unsupported",
        f"_Thread_local int mine[2000] = {{{'1, ' * 2000}}};\nint *p;\nint main(void) {{\n  p = mine;\n}}\n",
        1,
        "assign its values",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_refused_with_place_and_cure(kind: str, tmp_path: Path) -> None:
    bad = REFUSED[kind]
    path = write(tmp_path, bad.source)
    ran = mazurka("check", *bad.options, path)
    assert ran.status == 2, ran
    assert ran.out == ""
    assert f"[{bad.code}]" in ran.err
    assert "hint: " in ran.err
    assert bad.cure in ran.err.split("hint: ")[1]
    assert bad.says in ran.err.split("hint: ")[0]
    assert f"{path}:{bad.line}:" in ran.err if bad.line else str(path) in ran.err


def test_a_mixed_size_access_names_the_other_access(tmp_path: Path) -> None:
    path = write(tmp_path, REFUSED["mixed-size atomic access"].source)
    message = mazurka("check", "--mixed-size", "off", path).err
    assert "4 bytes here, 8 bytes at" in message or "8 bytes here, 4 bytes at" in message
    assert f"{path}:6" in message
    assert f"{path}:12" in message


def test_an_unsupported_part_of_the_threads_library_is_called_one(tmp_path: Path) -> None:
    message = mazurka("check", write(tmp_path, REFUSED["cancellation"].source)).err
    assert "'pthread_cancel': threads cannot be cancelled" in message


@dataclass(frozen=True)
class Found:
    """A program whose own mistake is a finding: its kind and its line."""

    kind: str
    source: str
    line: int


FINDINGS = {
    "endless recursion": Found(
        "stack-overflow",
        "int deeper(volatile int *n) {\n  volatile int here = *n + 1;\n  return deeper(&here) + *n;\n}\n"
        "int main(void) {\n  volatile int n = 0;\n  return deeper(&n);\n}\n",
        3,
    ),
    "null dereference": Found(
        "unallocated", "int main(void) {\n  int *volatile p = 0;\n  return *p;\n}\n", 3
    ),
    "division by zero": Found(
        "division-by-zero", "int main(void) {\n  volatile int zero = 0;\n  return 1 / zero;\n}\n", 3
    ),
}


@pytest.mark.parametrize("kind", FINDINGS)
def test_a_mistake_of_the_program_is_a_finding(kind: str, tmp_path: Path) -> None:
    found = FINDINGS[kind]
    path = write(tmp_path, found.source)
    ran = mazurka("check", path, "--json", tmp_path / "out.json")
    assert ran.status == 1, ran
    assert ran.out.startswith("Violation under rc11: ")
    assert f"{path}:{found.line}:" in ran.out
    assert f'"kind": "{found.kind}"' in (tmp_path / "out.json").read_text()


def test_missing_file(tmp_path: Path) -> None:
    ran = mazurka("check", tmp_path / "absent.c")
    assert ran.status == 2
    assert "absent.c" in ran.err
    assert "[missing-file]" in ran.err
    assert "hint: " in ran.err


def test_directory(tmp_path: Path) -> None:
    ran = mazurka("check", tmp_path)
    assert ran.status == 2
    assert str(tmp_path) in ran.err
    assert "[is-a-directory]" in ran.err
    assert "hint: " in ran.err


def test_unknown_option(tmp_path: Path) -> None:
    ran = mazurka("check", "--frobnicate", write(tmp_path, "int main(void) { return 0; }\n"))
    assert ran.status == 2
    assert "'--frobnicate'" in ran.err
    assert "hint: 'mazurka check --help'" in ran.err


def test_unknown_model(tmp_path: Path) -> None:
    ran = mazurka("check", "--model", "tos", write(tmp_path, "int main(void) { return 0; }\n"))
    assert ran.status == 2
    assert "there is no model 'tos' [unknown-model]" in ran.err
    hint = ran.err.split("hint: ")[1]
    assert hint.startswith("did you mean 'tso'")
    assert all(name in hint for name in ("sc", "tso", "rc11", ".kat"))


def test_undefined_function_that_is_not_reached(tmp_path: Path) -> None:
    source = "int mystery(int);\nint main(void) {\n  volatile int no = 0;\n  return no ? mystery(1) : 0;\n}\n"
    ran = mazurka("check", write(tmp_path, source))
    assert ran.status == 0, ran
    assert ran.out.startswith("Verified under rc11: ")
    assert ran.err == ""


@pytest.mark.parametrize("make", ["absent", "not executable", "not a clang"])
def test_unreadable_compiler(make: str, tmp_path: Path) -> None:
    program = write(tmp_path, "int main(void) { return 0; }\n")
    compiler = tmp_path / "compiler"
    if make != "absent":
        compiler.write_text("#!/bin/sh\necho not a compiler\n")
        os.chmod(compiler, 0o755 if make == "not a clang" else 0o644)
    for ran in (
        mazurka("check", "--cc", compiler, program),
        mazurka("check", program, MAZURKA_CC=str(compiler)),
    ):
        assert ran.status == 2, ran
        assert str(compiler) in ran.err
        assert "[bad-compiler]" in ran.err
        assert "hint: " in ran.err


LOCK = """\
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_flag flag = ATOMIC_FLAG_INIT;
atomic_int word;
int count;
static void lock(void) { int e = 0; %s; (void)e; }
static void unlock(void) { atomic_flag_clear(&flag); word = 0; }
void *work(void *arg) { lock(); count++; unlock(); return arg; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(count == 2);
}
"""
ATTEMPTS = {  # a loop that takes the lock, and the attempt that the hint tells to write instead
    "test-and-set": (
        "while (atomic_flag_test_and_set(&flag))",
        "__VERIFIER_assume(!atomic_flag_test_and_set(&flag))",
    ),
    "compare-exchange": (
        "while (!atomic_compare_exchange_strong(&word, &e, 1)) e = 0",
        "__VERIFIER_assume(atomic_compare_exchange_strong(&word, &e, 1))",
    ),
    "exchange": ("while (atomic_exchange(&word, 1))", "__VERIFIER_assume(!atomic_exchange(&word, 1))"),
}


@pytest.mark.parametrize("kind", ATTEMPTS)
def test_a_lock_that_spins_is_told_how_to_be_taken(kind: str, tmp_path: Path) -> None:
    loop, attempt = ATTEMPTS[kind]
    ran = mazurka("check", "--no-spin-assume", "--no-dynamic-spin-assume", write(tmp_path, LOCK % loop))
    assert (ran.status, "[endless-loop]" in ran.err) == (2, True)
    assert "__VERIFIER_assume(!atomic_flag_test_and_set(&lock))" in ran.err
    assert mazurka("check", write(tmp_path, LOCK % attempt)).status == 0
    assert mazurka("check", write(tmp_path, LOCK % "")).status == 1


@pytest.mark.parametrize("wait", ["while (word)", "while (atomic_exchange(&word, 1)) while (word)"])
def test_a_loop_that_only_reads_is_told_to_assume(wait: str, tmp_path: Path) -> None:
    """Also the inner loop of a lock: the loop around it does not count."""
    source = (LOCK % wait).replace("int main(void) {", "int main(void) {\n  word = 1;")
    ran = mazurka("check", "--no-spin-assume", "--no-dynamic-spin-assume", write(tmp_path, source))
    assert ran.status == 2
    assert "a loop that waits for another thread can be written as __VERIFIER_assume(condition)" in ran.err


def test_a_lock_behind_a_call_is_seen(tmp_path: Path) -> None:
    taken = "static __attribute__((noinline)) int taken(void) { return atomic_exchange(&word, 1); }\n"
    source = (LOCK % "while (taken())").replace("static void lock", f"{taken}static void lock")
    assert (
        "atomic_flag_test_and_set"
        in mazurka("check", "--no-spin-assume", "--no-dynamic-spin-assume", write(tmp_path, source)).err
    )
