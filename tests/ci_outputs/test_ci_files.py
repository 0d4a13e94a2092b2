"""``--junit`` and ``--sarif``: files that fit their schemas, and say what the report says."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from mazurka.cli.commands import main
from schemas import read_junit, read_sarif

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "programs"


def run(tmp_path: Path, *arguments: str) -> tuple[int, ElementTree.Element, Any]:
    """The exit status of a check, its only test case, and its run."""
    junit, sarif = tmp_path / "junit.xml", tmp_path / "out.sarif"
    status = main(["check", *arguments, "--junit", str(junit), "--sarif", str(sarif)])
    root = read_junit(junit.read_text(encoding="utf-8"))
    return status, root, read_sarif(sarif.read_text(encoding="utf-8"))


def case_of(root: ElementTree.Element) -> ElementTree.Element:
    found = root.find("testsuite/testcase")
    assert found is not None
    return found


def test_what_is_verified_passes(tmp_path: Path) -> None:
    status, root, log = run(tmp_path, str(PROGRAMS / "litmus_mp.c"))
    assert status == 0
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("1", "0", "0")
    assert [child.tag for child in case_of(root)] == ["system-out"]
    assert log["results"] == []
    assert log["invocations"][0]["executionSuccessful"]


def test_a_race_has_two_places(tmp_path: Path) -> None:
    status, root, log = run(tmp_path, str(PROGRAMS / "race_plain_counter.c"))
    failure = case_of(root).find("failure")
    assert status == 1
    assert failure is not None
    assert failure.get("type") == "race"
    assert "The execution, one column per thread" in (failure.text or "")
    (result,) = log["results"]
    assert (result["ruleId"], result["level"]) == ("race", "error")
    (place,), (other,) = result["locations"], result["relatedLocations"]
    assert place["physicalLocation"]["region"]["startLine"]
    assert "T" in other["message"]["text"]
    assert "race_plain_counter.c" in place["physicalLocation"]["artifactLocation"]["uri"]


def test_the_steps_are_in_one_order(tmp_path: Path) -> None:
    program = ROOT / "examples" / "buggy" / "store_buffering_relaxed.c"
    _, _, log = run(tmp_path, str(program), "--model", "tso")
    (flow,) = log["results"][0]["codeFlows"]
    orders = [[step["executionOrder"] for step in thread["locations"]] for thread in flow["threadFlows"]]
    assert [thread["id"] for thread in flow["threadFlows"]] == ["main", "T1", "T2"]
    assert all(order == sorted(order) for order in orders)
    assert sorted(chain(*orders)) == list(range(1, sum(map(len, orders)) + 1))
    steps = {step["executionOrder"]: step for thread in flow["threadFlows"] for step in thread["locations"]}
    assert steps[max(steps)]["importance"] == "essential"
    assert "Assertion failed" in steps[max(steps)]["location"]["message"]["text"]


def test_other_threads_that_wait_are_related(tmp_path: Path) -> None:
    _, _, log = run(tmp_path, str(PROGRAMS / "mutex_opposite_orders.c"))
    (result,) = log["results"]
    assert result["ruleId"] == "deadlock"
    assert any("waits here" in one["message"]["text"] for one in result["relatedLocations"])


@pytest.mark.parametrize("allowed", [False, True])
def test_a_bound_that_was_reached_does_not_look_like_a_proof(tmp_path: Path, allowed: bool) -> None:
    options = [
        "--unroll",
        "3",
        "--no-spin-assume",
        "--no-dynamic-spin-assume",
        *(["--allow-bounded"] if allowed else []),
    ]
    status, root, log = run(tmp_path, str(PROGRAMS / "unroll_cut.c"), *options)
    assert status == (0 if allowed else 3)
    assert root.get("failures") == ("0" if allowed else "1")
    if not allowed:
        (result,) = log["results"]
        assert (result["ruleId"], result["level"]) == ("bounded", "warning")
        assert result["locations"][0]["physicalLocation"]["region"]["startLine"]


EXPECTED = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int data, flag;
int seen;
static void *send(void *p) { data = 1; flag = 1; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, send, 0);
    if (flag)
        seen = data + 1;
    pthread_join(t, 0);
    return 0;
}
"""


@pytest.mark.parametrize(("condition", "status"), [("seen == 1", 1), ("seen == 2", 0)])
def test_why_an_expected_outcome_is_forbidden(tmp_path: Path, condition: str, status: int) -> None:
    """The cycle, thread by thread; if it is allowed, an execution that ends this way."""
    (tmp_path / "send.c").write_text(EXPECTED, encoding="utf-8")
    given, root, log = run(tmp_path, str(tmp_path / "send.c"), "--expect-outcome", condition)
    assert given == status
    (child,) = case_of(root)
    assert child.tag == ("failure" if status else "system-out")
    assert f"expected outcome: {condition}" in (child.text or "")
    if not status:
        assert "read flag: 1" in (child.text or "")
        assert log["results"] == []
        return
    assert child.get("type") == "unexpected"
    assert "  --rf-->" in (child.text or "")
    (result,) = log["results"]
    ((flow,),) = [flow["threadFlows"] for flow in result["codeFlows"]]
    steps = [step["location"]["message"]["text"] for step in flow["locations"]]
    assert steps[0].startswith(steps[-1])  # the last one, which leads nowhere, is the first one again
    assert {"T1: W.sc flag=1  --rf-->", "main: R.sc data=0  --fr-->"} <= set(steps)
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] in (5, 9, 10)


def test_every_result_has_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code hosts reject a file with a result that has none; what stopped the check is said everywhere."""
    monkeypatch.chdir(tmp_path)
    Path("send.c").write_text(EXPECTED, encoding="utf-8")
    Path("more.c").write_text("int more;\n", encoding="utf-8")
    status, root, log = run(tmp_path, "send.c", "more.c", "--max-executions", "1")
    assert status == 3
    (result,) = log["results"]
    place = {"artifactLocation": {"uri": "send.c", "uriBaseId": "%SRCROOT%"}, "region": {"startLine": 1}}
    assert (result["ruleId"], result["locations"]) == ("interrupted", [{"physicalLocation": place}])
    failure = case_of(root).find("failure")
    assert failure is not None
    for said in (result["message"]["text"], failure.get("message") or ""):
        assert "did not finish: stopped by --max-executions 1 (" in said
    Path("mazurka.toml").write_text(
        '[[program]]\nfiles = ["send.c"]\nexpect = "violation=race"\n', encoding="utf-8"
    )
    status, _, log = run(tmp_path)
    assert status == 1
    (result,) = log["results"]
    assert (result["ruleId"], result["locations"]) == ("unexpected", [{"physicalLocation": place}])


def test_an_error_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "wrong.c").write_text("int main(void) { return }\n", encoding="utf-8")
    status, root, log = run(tmp_path, str(tmp_path / "wrong.c"))
    assert status == 2
    assert (root.get("failures"), root.get("errors")) == ("0", "1")
    (invocation,) = log["invocations"]
    assert not invocation["executionSuccessful"]
    (note,) = invocation["toolExecutionNotifications"]
    assert note["descriptor"]["id"] == "compile-error"
    assert note["locations"][0]["physicalLocation"]["region"]["startLine"] == 1


def test_paths_below_the_folder_are_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "mine & yours"
    folder.mkdir()
    source = (PROGRAMS / "race_plain_counter.c").read_text(encoding="utf-8")
    (folder / "a <b>.c").write_text(source, encoding="utf-8")
    monkeypatch.chdir(folder)
    _, root, log = run(tmp_path, "a <b>.c")
    assert case_of(root).get("name") == "a <b>.c"
    place = log["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "a%20%3Cb%3E.c", "uriBaseId": "%SRCROOT%"}
    assert log["originalUriBaseIds"]["%SRCROOT%"]["uri"].endswith("mine%20%26%20yours/")


def test_a_finding_that_has_moved_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = (PROGRAMS / "race_plain_counter.c").read_text(encoding="utf-8")
    prints = []
    for text in (source, f"\n\n{source}"):
        (tmp_path / "moved.c").write_text(text, encoding="utf-8")
        prints.append(run(tmp_path, "moved.c")[2]["results"][0]["partialFingerprints"])
    assert prints[0] == prints[1]


def test_what_is_printed_cannot_break_the_file(tmp_path: Path) -> None:
    text = '#include <assert.h>\nint main(void) { assert(!"\\x01 ]]> <&>"); return 0; }\n'
    (tmp_path / "odd.c").write_text(text, encoding="utf-8")
    status, root, log = run(tmp_path, str(tmp_path / "odd.c"))
    assert status == 1
    assert root.get("failures") == "1"
    assert log["results"]


def test_one_output_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    program = str(PROGRAMS / "litmus_mp.c")
    assert main(["check", program, "--junit", "-"]) == 0
    read_junit(capsys.readouterr().out)
    assert main(["check", program, "--sarif", "-"]) == 0
    read_sarif(capsys.readouterr().out)
    for other in ("--junit", "--html"):
        assert main(["check", program, "--sarif", "-", other, "-"]) == 2
        out, err = capsys.readouterr()
        assert "only one output may use standard output" in err
        assert not out


def test_litmus_tests_are_test_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = " P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n"
    text = f"X86 SB\n{{}}\n{code}exists (0:EAX=0 /\\ 1:EAX=0)\n"
    (tmp_path / "SB.litmus").write_text(text, encoding="utf-8")
    (tmp_path / "wrong.litmus").write_text("X86 T\n{ x=; }\n", encoding="utf-8")
    (tmp_path / "expected.tsv").write_text("test\texpected\nSB.litmus\tForbidden\n", encoding="utf-8")
    assert main(["litmus", str(tmp_path), "--junit", "-"]) == 1
    root = read_junit(capsys.readouterr().out)
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "1", "1")
