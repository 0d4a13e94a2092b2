"""Before LLVM's passes run, accesses that may concern shared memory are protected from them."""

from __future__ import annotations

import pytest
from mazurka.frontend.cleaning.clean import Cleaner, protect
from mazurka.frontend.cleaning.unset import UnsetValues

GLOBALS = '@g = global i32 0\n@.str = private unnamed_addr constant [3 x i8] c"ab\\00"\n'
MEMCPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @use(ptr)\n"


def protected(*lines: str) -> list[str]:
    body = "\n".join(f"  {line}" for line in lines)
    text = protect(
        f"{GLOBALS}define void @f(ptr %p) {{\nentry:\n{body}\n  ret void\n}}\n{MEMCPY}",
        UnsetValues(frozenset()),
    )
    return [line.strip() for line in text.split("entry:\n")[1].splitlines()[: len(lines)]]


@pytest.mark.parametrize(
    "line",
    [
        "%v = load i32, ptr @g, align 4",
        "store i32 1, ptr @g, align 4",
        "%bf.load = load i32, ptr %p, align 4, !dbg !1",
        "store ptr @g, ptr getelementptr inbounds nuw (i8, ptr @g, i64 4), align 8",
    ],
)
def test_shared_accesses_become_volatile(line: str) -> None:
    (found,) = protected(line)
    assert found == line.replace("load i32", "load volatile i32").replace("store ", "store volatile ")


def test_private_locals_stay_plain() -> None:
    lines = [
        "%x = alloca [2 x i32]",
        "%e = getelementptr [2 x i32], ptr %x, i64 0, i64 1",
        "store i32 1, ptr %e",
    ]
    assert protected(*lines) == lines


@pytest.mark.parametrize(
    "leak", ["call void @use(ptr %x)", "store ptr %x, ptr %p", "%n = ptrtoint ptr %x to i64", "ret ptr %x"]
)
def test_locals_that_leak_do_not(leak: str) -> None:
    assert protected("%x = alloca i32", "store i32 1, ptr %x", leak)[1] == "store volatile i32 1, ptr %x"


def test_copies_of_shared_memory_become_opaque() -> None:
    copy = "call void @llvm.memcpy.p0.p0.i64(ptr align 4 %x, ptr align 4 {}, i64 3, i1 false)"
    local, shared, constant = protected("%x = alloca [3 x i8]", copy.format("%p"), copy.format("@.str"))
    assert local.startswith("%x = alloca")
    assert shared.startswith("call void @mazurka.memcpy(")
    assert constant == copy.format("@.str")


def test_unused_loads_survive_the_passes() -> None:
    body = "  %x = alloca i32\n  %v = load i32, ptr @g\n  store i32 %v, ptr %x\n  ret void"
    text = Cleaner().clean(f"{GLOBALS}define void @f() {{\nentry:\n{body}\n}}\n")
    assert "load volatile i32, ptr @g" in text
    assert "alloca" not in text


def test_only_what_the_source_calls_volatile_is_named_so() -> None:
    """C++ is promoted twice: the second time, the marks of the first must not count as the source's words."""
    body = "  %v = load i32, ptr @g\n  %w = load volatile i32, ptr @g\n  ret void"
    text = Cleaner().clean(f"{GLOBALS}define void @f() {{\nentry:\n{body}\n}}\n", twice=True)
    named = {
        line.split()[0]: line.count("!mazurka.volatile") for line in text.splitlines() if " load " in line
    }
    assert named == {"%v": 0, "%w": 1}


def test_copies_keep_no_metadata_that_only_llvm_s_own_may_have() -> None:
    """LLVM drops all positions of a module with a ``!DIAssignID`` elsewhere, and says so."""
    call = "call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false), !dbg !5, !DIAssignID !7"
    text = protect(f"define void @f(ptr %p) {{\n  {call}\n}}\n", UnsetValues())
    assert "call void @mazurka.memset(ptr %p, i8 0, i64 8, i1 false), !dbg !5\n" in text
