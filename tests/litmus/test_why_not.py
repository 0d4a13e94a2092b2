"""``--why-not``: an outcome is allowed or forbidden as the engine says, and a cycle explains why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mazurka.cli.commands import main
from mazurka.errors import SourceError, UsageError
from mazurka.litmus import read_litmus
from mazurka.litmus.running.run import run_test
from mazurka.why_not.answer import why_not
from profiles import some

HERE = Path(__file__).parent
SUITE = HERE / "suite"
MIXED = SUITE / "mixed.litmus"  # accesses of several sizes
FILES = [file for folder in ("suite", "hardware") for file in sorted((HERE / folder).glob("*.litmus"))]
FENCED = r"""SB-mfences under tso: 0:EAX=0 /\ 1:EAX=0
  forbidden by store-order, which excludes this cycle:
"""


@pytest.mark.parametrize("file", some([f for f in FILES if f != MIXED], every=3), ids=lambda file: file.stem)
def test_agrees_with_the_engine(file: Path) -> None:
    test = read_litmus(str(file))
    words = test.condition.text
    answer = why_not(str(file), words.partition("exists")[2] or words.partition("forall")[2]).text
    is_allowed = "\n  allowed, for example by this execution:\n" in answer
    assert is_allowed == (run_test(test).positive > 0)
    assert is_allowed or "\n  forbidden by " in answer or "\n  impossible in every model" in answer


def test_the_cycle_and_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["litmus", str(SUITE / "SB-mfences.litmus"), "--why-not", r"0:EAX=0 /\ 1:EAX=0"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(FENCED)
    cycle = told[len(FENCED) :].split("  in the execution\n")[0].splitlines()
    assert [line.split()[0] for line in (cycle[0], cycle[-1])] == ["P0:5", "P0:5"]
    assert any("MOV EAX,[y]  (R y=0)" in line and "--fr-->" in line for line in cycle)


def test_names_of_c_and_registers_without_a_thread() -> None:
    answer = why_not(str(SUITE / "MP-rel-acq.litmus"), "r0 == 1 && r1 == 0").text
    assert "forbidden by coherence" in answer
    assert "P1:16  r1 = *data  (R data=0)" in answer


@pytest.mark.parametrize("pasted", ["exists ({})", "~exists ({})", "exists {}"])
def test_a_condition_may_be_pasted_from_a_test(pasted: str) -> None:
    outcome = r"0:EAX=0 /\ 1:EAX=0"
    file = str(SUITE / "SB-mfences.litmus")
    answers = [why_not(file, one) for one in (outcome, pasted.format(outcome))]
    assert answers[0].verdict == answers[1].verdict == "forbidden"
    assert answers[0].cycle == answers[1].cycle


def test_values_that_nothing_writes() -> None:
    assert "impossible in every model" in why_not(str(SUITE / "MP-rel-acq.litmus"), "1:r0=7").text


LOOP = r"""AArch64 loop
{ 0:X1=x; 1:X1=x; }
 P0          | P1          ;
 MOV W0,#1   | L:          ;
 STR W0,[X1] | LDR W0,[X1] ;
             | CBZ W0,L    ;
exists (1:X0=1)
"""


@pytest.fixture
def loop(tmp_path: Path) -> str:
    (tmp_path / "loop.litmus").write_text(LOOP, encoding="utf-8")
    return str(tmp_path / "loop.litmus")


def test_loops_need_a_bound(loop: str) -> None:
    with pytest.raises(SourceError, match="can go round any number of times") as refused:
        why_not(loop, "1:X0=0")
    assert "--unroll" in str(refused.value.hint)


def test_loops_with_a_bound(loop: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = why_not(loop, "1:X0=1", unroll=2)
    assert (found.verdict, found.is_bounded) == ("allowed", False)
    assert [event["access"] for event in found.execution] == ["W x=1", "R x=1"]
    missing = why_not(loop, "1:X0=2", unroll=2)
    assert (missing.verdict, missing.is_bounded) == ("forbidden", True)
    assert main(["litmus", loop, "--why-not", "1:X0=2", "--unroll", "2"]) == 3
    assert "beyond a loop bound are left out" in capsys.readouterr().out


def test_several_tests_have_their_files(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(SUITE / name) for name in ("SB.litmus", "MP-rel-acq.litmus", "SB-mfences.litmus")]
    assert main(["litmus", *files, "--why-not", r"0:EAX=0 /\ 1:EAX=0"]) == 2  # C has no such registers
    told = capsys.readouterr()
    assert f"% {files[0]}\nSB under tso: " in told.out
    assert f"% {files[2]}\nSB-mfences under tso: " in told.out
    assert f"{files[1]}: error: the outcome" in told.err
    assert told.out.endswith("3 tests: 2 ran, 1 could not run\n")


def test_answers_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(SUITE / "SB-mfences.litmus")
    assert main(["litmus", file, "--why-not", r"0:EAX=0 /\ 1:EAX=0", "--json", "-"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["file"] == file
    assert (answer["model"], answer["verdict"], answer["axioms"]) == ("tso", "forbidden", ["store-order"])
    cycle = [(event["thread"], event["line"], event["relation"]) for event in answer["cycle"]]
    assert cycle[:3] == [(0, 5, "po"), (0, 6, "po"), (0, 7, "fr")]
    assert cycle[-1] == (0, 5, None)
    reads = [event for event in answer["execution"] if event["access"].startswith("R")]
    assert [(event["instruction"], event["rf"]) for event in reads] == [
        ("MOV EAX,[y]", None),
        ("MOV EAX,[x]", None),
    ]
    assert main(["litmus", file, "--why-not", "0:EAX=1", "--json", "-"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    execution = answer["execution"]
    assert answer["verdict"] == "allowed"
    assert all(execution[e["rf"]]["access"] == e["access"].replace("R", "W") for e in execution if e["rf"])


def test_the_time_limit_is_heeded(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(SUITE / "SB-mfences.litmus")
    assert main(["litmus", file, "--why-not", "0:EAX=0", "--time-limit", "1e-9"]) == 2
    assert "raise --time-limit" in capsys.readouterr().err


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="the outcome '1:r0=' cannot be read"):
        why_not(str(SUITE / "MP-rel-acq.litmus"), "1:r0=")
    with pytest.raises(SourceError, match="accesses of several sizes"):
        why_not(str(MIXED), "1:rax=0")
    assert main(["litmus", str(MIXED), "--why-not", "1:rax=0", "--dot", "-"]) == 2


def test_the_halves_of_an_exclusive_pair_are_in_two_lines(tmp_path: Path) -> None:
    path = tmp_path / "pair.litmus"
    path.write_text(
        "AArch64 pair\n{ 0:X1=x; }\nP0 ;\nLDXR W0,[X1] ;\nADD W2,W0,#1 ;\nSTXR W5,W2,[X1] ;\nexists (x=1)\n"
    )
    found = why_not(str(path), "x=1")
    shown = [(event["line"], event["instruction"], event["access"]) for event in found.execution]
    assert shown == [(4, "LDXR W0,[X1]", "R x=0"), (6, "STXR W5,W2,[X1]", "W x=1")]
