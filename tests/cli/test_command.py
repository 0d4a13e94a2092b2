"""The command line's contract: options, exit status, and what goes to which stream."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import started as mazurka
from command import write
from mazurka import InternalError, __version__
from mazurka.cli import commands
from mazurka.cli.check_options import memory_size
from mazurka.models.registry import machine_models, runnable_models
from profiles import some

TRIVIAL = "int main(void) { return 0; }\n"
HEADER = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
"""
FAILING = (
    HEADER
    + """\
atomic_int x;
void *writer(void *arg) { x = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  assert(x == 0);
  pthread_join(t, NULL);
}
"""
)
BOUNDED = (
    HEADER
    + """\
atomic_int x, y;
void *writer(void *arg) { x = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  for (int i = 0; i < 10 && !x; i++)
    y = i;
}
"""
)
NEVER_ENDS = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *writer(void *arg) { x = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  %s
  __VERIFIER_assert(0);
}
"""
# Nine threads that race on one counter: far more executions than any test waits for.
# Some executions fail, but the first of them comes late: the work is shared by then.
SEVERAL_FAIL = (
    HEADER
    + """\
atomic_int x;
int got[5];
void *adder(void *arg) { got[(long)arg] = x++; x++; return arg; }
int main(void) {
  pthread_t t[5];
  for (long i = 0; i < 5; i++)
    pthread_create(&t[i], NULL, adder, (void *)i);
  for (int i = 0; i < 5; i++)
    pthread_join(t[i], NULL);
  assert(got[0] < got[1] || got[1] < got[2] || got[2] < got[3]);
}
"""
)

LONG = (
    HEADER
    + """\
atomic_int x;
void *adder(void *arg) { x++; x++; x++; return arg; }
int main(void) {
  pthread_t t[9];
  for (int i = 0; i < 9; i++)
    pthread_create(&t[i], NULL, adder, NULL);
}
"""
)


def test_version_and_help() -> None:
    assert mazurka("--version").out == f"mazurka {__version__}\n"
    ran = mazurka("check", "--help")
    assert ran.status == 0
    assert "--unroll N" in ran.out


def test_models_are_listed() -> None:
    ran = mazurka("models")
    assert ran.status == 0
    names = [line.split()[0] for line in ran.out.splitlines()]
    assert names == [*runnable_models(), *machine_models()]
    assert {"sc", "tso", "pso", "ra", "rc11"} <= set(names)
    assert "c11-base" not in names, "a file without axioms is no model"


def test_the_installed_script_runs() -> None:
    script = shutil.which("mazurka", path=str(Path(sys.executable).parent))
    assert script is not None
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"mazurka {__version__}\n"


def test_starting_up_loads_no_compiler_and_no_model_language() -> None:
    code = """\
import contextlib, sys, mazurka.cli.commands
with contextlib.suppress(SystemExit):
    mazurka.cli.commands.main(["--help"])
late = [name for name in sys.modules if name.startswith(("llvmlite", "mazurka._engine", "mazurka.kat"))]
sys.exit(", ".join(late) or 0)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "--version" in done.stdout


def test_verified_exits_0(tmp_path: Path) -> None:
    ran = mazurka("check", write(tmp_path, TRIVIAL))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(
        "Verified under rc11: no violation in any execution (1 complete execution, 0 blocked"
    )


def test_a_violation_exits_1_and_tells_the_execution(tmp_path: Path) -> None:
    path = write(tmp_path, FAILING)
    ran = mazurka("check", path)
    assert ran.status == 1
    assert ran.err == ""
    assert f"{path}:11:" in ran.out
    assert "T1 writer(…)" in ran.out
    assert "x = 1" in ran.out
    assert "read x: 1  ← T1:7" in ran.out


def test_bounded_exits_3_and_names_the_loop(tmp_path: Path) -> None:
    path = write(tmp_path, BOUNDED)
    ran = mazurka("check", "--unroll", "3", path)
    assert ran.status == 3
    assert ran.out.startswith("Bounded under rc11: ")
    assert f"{path}:11: the loop in main was cut" in ran.out
    assert mazurka("check", "--unroll", "3", "--allow-bounded", path).status == 0
    assert mazurka("check", "--unroll", "20", path).status == 0


def test_a_vacuous_answer_says_so(tmp_path: Path) -> None:
    path = write(tmp_path, NEVER_ENDS % "__VERIFIER_assume(x == 2);")
    ran = mazurka("check", path)
    assert ran.status == 0
    assert ran.out.startswith("Verified under rc11, but vacuously: no execution ran to its end (0 complete ")
    assert mazurka("check", "--fail-on-vacuous", path).status == 3
    assert json.loads(mazurka("check", "--json", "-", path).out)["vacuous"] is True
    fine = write(tmp_path, TRIVIAL, "fine.c")
    assert mazurka("check", "--fail-on-vacuous", fine).status == 0
    assert json.loads(mazurka("check", "--json", "-", fine).out)["vacuous"] is False


def test_a_bound_that_cuts_everything_is_not_allowed(tmp_path: Path) -> None:
    path = write(tmp_path, NEVER_ENDS % "while (x != 2);")
    ran = mazurka(
        "check", "--no-spin-assume", "--no-dynamic-spin-assume", "--unroll", "3", "--allow-bounded", path
    )
    assert ran.status == 3
    assert ran.out.startswith(
        "Bounded under rc11: no violation found, but a loop bound cut every execution (0 "
    )


def test_json_to_standard_output_is_the_only_output(tmp_path: Path) -> None:
    ran = mazurka("check", "--json", "-", write(tmp_path, FAILING))
    assert ran.status == 1
    value = json.loads(ran.out)
    assert value["verdict"] == "violation"
    assert value["violation"]["location"]["line"] == 11


def test_json_to_a_file_comes_with_the_text(tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    ran = mazurka("check", write(tmp_path, TRIVIAL), "--json", result)
    assert ran.out.startswith("Verified")
    assert ran.out.endswith(f"\nwritten: {result}\n")
    assert json.loads(result.read_text())["executions"]["complete"] == 1


def test_an_error_in_json_mode_is_json_too(tmp_path: Path) -> None:
    ran = mazurka("check", "--json", "-", tmp_path / "absent.c")
    assert ran.status == 2
    assert json.loads(ran.out)["error"]["code"] == "missing-file"
    assert "[missing-file]" in ran.err


def test_verbose_shows_what_the_program_prints(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + 'int main(void) { printf("n = %d\\n", 42); }\n')
    assert "n = 42" not in mazurka("check", path).out
    assert "main │ n = 42" in mazurka("check", "--verbose", path).out


def test_flags_after_the_dashes_go_to_the_compiler(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "int main(void) { assert(N == 3); }\n")
    assert mazurka("check", path, "--", "-DN=3").status == 0
    assert mazurka("check", path, "--", "-DN=4").status == 1


def test_a_time_limit_gives_a_partial_answer(tmp_path: Path) -> None:
    ran = mazurka("check", "--time-limit", "0.2", write(tmp_path, LONG))
    assert ran.status == 3
    assert ran.out.startswith("Interrupted under rc11: no violation so far")
    assert "the exploration did not finish: stopped by --time-limit 0.2 (" in ran.out


def is_exploring(process: int) -> bool:
    """Whether a process has done more than starting takes."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12]) > 1.5 * os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(("workers", "number"), some([("2", "SIGINT"), ("1", "SIGTERM"), ("5", "SIGHUP")]))
def test_ctrl_c_and_its_kin_give_a_partial_answer(workers: str, number: str, tmp_path: Path) -> None:
    # The signal may be ignored where the tests are run, and processes inherit that.
    start = f"import signal; signal.signal(signal.{number}, signal.default_int_handler)"
    call = f"import sys; from mazurka.__main__ import main; {start}; sys.exit(main())"
    path = str(write(tmp_path, LONG))
    mazurka("check", "--time-limit", "30", "--memory-limit", "1M", path)  # compiles it
    command = [sys.executable, "-c", call, "check", "--workers", workers, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not is_exploring(process.pid):
            time.sleep(0.05)
        process.send_signal(getattr(signal, number))
        out, err = process.communicate(timeout=300)
    assert process.returncode == 3, (out, err)
    assert "Traceback" not in err
    assert out.startswith("Interrupted under rc11: ")
    assert "stopped by Ctrl-C or another signal (" in out


def test_no_colour_outside_a_terminal(tmp_path: Path) -> None:
    assert "\x1b[" not in mazurka("check", write(tmp_path, FAILING)).out


def test_the_table_follows_columns(tmp_path: Path) -> None:
    ran = mazurka("check", write(tmp_path, FAILING), COLUMNS="50")
    table = ran.out.split("time running down:")[1]
    assert max(map(len, table.splitlines())) <= 50


def test_an_encoding_without_our_characters_still_works(tmp_path: Path) -> None:
    assert mazurka("check", write(tmp_path, FAILING), PYTHONIOENCODING="ascii").status == 1


@pytest.mark.parametrize("workers", ["0", "-1", "9999999999999999999999", "two"])
def test_a_number_of_workers_is_checked(workers: str, tmp_path: Path) -> None:
    ran = mazurka("check", f"--workers={workers}", write(tmp_path, TRIVIAL))
    assert ran.status == 2
    assert "[bad-value]" in ran.err
    assert "hint: " in ran.err


NUMBERS = {
    "check": ("--workers", "--unroll", "--schedule-seed", "--time-limit", "--memory-limit"),
    "prove": ("--time-limit", "--memory-limit"),
}
STRANGE = ("", "1e400", "nan", "-inf", "-1", "9" * 400, "²", "2X", "M", "0x10")


@pytest.mark.parametrize(
    ("command", "option"), [(command, option) for command, options in NUMBERS.items() for option in options]
)
def test_strange_numbers_are_bad_values(
    command: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in STRANGE:
        assert commands.main([command, "any.c", f"{option}={number}"]) == 2, number
        assert "[bad-value]" in capsys.readouterr().err, number


def test_memory_sizes_have_units() -> None:
    sizes = {"4096": 4096, "1K": 1024, "500M": 500 << 20, "2g": 2 << 30, "1.5T": 3 << 39}
    assert {text: memory_size(text) for text in sizes} == sizes


def test_workers_change_nothing_in_the_report(tmp_path: Path) -> None:
    path = write(tmp_path, SEVERAL_FAIL)
    reports = [json.loads(mazurka("check", "--json", "-", "--workers", n, path).out) for n in ("1", "2", "4")]
    for report in reports:
        del report["seconds"]
    assert reports[0]["violation"]["kind"] == "assertion"
    assert reports[0] == reports[1] == reports[2]


@pytest.mark.parametrize("seed", ["0", "7", "123456789"])
def test_a_schedule_seed_changes_no_count(seed: str, tmp_path: Path) -> None:
    path = write(tmp_path, FAILING.replace("assert(x == 0)", "(void)x"))
    value = json.loads(mazurka("check", "--json", "-", "--schedule-seed", seed, path).out)
    assert (value["executions"]["complete"], value["executions"]["blocked"]) == (2, 0)


def test_our_bug_exits_70_and_says_how_to_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise InternalError("an invariant broke", hint="this is a bug in Mazurka")

    monkeypatch.setattr(commands, "check", broken)
    path = write(tmp_path, TRIVIAL)
    assert commands.main(["check", str(path)]) == 70
    err = capsys.readouterr().err
    assert "an invariant broke [internal]" in err
    assert f"replay: mazurka check {path}" in err
