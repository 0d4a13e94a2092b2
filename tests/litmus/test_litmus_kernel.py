"""The kernel's memory model on small tests, by the engine, most of them with verdicts that the kernel has.

Of two tests with almost the same name, one has what orders its accesses, and the other lacks it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from litmus_files import CONFORMANCE, HERE, needs_conformance
from mazurka.errors import MazurkaError
from mazurka.kat.language.load import load_model
from mazurka.litmus import LitmusTest, parse_litmus_file, read_litmus
from mazurka.litmus.meaning.test import Language
from mazurka.litmus.running.expected import agrees, read_table
from mazurka.litmus.running.log import as_log
from mazurka.litmus.running.run import run_test
from profiles import PROFILE, some
from reference_verdicts import USUAL, verdict_by_reference

ALLOWED, FORBIDDEN = "Allowed", "Forbidden"
# Statements of each thread; W(x) and R(x) stand for marked accesses, r0 and r1 for what is read, in order.
TESTS = {
    "SB": (["W(x)", "R(y)"], ["W(y)", "R(x)"], "0:r0=0 /\\ 1:r0=0"),
    "MP": (["W(x)", "W(y)"], ["R(y)", "R(x)"], "1:r0=1 /\\ 1:r1=0"),
    "LB": (["R(x)", "W(y)"], ["R(y)", "W(x)"], "0:r0=1 /\\ 1:r0=1"),
}
# A shape, what stands between the accesses of each thread, and the verdict.
BETWEEN = [
    ("SB", "", "", ALLOWED),
    ("SB", "smp_mb();", "smp_mb();", FORBIDDEN),
    ("SB", "smp_mb();", "smp_wmb(); smp_rmb();", ALLOWED),
    ("SB", "synchronize_rcu();", "smp_mb();", FORBIDDEN),
    ("SB", "smp_mb__before_atomic(); atomic_inc(a);", "smp_mb();", FORBIDDEN),
    ("SB", "atomic_inc(a); smp_mb__after_atomic();", "smp_mb();", FORBIDDEN),
    ("SB", "smp_mb__after_atomic(); atomic_inc(a);", "smp_mb();", ALLOWED),
    ("SB", "atomic_inc(a);", "smp_mb();", ALLOWED),
    ("SB", "atomic_inc_return(a);", "smp_mb();", FORBIDDEN),
    ("SB", "atomic_inc_return_relaxed(a);", "smp_mb();", ALLOWED),
    ("SB", "xchg(a, 1);", "smp_mb();", FORBIDDEN),
    ("SB", "xchg_acquire(a, 1);", "smp_mb();", ALLOWED),
    ("SB", "cmpxchg(a, 0, 1);", "smp_mb();", FORBIDDEN),
    ("SB", "cmpxchg(a, 1, 2);", "smp_mb();", ALLOWED),  # it fails, and orders nothing
    ("SB", "cmpxchg(a, 1, 2); smp_mb__after_atomic();", "smp_mb();", FORBIDDEN),  # the barrier orders
    ("SB", "smp_mb__before_atomic(); cmpxchg_relaxed(a, 1, 2);", "smp_mb();", FORBIDDEN),
    ("SB", "smp_mb__before_atomic(); cmpxchg_relaxed(a, 0, 1);", "smp_mb();", FORBIDDEN),
    ("SB", "atomic_add_unless(a, 1, 0); smp_mb__after_atomic();", "smp_mb();", FORBIDDEN),
    ("SB", "atomic_read(a); smp_mb__after_atomic();", "smp_mb();", ALLOWED),  # it is no update
    ("SB", "spin_lock(l); smp_mb__after_atomic();", "smp_mb();", ALLOWED),
    ("SB", "int old = 0; atomic_try_cmpxchg(a, &old, 1);", "smp_mb();", FORBIDDEN),
    ("SB", "int old = 1; atomic_try_cmpxchg(a, &old, 1);", "smp_mb();", ALLOWED),  # it fails
    ("SB", "int old = 0; atomic_try_cmpxchg_relaxed(a, &old, 1);", "smp_mb();", ALLOWED),
    ("SB", "(void)atomic_add_unless(a, 1, 5);", "smp_mb();", FORBIDDEN),
    ("SB", "atomic_add_unless(a, 1, 5);", "smp_mb();", FORBIDDEN),
    ("SB", "atomic_add_unless(a, 1, 0);", "smp_mb();", ALLOWED),  # it does not add, and orders nothing
    ("SB", "atomic_inc_not_zero(a);", "smp_mb();", ALLOWED),
    ("LB", "atomic_add_unless(a, 1, 0);", "smp_mb();", ALLOWED),
    ("MP", "", "", ALLOWED),
    ("MP", "smp_wmb();", "smp_rmb();", FORBIDDEN),
    ("MP", "smp_wmb();", "", ALLOWED),
    ("MP", "smp_rmb();", "smp_rmb();", ALLOWED),
    ("MP", "smp_wmb();", "barrier();", ALLOWED),
    ("LB", "", "", ALLOWED),
    ("LB", "smp_mb();", "smp_mb();", FORBIDDEN),
    ("LB", "smp_mb();", "smp_wmb();", ALLOWED),
]


def thread(number: int, statements: list[str]) -> str:
    reads = 0
    lines = []
    for statement in statements:
        text = re.sub(r"\bW\((\w+)\)", r"WRITE_ONCE(*\1, 1);", statement)
        while "R(" in text and re.search(r"\bR\(\w+\)", text):
            text = re.sub(r"\bR\((\w+)\)", rf"int r{reads} = READ_ONCE(*\1);", text, count=1)
            reads += 1
        lines.append(text)
    names = "int *x, int *y, int *z, atomic_t *a, spinlock_t *l, struct srcu_struct *s, struct srcu_struct *t"
    return f"P{number}({names})\n{{\n" + "\n".join(lines) + "\n}\n"


def parsed(threads: list[list[str]], condition: str) -> LitmusTest:
    code = "".join(thread(number, statements) for number, statements in enumerate(threads))
    return parse_litmus_file(f"C T\n{{}}\n{code}\nexists ({condition})\n", "T.litmus")


def verdict(threads: list[list[str]], condition: str) -> str:
    found = run_test(parsed(threads, condition))
    assert found.positive + found.negative
    return ALLOWED if found.positive else FORBIDDEN


@pytest.mark.parametrize(("shape", "first", "second", "expected"), some(BETWEEN, every=3))
def test_barriers(shape: str, first: str, second: str, expected: str) -> None:
    one, two, condition = TESTS[shape]
    assert verdict([[one[0], first, one[1]], [two[0], second, two[1]]], condition) == expected


ASSIGN = ["W(x)", "smp_store_release(y, 1);"]
ACQUIRE = ["int r0 = smp_load_acquire(y);", "int r1 = READ_ONCE(*x);"]
SECTION = ["rcu_read_lock();", "W(x)", "W(y)", "rcu_read_unlock();"]
NESTED = ["rcu_read_lock();", "rcu_read_lock();", "W(x)", "rcu_read_unlock();", "W(y)", "rcu_read_unlock();"]
LOCK, UNLOCK = "spin_lock(l);", "spin_unlock(l);"
MP = "1:r0=1 /\\ 1:r1=0"
OTHERS = {
    "MP+release+acquire": ([ASSIGN, ACQUIRE], MP, FORBIDDEN),
    "MP+release+once": ([ASSIGN, ["R(y)", "R(x)"]], MP, ALLOWED),
    "LB+ctrl+mb": (
        [["R(x)", "if (r0) {", "W(y)", "}"], ["R(y)", "smp_mb();", "W(x)"]],
        "0:r0=1 /\\ 1:r0=1",
        FORBIDDEN,
    ),
    "LB+data+mb": (
        [["R(x)", "WRITE_ONCE(*y, r0);"], ["R(y)", "smp_mb();", "W(x)"]],
        "0:r0=1 /\\ 1:r0=1",
        FORBIDDEN,
    ),
    "MP+polocks": ([["W(x)", LOCK, "W(y)", UNLOCK], [LOCK, "R(y)", UNLOCK, "R(x)"]], MP, FORBIDDEN),
    "MP+porevlocks": ([[LOCK, "W(x)", UNLOCK, "W(y)"], ["R(y)", LOCK, "R(x)", UNLOCK]], MP, FORBIDDEN),
    "MP+lock+once": ([["W(x)", LOCK, "W(y)", UNLOCK], ["R(y)", "R(x)"]], MP, ALLOWED),
    "SB+lock-after": (
        [["W(x)", LOCK, "smp_mb__after_spinlock();", "R(y)", UNLOCK], ["W(y)", "smp_mb();", "R(x)"]],
        "0:r0=0 /\\ 1:r0=0",
        FORBIDDEN,
    ),
    "SB+lock": (
        [["W(x)", LOCK, "R(y)", UNLOCK], ["W(y)", "smp_mb();", "R(x)"]],
        "0:r0=0 /\\ 1:r0=0",
        ALLOWED,
    ),
    "mutual exclusion": (
        [[LOCK, "R(x)", "W(x)", UNLOCK], [LOCK, "R(x)", "W(x)", UNLOCK]],
        "0:r0=0 /\\ 1:r0=0",
        FORBIDDEN,
    ),
    "RCU+sync+read": ([SECTION, ["R(x)", "synchronize_rcu();", "R(y)"]], "1:r0=1 /\\ 1:r1=0", FORBIDDEN),
    "RCU+sync+read, no section": (
        [["W(x)", "W(y)"], ["R(x)", "synchronize_rcu();", "R(y)"]],
        "1:r0=1 /\\ 1:r1=0",
        ALLOWED,
    ),
    "RCU+sync+read, the other way": (
        [SECTION, ["R(y)", "synchronize_rcu();", "R(x)"]],
        "1:r0=1 /\\ 1:r1=0",
        FORBIDDEN,
    ),
    "nested": ([NESTED, ["R(y)", "synchronize_rcu();", "R(x)"]], "1:r0=1 /\\ 1:r1=0", FORBIDDEN),
    "RCU+mb+read": ([SECTION, ["R(y)", "smp_mb();", "R(x)"]], "1:r0=1 /\\ 1:r1=0", ALLOWED),
}


@pytest.mark.xfail(strict=True, reason="control dependencies reach to the end of the thread (LIMITS.md)")
def test_a_control_dependency_ends_with_its_statement() -> None:
    """The kernel's documentation, control-dependencies.txt: a write behind the `if` is not ordered."""
    threads = [["R(x)", "if (r0) {", "W(z)", "}", "W(y)"], ["R(y)", "smp_mb();", "W(x)"]]
    assert verdict(threads, "0:r0=1 /\\ 1:r0=1") == ALLOWED


# Sections of SRCU: what the first thread does around W(x) and W(y), and how the second one waits.
ONE = ["int i = srcu_read_lock(s);", "W(x)", "W(y)", "srcu_read_unlock(s, i);"]
READERS = ["R(y)", "synchronize_srcu(s);", "R(x)"]
REVERSED = ["R(x)", "synchronize_srcu(s);", "R(y)"]
OF_SRCU = {
    "one domain": ([ONE, READERS], FORBIDDEN),
    "the other way": ([ONE, REVERSED], FORBIDDEN),
    "expedited": ([ONE, ["R(y)", "synchronize_srcu_expedited(s);", "R(x)"]], FORBIDDEN),
    "another domain": ([ONE, ["R(y)", "synchronize_srcu(t);", "R(x)"]], ALLOWED),
    "RCU does not wait for it": ([ONE, ["R(y)", "synchronize_rcu();", "R(x)"]], ALLOWED),
    "it does not wait for RCU": ([SECTION, READERS], ALLOWED),
    "no section": ([["W(x)", "W(y)"], READERS], ALLOWED),
    "down and up": (
        [["int i = srcu_down_read(s);", "W(x)", "W(y)", "srcu_up_read(s, i);"], READERS],
        FORBIDDEN,
    ),
    "it ends between": (
        [["int i = srcu_read_lock(s);", "W(x)", "srcu_read_unlock(s, i);", "W(y)"], REVERSED],
        ALLOWED,
    ),
    "the index is copied": (
        [
            [
                "int i;",
                "int j;",
                "i = srcu_read_lock(s);",
                "W(x)",
                "j = i;",
                "W(y)",
                "srcu_read_unlock(s, j);",
            ],
            REVERSED,
        ],
        FORBIDDEN,
    ),
    # Of two sections that overlap, the second one contains both writes.
    "overlapping": (
        [
            [
                *("int i = srcu_read_lock(s);", "int j = srcu_read_lock(s);", "W(x)"),
                *("srcu_read_unlock(s, i);", "W(y)", "srcu_read_unlock(s, j);"),
            ],
            REVERSED,
        ],
        FORBIDDEN,
    ),
    "two that follow each other": (
        [
            [
                *("int i = srcu_read_lock(s);", "W(x)", "srcu_read_unlock(s, i);"),
                *("int j = srcu_read_lock(s);", "W(y)", "srcu_read_unlock(s, j);"),
            ],
            REVERSED,
        ],
        ALLOWED,
    ),
    "nested in another domain": (
        [
            [
                *("int i = srcu_read_lock(s);", "W(x)", "int j = srcu_read_lock(t);"),
                *("srcu_read_unlock(t, j);", "W(y)", "srcu_read_unlock(s, i);"),
            ],
            REVERSED,
        ],
        FORBIDDEN,
    ),
    "one that does not end": ([["int i = srcu_read_lock(s);", "W(x)", "W(y)"], READERS], FORBIDDEN),
}


@pytest.mark.parametrize("name", some(list(OF_SRCU), every=3))
def test_srcu(name: str) -> None:
    threads, expected = OF_SRCU[name]
    assert verdict(threads, MP) == expected


# As many grace periods as critical sections in a ring of threads, of one domain or of several.
def ring(*threads: str) -> str:
    """The verdict about load buffering; each thread has what its word says around its accesses."""
    around = {
        "gp s": ("", "synchronize_srcu(s);", ""),
        "gp t": ("", "synchronize_srcu(t);", ""),
        "gp": ("", "synchronize_rcu();", ""),
        "cs s": ("int i = srcu_read_lock(s);", "", "srcu_read_unlock(s, i);"),
        "cs t": ("int i = srcu_read_lock(t);", "", "srcu_read_unlock(t, i);"),
        "cs": ("rcu_read_lock();", "", "rcu_read_unlock();"),
    }
    code, count = [], len(threads)
    for number, word in enumerate(threads):
        before, between, after = around[word]
        code.append([before, f"R({'xyz'[number]})", between, f"W({'xyz'[(number + 1) % count]})", after])
    return verdict(code, " /\\ ".join(f"{number}:r0=1" for number in range(count)))


RINGS = [
    (("gp s", "cs s"), FORBIDDEN),
    (("gp s", "cs t"), ALLOWED),
    (("gp s", "gp t"), FORBIDDEN),  # both are full barriers
    (("gp s", "cs s", "cs s"), ALLOWED),
    (("gp s", "gp s", "cs s"), FORBIDDEN),
    (("gp s", "gp t", "cs s"), FORBIDDEN),
    (("gp", "cs s", "cs"), ALLOWED),
    (("gp", "cs", "cs s"), ALLOWED),
    (("gp t", "cs t", "cs s"), ALLOWED),
]


@pytest.mark.parametrize(("threads", "expected"), some(RINGS, every=3))
def test_grace_periods_and_sections_of_srcu(threads: tuple[str, ...], expected: str) -> None:
    assert ring(*threads) == expected


@pytest.mark.parametrize("name", some(list(OTHERS), every=3))
def test_marked_accesses_locks_and_rcu(name: str) -> None:
    threads, condition, expected = OTHERS[name]
    assert verdict(threads, condition) == expected


# Tests of the kernel's own, with its verdicts.
KERNEL = sorted((HERE / "kernel").glob("*.litmus"))


@pytest.mark.parametrize("path", some(KERNEL, every=3), ids=lambda path: path.stem)
def test_the_kernels_own_tests(path: Path) -> None:
    wanted = read_table(str(HERE / "kernel" / "expected.tsv"))[str(path)]
    assert agrees(run_test(read_litmus(str(path))), wanted)
    for model in (USUAL[Language.KERNEL], load_model(HERE.parent / "kat" / "cat" / "lkmm.cat")):
        assert agrees(verdict_by_reference(read_litmus(str(path)), model), wanted)


@needs_conformance
def test_conformance_of_the_kernel() -> None:
    expected = read_table(str(CONFORMANCE / "expected.tsv"))
    files = sorted((CONFORMANCE / "litmus" / "lkmm").glob("*.litmus"))
    assert len(files) == 80
    for path in some(files, every=12, ci=4):
        assert agrees(run_test(read_litmus(str(path))), expected[str(path)]), path


TOO_LONG = ("P8(", "spin_lock(")  # for brute force: more than eight threads, four critical sections


@needs_conformance
def test_the_reference_agrees() -> None:
    """On those that are short enough; in the quick profile a few of three threads, without RCU."""
    expected = read_table(str(CONFORMANCE / "expected.tsv"))
    files = sorted((CONFORMANCE / "litmus" / "lkmm").glob("*.litmus"))
    files = [path for path in files if not any(word in path.read_text("utf-8") for word in TOO_LONG)]
    if PROFILE == "quick":
        files = [path for path in files if is_small(path.read_text("utf-8"))]
    for path in some(files, every=10, ci=8):
        test, wanted = read_litmus(str(path)), expected[str(path)]
        only_witnesses = not wanted.startswith("Required")
        found = verdict_by_reference(test, USUAL[test.language], None, only_witnesses=only_witnesses)
        assert agrees(found, wanted), path


def is_small(text: str) -> bool:
    return "rcu" not in text and "P3(" not in text


_LOCKED = "int i = srcu_read_lock(s); "
REFUSED = [
    ("srcu_read_unlock(s, 0);", "the index that srcu_read_lock returned"),
    (f"{_LOCKED}srcu_read_unlock(t, i);", "the index that srcu_read_lock returned"),
    (f"{_LOCKED}i = 0; srcu_read_unlock(s, i);", "the index that srcu_read_lock returned"),
    (f"{_LOCKED}i = READ_ONCE(*x); srcu_read_unlock(s, i);", "the index that srcu_read_lock"),
    (f"{_LOCKED}srcu_read_unlock(s, i); srcu_read_unlock(s, i);", "must take, exactly once"),
    ("srcu_read_lock(s);" * 9, "more than 8 SRCU critical sections"),
    ("smp_mb__after_srcu_read_unlock();", "the fence 'after-srcu-read-unlock' is not supported"),
    ("rcu_read_lock(); rcu_read_lock(); if (1) { W(x) } rcu_read_unlock();", "nested critical sections"),
]


@pytest.mark.parametrize(("statement", "message"), REFUSED)
def test_what_the_model_does_not_know_is_refused(statement: str, message: str) -> None:
    with pytest.raises(MazurkaError, match=message):
        verdict([[statement], ["W(x)"]], "x=1")


def test_conditional_additions_add_or_do_not() -> None:
    """Two threads add 1 unless they find 1: one of them does, and says so."""
    add = ["int r0 = atomic_add_unless(a, 1, 1);"]
    assert verdict([add, add], "a=1 /\\ 0:r0=1 /\\ 1:r0=0") == ALLOWED
    assert verdict([add, add], "a=1 /\\ 0:r0=0 /\\ 1:r0=1") == ALLOWED
    assert verdict([add, add], "a=2") == FORBIDDEN
    assert verdict([add, add], "0:r0=1 /\\ 1:r0=1") == FORBIDDEN
    assert verdict([add, add], "0:r0=0 /\\ 1:r0=0") == FORBIDDEN


# Threads, and whether some execution has a data race.
WRITE, READ = "*x = 1;", "int r1 = *x;"
FLAGGED = {
    "plain message passing": ([[WRITE, "W(y)"], ["R(y)", READ]], True),
    "release and acquire": (
        [[WRITE, "smp_store_release(y, 1);"], [ACQUIRE[0], f"if (r0) {{ {READ} }}"]],
        False,
    ),
    "release and acquire, read anyway": ([[WRITE, "smp_store_release(y, 1);"], [ACQUIRE[0], READ]], True),
    "barriers": ([[WRITE, "smp_wmb();", "W(y)"], ["R(y)", f"if (r0) {{ smp_rmb(); {READ} }}"]], False),
    "no barrier": ([[WRITE, "W(y)"], ["R(y)", f"if (r0) {{ smp_rmb(); {READ} }}"]], True),
    "one marked": ([["W(x)"], [READ]], True),
    "all marked": ([["W(x)"], ["R(x)"]], False),
    "two readers": ([["int r0 = *x;"], ["int r0 = *x;"]], False),
    "two writers": ([[WRITE], [WRITE]], True),
    "locks": ([[LOCK, WRITE, UNLOCK], [LOCK, READ, UNLOCK]], False),
    "one lock": ([[LOCK, WRITE, UNLOCK], [READ]], True),
}


@pytest.mark.parametrize("name", some(list(FLAGGED), every=6))
def test_data_races_of_plain_accesses_are_flagged(name: str) -> None:
    threads, is_flagged = FLAGGED[name]
    found = run_test(parsed(threads, "x=0"))
    assert found.flags == (("data-race",) if is_flagged else ())
    assert ("\nFlag data-race\n" in as_log(found)) == is_flagged
