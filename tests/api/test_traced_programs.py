"""Programs that are written in Python: counts and results, reports, and what is refused."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mazurka
import pytest
from litmus_table import LitmusRow, litmus_rows
from mazurka import MazurkaError, Threads
from mazurka.errors import ErrorCode
from mazurka.files import is_source
from mazurka.report import as_text
from mazurka.testing import parse_litmus
from mazurka.tracing.values import MEANING, Computed, Result, evaluate
from profiles import some
from python_threads import can_be_traced, traced

# The columns of the table, and the models that they are about.
MODELS = {"sc": "sc", "tso": "tso", "ra": "rc11-ra", "rc11": "rc11-genmc"}
ROWS = [row for row in litmus_rows() if can_be_traced(parse_litmus(row.program))]


@pytest.mark.parametrize("row", some(ROWS, every=8), ids=lambda row: row.name)
def test_counts_are_those_of_the_table(row: LitmusRow) -> None:
    program = traced(parse_litmus(row.program))
    for column, model in MODELS.items():
        assert mazurka.check(program, model=model, races="off").complete == getattr(row, column), model


STRAIGHT = [row for row in ROWS if "if" not in row.program]


@pytest.mark.parametrize("row", some(STRAIGHT, every=16), ids=lambda row: row.name)
def test_results_are_what_was_read(row: LitmusRow) -> None:
    for execution in mazurka.explore(traced(parse_litmus(row.program)), model="rc11"):
        for thread, result in enumerate(execution.results, 1):
            own = [e.value for e in execution.events if e.thread == thread and e.kind == "R"]
            assert own == ([] if result is None else list(result) if isinstance(result, tuple) else [result])


def test_the_table_is_used() -> None:
    assert len(ROWS) >= 20
    assert len(STRAIGHT) >= 10


x, y = mazurka.atomic("x"), mazurka.atomic("y", -5, bits=8)
data, lock = mazurka.plain("data"), mazurka.mutex("lock")


def results(*functions: Callable[[], Any], **options: Any) -> set[tuple[object, ...]]:
    return {execution.results for execution in mazurka.explore(Threads(*functions), **options)}


def test_numbers_have_signs_and_sizes() -> None:
    def count() -> Any:
        y.store(y.load() - 120)
        z = y.load()
        return z, -z, ~z, z * 2 + 1, z & 7, z | 1, z ^ z, 3 - z, z < 0, z <= z, z > 200, z >= 3, z != 131

    z = -125  # that is what 8 bits hold
    table = (z, 125, 124, -249, z & 7, z | 1, 0, 128, 1, 1, 0, 0, 1)
    assert results(count) == {(table,)}


@pytest.mark.parametrize("op", MEANING)
def test_the_engine_computes_what_results_say(op: Any) -> None:
    """What ``results`` compute of what was read is what the engine computes."""
    numbers = (-3, 0, 1, 7)

    def compute() -> Any:
        left, right = mazurka.choose(-3, 7), mazurka.choose(-3, 7)
        mazurka.assume((left == -3) | (left == 0) | (left == 7))
        mazurka.assume((right == -3) | (right == 1))
        x.store(Computed(op, left, right))
        return left, right, x.load(), Computed(op, left, right)

    found = results(compute)
    assert len(found) == 6
    for (values,) in found:
        assert isinstance(values, tuple)
        assert values[2] == values[3]
        assert {*values[:2]} <= {*numbers}


def test_decisions_make_ways() -> None:
    def choose() -> Any:
        first = mazurka.choose(0, 3)
        if first == 0:
            return 10
        for step in range(2):
            if first == step + 2:
                return 20 + step
        return first

    assert results(choose) == {(10,), (1,), (20,), (21,)}


def test_choices_without_alternatives() -> None:
    def choose() -> Any:
        first, second = mazurka.choose(3, 3), mazurka.choose(0, 2)
        mazurka.assume(second == 1)
        return first, second

    assert results(choose) == {((3, 1),)}


def test_waiting_and_mutexes() -> None:
    def first() -> Any:
        with lock:
            data.store(data.load() + 1)
        x.store(1, "release")

    def second() -> Any:
        seen = mazurka.wait_until(lambda: x.load("acquire"))
        with lock:
            data.store(data.load() + seen)
        return data.load()

    outcome = mazurka.check(Threads(first, second))
    assert (outcome.verdict, outcome.complete, outcome.blocked) == ("verified", 1, 0)
    assert results(first, second) == {(None, 2)}


def test_a_loop_that_decides_and_writes() -> None:
    """A lock by compare-exchange: the last round counts, whatever was read before."""

    def add() -> Any:
        old = mazurka.wait_until(lambda: 1 - x.compare_exchange(0, 1, "acquire"))
        value = data.load()
        data.store(value + old)
        x.store(0, "release")
        return value

    assert results(add, add) == {(0, 1), (1, 0)}


def test_a_thread_that_waits_for_ever_is_found() -> None:
    outcome = mazurka.check(Threads(lambda: mazurka.wait_until(lambda: x.load() == 2), lambda: x.store(1)))
    assert outcome.violation is not None
    assert outcome.violation.kind == "liveness"


def test_reports_show_python() -> None:
    def fails() -> None:
        x.store(1)
        assert x.load() == 2, "never"

    def after(_: Any) -> None:
        raise AssertionError("too late")

    outcome = mazurka.check(Threads(fails, after=after))
    assert outcome.violation is not None
    assert outcome.violation.message.startswith("Assertion failed: x.load() == 2")
    text = as_text(outcome)
    assert "test_traced_programs.py" in text
    assert "T1 fails()" in text
    assert "read x: 1" in text


def test_races_are_found_and_memory_models_apply() -> None:
    outcome = mazurka.check(Threads(lambda: data.store(1), lambda: data.store(2)))
    assert outcome.violation is not None
    assert outcome.violation.kind == "race"
    assert mazurka.check(Threads(lambda: data.store(1), lambda: data.store(2)), model="sc").complete == 2


def test_what_comes_after_gets_results() -> None:
    def after(one: Any, two: Any) -> None:
        assert one + two == 1

    add = lambda: x.fetch_add(1, "relaxed")  # noqa: E731
    assert mazurka.check(Threads(add, add, after=after)).verdict == "verified"
    assert mazurka.check(Threads(add, add, after=lambda: None)).verdict == "verified"


COUNTER: list[int] = []


def changes() -> None:
    COUNTER.append(1)
    x.store(len(COUNTER))
    if x.load():
        x.store(1)


def spins() -> None:
    while x.load() == 0:
        pass


def splits() -> None:
    for _ in range(13):
        if x.load():
            y.store(1)


def wrong() -> Iterator[tuple[Callable[[], object], ErrorCode, str]]:
    """Mistakes, the code of each, and part of its message."""
    other = mazurka.atomic("x", 3)
    yield lambda: Threads(), ErrorCode.USAGE, "no threads"
    yield lambda: x.load(), ErrorCode.USAGE, "only be used inside"
    yield lambda: Threads(spins), ErrorCode.ENDLESS_LOOP, "may never end"
    yield lambda: Threads(splits), ErrorCode.TOO_LARGE, "ways through 'splits'"
    yield lambda: Threads(changes), ErrorCode.UNSUPPORTED, "does not do the same"
    yield lambda: Threads(lambda: mazurka.wait_until(lambda: 0)), ErrorCode.ENDLESS_LOOP, "never true"
    yield lambda: Threads(lambda: x.load("release")), ErrorCode.BAD_VALUE, "a load cannot be 'release'"
    yield lambda: Threads(lambda: x.store(1, "acquire")), ErrorCode.BAD_VALUE, "a store cannot be"
    yield lambda: Threads(lambda: mazurka.fence("relaxed")), ErrorCode.BAD_VALUE, "a fence cannot be"
    yield lambda: Threads(lambda: x.store("a")), ErrorCode.BAD_VALUE, "is not a number"  # type: ignore[arg-type]
    yield lambda: Threads(lambda: range(x.load())), ErrorCode.UNSUPPORTED, "is not supported on a value"
    yield lambda: Threads(lambda: x.load() // 2), ErrorCode.UNSUPPORTED, "is not supported on a value"
    yield lambda: mazurka.atomic("x", bits=7), ErrorCode.BAD_VALUE, "7 bits"
    yield lambda: mazurka.atomic("not a name"), ErrorCode.BAD_VALUE, "is not a name"
    yield lambda: Threads(x.load, other.load), ErrorCode.DEFINED_TWICE, "two variables are called 'x'"
    yield lambda: Threads(x.load, after=lambda a, b: None), ErrorCode.USAGE, "does not take 1 value"
    yield lambda: Threads(lambda: (1, 2), after=lambda a: None), ErrorCode.UNSUPPORTED, "returns several"
    yield lambda: Threads(lambda: mazurka.choose(2, 1)), ErrorCode.BAD_VALUE, "2 is greater than 1"
    any_x: Any = x
    yield lambda: mazurka.atomic(any_x), ErrorCode.BAD_VALUE, "is not a name"
    yield lambda: mazurka.mutex(any_x), ErrorCode.BAD_VALUE, "is not a name"
    yield lambda: Threads(lambda: any_x.load(["acquire"])), ErrorCode.BAD_VALUE, "a load cannot be"
    yield lambda: Threads(lambda: any_x.compare_exchange(0, 1, [])), ErrorCode.BAD_VALUE, "cannot be '[]'"
    yield lambda: Threads(lambda: any_x.compare_exchange(0, "1")), ErrorCode.BAD_VALUE, "'1' is not a number"
    yield lambda: Threads(lambda: any_x.store(1.5)), ErrorCode.BAD_VALUE, "1.5 is not a number"
    yield lambda: Threads(lambda: x.store(1 << 32)), ErrorCode.BAD_VALUE, "cannot hold 4294967296: it has 32"
    yield lambda: Threads(lambda: x.fetch_sub(-(1 << 31) - 1)), ErrorCode.BAD_VALUE, "cannot hold -2147483649"
    yield lambda: Threads(lambda: x.compare_exchange(1 << 32, 0)), ErrorCode.BAD_VALUE, "'x' cannot hold"
    yield lambda: Threads(lambda: mazurka.plain("p", bits=8).store(256)), ErrorCode.BAD_VALUE, "it has 8 bits"
    yield lambda: Threads(lambda: any_x.load() + "1"), ErrorCode.BAD_VALUE, "'1' is not a number"
    yield lambda: Threads(lambda: mazurka.wait_until(lambda: any_x)), ErrorCode.BAD_VALUE, "is not a number"
    yield lambda: Threads(lambda: mazurka.choose(0, any_x)), ErrorCode.BAD_VALUE, "is not a number"
    yield lambda: Threads(lambda: mazurka.choose(0, any_x.load())), ErrorCode.BAD_VALUE, "that are known"
    yield lambda: Threads(lambda: mazurka.wait_until(any_x)), ErrorCode.BAD_VALUE, "is not a function"
    yield lambda: Threads(lambda: "done"), ErrorCode.BAD_VALUE, "'<lambda>' returns 'done', which is not a"
    yield lambda: Threads(any_x), ErrorCode.BAD_VALUE, "is not a function"
    yield lambda: Threads(x.load, after=any_x), ErrorCode.BAD_VALUE, "is not a function"
    yield lambda: Threads(lambda: any_x == 1), ErrorCode.BAD_VALUE, "'x' is a variable, not its value"
    yield lambda: Threads(lambda: 1 if any_x else 2), ErrorCode.BAD_VALUE, "'x' is a variable, not its value"
    yield lambda: Threads(lambda: any_x + 1), ErrorCode.BAD_VALUE, "'x' is a variable, not its value"
    yield lambda: Threads(lambda: any_x < 1), ErrorCode.BAD_VALUE, "'x' is a variable, not its value"
    yield lambda: Threads(lambda: bool(lock)), ErrorCode.BAD_VALUE, "'lock' is a mutex, not a value"
    yield lambda: Threads(lambda: any_x), ErrorCode.BAD_VALUE, "returns atomic('x'), which is not a number"
    yield (
        lambda: Threads(lambda: 1 if any_x.load == 1 else 2),
        ErrorCode.BAD_VALUE,
        "'x.load' is a method, not",
    )
    yield (
        lambda: Threads(lambda: 1 if not any_x.load else 2),
        ErrorCode.BAD_VALUE,
        "'x.load' is a method, not",
    )
    yield lambda: Threads(lambda: any_x.load + 1), ErrorCode.BAD_VALUE, "'x.load' is a method, not"
    yield lambda: Threads(lambda: y.store(any_x.load)), ErrorCode.BAD_VALUE, "x.load is not a number"
    yield lambda: Threads(lambda: any_x.load), ErrorCode.BAD_VALUE, "returns x.load, which is not a number"
    yield lambda: Threads(lambda: (x.load(), any_x.store(1))), ErrorCode.BAD_VALUE, "None beside other values"
    yield lambda: Threads(lambda: (yield x.load())), ErrorCode.BAD_VALUE, "'<lambda>' is a generator"
    yield lambda: Threads(lambda: 5 % any_x.load()), ErrorCode.UNSUPPORTED, "is not supported on a value"
    yield lambda: Threads(lambda: 1 << any_x.load()), ErrorCode.UNSUPPORTED, "is not supported on a value"
    yield (
        lambda: Threads(lambda: mazurka.choose(0, 2**64)),
        ErrorCode.BAD_VALUE,
        "18446744073709551616 does not",
    )
    yield lambda: Threads(lambda: mazurka.choose(0, 10**30)), ErrorCode.BAD_VALUE, "does not fit 64 bits"
    yield lambda: Threads(lambda: x.load() == 2**70), ErrorCode.BAD_VALUE, "does not fit 64 bits"
    yield lambda: Threads(lambda: x.load() - (-(2**63) - 1)), ErrorCode.BAD_VALUE, "does not fit 64 bits"
    yield lambda: Threads(lambda: 2**70), ErrorCode.BAD_VALUE, "does not fit 64 bits"
    yield lambda: Threads(lambda: x.load() == 10**5000), ErrorCode.BAD_VALUE, "a number of 16610 bits does"
    yield lambda: Threads(lambda: x.store(10**5000)), ErrorCode.BAD_VALUE, "'x' cannot hold a number of 16610"
    yield lambda: Threads(lambda: x.load() in {1, 2}), ErrorCode.UNSUPPORTED, "is not supported on a value"
    yield lambda: Threads(lambda: {0: 1}[any_x.load()]), ErrorCode.UNSUPPORTED, "is not supported on a value"
    yield lambda: Threads(any_x.store), ErrorCode.USAGE, "'store' cannot be called without arguments"


@pytest.mark.parametrize(("mistake", "code", "words"), list(wrong()))
def test_mistakes_have_a_reason_and_a_cure(
    mistake: Callable[[], object], code: ErrorCode, words: str
) -> None:
    with pytest.raises(MazurkaError) as caught:
        mistake()
    assert caught.value.code == code
    assert words in caught.value.message
    assert caught.value.hint
    assert caught.value.place is not None
    assert caught.value.place.file.endswith("test_traced_programs.py")
    assert " lambda:" in linecache.getline(__file__, caught.value.place.line) or code in OF_FUNCTIONS


OF_FUNCTIONS = (ErrorCode.ENDLESS_LOOP, ErrorCode.TOO_LARGE, ErrorCode.UNSUPPORTED)  # told where these are


def test_what_is_no_program() -> None:
    program: Any = object()
    with pytest.raises(mazurka.UsageError, match="a program cannot be of type"):
        mazurka.check(program)


def test_a_mistake_is_told_where_it_is_made() -> None:
    def reads() -> None:
        x.store(1)
        x.load("aquire")

    with pytest.raises(mazurka.UsageError) as caught:
        Threads(x.load, reads)
    place = caught.value.place
    assert place is not None
    assert linecache.getline(__file__, place.line).strip() == 'x.load("aquire")'
    assert str(caught.value).startswith(f"{place}: error: a load cannot be 'aquire'")
    assert (caught.value.hint or "").startswith(
        "did you mean 'acquire'? use one of: relaxed, acquire, seq_cst"
    )


def test_source_is_told_from_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "int main(void) { return 0; }"
    assert mazurka.check(text).verdict == "verified"
    assert is_source("int main(void)\n")
    assert not is_source("int main.c")
    monkeypatch.chdir(tmp_path)
    Path(text).write_text("int main(void) { return missing(); }", encoding="utf-8")
    assert not is_source(text)


def test_values_evaluate_as_they_are_shown() -> None:
    value = Computed(next(iter(MEANING)), Result(0), Result(1))
    assert evaluate(value, {0: 2, 1: 3}) == 5
    assert repr(value) == "(r0 ADD r1)"


@pytest.mark.parametrize("initial", [1 << 40, -(1 << 31) - 1, "1", 1.5, True])
def test_what_a_variable_cannot_begin_with(initial: Any) -> None:
    with pytest.raises(mazurka.UsageError, match="cannot begin with"):
        mazurka.atomic("x", initial)
    assert mazurka.atomic("x", (1 << 32) - 1).place.bits == 32


def test_numbers_that_just_fit() -> None:
    byte = mazurka.atomic("byte", bits=8)

    def store() -> tuple[mazurka.Value, ...]:
        byte.store(255)
        first = byte.exchange(-128)
        return first, byte.load() + 0

    (execution,) = mazurka.explore(Threads(store), model="sc")
    assert execution.results == ((-1, -128),)


def test_variables_can_be_compared_outside_of_threads() -> None:
    assert x
    assert x != y
    assert x in [y, x]
    assert {x: 1}[x] == 1


def test_after_takes_any_number_of_values() -> None:
    seen: list[int] = []
    Threads(lambda: 1, lambda: 2, after=lambda *given: seen.append(len(given)))
    assert set(seen) == {2}


@pytest.mark.parametrize(
    "option",
    [{"cflags": ["-DN=3"]}, {"volatile": "relaxed"}, {"nondet": "0..3"}, {"stubs": ["rand=zero"]}],
    ids=lambda option: next(iter(option)),
)
def test_options_of_the_compiler_are_refused(option: dict[str, Any]) -> None:
    with pytest.raises(MazurkaError, match="applies to programs in C") as refused:
        mazurka.check(Threads(x.load), **option)
    assert refused.value.code is ErrorCode.BAD_VALUE
    with pytest.raises(MazurkaError, match="applies only to programs in files"):
        mazurka.check("int main(void) { return 0; }", compile_commands="build")
