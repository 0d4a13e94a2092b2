"""Every program of ``tests/programs/cpp`` gives what its first lines say.

Compiling C++ takes a second for each program, so the quick profile runs a few of them.
"""

from __future__ import annotations

from pathlib import Path

import mazurka
import pytest
from expectations import Claim, claims
from mazurka.errors import SourceError
from mazurka.models.registry import runnable_models
from profiles import heavy, some
from test_programs import ROOT, name, observed, place, run
from test_programs import folder as folder  # a fixture

PROGRAMS = sorted(ROOT.glob("tests/programs/cpp/*.cpp"))
QUICK = {"store_buffering", "treiber_stack"}


def _checked(path: Path) -> list[Claim]:
    """What the program is expected to do, and some of its twins, each of which has to be compiled."""
    all_claims = claims(path)
    twins = [claim for claim in all_claims if claim.twin is not None]
    return [*(claim for claim in all_claims if claim.twin is None), *some(twins, ci=2)]


CLAIMS = [
    pytest.param(claim, marks=() if path.stem in QUICK and claim.twin is None else heavy, id=name(claim))
    for path in PROGRAMS
    for claim in _checked(path)
    if claim.model in runnable_models()
]


@pytest.mark.parametrize("claim", CLAIMS)
def test_cpp_program(claim: Claim, folder: Path, tmp_path: Path) -> None:
    _, result = run(claim, place(claim, folder), tmp_path)
    assert "error" not in result, result["error"]
    assert observed(result, claim.result) == claim.result


REFUSED = {
    "#include <iostream>\n"
    "int main(int n, char **) { if (n == NUMBER) std::cout << n; }\n": "'std::basic_ostream::operator<<'",
    "#include <sstream>\n"
    "int main(int n, char **) { if (n == NUMBER) { std::ostringstream s; s << n; } }\n": "'std::ios_base'",
    "#include <coroutine>\n"
    "struct task { struct promise_type {\n"
    "  task get_return_object() { return {}; }\n"
    "  std::suspend_never initial_suspend() { return {}; }\n"
    "  std::suspend_never final_suspend() noexcept { return {}; }\n"
    "  void return_void() {}\n"
    "  void unhandled_exception() {}\n"
    "}; };\n"
    "task go() { co_return; }\n"
    "int main(int n, char **) { if (n == NUMBER) go(); }\n": "a coroutine",
}


@heavy
@pytest.mark.parametrize("source", REFUSED)
def test_what_is_not_supported_is_refused_where_it_is_reached(source: str, tmp_path: Path) -> None:
    path = tmp_path / "program.cpp"
    path.write_text(source, encoding="utf-8")
    with pytest.raises(SourceError, match=REFUSED[source]):
        mazurka.check(path, cflags=["-DNUMBER=1"])
    assert mazurka.check(path, cflags=["-DNUMBER=0"]).verdict == "verified"
