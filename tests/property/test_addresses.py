"""Walks from an object through members, containers and indices, and back.

An access at the end is an error if it misses the object, whatever lies there. Otherwise the address is the
one that arithmetic gives.

Each step is a function of its own, so that nothing is known of the object there; some walks leave the object
by far on their way. Whether an access is right is computed here, from the sum of the steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest
from batches import Batch
from comparison import explore, plan_of, shipped
from mazurka.reference import verify
from profiles import PROFILE

WALKS, BATCHES = {"quick": (60, 1), "ci": (100, 5), "slow": (100, 100)}[PROFILE]
MEMBERS = (1, 7, 8, 9, 15, 16, 17, 30)  # words before a member
WORDS = (1, 2, 8, 20, 60)  # of an object

HELPERS = "static long *@index(long *p, long n) { return p + n; }\n" + "".join(
    f"struct @pad{n} {{ long pad[{n}]; long rest[1]; }};\n"
    f"static long *@member{n}(struct @pad{n} *p) {{ return p->rest; }}\n"
    f"static long *@container{n}(long *p) {{ return (long *)((char *)p - {8 * n}); }}\n"
    f"static void @put{n}(struct @pad{n} *p) {{ p->rest[0] = 1; }}\n"
    for n in MEMBERS
)
PLACES = {
    "global": ("static long @before[50], @object[#], @after[50];", "long *base = @object;"),
    "local": ("", "long before[50] = {0}, object[#] = {0}, after[50] = {0}; long *base = object;"),
    "heap": ("", "calloc(50, 8); long *base = calloc(#, 8); calloc(50, 8);"),
}


@dataclass
class Walk:
    """A program, and where its last access is."""

    source: str
    words: int
    end: int

    @property
    def stays(self) -> bool:
        return 0 <= self.end < self.words


def walk(random: Random, prefix: str) -> Walk:
    """A random walk."""
    words, at = random.choice(WORDS), 0
    steps = ["long *p = base;"]
    for _ in range(random.randint(1, 5)):
        n = random.choice(MEMBERS)
        kind = random.choice(("member", "container", "index", "back"))
        if kind == "back":  # to the object, from wherever it is
            n, kind = random.randrange(words) - at, "index"
        by = {"member": n, "container": -n, "index": n}[kind]
        steps.append(f"p = @index(p, {by});" if kind == "index" else f"p = @{kind}{n}((void *)p);")
        at += by
    n = random.choice((0, *MEMBERS))
    if random.random() < 0.4:  # the access is right, though the address before it need not be
        back = random.randrange(words) - n - at
        steps.append(f"p = @index(p, {back});")
        at += back
    steps += _compared(at, words)
    steps.append(f"@put{n}((void *)p);" if n else "*p = 1;")
    outside, inside = PLACES[random.choice(list(PLACES))]
    body = "\n    ".join([inside, *steps])
    source = f"{HELPERS}{outside}\nint @main(void) {{\n    {body}\n    return 0;\n}}\n"
    return Walk(source.replace("@", prefix).replace("#", str(words)), words, at + n)


def _compared(at: int, words: int) -> list[str]:
    """Questions to which the answer is yes."""
    order = "<" if at < 0 else ">" if at > words else ">="
    known = [f"if (!(p {order} base)) abort();", f"if (p != base + {at}) abort();"]
    return known[:1] + known[1:] * (0 <= at <= words)


@pytest.mark.parametrize("seed", range(BATCHES))
def test_a_walk_ends_where_arithmetic_says(seed: int) -> None:
    random = Random(seed)
    walks = {f"x{number}_": walk(random, f"x{number}_") for number in range(WALKS)}
    batch = Batch([found.source for found in walks.values()])
    for number, (prefix, found) in enumerate(walks.items()):
        for share_all in (False, True):
            program = batch.program(prefix, share_all=share_all)
            result = explore(program, plan_of("sc"))
            assert result.kind == (None if found.stays else "unallocated"), found.source
            if number % 4 == 0:
                findings = verify(program, shipped("sc")).findings
                assert findings == (set() if found.stays else {"unallocated"}), found.source
    assert {found.stays for found in walks.values()} == {False, True}


def test_each_thread_local_has_its_own_bounds() -> None:
    """Their addresses may not be returned, so that walks like the above are refused."""
    places = {f"x{n}_": at for n, at in enumerate((-60, -33, -2, -1, 0, 1, 2, 3, 30, 34, 40, 70))}
    batch = Batch([_in_thread_local(at).replace("@", prefix) for prefix, at in places.items()])
    for prefix, at in places.items():
        program = batch.program(prefix)
        expected = set() if 0 <= at < 2 else {"unallocated"}
        kind = explore(program, plan_of("sc")).kind
        assert ({kind} if kind else set()) == expected, at
        assert verify(program, shipped("sc")).findings == expected, at


def _in_thread_local(at: int) -> str:
    return f"""
static _Thread_local long @before[50] = {{1}}, @object[2] = {{2, 2}}, @after[50] = {{3}};
static void @put(long *p, long n) {{ p[n] = n; }}
int @main(void) {{
    if (@before[0] != 1 || @object[1] != 2 || @after[0] != 3 || @after[1] != 0) abort();
    @put(@object, {at});
    if (@before[0] != 1 || @object[{at} & 1] != {at} || @after[0] != 3) abort();
    return 0;
}}
"""
