"""``mazurka tune``: orderings become as weak as the published ones, and each that is left has its reason."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import Any

import pytest
from mazurka.cli import commands
from mazurka.cli.commands import main
from mazurka.repair.orders import is_at_most
from mazurka.repair.sites import sites_of
from profiles import some

ROOT = Path(__file__).resolve().parents[2]
TUNE = ROOT / "tests" / "programs" / "tune"
EXAMPLES = ROOT / "examples"  # the ring has every ordering at seq_cst anyway
# The orderings of each call, in the order of the text, as textbooks and libraries have them: a push releases
# and a pop acquires; the lock's hand-over and its links release and acquire; so do the indices of the ring.
PUBLISHED = {
    "treiber_stack.c": ["relaxed", "release relaxed", "acquire", "acquire acquire", "relaxed"],
    "mcs_lock.c": [
        *("relaxed", "relaxed", "acq_rel", "release", "acquire"),
        *("acquire", "release relaxed", "acquire", "release"),
    ],
    "spsc_ring.c": ["relaxed", "acquire", "release", "relaxed", "acquire", "release"],
}


@pytest.mark.parametrize("name", some(list(PUBLISHED), every=3))
def test_orderings_are_at_least_as_weak_as_the_published_ones(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / name
    folder = EXAMPLES if name == "spsc_ring.c" else TUNE
    program.write_text((folder / name).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["tune", "--write", name]) == 0
    out = capsys.readouterr().out
    sites, _ = sites_of(program.read_text(encoding="utf-8"))
    assert len(sites) == len(PUBLISHED[name])
    left = 0
    for site, published in zip(sites, PUBLISHED[name], strict=True):
        for slot, limit in zip(site.slots, published.split(), strict=True):
            assert is_at_most(slot.kind, slot.order, limit), site
            left += slot.order != "relaxed"
    needs = out.partition("are needed:\n")[2]
    assert len(re.findall(rf"^  {name}:\d+: .*: \w+$", needs, re.MULTILINE)) == left
    assert set(re.findall(r"with \w+: (\w+) in", needs)) <= {"race", "assertion", "liveness", "freed"}
    assert main(["check", name]) == 0


@pytest.mark.parametrize(
    ("options", "is_told"),
    [
        *((["--model", "sc"], True), (["--model", "ra"], True), (["--model", "tso"], False), ([], False)),
        (["--model", "sc", "--races", "rc11"], False),
    ],
)
def test_models_without_orderings_are_told(
    options: list[str], is_told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under these, all orderings are as good as any: that is no reason to weaken them."""
    program = tmp_path / "flag.c"
    text = "#include <stdatomic.h>\natomic_int x;\nint main(void) { return atomic_load(&x); }\n"
    program.write_text(text, encoding="utf-8")
    assert main(["tune", str(program), *options]) == 0
    assert ("orderings make no difference" in capsys.readouterr().out) == is_told


NEVER_BLOCKS = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, ready;
static void *second(void *arg)
{
    if (!atomic_load(&ready))
        return 0;
    atomic_store(&data, 2);
    return arg;
}
int main(void)
{
    pthread_t t;
    void *stored;
    pthread_create(&t, 0, second, &ready);
    atomic_store(&data, 1);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store(&ready, 1);
    pthread_join(t, &stored);
#if 0
    atomic_load(&data);
#endif
    __VERIFIER_assume(!stored || atomic_load(&data) == 2);
    return 0;
}
"""


def test_threads_that_never_blocked_never_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "assumes.c"
    program.write_text(NEVER_BLOCKS, encoding="utf-8")
    assert main(["tune", str(program), "--write"]) == 0
    assert "executions block, which none did before" in capsys.readouterr().out
    text = program.read_text(encoding="utf-8")
    assert "    atomic_load(&data);" in text  # nothing is known about code that is not compiled
    assert "atomic_load_explicit(&ready, memory_order_acquire)" in text
    # a fence that only releases is enough, or a store that does
    assert ("fence(memory_order_release)" in text) != ("(&ready, 1, memory_order_release)" in text)


def test_a_macro_that_is_not_compiled_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Weakening it would change nothing, so nothing would be known about it."""
    other = "#ifdef OTHER\n#define RAISED atomic_load_explicit(&ready, memory_order_seq_cst)\n#else\n"
    text = NEVER_BLOCKS.replace("atomic_load(&ready)", "RAISED").replace(
        "static void", f"{other}#define RAISED atomic_load(&ready)\n#endif\nstatic void", 1
    )
    (tmp_path / "macros.c").write_text(text.replace("__VERIFIER_assume", "assert"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["tune", "--write", "macros.c", "--", "-include", "assert.h"]) == 0
    tuned = (tmp_path / "macros.c").read_text(encoding="utf-8")
    assert f"{other}#define RAISED atomic_load_explicit(&ready, memory_order_acquire)\n" in tuned
    assert "with relaxed: assertion in macros.c:" in capsys.readouterr().out


def test_a_wrong_program_is_not_tuned(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", str(ROOT / "examples/buggy/store_buffering_relaxed.c")]) == 1
    assert "'mazurka fix' looks for stronger orderings" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "said"), [("fix", "Nothing to fix was found, but "), ("tune", "Nothing was tuned: ")]
)
def test_a_program_that_is_not_explored_to_the_end_is_left_alone(
    command: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """That is not taken for a violation."""
    assert main([command, str(EXAMPLES / "spsc_ring.c"), "--max-executions", "3"]) == 3
    assert capsys.readouterr().out.endswith(f"{said}the exploration did not finish.\n")


def test_a_search_that_ends_early_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", str(EXAMPLES / "spsc_ring.c"), "--attempts", "3"]) == 3
    assert "Orderings may be stronger than needed." in capsys.readouterr().out


COUNTING = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int count;
static memory_order const order = memory_order_seq_cst;
void *add(void *arg) { ADD; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    ADD;
    pthread_join(t, 0);
}
"""


@pytest.mark.parametrize(
    ("add", "told"),
    [
        ("count++", "There is nothing to tune: the program's atomic accesses are written without a call"),
        (
            "atomic_fetch_add_explicit(&count, 1, order)",
            "There is nothing to tune: the program's atomic accesses are written without a call",
        ),
        ("(void)arg", "There is nothing to tune: the program has no atomic operation"),
        (
            "count++, atomic_fetch_add(&count, 2)",
            "No ordering that can be changed is needed, but the orderings of 2 accesses (count.c:6, ",
        ),
        ("atomic_fetch_add(&count, 2)", "No ordering is needed."),
    ],
)
def test_what_cannot_be_changed_is_not_called_needless(
    add: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    source = COUNTING.replace("ADD", add).replace("main(void)", "main(int arg, char **_)")
    Path("count.c").write_text(source, encoding="utf-8")
    assert main(["tune", "count.c"]) == 0
    out = capsys.readouterr().out
    assert told in out
    assert ("No ordering is needed" in told) == ("No ordering is needed" in out)


@pytest.mark.parametrize("in_engine", [False, True])
def test_what_was_found_before_ctrl_c_is_shown(
    in_engine: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It comes as an exception, except that the engine ends its exploration and returns."""
    checked, runs = commands._checked, []

    def interrupted(*arguments: Any, **options: Any) -> Any:
        runs.append(options)
        if len(runs) == 5:
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                if not in_engine:
                    raise
        return checked(*arguments, **options)

    monkeypatch.setattr(commands, "_checked", interrupted)
    monkeypatch.chdir(EXAMPLES)
    usual = signal.getsignal(signal.SIGINT)
    assert main(["tune", "spsc_ring.c"]) == 3
    out = capsys.readouterr().out
    assert "\nWeakened 1 ordering" in out
    assert "The search ended early: it was interrupted." in out
    assert len(runs) == 5
    assert signal.getsignal(signal.SIGINT) is usual
