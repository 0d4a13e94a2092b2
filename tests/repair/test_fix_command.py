"""``mazurka fix``: wrong orderings are repaired by one change, and nothing is promised about other bugs."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from mazurka.cli.commands import main
from mazurka.expectations import Claim, claims
from profiles import heavy, some

ROOT = Path(__file__).resolve().parents[2]
PLANTED = [*sorted(ROOT.glob("examples/*.c")), *sorted(ROOT.glob("tests/programs/real/*.c*"))]
_ORDER = re.compile(r"(memory_order_|__ATOMIC_)\w+")

MESSAGE = """\
#include <pthread.h>
#include <stdatomic.h>
#include "flag.h"
static int data;
static void *writer(void *arg)
{
    data = 1;
    RAISE(flag);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int seen = RAISED(flag) ? data : 1;
    pthread_join(t, 0);
    return !seen;
}
"""
FLAG = """\
#define RAISE(x) atomic_store_explicit(&x, 1, memory_order_relaxed)
#ifdef NEVER
#define RAISED(x) atomic_load_explicit(&x, memory_order_relaxed)
#else
#define RAISED(x) atomic_load_explicit(&x, memory_order_acquire)
#endif
static atomic_int flag;
"""


def weakened(path: Path) -> list[Claim]:
    """The twins of a program in which only orderings are other ones."""
    twins = [(claim, claim.twin) for claim in claims(path) if claim.twin and claim.model == "rc11"]
    return [
        claim
        for claim, (old, new) in twins
        if claim.result.verdict == "violation" and _ORDER.sub("@", old) == _ORDER.sub("@", new)
    ]


PLANTED_C = [claim for path in PLANTED if path.suffix == ".c" for claim in weakened(path)]
PLANTED_CPP = [claim for path in PLANTED if path.suffix == ".cpp" for claim in weakened(path)]


@pytest.mark.parametrize(
    "claim",
    # C++ compiles for long
    [
        *some(PLANTED_C, 60, ci=48),
        *(pytest.param(claim, marks=heavy) for claim in some(PLANTED_CPP, 1, ci=40)),
    ],
    ids=lambda claim: claim.path.name,
)
def test_one_change_repairs_a_planted_bug(
    claim: Claim, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / claim.path.name
    program.write_text(claim.source(), encoding="utf-8")
    assert main(["fix", "--write", str(program), *claim.options]) == 0
    assert "\nFixed by one change (" in capsys.readouterr().out
    assert main(["check", str(program), *claim.options]) == 0


@pytest.fixture
def message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with a header in another folder, where the wrong ordering is."""
    (tmp_path / "include").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "include" / "flag.h").write_text(FLAG, encoding="utf-8")
    (tmp_path / "src" / "message.c").write_text(MESSAGE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_macro_in_a_header_is_repaired_where_it_is_defined(
    message: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["fix", "-I", "include", "src/message.c", "--output", "fix.patch"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "include/flag.h:1: atomic_store_explicit(&x, 1, memory_order_relaxed): relaxed → release" in out
    assert (message / "include/flag.h").read_text(encoding="utf-8") == FLAG
    subprocess.run(["patch", "-p0", "-i", "fix.patch"], cwd=message, check=True, capture_output=True)
    assert main(["check", "-I", "include", "src/message.c"]) == 0


@pytest.mark.parametrize("name", ["pages.c", "two words.c"])
def test_a_patch_can_be_applied_to_any_file(name: str, message: Path) -> None:
    """Names with blanks, and characters that end a line in Python but not in C: a page break, U+2028."""
    source = MESSAGE.replace('#include "flag.h"\n', FLAG).replace("#ifdef", "\f\n//\u2028 \v\n#ifdef")
    (message / name).write_text(source, encoding="utf-8")
    assert main(["fix", name, "--output", "fix.patch"]) == 0
    subprocess.run(["patch", "-p0", "-i", "fix.patch"], cwd=message, check=True, capture_output=True)
    changed = (message / name).read_text(encoding="utf-8")
    assert changed == source.replace("memory_order_relaxed", "memory_order_release", 1)


def test_the_includes_of_a_file_next_to_it_are_found(
    message: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = MESSAGE.replace('"flag.h"', '"../include/flag.h"')
    (message / "src" / "message.c").write_text(source, encoding="utf-8")
    assert main(["fix", "src/message.c", "--write"]) == 0
    assert "memory_order_release" in (message / "include/flag.h").read_text(encoding="utf-8")
    assert capsys.readouterr().err == ""


WRONG = {
    "double_checked_too_early.c": "assertion in examples/buggy/double_checked_too_early.c:35",
    "peterson_wrong_order.c": "assertion in examples/buggy/peterson_wrong_order.c:33",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_algorithm_is_not_repaired(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["fix", f"examples/buggy/{name}"]) == 1
    out = capsys.readouterr().out
    assert "Not fixed: no change of orderings helps (1 variant was checked)." in out
    assert f"  {WRONG[name]}\n" in out


def test_a_plain_race_is_not_repaired(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", str(ROOT / "tests/programs/race_plain_counter.c")]) == 1
    assert "Plain accesses that race need a lock, or must become atomic." in capsys.readouterr().out


def test_two_relaxed_flags_need_a_fence_in_their_macro(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["fix", "examples/buggy/store_buffering_relaxed.c"]) == 0
    assert "\n+#define RAISE(flag) (atomic_store_explicit(" in capsys.readouterr().out


def test_two_changes_if_one_is_not_enough(message: Path, capsys: pytest.CaptureFixture[str]) -> None:
    relaxed = FLAG.replace("acquire", "relaxed")
    (message / "include" / "flag.h").write_text(relaxed, encoding="utf-8")
    assert main(["fix", "-I", "include", "src/message.c"]) == 0
    out = capsys.readouterr().out
    assert "Fixed by 2 changes" in out
    assert "none of these can be left out" in out
    assert out.count("relaxed → ") == 2
    assert "NEVER" not in "".join(line for line in out.splitlines() if line.startswith("+"))


@heavy
def test_the_options_hold_for_every_variant(message: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Under sc there is no violation in the first place, and without rules about races none either."""
    for options in (["--model", "sc"], ["--races", "off"]):
        assert main(["fix", "-I", "include", "src/message.c", *options]) == 0
        assert "There is nothing to fix." in capsys.readouterr().out
    assert main(["fix", "-I", "include", "src/message.c", "-D", "NEVER"]) == 0
    assert "Fixed by 2 changes" in capsys.readouterr().out


def test_limits_of_the_search(message: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", "-I", "include", "src/message.c", "--attempts", "1"]) == 3
    assert "1 variant was checked (--attempts). A fix may exist." in capsys.readouterr().out
    assert main(["fix", "-I", "include", "src/message.c", "--time-limit", "0.0001"]) == 3


def test_the_patch_alone_on_standard_output(message: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", "-I", "include", "src/message.c", "--output", "-"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("--- include/flag.h\n+++ include/flag.h\n@@")
    assert "With this patch" not in printed.out
    assert "Fixed by one change" in printed.err


def test_what_is_not_supported_is_refused(message: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", "src/message.c", "--compile-commands", "."]) == 2  # there is no database
    assert main(["fix", "src/message.c", "--json", "-", "--output", "-"]) == 2
    assert main(["fix", "src/message.c", "--output", "src/message.c"]) == 2
    assert main(["fix", "src/message.c", "--attempts", "0"]) == 2
    assert main(["fix"]) == 2
    assert "no files were given" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["fix", "tune"])
@pytest.mark.parametrize("option", ["--junit", "--sarif", "--html"])
def test_reports_of_a_check_are_refused(
    command: str, option: str, message: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "src/message.c", option, "-"]) == 2
    assert f"'mazurka {command}' has no {option}, because it prints a patch" in capsys.readouterr().err


REJECTED = """\
#include <stdatomic.h>
#include <pthread.h>
static int data;
static atomic_int flag;
_Static_assert(memory_order_relaxed == 0, "an ordering that cannot be another one");
#define NEEDS_ZERO(order) (sizeof(char[1 - 2 * (order)]) - 1)
static void *writer(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int seen = atomic_load_explicit(&flag, memory_order_acquire) + NEEDS_ZERO(memory_order_relaxed);
    seen = seen ? data : 1;
    pthread_join(t, 0);
    return !seen;
}
"""


def test_single_changes_are_tried_if_the_strongest_variant_does_not_compile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "rejected.c"
    program.write_text(REJECTED, encoding="utf-8")
    assert main(["fix", str(program)]) == 0
    out = capsys.readouterr().out
    assert "Fixed by one change" in out
    assert "+    atomic_store_explicit(&flag, 1, memory_order_release);" in out


STORE_BUFFERING = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define STORE(x) atomic_store_explicit(&x, 1, order)
#define LOAD(x) atomic_load_explicit(&x, order)
atomic_int x, y;
int a, b;
static const memory_order order = memory_order_relaxed;
void *left(void *arg) { STORE(x); a = LOAD(y); return arg; }
void *right(void *arg) { STORE(y); b = LOAD(x); return arg; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, left, 0);
    pthread_create(&u, 0, right, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(a || b);
}
"""
PLACES = "(sb.c:9, sb.c:10) cannot be changed, because"
HELD = f"{PLACES} a variable or a number holds them"
BARE = f"{PLACES} they are not written as calls"


@pytest.fixture
def store_buffering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Store buffering, of which a variable holds the orderings."""
    monkeypatch.chdir(tmp_path)
    path = Path("sb.c")
    path.write_text(STORE_BUFFERING, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, f"the orderings of 4 accesses {HELD}"),
        (
            {"x, y": "x, y, z", "a = LOAD(y)": "a = LOAD(y); atomic_store(&z, 1)"},
            f"the orderings of 4 accesses {HELD}",
        ),
        (
            {"atomic_int x": "volatile int x", "atomic_store_explicit(&x, 1, order)": "x = 1"}
            | {"atomic_load_explicit(&x, order)": "x"},
            f"the orderings of 4 accesses {BARE}",
        ),
    ],
    ids=["all", "some", "volatile"],
)
def test_the_algorithm_is_not_called_wrong_if_some_orderings_cannot_be_changed(
    changes: dict[str, str], told: str, store_buffering: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = STORE_BUFFERING
    for old, new in changes.items():
        source = source.replace(old, new)
    store_buffering.write_text(source, encoding="utf-8")
    assert main(["fix", "sb.c", "--volatile", "relaxed", "--json", "fix.json"]) == 3
    assert f"\nNot fixed: {told}. A fix may exist.\n" in capsys.readouterr().out
    found = json.loads(Path("fix.json").read_text(encoding="utf-8"))
    assert (found["result"], found["left"], found["unchangeable"], found["limit"]) == (
        "undecided",
        None,
        told,
        told,
    )


def test_the_algorithm_is_wrong_if_all_accesses_of_its_violation_are_the_strongest(
    store_buffering: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever holds their orderings."""
    source = STORE_BUFFERING.replace("memory_order_relaxed", "memory_order_seq_cst")
    store_buffering.write_text(source.replace("a || b", "a && b"), encoding="utf-8")
    assert main(["fix", "sb.c"]) == 1
    assert "The algorithm is wrong under rc11." in capsys.readouterr().out
