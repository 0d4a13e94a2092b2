"""``mazurka check --expect-outcome``: an execution that ends this way, or the axiom that forbids it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import mazurka
import pytest
from mazurka.cli.commands import main
from mazurka.errors import OutOfTime
from mazurka.kat.language.load import named_model
from mazurka.why_not.candidates import LastBytes, closest
from mazurka.why_not.programs.source_telling import SourceTeller

HEAD = """\
#include <pthread.h>
#include <stdatomic.h>
"""
MAIN = """
int main(void) {
    pthread_t t, u;
    BEFORE;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    AFTER;
    return 0;
}
"""
PASSING = f"""{HEAD}
#include <assert.h>
#ifndef ORDER
#define ORDER memory_order_acquire
#endif
#ifndef CLAIM
#define CLAIM 1
#endif
#define BEFORE parts.low = 4; before++
#define AFTER after = parts.low + 1; assert(CLAIM)
atomic_int data, flag;
int r1, r2, before = 1, after;
char small;
unsigned char byte = 8;
float fraction;
struct {{ int low, grid[2][3]; unsigned bit : 3; union {{ int whole; float half; }};
         signed char tiny; _Bool is; unsigned hi : 1, lo : 2; }} parts;
static void *first(void *p) {{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release); // FLAG
    return p;
}}
static void *second(void *p) {{
    r1 = atomic_load_explicit(&flag, ORDER);
    r2 = atomic_load_explicit(&data, memory_order_relaxed); // DATA
    parts.grid[1][2] = -5;
    small = -1;
    return p;
}}
{MAIN}"""
STALE = "r1 == 1 && r2 == 0"


@pytest.fixture
def passing(tmp_path: Path) -> str:
    path = tmp_path / "passing.c"
    path.write_text(PASSING)
    return str(path)


def asked(path: str, condition: str, *options: str) -> tuple[int, dict[str, object]]:
    """The exit status, and what the JSON says about the outcome."""
    file = Path(path).with_suffix(".json")
    status = main(["check", path, "--expect-outcome", condition, "--json", str(file), *options])
    found = json.loads(file.read_text(encoding="utf-8"))["expected_outcome"]
    assert isinstance(found, dict)
    return status, found


@pytest.mark.parametrize(
    "condition",
    [
        "r1 == 1 && r2 == 1",
        "r1 == 0 && (r2 == 1 || r2 == 7)",
        "!(r1 != 0) && r2 != 1",
        "parts.grid[1][2] == -5 && parts.grid[0][1] == 0 && small == 255 && small == -1",
        "byte == 010 && parts.grid[01][02] == -05",  # as in C
        "before == 2 && after == 5 && parts.whole == 0",  # what main does before and after the threads
    ],
)
def test_an_outcome_that_is_allowed(passing: str, condition: str) -> None:
    status, found = asked(passing, condition)
    assert (status, found["verdict"], found["axioms"]) == (0, "allowed", [])
    assert found["graph"] is not None


def test_an_outcome_that_an_axiom_forbids(passing: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = Path(passing).read_text(encoding="utf-8").splitlines()
    marked = {line.rpartition("// ")[2]: number for number, line in enumerate(lines, 1)}
    flag, data = marked["FLAG"], marked["DATA"]
    status, found = asked(passing, STALE)
    assert (status, found["verdict"], found["axioms"]) == (1, "forbidden", ["coherence"])
    cycle = found["cycle"]
    assert isinstance(cycle, list)
    assert {"thread": 1, "file": passing, "line": flag, "access": "W.rel flag=1", "relation": "rf"} in cycle
    assert {"thread": 2, "file": passing, "line": data, "access": "R data=0", "relation": "fr"} in cycle
    told = capsys.readouterr().out
    assert (
        "no complete execution ends this way: forbidden by coherence, because coherence order must not "
        in told
    )
    assert f"T1 passing.c:{flag}  atomic_store_explicit(&flag" in told


def test_the_execution_that_ends_so_is_shown(passing: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", passing, "--expect-outcome", STALE, "-D", "ORDER=memory_order_relaxed"]) == 0
    told = capsys.readouterr().out
    assert "  allowed: 1 of 4 complete executions ends this way, for example this one" in told
    assert "T2 second(…)" in told
    assert "read data: 0" in told


def test_an_assertion_about_the_same(passing: str) -> None:
    """It fails in whatever ends so, which explains as much; and where it fails, that is the answer."""
    claim = ("-D", "CLAIM=!(r1 && !r2)")
    status, found = asked(passing, STALE, *claim)
    assert (status, found["axioms"]) == (1, ["coherence"])
    status, found = asked(passing, STALE, *claim, "-D", "ORDER=memory_order_relaxed")
    assert (status, found["verdict"]) == (1, "undecided")
    assert found["reason"] == "not decided: the exploration ended with the violation"


@pytest.mark.parametrize("model", ["sc", "tso", "rc11", "imm"])
def test_agrees_with_assertions(passing: str, model: str) -> None:
    """An outcome is allowed if and only if the assertion fails that there is no such outcome."""
    options = ["--model", model, "-D", "ORDER=memory_order_relaxed"]
    for condition in ("r1==0&&r2==0", "r1==0&&r2==1", "r1==1&&r2==0", "r1==1&&r2==1"):
        fails = main(["check", passing, "-D", f"CLAIM=!({condition})", *options]) == 1
        status, found = asked(passing, condition, *options)
        assert (status == 0, found["verdict"] == "allowed") == (fails, fails)


def test_values_that_nothing_writes(passing: str) -> None:
    status, found = asked(passing, "r1 == 7")
    assert (status, found["verdict"], found["axioms"]) == (1, "forbidden", [])
    assert "impossible in every model" in str(found["reason"])


def test_threads_that_run_the_same_are_told_apart(tmp_path: Path) -> None:
    """With symmetry, one of these two outcomes would stand for both."""
    path = tmp_path / "tickets.c"
    code = "atomic_int next; int seen[2];\nstatic void *first(void *p) { seen[(long)p] = next++; return p; }"
    starts = MAIN.replace("first, 0", "first, (void *)0").replace("second, 0", "first, (void *)1")
    path.write_text(f"{HEAD}{code}\n#define BEFORE\n#define AFTER\n{starts}")
    for condition in ("seen[0] == 0 && seen[1] == 1", "seen[0] == 1 && seen[1] == 0"):
        assert asked(str(path), condition)[0] == 0
    assert asked(str(path), "seen[0] == 0 && seen[1] == 0")[0] == 1


def test_what_is_not_explored_is_not_decided(passing: str) -> None:
    status, found = asked(passing, STALE, "--max-executions", "1")
    assert (status, found["verdict"]) == (3, "undecided")


def test_a_search_that_is_too_large(passing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mazurka.why_not.programs.search.MOST_GRAPHS", 5)
    status, found = asked(passing, STALE)
    assert (status, found["verdict"], found["cycle"]) == (1, "forbidden", [])
    assert "the reason cannot be shown" in str(found["reason"])
    monkeypatch.undo()
    monkeypatch.setattr("mazurka.why_not.programs.search.MOST_WORK", 500)
    _, found = asked(passing, STALE)
    assert "does not cover a program with so many partial executions of this length" in str(found["reason"])
    monkeypatch.setattr("mazurka.why_not.programs.expected.MOST_EXECUTIONS", 2)
    assert main(["check", passing, "--expect-outcome", STALE]) == 2


def test_a_count_is_said_to_be_a_part_if_the_exploration_did_not_finish(
    passing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mazurka.why_not.programs.expected.MOST_EXECUTIONS", 1)
    asking = ["check", passing, "--expect-outcome", STALE]
    assert main([*asking, "--max-executions", "2"]) == 2
    assert "but the program has at least 2; the verdict was 'interrupted'" in capsys.readouterr().err
    assert main(asking) == 2
    assert "but the program has 3; the verdict was 'verified'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("condition", "message", "cure"),
    [
        ("r11 == 1", ":1:1: error: 'r11' is not a global variable", "did you mean 'r1'?"),
        ("r1 == 1 && parts.hgh == 0", ":1:18: error: 'parts' has no member 'hgh'", "its members are: low"),
        ("parts.grid[2][0] == 0", "'parts.grid' has no element 2", "it has 2 elements"),
        ("parts.grid[0] == 0", "'parts.grid[0]' is an array", "such as parts.grid[0][0]"),
        ("parts == 0", "'parts' is a struct", "such as parts.low"),
        (
            "parts.bit == 0",
            "'parts.bit' is a bit-field, which cannot be compared",
            "a global variable of an integer type",
        ),
        ("fraction == 0", "it is of type float", "a global variable of an integer type"),
        ("byte == -56", "'byte' is never -56 in C: it is of type unsigned char", "from 0 to 255"),
        (
            "parts.tiny == 200",
            "'parts.tiny' is never 200 in C: it is of type signed char",
            "from -128 to 127",
        ),
        ("parts.is == 2", "'parts.is' is never 2 in C: it is of type _Bool", "from 0 to 1"),
        ("r1 == 08", "'08' is not a number in C", "write 8, or an octal number"),
        ("r1 = 0", "'=' is an assignment in C", "did you mean '=='?"),
        ("parts.hi == 0", ":1:7: error: 'parts.hi' is a bit-field, which cannot be compared", "assign what"),
        ("small == 256", "256 does not fit 'small', which has 1 byte", "give a number from -128 to 255"),
        ("r1[0] == 0", "'r1' is not an array", "it is of type int"),
        ("r1 == r2", "expected an integer, found 'r2'", "write it as in C"),
        ("r1 == {1}", "only one value can be compared", "write it as in C"),
        ("r1 == 1 r2", "expected '&&', '||' or the end, found 'r2'", "write it as in C"),
        ("", "expected a global variable, found nothing more", "write it as in C"),
    ],
)
def test_conditions_that_cannot_be_asked(
    passing: str, condition: str, message: str, cure: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", passing, "--expect-outcome", condition]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert cure in told


@pytest.mark.parametrize("options", [["--equivalence", "rf"], ["--property", "no-data-race"]])
def test_options_that_do_not_fit(passing: str, options: list[str]) -> None:
    assert main(["check", passing, "--expect-outcome", "r1 == 1", *options]) == 2


def test_only_one_program(passing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = tmp_path / "mazurka.toml"
    project.write_text('[[program]]\nfiles = ["passing.c"]\n')
    assert main(["check", str(project), "--expect-outcome", "r1 == 1"]) == 2
    assert main(["estimate", passing, "--expect-outcome", "r1 == 1"]) == 2
    assert "--expect-outcome applies to a single program" in capsys.readouterr().err


def test_continuous_integration_sees_a_failure(passing: str, tmp_path: Path) -> None:
    junit = tmp_path / "junit.xml"
    assert main(["check", passing, "--expect-outcome", STALE, "--junit", str(junit)]) == 1
    assert 'failures="1"' in junit.read_text(encoding="utf-8")
    assert "expected outcome r1 == 1 &amp;&amp; r2 == 0" in junit.read_text(encoding="utf-8")


REPEATED = f"""{HEAD}
#define BEFORE
#define AFTER result = count
atomic_int count;
int result;
static void *first(void *p) {{
    int seen = atomic_load(&count);
    while (!atomic_compare_exchange_weak(&count, &seen, seen + 1)) // LOOP
        ;
    return p;
}}
#define second first
{MAIN}"""


def test_attempts_that_are_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An execution in which all succeed at once has the reason. Without one, the search ends and says why."""
    path = tmp_path / "repeated.c"
    path.write_text(REPEATED, encoding="utf-8")
    line = 1 + next(n for n, text in enumerate(REPEATED.splitlines()) if "LOOP" in text)
    status, found = asked(str(path), "result == 1")  # main would read what was overwritten before
    assert (status, found["verdict"], found["limit"]) == (1, "forbidden", None)
    assert "coherence" in str(found["axioms"])
    status, found = asked(str(path), "result == 3")
    assert (status, found["verdict"], found["cycle"]) == (1, "forbidden", [])
    loop = f"; the loop in repeated.c:{line} can go round any number of times"
    assert str(found["reason"]).endswith(loop)
    monkeypatch.setattr("mazurka.why_not.programs.search.MOST_GRAPHS", 20)
    reason = str(asked(str(path), "result == 3")[1]["reason"])
    assert "a program with more than 20 partial executions" in reason


def test_the_search_for_a_reason_heeds_the_time_limit(passing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine's answer stays."""

    def look() -> None:
        raise OutOfTime("the time limit passed")

    monkeypatch.setattr("mazurka.why_not.candidates.deadline", SimpleNamespace(look=look))
    status, found = asked(passing, STALE)
    assert (status, found["verdict"], found["cycle"]) == (1, "forbidden", [])
    assert (
        found["reason"]
        == "no complete execution ends this way, but the reason was not found: the time limit passed"
    )


def test_what_was_found_before_the_search_ended(passing: str) -> None:
    """Of several executions that end so, the first one is explained if there is no time for the others."""
    outcome = mazurka.check(passing, collect=True)
    model = named_model("rc11")
    ended: list[LastBytes] = []

    def ends_so(last: LastBytes) -> bool:
        if ended:
            raise OutOfTime("the time limit passed")
        ended.append(last)
        return True

    found = closest(outcome.program, model, ends_so)
    assert found is not None
    assert (len(ended), found.limit) == (1, "the time limit passed")
    told = SourceTeller(outcome.program, found).forbidden(found, model)
    assert "  (another execution may be closer to being allowed: the time limit passed)" in told


def test_what_libraries_do_in_main_is_left_out(passing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their code has no places in the source."""
    program = mazurka.check(passing, collect=True).program
    found = closest(program, named_model("rc11"), lambda last: True)
    assert found is not None
    every = SourceTeller(program, found).shown
    assert any(thread == 0 for thread, _ in every)
    usual = SourceTeller.position
    monkeypatch.setattr(
        SourceTeller, "position", lambda self, event: usual(self, event) if event[0] else None
    )
    assert SourceTeller(program, found).shown == [event for event in every if event[0]]


NODES = f"""{HEAD}
#include <stdlib.h>
#define BEFORE setup()
#define AFTER free(a); free(b)
struct node {{ atomic_int set; struct node *other; }} *a, *b;
int r1, r2, total;
static void setup(void) {{
    a = malloc(sizeof *a); b = malloc(sizeof *b);
    a->set = 0; b->set = 0; a->other = b; b->other = a;
}}
static int meet(struct node *n) {{
    int *own = malloc(4);
    *own = 1;
    atomic_store_explicit(&n->set, *own, memory_order_release);
    free(own);
    return atomic_load_explicit(&n->other->set, memory_order_acquire);
}}
static void *first(void *p) {{ r1 = meet(a); return p; }}
static void *second(void *p) {{ r2 = meet(b); return p; }}
{MAIN}"""


GROWING = f"""{HEAD}
#include <stdlib.h>
atomic_int x, y;
int r1, r2;
struct job {{ int *result; atomic_int *mine, *other; }};
static struct {{ struct job **jobs; int length; }} all;
static void add(struct job job) {{
    struct job **larger = malloc((all.length + 1) * sizeof *larger);
    for (int i = 0; i < all.length; i++) larger[i] = all.jobs[i];
    larger[all.length] = malloc(sizeof job);
    *larger[all.length] = job;
    free(all.jobs);
    all.jobs = larger;
    all.length++;
}}
static void *work(void *p) {{
    struct job *job = p;
    atomic_store(job->mine, 1);
    *job->result = atomic_load(job->other);
    return p;
}}
int main(void) {{
    pthread_t t, u;
    add((struct job){{&r1, &x, &y}});
    pthread_create(&t, 0, work, all.jobs[0]);
    add((struct job){{&r2, &y, &x}});
    pthread_create(&u, 0, work, all.jobs[1]);
    pthread_join(t, 0);
    pthread_join(u, 0);
    while (all.length > 0) free(all.jobs[--all.length]);
    free(all.jobs);
    return 0;
}}
"""


def test_memory_that_main_uses_between_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Like a vector of threads: the reads in main have one write each, and need no search."""
    monkeypatch.setattr("mazurka.why_not.programs.search.MOST_WORK", 100_000)
    path = tmp_path / "growing.c"
    path.write_text(GROWING)
    status, found = asked(str(path), "r1 == 0 && r2 == 0")
    assert (status, found["verdict"], found["axioms"], found["limit"]) == (1, "forbidden", ["sc-order"], None)
    monkeypatch.setattr("mazurka.why_not.programs.search.in_order", lambda graphs: ())
    status, found = asked(str(path), "r1 == 0 && r2 == 0")
    assert "so many partial executions of this length" in str(found["reason"] or found["limit"])


def test_memory_without_a_name_is_numbered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not named by addresses; and what a thread does to memory of its own is left out."""
    path = tmp_path / "nodes.c"
    path.write_text(NODES)
    condition = "r1 == 0 && r2 == 0"
    assert main(["check", str(path), "--expect-outcome", condition, "--model", "sc"]) == 1
    out = capsys.readouterr().out
    assert "0x" not in out
    assert set(re.findall(r"\((\S+ \S+ \(#\d\))=", out)) == {
        *("W.rel n->set (#1)", "R.acq n->other->set (#2)"),
        *("W.rel n->set (#2)", "R.acq n->other->set (#1)"),
    }
    assert "(R a=#1)" in out or "(R a=#2)" in out
    assert "    #1: 16 bytes that main allocated before the threads\n" in out
    assert main(["check", str(path), "--expect-outcome", condition]) == 0
    out = capsys.readouterr().out
    assert "… 1 step" in out
    assert "*own" not in out
    assert "n->set (#" in out
    page = tmp_path / "page.html"
    main(["check", str(path), "--expect-outcome", condition, "--html", str(page)])
    drawn = page.read_text(encoding="utf-8")
    assert "… 1 step" in drawn
    assert 'variant": "folded"' in drawn or "folded" in drawn.partition("<svg")[2]
    assert "free #" in out


@pytest.mark.parametrize("order", ["acquire", "relaxed"])
def test_the_answer_is_drawn(passing: str, order: str, tmp_path: Path) -> None:
    """The execution that ends so; or one that would, with the cycle that is marked."""
    files = {form: tmp_path / f"drawn.{form}" for form in ("html", "svg", "dot")}
    options = [word for form, file in files.items() for word in (f"--{form}", str(file))]
    main(["check", passing, "--expect-outcome", STALE, "-D", f"ORDER=memory_order_{order}", *options])
    page, drawn, text = (file.read_text(encoding="utf-8") for file in files.values())
    ends = "No execution" if order == "acquire" else "An execution"
    assert f"{ends} of passing.c under rc11 ends with r1 == 1 &amp;&amp; r2 == 0" in page
    assert drawn.startswith("<svg")
    labels = dict(re.findall(r'^ *(e\d+) \[label="([^"\\]*)', text, re.MULTILINE))
    marked = {
        (labels[a], relation, labels[b])
        for a, b, relation in re.findall(r'(e\d+) -> (e\d+) \[label="(\w+)".*penwidth', text)
    }
    if order == "acquire":
        assert marked == {
            ("W data=1", "po", "W.rel flag=1"),
            ("W.rel flag=1", "rf", "R.acq flag=1"),
            ("R.acq flag=1", "po", "R data=0"),
            ("R data=0", "fr", "W data=1"),
        }
    else:
        assert ("read data: 0", "fr", "data = 1") in marked


def test_what_cannot_be_drawn(passing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert main(["check", passing, "--expect-outcome", "r1 == 7", "--html", str(page)]) == 1
    assert (
        "no execution was found with the expected outcome, so nothing was written" in capsys.readouterr().out
    )
    assert not page.exists()
