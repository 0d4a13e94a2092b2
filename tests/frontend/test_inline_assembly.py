"""Inline assembly: the same program in several spellings, and what is refused."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from mazurka import check
from mazurka.errors import ErrorCode, SourceError
from mazurka.frontend import compile_text
from mazurka.frontend.inline.barriers import fence_of, is_pause
from mazurka.frontend.inline.template import instructions, shown
from mazurka.program import Mode, Op

SPELLINGS = {
    "c11": """
#include <stdatomic.h>
typedef atomic_int word;
static int load(word *p) { return atomic_load_explicit(p, memory_order_acquire); }
static void store(word *p, int v) { atomic_store_explicit(p, v, memory_order_release); }
static int add(word *p, int v) { return atomic_fetch_add(p, v); }
static int swap(word *p, int v) { return atomic_exchange(p, v); }
static int cas(word *p, int o, int n) { return atomic_compare_exchange_strong(p, &o, n); }
static void fence(void) { atomic_thread_fence(memory_order_seq_cst); }
""",
    "builtins": """
typedef int word;
static int load(word *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
static void store(word *p, int v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }
static int add(word *p, int v) { return __sync_fetch_and_add(p, v); }
static int swap(word *p, int v) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); }
static int cas(word *p, int o, int n) { return __sync_bool_compare_and_swap(p, o, n); }
static void fence(void) { __sync_synchronize(); }
""",
    "x86": """
#include <immintrin.h>
typedef int word;
static int load(word *p) { int v; __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(*p)); return v; }
static void store(word *p, int v) { __asm__ volatile("movl %1, %0" : "=m"(*p) : "ir"(v)); }
static int add(word *p, int v) { __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(*p)); return v; }
static int swap(word *p, int v) { __asm__ volatile("xchg %0, (%1)" : "+r"(v) : "r"(p) : "memory"); return v; }
static int cas(word *p, int o, int n) { char z; int got = o;
  __asm__ volatile("lock cmpxchgl %3, %1\\n\\tsete %0" : "=q"(z), "+m"(*p), "+a"(got) : "r"(n) : "cc");
  return z; }
static void fence(void) { _mm_mfence(); }
""",
}
START = """
#include <assert.h>
#include <pthread.h>
static word x, y; static int a, b;
"""
END = """
int main(void) { pthread_t s, t; pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0);
  pthread_join(s, 0); pthread_join(t, 0); check_end(); return 0; }
"""
PROGRAMS = {
    "store buffering": "void *one(void *u) { store(&x, 1); a = load(&y); return u; }"
    "void *two(void *u) { store(&y, 1); b = load(&x); return u; } void check_end(void) {}",
    "store buffering with fences": "void *one(void *u) { store(&x, 1); fence(); a = load(&y); return u; }"
    "void *two(void *u) { store(&y, 1); fence(); b = load(&x); return u; }"
    "void check_end(void) { assert(a || b); }",
    "exchanges and counts": "void *one(void *u) { a = swap(&x, 2); add(&y, 3); return u; }"
    "void *two(void *u) { add(&y, 1); b = swap(&x, 5); store(&x, load(&x) + 1); return u; }"
    "void check_end(void) { assert(load(&y) == 4); }",
    "a lock": "void *one(void *u) { if (cas(&x, 0, 1)) { a++; store(&x, 0); } return u; }"
    "void *two(void *u) { if (cas(&x, 0, 1)) { a++; store(&x, 0); } return u; }"
    "void check_end(void) { assert(a >= 1); }",
}


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_spellings_have_the_same_executions(tmp_path: Path, body: str) -> None:
    """Under tso, an atomic access is the instruction that it is compiled to."""
    counts = set()
    for name, spelling in SPELLINGS.items():
        path = tmp_path / f"{name}.c"
        path.write_text(spelling + START + body + END)
        outcome = check(path, model="tso")
        assert outcome.verdict == "verified", name
        counts.add((outcome.complete, outcome.blocked))
    assert len(counts) == 1


def test_registers_and_flags(tmp_path: Path) -> None:
    """What single-threaded code computes is what a processor computes."""
    path = tmp_path / "p.c"
    path.write_text(
        """
#include <assert.h>
int main(void) {
  int n = 7; unsigned char zero; long wide = 5; unsigned int parts = 0x12345678; _Bool done; int expected = 9;
  __asm__("lock; decl %0; sete %1" : "+m"(n), "=qm"(zero) : : "cc"); assert(n == 6 && !zero);
  __asm__("subl $6, %0; setz %1" : "+m"(n), "=q"(zero) : : "cc"); assert(n == 0 && zero);
  __asm__("addq $-6, %0; sets %1" : "+r"(wide), "=q"(zero)); assert(wide == -1 && zero);
  __asm__("movb $1, %b0" : "+q"(parts)); assert(parts == 0x12345601);
  __asm__("lock cmpxchgl %3, %1" : "=@ccz"(done), "+m"(n), "+a"(expected) : "r"(3));
  assert(!done && !expected);
  __asm__("mov %1, %%ecx; xor $1, %%ecx; movl %%ecx, %0" : "=r"(n) : "r"(8) : "ecx"); assert(n == 9);
  __asm__("" : "=r"(n) : "0"(4)); assert(n == 4);
  return 0;
}
"""
    )
    assert check(path).verdict == "verified"


def test_pairs_are_exchanged_as_one(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("""
#include <assert.h>
struct two { long first, second; } __attribute__((aligned(16)));
int main(void) {
  struct two p = { 1, 2 }; long low = 1, high = 2; char done;
  __asm__ volatile("lock; cmpxchg16b %1; setz %0"
                   : "=q"(done), "+m"(p), "+a"(low), "+d"(high) : "b"(3L), "c"(4L));
  assert(done && p.first == 3 && p.second == 4);
  return 0; }
""")
    assert check(path).verdict == "verified"


@pytest.mark.parametrize(
    "asm",
    [
        '"rdtsc" : "=A"(x)',
        '"1: jmp 1b"',
        '"xaddl %0, %1" : "+r"(x), "+m"(y)',
        '"lock; movl $1, %0" : "=m"(x)',
        '"sete %0" : "=q"(x)',
        '"dmb nowhere"',
        '"fence rw, q"',
        '"lock"',
        '"" : "=r"(x)',
        '"syscall" ::: "memory"',
    ],
)
def test_everything_else_is_refused_by_its_line(tmp_path: Path, asm: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"int main(void) {{ int x = 1, y = 1;\n__asm__ volatile({asm});\nreturn x + y; }}")
    with pytest.raises(SourceError, match="inline assembly") as caught:
        check(path)
    assert caught.value.code is ErrorCode.UNSUPPORTED
    assert caught.value.place is not None
    assert caught.value.place.line == 2


def test_what_is_not_reached_is_not_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text('int main(int n, char **v) { if (n > 9) __asm__ volatile("hlt"); return 0; }')
    assert check(path).verdict == "verified"


FENCES = {
    Mode.SC: [
        "mfence",
        "dmb ish",
        "dmb sy",
        "dsb ish",
        "DMB",
        "sync",
        "fence",
        "fence iorw, iorw",
        "fence w,r",
    ],
    Mode.ACQ: ["lfence", "dmb ishld", "dmb ld", "fence r,rw", "fence r, r"],
    Mode.REL: ["sfence", "dmb ishst", "dsb st", "fence rw,w", "fence w,w", "eieio"],
    Mode.ACQ_REL: ["lwsync", "fence.tso"],
    None: ["isb", "cpuid", "dmb xx", "fence rw", "fence i,o", "mfence2"],
}


@pytest.mark.parametrize(("mode", "text"), [(mode, text) for mode, texts in FENCES.items() for text in texts])
def test_fences_of_all_machines(mode: Mode | None, text: str) -> None:
    (only,) = instructions(text)
    assert fence_of(only) == mode


@pytest.mark.parametrize(
    "text", ["pause", "rep; nop", "rep nop", "nop", "yield", "wfe", "isb", "or 27, 27, 27"]
)
def test_pauses(text: str) -> None:
    assert all(map(is_pause, instructions(text)))


def test_instructions_are_split_and_shown() -> None:
    found = instructions("lock;\n\txaddl $0, 4($1) # old\n; nop")
    assert [(i.prefix, i.word, i.operands) for i in found] == [
        ("lock", "xaddl", ("$0", "4($1)")),
        ("", "nop", ()),
    ]
    assert shown("addl $$0, 4($1)") == "addl $0, 4(%1)"


def test_machine_instructions_are_mentioned_under_models_of_languages(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text('int x; int main(void) { __asm__ volatile("lock; incl %0" : "+m"(x)); return 0; }')
    said = {model: check(path, model=model).warnings for model in ("rc11", "tso", "sc")}
    assert "'lock incl %0'" in said["rc11"][0]
    assert said["tso"] == said["sc"] == ()


def test_operands_that_are_memory_stay_private() -> None:
    program = compile_text('int main(void) { int n = 1; __asm__("lock; incl %0" : "+m"(n)); return n; }')
    assert not any(i.op == Op.ALLOC for i in itertools.chain(*(f.code for f in program.functions)))
