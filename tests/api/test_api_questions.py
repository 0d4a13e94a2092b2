"""The other functions of the package, what it loads, and outcomes in notebooks."""

from __future__ import annotations

import pickle
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import mazurka
import pytest
from mazurka import MazurkaError
from mazurka.errors import ErrorCode

PROGRAMS = Path(__file__).resolve().parents[2] / "tests" / "programs"
SB = """X86 SB
{}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""
SVG = "{http://www.w3.org/2000/svg}"
FINE = "int main(void) {\n    return 0;\n}\n"


def test_source_text() -> None:
    assert mazurka.check(FINE).verdict == "verified"
    named = mazurka.check(mazurka.Source("int main() {\n  int n; return n / !new int; }\n", "mine.cpp"))
    assert named.violation is not None
    assert named.violation.location is not None
    assert named.violation.location.file == "mine.cpp"
    assert mazurka.check(mazurka.Source("int main(void) { return N; }"), cflags=["-DN=0"]).complete == 1


def test_a_file_whose_name_has_lines_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a\nb.c"
    path.write_text(FINE, encoding="utf-8")
    with pytest.raises(MazurkaError, match="cannot read a file with this name"):
        mazurka.check(str(path))


def test_bytecode(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(FINE, encoding="utf-8")
    assert mazurka.check(mazurka.compile_program(tmp_path / "a.c")).verdict == "verified"


def test_litmus_tests(tmp_path: Path) -> None:
    path = tmp_path / "SB.litmus"
    path.write_text(SB, encoding="utf-8")
    result = mazurka.litmus(path)
    assert (result.name, result.model, result.holds, result.observation) == ("SB", "tso", True, "Sometimes")
    assert sum(state.executions for state in result.states) == result.positive + result.negative == 4
    assert [state.text for state in result.states if state.is_witness] == ["0:EAX=0; 1:EAX=0;"]
    under_sc = mazurka.litmus(SB, model="sc")
    assert (under_sc.holds, under_sc.observation) == (False, "Never")
    assert "Observation SB Never 0 3" in str(under_sc)
    assert pickle.loads(pickle.dumps(result)) == result
    with pytest.raises(MazurkaError):
        mazurka.litmus("X86 T\n{ x=; }\n")


@pytest.mark.parametrize("unroll", ["2", 1.5, True, -1])
def test_bounds_of_litmus_tests_are_numbers(unroll: Any) -> None:
    with pytest.raises(MazurkaError, match=r"unroll must be|is out of range") as refused:
        mazurka.litmus(SB, unroll=unroll)
    assert refused.value.code is ErrorCode.BAD_VALUE


@pytest.mark.parametrize("seed", ["1", -1])
def test_seeds_of_estimates_are_numbers(seed: Any) -> None:
    with pytest.raises(MazurkaError) as refused:
        mazurka.estimate(FINE, seed=seed)
    assert refused.value.code is ErrorCode.BAD_VALUE


def test_proofs() -> None:
    proved = mazurka.prove("weaker", "ra", "sc")
    assert {proof.result for proof in proved} == {"proved"}
    refuted = [proof for proof in mazurka.prove("weaker", "sc", "tso") if proof.result == "refuted"]
    assert refuted[0].counterexample is not None
    assert refuted[0].counterexample["word"]
    assert pickle.loads(pickle.dumps(refuted)) == refuted
    for wrong in ((), ("weakest", "sc"), ("weaker", "sc")):
        with pytest.raises(MazurkaError) as caught:
            mazurka.prove(*wrong)
        assert caught.value.code == ErrorCode.USAGE


def test_models() -> None:
    found = mazurka.models()
    assert [model.name for model in found if model.is_default] == ["rc11"]
    assert {model.kind for model in found} == {"language", "machine", "proofs"}
    assert all(Path(model.path).is_file() for model in found)
    assert pickle.loads(pickle.dumps(found)) == found


ALONE = """
import sys
before = set(sys.modules)
import mazurka
loaded = {name for name in set(sys.modules) - before if not name.startswith("_")}
assert loaded == {"mazurka"}, loaded
assert {"check", "litmus", "models", "Threads"} <= set(dir(mazurka))
assert mazurka.models()[0].name == "pso"
import mazurka.models.registry
assert mazurka.models.registry.DEFAULT_MODEL == "rc11"
assert mazurka.models()[0].name == "pso"
"""


def test_the_package_loads_nothing_until_it_is_used() -> None:
    """And ``models`` and ``litmus`` are functions and packages, in any order of use."""
    subprocess.run([sys.executable, "-c", ALONE], check=True, timeout=300)


def test_every_name_is_there() -> None:
    for name in mazurka.__all__:
        assert getattr(mazurka, name) is not None
    with pytest.raises(AttributeError):
        mazurka.absent  # noqa: B018


@pytest.mark.parametrize("name", ["race_plain_counter.c", "mutex_opposite_orders.c"])
def test_violations_draw_in_notebooks(name: str) -> None:
    outcome = mazurka.check(str(PROGRAMS / name))
    html = outcome._repr_html_()
    (drawn,) = ElementTree.fromstring(html).iter(f"{SVG}svg")
    columns = {text.text for text in drawn.iter(f"{SVG}text") if text.get("font-weight") == "bold"}
    assert len(columns) > 1
    assert "The report" in html
    assert outcome.violation is not None
    visible = html.partition("The report")[0]
    assert visible.count(f":{outcome.violation.location.line}: ") == 1, "it is told once"  # type: ignore[union-attr]
    assert outcome.violation.message.split(":")[0] in visible
    assert escape(outcome.violation.missing) in visible


def test_programs_in_python_draw_in_notebooks() -> None:
    x = mazurka.plain("x")
    outcome = mazurka.check(mazurka.Threads(lambda: x.store(1), lambda: x.store(2)))
    html = outcome._repr_html_()
    assert list(ElementTree.fromstring(html).iter(f"{SVG}svg"))


@pytest.mark.parametrize("program", [PROGRAMS / "litmus_mp.c", "int main(void) {\n    return 1 / 0;\n}\n"])
def test_without_an_execution_there_is_no_picture(program: Path | str) -> None:
    html = mazurka.check(program)._repr_html_()
    assert not list(ElementTree.fromstring(html).iter(f"{SVG}svg"))
    assert "The report" in html


def test_estimates_take_all_programs_of_a_check() -> None:
    flag = mazurka.atomic("flag")
    threads = mazurka.Threads(lambda: flag.store(1), lambda: flag.load())
    for program, executions in ((FINE, 1), (threads, 2)):
        estimate = mazurka.estimate(program)
        assert estimate is not None
        assert (estimate.executions, estimate.exact) == (executions, True)
