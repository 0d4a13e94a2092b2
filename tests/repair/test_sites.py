"""What can be changed in a text, and how the changed text is written."""

from __future__ import annotations

import pytest
from mazurka.repair.fences import fence_points
from mazurka.repair.orders import REMOVED, is_at_most, one_weaker, steps_up
from mazurka.repair.sites import sites_of
from mazurka.repair.tokens import streams_of
from mazurka.repair.variants import SlotRef, Sources, Variant

CALLS = {
    "atomic_store_explicit(&x, 1, memory_order_relaxed)": [("store", "relaxed")],
    "atomic_store(&x, f(1, 2))": [("store", "seq_cst")],
    "std::atomic_load_explicit(&x, std::memory_order_acquire)": [("load", "acquire")],
    "x.load()": [("load", "seq_cst")],
    "x->load(std::memory_order::relaxed)": [("load", "relaxed")],
    "x.exchange(1, std::memory_order_acq_rel)": [("read-modify-write", "acq_rel")],
    "x.compare_exchange_weak(e, 1)": [("read-modify-write", "seq_cst"), ("load", "seq_cst")],
    "x.compare_exchange_weak(e, 1, std::memory_order_release)": [("read-modify-write", "release")],
    "__atomic_load_n(&x, __ATOMIC_ACQUIRE)": [("load", "acquire")],
    "__atomic_compare_exchange_n(&x, &e, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)": [
        ("read-modify-write", "acq_rel"),
        ("load", "relaxed"),
    ],
    "atomic_thread_fence(memory_order_seq_cst)": [("fence", "seq_cst")],
    "atomic_flag_clear(&f)": [("store", "seq_cst")],
    "atomic_load_explicit(&x, memory_order_consume)": [("load", "acquire")],
    "my_load(&x, memory_order_acquire)": [("load", "acquire")],
    "my_load(&x, memory_order_relaxed)": [("access", "relaxed")],
    # not what the names suggest, or nothing that could be changed
    "store.load(file, 3)": [],
    "atomic_load_explicit(&x, order)": [],
    "order == memory_order_relaxed": [],
    '"atomic_store(&x, 1)"': [],
    "/* atomic_store(&x, 1) */ 0": [],
    'R"(x.load())"': [],
    "atomic_store = 1": [],
}


@pytest.mark.parametrize("call", CALLS)
def test_calls_and_their_orderings(call: str) -> None:
    sites, _ = sites_of(f"void f(void)\n{{\n    {call};\n}}\n")
    assert [(slot.kind, slot.order) for site in sites for slot in site.slots] == CALLS[call]


CHANGES = [
    ("atomic_store(&x, 1);", ["release"], "atomic_store_explicit(&x, 1, memory_order_release);"),
    ("x.load();", ["relaxed"], "x.load(std::memory_order_relaxed);"),
    ("x.store(1);", ["release"], "x.store(1, std::memory_order_release);"),
    (
        "atomic_compare_exchange_strong(&x, &e, 1);",
        [None, "relaxed"],
        "atomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_seq_cst, memory_order_relaxed);",
    ),
    ("__atomic_store_n(&x, 1, __ATOMIC_RELAXED);", ["release"], "__atomic_store_n(&x, 1, __ATOMIC_RELEASE);"),
    ("x.load(std::memory_order::relaxed);", ["acquire"], "x.load(std::memory_order::acquire);"),
    ("a(); atomic_thread_fence(memory_order_release);", [REMOVED], "a(); (void)0;"),
    ("  atomic_thread_fence(memory_order_release);", [REMOVED], ""),
]


@pytest.mark.parametrize(("line", "orders", "expected"), CHANGES)
def test_changed_orderings_are_spelled_like_their_neighbours(
    line: str, orders: list[str | None], expected: str
) -> None:
    sources = Sources({"/f.c": f"before();\n{line}\n"})
    variant = Variant()
    for number, order in enumerate(orders):
        variant = variant.with_order(SlotRef("/f.c", 0, number), order)
    assert sources.changed(variant)["/f.c"] == f"before();\n{expected}" + ("\n" if expected else "")


def test_macros_are_streams_of_their_own() -> None:
    text = '#include "a.h"\n#define LOAD(x) \\\n    x.load() // all of it\n#define EMPTY\nint y = LOAD(x);\n'
    code, macro = streams_of(text)
    assert [token.text for token in code.tokens] == ["int", "y", "=", "LOAD", "(", "x", ")", ";"]
    assert (macro.macro, [token.text for token in macro.tokens]) == ("LOAD", ["x", ".", "load", "(", ")"])
    assert macro.tokens[0].line == 3
    (site,), _ = sites_of(text)
    assert site.macro == "LOAD"


FENCES = {
    "    a = x.load();": ["    F a = x.load();", "    a = x.load(); F"],
    "    for (; x.load(); i++)\n        b();": [
        "    F for (; x.load(); i++) b();",
        "    for (; x.load(); i++) b(); F",
    ],
    "    do { a(); } while (x.load());": ["    do { a(); } while (x.load()); F"],
    "    if (a)\n        x.store(1);\n    else\n        b();": ["    F if (a) x.store(1); else b();"],
    "    return x.load();": ["    F return x.load();"],
}


@pytest.mark.parametrize("code", FENCES)
def test_fences_stand_where_statements_can(code: str) -> None:
    sources = Sources({"/f.cpp": f"{{\n{code}\n}}"})
    written = []
    for point in fence_points("/f.cpp", sources.texts["/f.cpp"], sources.sites["/f.cpp"]):
        changed = sources.changed(Variant().with_fence(point, "seq_cst"))["/f.cpp"]
        written.append(changed.replace("std::atomic_thread_fence(std::memory_order_seq_cst);", "F"))
    assert [" ".join(text.split()) for text in written] == [f"{{ {each.strip()} }}" for each in FENCES[code]]


def test_lines_of_a_variant_are_those_of_the_user() -> None:
    text = "a();\n    x.store(1);\n    atomic_thread_fence(memory_order_release);\nb();\n"
    sources = Sources({"/f.cpp": text})
    before, after = fence_points("/f.cpp", text, sources.sites["/f.cpp"])
    removed = Variant().with_order(SlotRef("/f.cpp", 1, 0), REMOVED)
    for variant in (removed, Variant().with_fence(before, "seq_cst"), removed.with_fence(after, "seq_cst")):
        changed = sources.changed(variant)["/f.cpp"].splitlines()
        for line, words in ((1, "a();"), (2, "    x.store(1);"), (4, "b();")):
            assert sources.own_line(variant, "/f.cpp", changed.index(words) + 1) == line


def test_orderings_are_ordered() -> None:
    assert one_weaker("read-modify-write", "acq_rel") == ("release", "acquire")
    assert steps_up("store", "relaxed") == {"release": 1, "seq_cst": 2}
    assert steps_up("fence", "acquire") == {"acq_rel": 1, "seq_cst": 2}
    assert steps_up("fence", "relaxed") == {"release": 1, "acquire": 1, "acq_rel": 2, "seq_cst": 3}
    assert is_at_most("load", "relaxed", "acquire")
    assert not is_at_most("read-modify-write", "release", "acquire")
