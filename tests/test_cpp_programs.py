"""Every program of ``tests/programs/cpp`` gives what its first lines say.

Compiling C++ takes a second for each program, so the quick profile runs a few of them.
"""

from __future__ import annotations

from pathlib import Path

import mazurka
import pytest
from mazurka.errors import SourceError
from mazurka.expectations import Claim, claims
from mazurka.models.registry import runnable_models
from mazurka.report import as_text
from profiles import heavy, some
from test_programs import ROOT, name, observed, place, run
from test_programs import folder as folder  # a fixture

PROGRAMS = sorted(ROOT.glob("tests/programs/cpp/*.cpp"))
QUICK = {"store_buffering", "treiber_stack"}


def _checked(path: Path) -> list[Claim]:
    """What the program is expected to do, and some of its twins, each of which has to be compiled."""
    all_claims = claims(path)
    twins = [claim for claim in all_claims if claim.twin is not None]
    return [*(claim for claim in all_claims if claim.twin is None), *some(twins, ci=16)]


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
    "int main(int n, char **) { if (n == NUMBER) std::cout << std::hex << n; }\n": "'std::ios_base::setf'",
    "#include <iomanip>\n#include <iostream>\n"
    "int main(int n, char **) { if (n == NUMBER) std::cout << std::setw(9); }\n": "'std::ios_base::width'",
    "#include <iostream>\n"
    "int main(int n, char **) { if (n == NUMBER) std::cin >> n; }\n": "'std::basic_istream::operator>>'",
    "#include <sstream>\n"
    "int main(int n, char **) { if (n == NUMBER) { std::ostringstream s; s << n; } }\n": "std::ostringstream",
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


PRINTS = """
#include <iostream>
#include <string>
int main() {
  std::string name = "a longer name, which is not inside the string object";
  short small = -3;
  std::cout << name << ' ' << small << ' ' << 4294967295u << ' ' << -5L << ' ';
  std::cout << 18446744073709551615ull << std::endl;
  std::cerr << true << 'c' << 0.1 << ' ' << 1e20 << ' ' << 2.5f << ' ';
  std::cerr << std::string_view("view").substr(1) << '\\n';
  std::cout.put('p').write("written", 4) << std::flush << static_cast<const void *>(nullptr) << std::endl;
}
"""


@heavy
def test_what_streams_print(tmp_path: Path) -> None:
    path = tmp_path / "program.cpp"
    path.write_text(PRINTS, encoding="utf-8")
    lines = [
        "a longer name, which is not inside the string object -3 4294967295 -5 18446744073709551615",
        "1c0.1 1e+20 2.5 iew",
        "pwrit(nil)",
    ]
    assert "".join(text for _, text in mazurka.check(path, verbose=True).output).splitlines() == lines


RACE_IN_CONTAINER = """
#include <functional>
#include <thread>
#include <vector>
struct Shape { virtual int area() { return 1; } };
struct Square : Shape { int area() override { return 4; } };
void add(std::vector<Shape *> &shapes, Shape *shape) {
  shapes.push_back(shape);
}
int main() {
  std::vector<Shape *> shapes;
  std::thread one(add, std::ref(shapes), new Square), two(add, std::ref(shapes), nullptr);
  one.join(), two.join();
}
"""


@heavy
def test_reports_are_about_the_program_and_not_about_the_library(tmp_path: Path) -> None:
    path = tmp_path / "program.cpp"
    path.write_text(RACE_IN_CONTAINER, encoding="utf-8")
    told = as_text(mazurka.check(path))
    assert "T1 add(…)" in told
    assert "T2 add(…)" in told
    assert "__run_allocated" not in told
    assert "_vtable$" not in told
    rows = [line for line in told.splitlines() if "│" in line]
    assert 10 < len(rows) < 35, told


@heavy
@pytest.mark.parametrize(
    ("statement", "warnings"),
    [
        ("auto end = steady_clock::now() + 1s; while (!done && steady_clock::now() < end) {}", 1),
        ("std::unique_lock guard(mutex); changed.wait_for(guard, 1s);", 0),
    ],
)
def test_who_asks_for_the_time_is_told_that_clocks_stand_still(
    statement: str, warnings: int, tmp_path: Path
) -> None:
    path = tmp_path / "program.cpp"
    headers = "#include <atomic>\n#include <chrono>\n#include <condition_variable>\n#include <mutex>\n"
    names = "using namespace std::chrono; using namespace std::chrono_literals;\n"
    variables = "std::mutex mutex; std::condition_variable changed; std::atomic<int> done{1};\n"
    path.write_text(f"{headers}{names}{variables}int main() {{ {statement} }}\n", encoding="utf-8")
    outcome = mazurka.check(path)
    assert outcome.verdict == "verified"
    assert len(outcome.warnings) == warnings
