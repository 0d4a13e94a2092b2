"""The time limit and Ctrl-C also work inside a single event that would take forever.

Without checks of the limit these programs take hours: the tests show that there is an answer.
"""

from __future__ import annotations

import signal
import threading
from itertools import pairwise
from pathlib import Path

import mazurka
import pytest
from mazurka import deadline
from mazurka.errors import OutOfTime
from mazurka.frontend import compile_text
from mazurka.frontend.assembly import assemble
from mazurka.frontend.assembly.code import Code, CodeBlock
from mazurka.kat.automata import kernel
from mazurka.kat.language.load import named_model
from mazurka.kat.planning.planner import tables_of
from mazurka.program import Op
from profiles import heavy

# The last read cannot read the initial value, which only an axiom about fences tells: before it is given up,
# the writes of x are put in every order, of which there are 14!.
MANY_ORDERS = """\
#include <pthread.h>
#include <stdatomic.h>
#define FENCE atomic_thread_fence(memory_order_seq_cst)
#define STORE(l, v) atomic_store_explicit(&l, v, memory_order_relaxed)
#define LOAD(l) atomic_load_explicit(&l, memory_order_relaxed)
atomic_int x, a, b;
void *write(void *value) { STORE(x, (long)value); return 0; }
void *left(void *unused) { STORE(a, 1); FENCE; (void)LOAD(b); return unused; }
void *right(void *unused) { STORE(b, 1); FENCE; (void)LOAD(a); return unused; }
int main(void)
{
    pthread_t t;
    for (long i = 0; i < 14; i++)
        pthread_create(&t, 0, write, (void *)i);
    pthread_create(&t, 0, left, 0);
    pthread_create(&t, 0, right, 0);
    return 0;
}
"""
# Each choice of the last events is compared with what the axioms say of the whole graph.
MANY_WRITES = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *count(void *a) { for (int i = 0; i < 5000; i++) x = i; return a; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, count, 0);
    pthread_create(&u, 0, count, 0);
    return 0;
}
"""

# Each of these labels heads a loop of all, with an exit at each: what is asked of them takes a time with the
# third power of their number.
SPAGHETTI = (
    "#include <stdatomic.h>\natomic_int x;\nint main(void)\n{\n"
    + "".join(f"L{i}: if (x == {i}) goto L{i * 13 % 1500};\n" for i in range(1500))
    + "return 0;\n}\n"
)


def written(directory: Path, text: str) -> Path:
    path = directory / "program.c"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("workers", [1, 2])
def test_the_limit_ends_a_search_for_a_coherence_order(workers: int, tmp_path: Path) -> None:
    path = written(tmp_path, MANY_ORDERS)
    outcome = mazurka.check(path, equivalence="rf", time_limit=1.5, workers=workers)
    assert outcome.verdict == "interrupted"


def test_the_limit_ends_an_audit(tmp_path: Path) -> None:
    assert mazurka.check(written(tmp_path, MANY_WRITES), audit=True, time_limit=1.5).verdict == "interrupted"


def test_the_caller_can_end_a_search(tmp_path: Path) -> None:
    path = written(tmp_path, MANY_ORDERS)
    timer = threading.Timer(1.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        assert mazurka.check(path, equivalence="rf").verdict == "interrupted"
    except KeyboardInterrupt:  # raised while the program was still being compiled
        pass
    finally:
        timer.cancel()


@heavy
def test_the_limit_ends_lowering(tmp_path: Path) -> None:
    assert mazurka.check(written(tmp_path, SPAGHETTI), time_limit=3).verdict == "interrupted"


def test_lowering_looks_at_the_limit() -> None:
    with deadline.within(0.0, "compiling"), pytest.raises(OutOfTime, match="compiling"):
        compile_text("int main(void) { return 0; }")


def test_a_chain_of_jumps_is_followed_once() -> None:
    """What deeply nested ifs become: blocks that only jump, each to the next."""
    steps = 0

    class Forward(dict[CodeBlock, CodeBlock]):
        def __getitem__(self, block: CodeBlock) -> CodeBlock:
            nonlocal steps
            steps += 1
            return super().__getitem__(block)

    blocks = [CodeBlock() for _ in range(1000)]
    forward = Forward(pairwise(blocks))
    final: dict[CodeBlock, CodeBlock] = {}
    assert {assemble._final(block, forward, final) for block in blocks} == {blocks[-1]}
    assert steps == len(blocks) - 1


def test_a_circle_of_jumps_stays_one() -> None:
    """`for (;;) ;` in two blocks: a jump into it must still be one."""
    one, two = CodeBlock(), CodeBlock()
    one.code, two.code = [Code(Op.JMP, targets=[two])], [Code(Op.JMP, targets=[one])]
    assemble._skip_empty_blocks([one, two])
    assert {one.code[0].targets[0], two.code[0].targets[0]} <= {one, two}


LONG_LOCATION = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *many(void *a)
{
    for (int i = 1; i <= 65536; i++)
        EACH;
    return a;
}
void *one(void *a) { int r = 3; OTHER; return a; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, many, 0);
    pthread_create(&u, 0, one, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
"""


STORES = "atomic_store_explicit(&x, i, memory_order_relaxed)"
CHOOSING = STORES, "atomic_store_explicit(&x, 7, memory_order_relaxed); r = atomic_load(&x)"
REVISITING = "atomic_fetch_add(&x, 1)", "atomic_compare_exchange_strong(&x, &r, 9)"


@pytest.mark.parametrize(
    ("model", "equivalence", "threads"),
    [
        ("rc11", "co", CHOOSING),
        ("tso", "co", CHOOSING),
        ("rc11", "rf", CHOOSING),
        ("tso", "co", REVISITING),
    ],
)
def test_the_limit_ends_a_choice_among_very_many_events(
    model: str, equivalence: str, threads: tuple[str, str], tmp_path: Path
) -> None:
    """Each of them may be compared with all others: one event can take minutes."""
    each, other = threads
    path = written(tmp_path, LONG_LOCATION.replace("EACH", each).replace("OTHER", other))
    outcome = mazurka.check(path, model=model, equivalence=equivalence, time_limit=1)
    assert outcome.verdict == "interrupted"


def test_a_time_limit_does_not_outlive_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the planner knows of relations is kept from one check to the next; the limit is not."""
    model = named_model("rc11")
    with monkeypatch.context() as patched:
        patched.setattr(kernel, "seconds_left", lambda _: 1e-9)
        with pytest.raises(OutOfTime), deadline.within(1000, "planning"):
            tables_of(model)
    assert tables_of(model).axioms
