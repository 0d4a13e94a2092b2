"""Exceptions of C++ that are caught: handlers as natively, and no executions besides those of the program."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import mazurka
import pytest
from mazurka.frontend.c import compiler as bundled
from mazurka.frontend.c.catches import mentions_handlers
from profiles import amount, heavy, some

from .randomhandlers import Nesting

PROGRAM = Path(__file__).parent / "native_cpp" / "exceptions.cpp"


def native_output(path: Path, directory: Path) -> str:
    binary = directory / "program"
    command = [str(Path(bundled.zig_directory()) / "zig"), "c++", "-std=c++20", "-O0", "-w"]
    command += ["-fno-sanitize=undefined", str(path), "-o", str(binary)]
    subprocess.run(command, check=True)
    return subprocess.run([str(binary)], check=True, capture_output=True, text=True, timeout=60).stdout


def checked_output(path: Path) -> str:
    outcome = mazurka.check(path, verbose=True)
    assert outcome.violation is None
    assert outcome.complete == 1
    return "".join(text for _, text in outcome.output)


@heavy
def test_handlers_run_as_natively(tmp_path: Path) -> None:
    assert checked_output(PROGRAM) == native_output(PROGRAM, tmp_path)


CLASSES = 8
ILL_FORMED = {23}  # seeds: a class cannot destroy a virtual base that is private


def hierarchy(seed: int) -> str:
    """A program with random bases, which throws each class and catches it as each other one."""
    rng = random.Random(seed)
    lines = ["#include <cstdio>", "static int next;"]
    for number in range(CLASSES):
        bases = rng.sample(range(number), min(number, rng.choice((0, 1, 1, 2, 2, 3))))
        words = (
            f"{rng.choice(('', '', 'virtual '))}{rng.choice(('public', 'public', 'private'))}" for _ in bases
        )
        listed = ", ".join(f"{word} C{base}" for word, base in zip(words, bases, strict=True))
        table = f"virtual ~C{number}() {{}}" if rng.random() < 0.5 else ""
        lines.append(f"struct C{number} {': ' + listed if listed else ''} {{ int mine = next++; {table} }};")
    lines += [
        "template <class T, class C> void pair(const char *name) {",
        '  next = 0; static T whole; printf("%s", name);',
        '  try { throw whole; } catch (C &c) { printf(" %d", c.C::mine); } catch (...) { printf(" -"); }',
        "  try { throw &whole; }",
        '  catch (const C *c) { printf(" %d", c->C::mine); } catch (...) { printf(" -"); }',
        '  try { throw (T *)nullptr; } catch (C *c) { printf(" %d", !c); } catch (...) { printf(" -"); }',
        '  try { throw (const T *)&whole; } catch (C *c) { printf(" +"); } catch (...) { printf(" -"); }',
        '  puts("");',
        "}",
        "int main() {",
        *(f'  pair<C{a}, C{b}>("C{a} as C{b}:");' for a in range(CLASSES) for b in range(a + 1)),
        "}",
    ]
    return "\n".join(lines) + "\n"


@heavy
@pytest.mark.parametrize("seed", sorted({*range(amount(1, 40))} - ILL_FORMED))
def test_classes_are_caught_as_their_bases_as_natively(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "hierarchy.cpp"
    path.write_text(hierarchy(seed), encoding="utf-8")
    assert checked_output(path) == native_output(path, tmp_path)


@heavy
@pytest.mark.parametrize("seed", range(amount(2, 40)))
def test_random_handlers_run_as_natively(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "nesting.cpp"
    path.write_text(Nesting(seed).program(), encoding="utf-8")
    assert checked_output(path) == native_output(path, tmp_path)


WITH_EXCEPTIONS = """
#include <atomic>
#include <cassert>
#include <thread>
struct Error { int code; };
std::atomic<int> x{0}, y{0}, cleaned{0};
struct Cleaning { ~Cleaning() { cleaned.fetch_add(1); } };
int read() {
  Cleaning cleaning;
  int seen = x.load(std::memory_order_relaxed);
  if (seen == 0) throw Error{7};
  return seen;
}
int twice() { return 2 * read(); }
int work() {
  try {
    return twice() + 1;
  } catch (const Error &error) {
    y.store(error.code, std::memory_order_relaxed);
    return -1;
  }
}
int main() {
  std::thread one([] { x.store(1, std::memory_order_relaxed); work(); });
  std::thread two([] { work(); });
  work();
  one.join(), two.join();
  assert(cleaned == 3);
}
"""
WITH_CODES = """
#include <atomic>
#include <cassert>
#include <thread>
struct Error { int code; };
std::atomic<int> x{0}, y{0}, cleaned{0};
struct Cleaning { ~Cleaning() { cleaned.fetch_add(1); } };
int read(Error &error) {
  Cleaning cleaning;
  int seen = x.load(std::memory_order_relaxed);
  if (seen == 0) error.code = 7;
  return seen;
}
int twice(Error &error) { return 2 * read(error); }
int work() {
  Error error{0};
  int result = twice(error);
  if (error.code == 0) return result + 1;
  y.store(error.code, std::memory_order_relaxed);
  return -1;
}
int main() {
  std::thread one([] { x.store(1, std::memory_order_relaxed); work(); });
  std::thread two([] { work(); });
  work();
  one.join(), two.join();
  assert(cleaned == 3);
}
"""
PROMISE = """
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>
int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread worker([&] { KEEP; });
  int got = 0;
  GET
  worker.join();
  assert(got == 7);
}
"""
CODE_KEPT = ("promise.set_value(7)", "got = future.get();")
EXCEPTION_KEPT = (
    'promise.set_exception(std::make_exception_ptr(std::runtime_error("no")))',
    "try { future.get(); } catch (const std::runtime_error &) { got = 7; }",
)


def counted(text: str, model: str, tmp_path: Path) -> tuple[int, int]:
    path = tmp_path / "program.cpp"
    path.write_text(text, encoding="utf-8")
    outcome = mazurka.check(path, model=model)
    assert outcome.verdict == "verified"
    return outcome.complete, outcome.blocked


@heavy
@pytest.mark.parametrize("model", ["sc", "rc11"])
def test_exceptions_make_as_many_executions_as_error_codes(model: str, tmp_path: Path) -> None:
    counts = counted(WITH_EXCEPTIONS, model, tmp_path)
    assert counts == counted(WITH_CODES, model, tmp_path)
    assert counts[0] > 10


@heavy
def test_exceptions_in_futures_make_as_many_executions_as_values(tmp_path: Path) -> None:
    texts = [PROMISE.replace("KEEP", keep).replace("GET", get) for keep, get in (CODE_KEPT, EXCEPTION_KEPT)]
    assert len({counted(text, "rc11", tmp_path) for text in texts}) == 1


UNCAUGHT = {
    "catch (const std::runtime_error &) {}": "std::logic_error",
    "catch (const char *) {}": "std::logic_error",
    "catch (...) { throw; }": "std::logic_error",
    "catch (...) { throw Own(); }": "Own",
    "catch (...) { std::rethrow_exception(std::make_exception_ptr(Own())); }": "Own",
    "catch (std::logic_error *) {}": "std::logic_error",
}


@heavy
@pytest.mark.parametrize("handler", some([*UNCAUGHT], ci=2))
def test_an_exception_that_leaves_its_thread_is_reported_with_its_type(handler: str, tmp_path: Path) -> None:
    lines = ["#include <exception>", "#include <stdexcept>", "#include <thread>", "struct Own {};"]
    lines += ["void go() {", "  try {", '    throw std::logic_error("no");', f"  }} {handler}", "}"]
    lines += ["int main() { std::thread worker(go); worker.join(); }"]
    path = tmp_path / "program.cpp"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    violation = mazurka.check(path).violation
    assert violation is not None
    assert violation.kind == "exception"
    assert violation.message == f"an exception is thrown: {UNCAUGHT[handler]}"
    assert violation.location is not None
    assert violation.location.line == (7 if "throw" not in handler else 8)


THROUGH_C = """
#include <cassert>
struct Count { int &n; ~Count() { n++; } };
struct Base { virtual ~Base() {} int value = 3; };
struct Derived : Base {};
extern "C" int call(int (*f)(int), int n);
static int refuse(int n) { if (n > 1) throw Derived(); return n; }
int main() {
  int n = 0, got = 0;
  try {
    Count count{n};
    got = call(refuse, 1);
    got = call(refuse, 2);
  } catch (const Base &base) { got += base.value; }
  assert(n == 1 && got == 4);
}
"""
CALL = "int call(int (*f)(int), int n) { int result = f(n); return result; }\n"


def as_ir(path: Path, command: str, *flags: str) -> Path:
    to = path.with_suffix(".ll")
    compiler = [str(Path(bundled.zig_directory()) / "zig"), command, "-w", "-S", "-emit-llvm", "-O1", *flags]
    subprocess.run([*compiler, str(path), "-o", str(to)], check=True)
    return to


@heavy
def test_exceptions_pass_through_c_if_it_is_compiled_for_that(tmp_path: Path) -> None:
    program, caller = tmp_path / "program.cpp", tmp_path / "call.c"
    program.write_text(THROUGH_C, encoding="utf-8")
    caller.write_text(CALL, encoding="utf-8")
    assert mazurka.check([program, caller], cflags=["-fexceptions"]).verdict == "verified"
    violation = mazurka.check([program, caller]).violation
    assert violation is not None
    assert violation.message == "an exception is thrown: Derived"
    modules = as_ir(program, "c++", "-std=c++20"), as_ir(caller, "cc", "-fexceptions")
    assert mazurka.check(modules).verdict == "verified"


SPECIFICATION = """
#include <cassert>
void f(int n) throw(int) {
  if (n == 1) throw 1;
  if (n == 2) throw "text";
}
int main() {
  int got = 0;
  try { f(NUMBER); } catch (int number) { got = number; }
  assert(got == NUMBER);
}
"""


@heavy
def test_exceptions_that_a_specification_leaves_out_end_the_program(tmp_path: Path) -> None:
    path = tmp_path / "program.cpp"
    path.write_text(SPECIFICATION, encoding="utf-8")
    messages = []
    for number in range(3):
        violation = mazurka.check(path, cflags=["-std=c++14", f"-DNUMBER={number}"]).violation
        messages.append(violation and violation.message)
    assert messages[:2] == [None, None]
    assert messages[2] in ("std::unexpected() was called", "an exception is thrown: const char *")


NESTED = """
int nested(int n) {
  try {
    throw n;
  } catch (int) {
    return n == 0 ? 0 : nested(n - 1);
  }
}
int main() { return nested(LEFT); }
"""
OBJECTS = """
template <int N> struct Object { int n = N; ~Object() { n = 0; } };
template <int N> void make() {
  thread_local Object<N> object;
  if (object.n > 1) make<N - (N > 1)>();
}
int main() { make<LEFT>(); }
"""


@heavy
@pytest.mark.parametrize(
    ("text", "most", "line", "reached"),
    [(NESTED, 16, 4, "a 17th exception"), (OBJECTS, 32, 4, "a 33rd thread_local object")],
)
def test_more_than_the_library_has_room_for_is_refused(
    text: str, most: int, line: int, reached: str, tmp_path: Path
) -> None:
    path = tmp_path / "program.cpp"
    path.write_text(text.replace("LEFT", str(most - ("nested" in text))), encoding="utf-8")
    assert mazurka.check(path).verdict == "verified"
    path.write_text(text.replace("LEFT", str(most + 1)), encoding="utf-8")
    with pytest.raises(mazurka.SourceError) as refused:
        mazurka.check(path)
    assert f"the program reaches {reached}" in str(refused.value)
    assert refused.value.place is not None
    assert refused.value.place.line == line


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("int main() { try { f(); } catch (...) {} }", True),
        ("#define HANDLE catch (...) {}\n", True),
        ('int main() {} // try and catch\n/* catch */ char c = \'"\'; auto s = "catch (int)";', False),
        ('auto s = R"x(" catch ( ")x";', False),
        ("int catches, catch_all;", False),
        ("int main() { int n = 1'000; try { f(n); } catch (...) { g('c'); } }", True),
    ],
)
def test_handlers_are_found_before_compiling(text: str, has: bool, tmp_path: Path) -> None:
    path = tmp_path / "program.cpp"
    path.write_text(text, encoding="utf-8")
    assert mentions_handlers(str(path), ()) == has


def test_handlers_are_found_in_headers_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "inner.h").write_text("inline void f() { try { g(); } catch (...) {} }\n")
    (tmp_path / "include" / "outer.h").write_text('#pragma once\n#include "inner.h"\n#include "outer.h"\n')
    path = tmp_path / "program.cpp"
    path.write_text("#include <outer.h>\nint main() { f(); }\n")
    assert not mentions_handlers(str(path), ())
    for flags in (["-I", "include"], ["-Iinclude"], ["-isystem", "include"]):
        flags[-1] = flags[-1].replace("include", str(tmp_path / "include"))
        assert mentions_handlers(str(path), flags), flags
    monkeypatch.setenv("CPLUS_INCLUDE_PATH", f"{tmp_path}:{tmp_path / 'include'}")
    assert mentions_handlers(str(path), ())
