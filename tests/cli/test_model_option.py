"""Models on the command line: shipped ones by name, the user's by path, and errors in files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import mazurka, write
from mazurka.cli import commands
from mazurka.kat.language.load import named_model
from mazurka.models.registry import all_models, runnable_models

BROKEN = sorted((Path(__file__).resolve().parents[1] / "kat" / "broken").glob("*.kat"))
THREADS = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
MAIN = """\
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  %s
}
"""
# Each thread writes, reads its own write, and then misses the other's: that needs store forwarding.
FORWARDING = (
    THREADS
    + """\
#define write(place) atomic_store_explicit(&place, 1, memory_order_relaxed)
#define read(place) atomic_load_explicit(&place, memory_order_relaxed)
atomic_int x, y;
int a, b, c, d;
void *one(void *arg) { write(x); a = read(x); b = read(y); return arg; }
void *two(void *arg) { write(y); c = read(y); d = read(x); return arg; }
"""
    + MAIN % "assert(!(a && !b && c && !d));"
)
NO_FORWARDING = """\
model no-forwarding "Total store order without store forwarding"
let full = [UR | UW | UX | (F & SC) | TC | TJ]
let preserved = [R] ; po ; [R | W] | [W] ; po ; [W] | [W & SC] ; po ; [R] | po ; full | full ; po
acyclic po-loc | rf | co | fr as coherence
acyclic preserved | rf | co | fr as store-order
"""
RACE = (
    THREADS
    + """\
int data;
void *one(void *arg) { data = 1; return arg; }
void *two(void *arg) {
  return (void *)(long)data;
}
"""
    + MAIN % ""
)
WARNING_MODEL = """\
model cautious "Sequential consistency that warns of races"
view hb = po
acyclic po | rf | co | fr as order
warning race unless [W] ; loc-overlap | loc-overlap ; [W] <= hb
"""


@pytest.fixture
def forwarding(tmp_path: Path) -> Path:
    return write(tmp_path, FORWARDING)


def test_a_users_model_by_path_differs_from_tso(forwarding: Path, tmp_path: Path) -> None:
    model = write(tmp_path, NO_FORWARDING, "mine.kat")
    assert mazurka("check", "--model", "tso", forwarding).status == 1
    assert mazurka("check", "--model", "sc", forwarding).status == 0
    ran = mazurka("check", "--model", model, forwarding)
    assert ran.status == 0, ran
    assert ran.out.startswith(
        "Verified under no-forwarding (Total store order without store forwarding): no violation"
    )


def test_weakening_the_users_model_changes_the_answer(forwarding: Path, tmp_path: Path) -> None:
    weaker = NO_FORWARDING.replace("preserved | rf |", "preserved | rfe |")
    assert mazurka("check", "--model", write(tmp_path, weaker, "mine.kat"), forwarding).status == 1


def test_which_axioms_forbade_something_is_said(forwarding: Path, tmp_path: Path) -> None:
    model = write(tmp_path, NO_FORWARDING, "mine.kat")
    out = mazurka("check", "--model", model, "--json", tmp_path / "out.json", forwarding).out
    said = re.search(r"^  forbidden by: (.*)$", out, re.MULTILINE)
    assert said is not None
    found = {name: int(count) for name, count in re.findall(r"([\w-]+) \((\d+)\)", said[1])}
    value = json.loads((tmp_path / "out.json").read_text())
    counts = {axiom["name"]: axiom["forbade"] for axiom in value["axioms"]}
    assert set(counts) == {"coherence", "store-order"}
    assert found == {name: count for name, count in counts.items() if count}
    assert counts["store-order"] > 0
    assert value["model_file"] == str(model)


def test_a_shipped_model_says_so_when_asked(forwarding: Path) -> None:
    assert "forbidden by" not in mazurka("check", "--model", "sc", forwarding).out
    assert (
        "forbidden by: sequential-consistency ("
        in mazurka("check", "--model", "sc", "--verbose", forwarding).out
    )


def test_a_race_names_both_accesses(tmp_path: Path) -> None:
    path = write(tmp_path, RACE)
    ran = mazurka("check", path, "--json", tmp_path / "out.json")
    assert ran.status == 1
    assert ran.out.startswith("Violation under rc11: a data race ")
    found = json.loads((tmp_path / "out.json").read_text())["violation"]
    lines = {found["location"]["line"], found["other"]["line"]}
    assert (found["kind"], lines) == ("race", {5, 7})
    assert found["other"]["file"] == str(path)
    for text in (found["message"], ran.out):
        assert f"reads data at {path}:7" in text
        assert f"writes it at {path}:5" in text or f"writes data at {path}:5" in text
    assert "neither comes before the other in the model's happens-before (hb)" in ran.out
    marked = [line for line in ran.out.splitlines() if "✗ " in line and "data race" not in line]
    assert len(marked) == 2


def test_a_rule_that_warns_is_no_violation(tmp_path: Path) -> None:
    path, model = write(tmp_path, RACE), write(tmp_path, WARNING_MODEL, "mine.kat")
    ran = mazurka("check", "--model", model, "--json", tmp_path / "out.json", path)
    assert ran.status == 0, ran
    warning = f"race: nothing orders the accesses at {path}:5 and {path}:7"
    assert f"  warning: {warning}" in ran.out
    assert json.loads((tmp_path / "out.json").read_text())["warnings"] == [warning]


def test_reads_from_equivalence(tmp_path: Path) -> None:
    source = (
        THREADS
        + "atomic_int x;\n"
        + "".join(
            f"void *{name}(void *arg) {{ x = {value}; return arg; }}\n"
            for name, value in (("one", 1), ("two", 2))
        )
    )
    path = write(tmp_path, source + MAIN % "")
    counts = {}
    for equivalence in ("co", "rf"):
        value = json.loads(mazurka("check", "--json", "-", "--equivalence", equivalence, path).out)
        assert value["equivalence"] == equivalence
        counts[equivalence] = value["executions"]["complete"]
    assert counts == {"co": 2, "rf": 1}


def test_an_unchecked_model_runs_with_a_warning(tmp_path: Path) -> None:
    program = write(tmp_path, "int main(void) { return 0; }\n")
    model = write(tmp_path, "acyclic co | fr as order\n", "mine.kat")
    refused = mazurka("check", "--model", model, program)
    assert refused.status == 2
    assert f"{model}:1:1: error: cycles of po and rf are not shown to be forbidden" in refused.err
    assert "--unchecked-model" in refused.err
    ran = mazurka("check", "--model", model, "--unchecked-model", program, "--json", tmp_path / "out.json")
    assert ran.status == 0, ran
    assert "warning: the model is unchecked, so executions may be missing or spurious: " in ran.out
    assert "the model is unchecked" in json.loads((tmp_path / "out.json").read_text())["warnings"][0]


def test_a_simplification_is_told_when_asked(tmp_path: Path) -> None:
    """With SC accesses only, tso means the same as sequential consistency."""
    threads = "void *one(void *arg) { x = 1; return arg; }\nvoid *two(void *arg) { x = 2; return arg; }\n"
    path = write(tmp_path, THREADS + "atomic_int x;\n" + threads + MAIN % "")
    quiet = mazurka("check", "--model", "tso", path, "--json", tmp_path / "out.json")
    assert "simplified" not in quiet.out
    why = json.loads((tmp_path / "out.json").read_text())["simplified"]
    assert "coherence, store-order" in why
    assert f"simplified: {why}" in mazurka("check", "--model", "tso", "--verbose", path).out
    audited = mazurka("check", "--model", "tso", "--audit", "--json", "-", path)
    assert json.loads(audited.out)["simplified"] is None


MESSAGE_PASSING = (
    THREADS
    + """\
#define write(place) atomic_store_explicit(&place, 1, memory_order_relaxed)
#define read(place) atomic_load_explicit(&place, memory_order_relaxed)
atomic_int data, flag;
void *one(void *arg) { write(data); write(flag); return arg; }
void *two(void *arg) { if (read(flag)) assert(read(data)); return arg; }
"""
    + MAIN % ""
)
SAME_LINE = """\
let preserved = [R] ; po | [W] ; po ; [W] | po ; [TC|TJ] | [TC|TJ] ; po
acyclic preserved | rf | co | fr%sacyclic po | rf
acyclic po | rf | co as weak
acyclic po-loc | rf | co | fr as coherence
"""


@pytest.mark.parametrize("between", [" ", "\n"])
def test_axioms_without_a_name_may_stand_on_one_line(between: str, tmp_path: Path) -> None:
    program = write(tmp_path, MESSAGE_PASSING)
    assert mazurka("check", "--model", write(tmp_path, SAME_LINE % between, "mine.kat"), program).status == 0


def test_axioms_that_became_one_are_named_where_it_forbids(tmp_path: Path) -> None:
    """The report never names an axiom that the user's file does not have without saying where it is from."""
    source = (
        FORWARDING.replace("_explicit", "")
        .replace(", memory_order_relaxed", "")
        .replace("int a,", "atomic_int a,")
    )
    model = write(tmp_path, NO_FORWARDING, "mine.kat")
    lines = mazurka("check", "--model", model, write(tmp_path, source)).out.splitlines()
    at = next(
        n for n, line in enumerate(lines) if line.startswith("  forbidden by: sequential-consistency (")
    )
    assert lines[at + 1].startswith("  simplified: ")
    assert "coherence, store-order mean that" in lines[at + 1]


def test_audit_is_an_option_that_help_names() -> None:
    assert "--audit" in mazurka("check", "--help").out


def test_a_mapping_puts_fences_in(tmp_path: Path) -> None:
    source = FORWARDING.replace("_explicit", "").replace(", memory_order_relaxed", "")
    weak = NO_FORWARDING.replace("preserved | rf |", "preserved | rfe |").replace(
        "[W & SC] ; po ; [R] | ", ""
    )
    mapped = weak + 'map store.sc "store.sc ; fence.sc"\n'
    path = write(tmp_path, source)
    assert mazurka("check", "--model", write(tmp_path, weak, "weak.kat"), path).status == 1
    assert mazurka("check", "--model", write(tmp_path, mapped, "mapped.kat"), path).status == 0


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_model_is_an_error_with_place_line_and_cure(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = write(tmp_path, "int main(void) { return 0; }\n")
    assert commands.main(["check", "--model", str(path), str(program)]) == 2
    err = capsys.readouterr().err
    place = re.match(r"(?P<file>\S+\.kat):(?P<line>\d+):(?P<column>\d+): error: .*\[bad-model\]$", err, re.M)
    assert place is not None, err
    assert "\n  hint: " in err
    lines = Path(place["file"]).read_text(encoding="utf-8").splitlines()
    text = lines[int(place["line"]) - 1] if int(place["line"]) <= len(lines) else ""
    if text.strip():
        shown, caret = err.splitlines()[1:3]
        assert shown == f"    {text}"
        assert caret.index("^") == 4 + int(place["column"]) - 1


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        # A view is about the past of an event, which must not change when others are added.
        ("acyclic po | rf\nview late = (po | co)+\ncoherence late\n", "2:6", "late"),
        # Nothing forbids that values come out of thin air.
        ("view hb = (po | [REL] ; rf ; [ACQ])+\ncoherence hb\n", "2:1", "cycles of po and rf"),
        # Dependencies are not tracked yet.
        ("acyclic po | rf\nacyclic addr | rf | co\n", "2:1", "addr"),
        ("acyclic po | rf\nacyclic po | co unless po <= 0\n", "2:1", "unless"),
    ],
)
def test_a_model_that_cannot_be_run(text: str, place: str, said: str, tmp_path: Path) -> None:
    model = write(tmp_path, text, "mine.kat")
    ran = mazurka("check", "--model", model, write(tmp_path, "int main(void) { return 0; }\n"))
    assert ran.status == 2, ran
    first, shown, caret, hint = ran.err.splitlines()
    assert first.startswith(f"{model}:{place}: error: ")
    assert said in first
    assert shown.strip() == text.splitlines()[int(place.split(":")[0]) - 1]
    assert caret.index("^") == 4 + int(place.split(":")[1]) - 1
    assert hint.startswith("  hint: ")


def test_a_missing_model_file(tmp_path: Path) -> None:
    ran = mazurka("check", "--model", tmp_path / "absent.kat", write(tmp_path, "int main(void) {}\n"))
    assert ran.status == 2
    assert "absent.kat: error: cannot read the model" in ran.err
    assert "[unknown-model]" in ran.err


@pytest.mark.parametrize("name", all_models())
def test_each_model_has_a_page(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["models", name]) == 0
    page = capsys.readouterr().out
    model = named_model(name)
    assert page.startswith(f"{name}: {model.title}\n")
    assert model.citations
    flat = " ".join(page.split())
    assert all(" ".join(f"cites {text}".split()) in flat for text in model.citations)
    assert all(f"axiom {axiom.name} {axiom.kind} " in flat for axiom in model.axioms)


@pytest.mark.parametrize("name", runnable_models())
def test_each_model_can_be_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["models", "--explain", name]) == 0
    text = capsys.readouterr().out
    assert all(f"axiom {axiom.name}: " in text for axiom in named_model(name).axioms)


def test_models_explain_needs_a_model() -> None:
    ran = mazurka("models", "--explain")
    assert ran.status == 2
    assert "[usage]" in ran.err
    assert mazurka("models", "rc12").status == 2


def test_a_file_that_models_share_is_no_model(tmp_path: Path) -> None:
    ran = mazurka("check", "--model", "c11-base", write(tmp_path, "int main(void) {}\n"))
    assert ran.status == 2
    assert "there is no model 'c11-base' [unknown-model]" in ran.err


def test_a_file_of_ones_own_can_be_shown(tmp_path: Path) -> None:
    model = write(tmp_path, NO_FORWARDING, "mine.kat")
    out = mazurka("models", model).out
    assert "axiom store-order" in out
    assert "axiom store-order: acyclic" in mazurka("models", "--explain", model).out


LOAD_BUFFERING = (
    THREADS
    + """\
atomic_int x, y;
int a, b;
void *one(void *arg) {
  a = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return arg;
}
void *two(void *arg) {
  b = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return arg;
}
"""
    + MAIN % "assert(!(a && b));"
)
LOAD_BUFFERING_MODEL = """\
model relaxed "Coherence alone: whatever is of another location may be done early"
ppo = po-loc
acyclic po-loc | rf | co | fr as coherence
"""


def test_a_model_with_a_ppo_lets_later_writes_be_seen_early(tmp_path: Path) -> None:
    """The outcome that needs an event in the middle of a thread (thesis §5.7), which rc11 forbids."""
    program = write(tmp_path, LOAD_BUFFERING)
    model = write(tmp_path, LOAD_BUFFERING_MODEL, "relaxed.kat")
    assert mazurka("check", program, "--model", "rc11").status == 0
    weak = mazurka("check", program, "--model", model)
    assert (weak.status, "a && b" in weak.out) == (1, True)


def test_a_model_with_a_ppo_has_reads_from_equivalence(tmp_path: Path) -> None:
    """Two threads write x: which of them is first makes no difference to what is read."""
    text = LOAD_BUFFERING.replace("assert(!(a && b));", "")
    program = write(tmp_path, text.replace("atomic_store_explicit(&y, 1", "atomic_store_explicit(&x, 2"))
    model = write(tmp_path, LOAD_BUFFERING_MODEL, "relaxed.kat")
    fine = mazurka("check", program, "--model", model)
    coarse = mazurka("check", program, "--model", model, "--equivalence", "rf")
    assert (fine.status, coarse.status) == (0, 0)
    counts = [int(ran.out.split(" complete")[0].rsplit("(", 1)[1]) for ran in (fine, coarse)]
    assert counts[0] > counts[1]
    broken = mazurka("check", write(tmp_path, LOAD_BUFFERING), "--model", model, "--equivalence", "rf")
    assert (broken.status, "a && b" in broken.out) == (1, True)
