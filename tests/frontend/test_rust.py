"""IR as rustc 1.95 writes it: written by hand, and by rustc on machines that have one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import mazurka
import pytest
from mazurka.checking.outcome import Outcome
from mazurka.errors import ErrorCode, SourceError
from mazurka.frontend.library.languages.rust import rust_path
from profiles import heavy

PANIC = "_RNvNtCsgEmfK2I1SDS_4core9panicking5panic"
BOUNDS = "_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check"
OVERFLOW = "_RNvNtNtCsgEmfK2I1SDS_4core9panicking11panic_const24panic_const_add_overflow"
ALLOC = "_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc"
ZEROED = "_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed"
DEALLOC = "_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc"
REALLOC = "_RNvCsfLfy6EI15iL_7___rustc14___rust_realloc"
SHIM = "_RNvCsfLfy6EI15iL_7___rustc35___rust_no_alloc_shim_is_unstable_v2"

# A static with an atomic in it, a thread that stores to it and to another one, and a main that looks.
TWO_THREADS = """\
target triple = "x86_64-unknown-linux-gnu"
@ready = internal global <{ [1 x i8] }> zeroinitializer, align 1
@data = internal global [4 x i8] zeroinitializer, align 4
@alloc_text = private unnamed_addr constant [19 x i8] c"assertion failed: x", align 1

define internal ptr @_ZN4test8producer17h067d0046b166908fE(ptr %_1) unnamed_addr #0 {
start:
  store STORE i32 42, ptr @data ORDER, align 4
  store atomic i8 1, ptr @ready PUBLISH, align 1
  ret ptr null
}

define i32 @main() unnamed_addr #0 personality ptr @rust_eh_personality {
start:
  %t = alloca [8 x i8], align 8
  store i64 0, ptr %t, align 8
  %_2 = call i32 @pthread_create(ptr %t, ptr null, ptr @_ZN4test8producer17h067d0046b166908fE, ptr null)
  %_3 = load atomic i8, ptr @ready acquire, align 1
  %_4 = trunc nuw i8 %_3 to i1
  br i1 %_4, label %bb1, label %bb4

bb1:
  %_5 = load STORE i32, ptr @data ORDER, align 4
  %_6 = icmp eq i32 %_5, 42
  br i1 %_6, label %bb4, label %bb3

bb3:
  invoke void @PANIC(ptr align 1 @alloc_text, i64 19, ptr align 8 null)
          to label %unreachable unwind label %cleanup

cleanup:
  %_7 = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %_7

unreachable:
  unreachable

bb4:
  %_8 = load i64, ptr %t, align 8
  %_9 = call i32 @pthread_join(i64 %_8, ptr null)
  ret i32 0
}

declare i32 @pthread_create(ptr, ptr, ptr, ptr) unnamed_addr #0
declare i32 @pthread_join(i64, ptr) unnamed_addr #0
declare i32 @rust_eh_personality(...) unnamed_addr #0
declare void @PANIC(ptr align 1, i64, ptr align 8) unnamed_addr #1
attributes #0 = { nonlazybind uwtable }
attributes #1 = { cold noinline noreturn nonlazybind uwtable }
""".replace("PANIC", PANIC)


def check(directory: Path, text: str, **options: str) -> Outcome:
    path = directory / "test.ll"
    path.write_text(text, encoding="utf-8")
    return mazurka.check(path, **options)  # type: ignore[arg-type]


def two_threads(data: str, order: str, publish: str) -> str:
    return TWO_THREADS.replace("STORE", data).replace("ORDER", order).replace("PUBLISH", publish)


def test_atomics_and_threads(tmp_path: Path) -> None:
    """Message passing has two executions: the flag is seen or not."""
    outcome = check(tmp_path, two_threads("atomic", "monotonic", "release"))
    assert (outcome.verdict, outcome.complete, outcome.blocked) == ("verified", 2, 0)


def test_a_panic_is_a_failed_assertion(tmp_path: Path) -> None:
    violation = check(tmp_path, two_threads("atomic", "monotonic", "monotonic")).violation
    assert violation is not None
    assert (violation.kind, violation.message) == ("assertion", "panic: assertion failed: x")


def test_plain_accesses_race_whatever_volatile_ones_are(tmp_path: Path) -> None:
    """The accesses of IR are marked volatile while it is cleaned; that must not be taken for the source's."""
    for option in ("plain", "relaxed"):
        violation = check(tmp_path, two_threads("", "", "monotonic"), volatile=option).violation
        assert violation is not None
        assert violation.kind == "race"
        assert "volatile" not in violation.message


def test_volatile_accesses_are_known(tmp_path: Path) -> None:
    violation = check(tmp_path, two_threads("volatile", "", "monotonic")).violation
    assert violation is not None
    assert "(volatile)" in violation.message
    violation = check(tmp_path, two_threads("volatile", "", "monotonic"), volatile="relaxed").violation
    assert violation is not None
    assert violation.kind == "assertion"


def single(*lines: str) -> str:
    """A main of some lines, with the functions that it calls."""
    return f"""\
define i32 @main() unnamed_addr {{
start:
{chr(10).join("  " + line for line in lines)}
  ret i32 0
}}
declare noalias ptr @{ALLOC}(i64, i64 allocalign) unnamed_addr
declare noalias ptr @{ZEROED}(i64, i64 allocalign) unnamed_addr
declare ptr @{REALLOC}(ptr allocptr, i64, i64 allocalign, i64) unnamed_addr
declare void @{DEALLOC}(ptr allocptr captures(address), i64, i64) unnamed_addr
declare void @{SHIM}() unnamed_addr
declare void @{BOUNDS}(i64, i64, ptr align 8) unnamed_addr
declare void @{OVERFLOW}(ptr align 8) unnamed_addr
declare void @_RNvNtCs1234_5other6module8function() unnamed_addr
"""


NEW = f"%box = call ptr @{ALLOC}(i64 4, i64 4)"
FREE = f"call void @{DEALLOC}(ptr %box, i64 4, i64 4)"


def test_boxes(tmp_path: Path) -> None:
    lines = (
        f"call void @{SHIM}()",
        NEW,
        "store i32 7, ptr %box, align 4",
        f"%more = call ptr @{REALLOC}(ptr %box, i64 4, i64 4, i64 64)",
        "%at = getelementptr inbounds i8, ptr %more, i64 60",
        "store i32 7, ptr %at, align 4",
        f"call void @{DEALLOC}(ptr %more, i64 64, i64 4)",
    )
    assert check(tmp_path, single(*lines)).verdict == "verified"


@pytest.mark.parametrize(
    ("lines", "kind", "message"),
    [
        ((NEW, FREE, FREE), "double-free", ""),
        ((NEW, FREE, "store i32 7, ptr %box, align 4"), "freed", ""),
        (
            (NEW, "%end = getelementptr i32, ptr %box, i64 1", "store i32 7, ptr %end, align 4"),
            "unallocated",
            "",
        ),
        ((f"call void @{BOUNDS}(i64 3, i64 2, ptr null)",), "assertion", "panic: index out of bounds"),
        ((f"call void @{OVERFLOW}(ptr null)",), "assertion", "panic: add overflow"),
    ],
)
def test_findings(tmp_path: Path, lines: tuple[str, ...], kind: str, message: str) -> None:
    violation = check(tmp_path, single(*lines)).violation
    assert violation is not None
    assert violation.kind == kind
    assert violation.message == message or not message


def test_zeroed_memory_is_written(tmp_path: Path) -> None:
    """A pointer from it is null: an access through it is no use of memory that was never written."""
    lines = (f"%box = call ptr @{ZEROED}(i64 8, i64 8)", "%p = load ptr, ptr %box", "store i32 1, ptr %p")
    violation = check(tmp_path, single(*lines)).violation
    assert violation is not None
    assert violation.kind == "unallocated"


def test_functions_of_other_crates_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as error:
        check(tmp_path, single("call void @_RNvNtCs1234_5other6module8function()"))
    assert error.value.code is ErrorCode.UNKNOWN_FUNCTION


@pytest.mark.parametrize(
    ("symbol", "path"),
    [
        (PANIC, "core::panicking::panic"),
        (OVERFLOW, "core::panicking::panic_const::panic_const_add_overflow"),
        (ALLOC, "__rustc::__rust_alloc"),
        ("_ZN4core9panicking5panic17h067d0046b166908fE", "core::panicking::panic"),
        ("_ZN4core9panicking5panicE", ""),
        ("_RNvXs8_NtNtNtCsgEmfK2I1SDS_4core3fmt3num3impmNtB9_7Display3fmt", ""),
        ("panic", ""),
        ("_RNvC4core99panic", ""),
    ],
)
def test_paths(symbol: str, path: str) -> None:
    assert "::".join(rust_path(symbol)) == path


STACK = """\
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
extern "C" {
    fn pthread_create(t: *mut usize, a: *const c_void, f: Start, p: *mut c_void) -> i32;
    fn pthread_join(t: usize, r: *mut *mut c_void) -> i32;
}
type Start = extern "C" fn(*mut c_void) -> *mut c_void;
struct Node { value: u32, next: *mut Node }
static HEAD: AtomicPtr<Node> = AtomicPtr::new(ptr::null_mut());
static VALUES: [u32; 2] = [7, 9];
extern "C" fn push(which: *mut c_void) -> *mut c_void {
    let node = Box::into_raw(Box::new(Node { value: VALUES[which as usize], next: ptr::null_mut() }));
    let mut head = HEAD.load(Ordering::Relaxed);
    loop {
        unsafe { (*node).next = head };
        match HEAD.compare_exchange(head, node, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return ptr::null_mut(),
            Err(seen) => head = seen,
        }
    }
}
fn pop() -> Option<u32> {
    let head = HEAD.load(Ordering::Acquire);
    if head.is_null() { return None; }
    let node = unsafe { Box::from_raw(head) };
    HEAD.store(node.next, Ordering::Relaxed);
    Some(node.value)
}
#[no_mangle]
pub extern "C" fn main() -> i32 {
    let mut threads = [0; 2];
    for (i, t) in threads.iter_mut().enumerate() {
        unsafe { pthread_create(t, ptr::null(), push, i as *mut c_void) };
    }
    let early = HEAD.load(Ordering::Acquire);
    assert!(early.is_null() || unsafe { (*early).value } > 0);
    for t in threads {
        unsafe { pthread_join(t, ptr::null_mut()) };
    }
    assert_eq!(pop().unwrap() + pop().unwrap(), 16);
    assert!(pop().is_none());
    0
}
"""


@pytest.mark.skipif(shutil.which("rustc") is None, reason="there is no rustc")
@pytest.mark.parametrize(
    "flags",
    [
        ("--emit", "llvm-ir"),
        pytest.param(("--emit", "llvm-bc", "-O"), marks=heavy),
        pytest.param(("--emit", "llvm-ir", "-C", "panic=abort", "-C", "overflow-checks=no"), marks=heavy),
        pytest.param(
            ("--emit", "llvm-ir", "-C", "symbol-mangling-version=v0", "--edition", "2018"), marks=heavy
        ),
    ],
)
@pytest.mark.parametrize("weaken", [False, True])
def test_a_stack_by_rustc(tmp_path: Path, flags: tuple[str, ...], weaken: bool) -> None:
    """Two orders of the pushes; the second one's load sees null or the first node; main's, either or null."""
    (tmp_path / "stack.rs").write_text(
        STACK.replace("node, Ordering::Release", "node, Ordering::Relaxed") if weaken else STACK
    )
    compiler = shutil.which("rustc")
    assert compiler is not None
    subprocess.run(
        [compiler, "--crate-type", "lib", "-g", *flags, "stack.rs"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    (found,) = (path for path in tmp_path.iterdir() if path.suffix in (".ll", ".bc"))
    outcome = mazurka.check(found)
    if weaken:
        assert outcome.violation is not None
        assert outcome.violation.kind == "race"
    else:
        assert (outcome.verdict, outcome.complete, outcome.blocked) == ("verified", 12, 0)
