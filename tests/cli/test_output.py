"""Where answers go: the exit status is right whatever happens to the streams and files that are written."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from command import mazurka, write
from mazurka.cache import disk
from mazurka.cli import terminal
from mazurka.errors import ErrorCode, UsageError
from profiles import some

TRIVIAL = "int main(void) { return 0; }\n"
FAILING = "#include <assert.h>\nint main(void) { assert(0); }\n"
RUN = [sys.executable, "-m", "mazurka"]
LEMMA = "assert po <= po\n"


def shell(directory: Path, redirection: str, *arguments: str) -> tuple[int, str]:
    """The status and standard error of a command whose streams are redirected."""
    script = f'"$@" {redirection}'
    done = subprocess.run(
        ["/bin/sh", "-c", script, "sh", *RUN, *arguments],
        cwd=directory,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done.returncode, done.stderr


COMMANDS = {
    "check": ["check", "program.c"],
    "check --json": ["check", "program.c", "--json", "-"],
    "prove": ["prove", "lemma.kat"],
    "models": ["models"],
    "models NAME": ["models", "sc"],
    "help": ["--help"],
    "help of a command": ["check", "--help"],
    "version": ["--version"],
}


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-"])
@pytest.mark.parametrize("command", some(list(COMMANDS)))
def test_an_answer_that_cannot_be_written_exits_2(command: str, redirection: str, tmp_path: Path) -> None:
    write(tmp_path, FAILING)
    write(tmp_path, LEMMA, "lemma.kat")
    status, err = shell(tmp_path, redirection, *COMMANDS[command])
    assert status == 2
    assert "[cannot-write]" in err
    assert "hint: " in err
    assert "the verdict was 'violation'" in err or not command.startswith("check")


@pytest.mark.parametrize("streams", [">&- 2>&-", ">/dev/full 2>/dev/full", "<&- >&- 2>&-"])
def test_nobody_can_be_told(streams: str, tmp_path: Path) -> None:
    write(tmp_path, TRIVIAL)
    assert shell(tmp_path, streams, "check", "program.c")[0] == 2


@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full", "<&-"])
def test_the_other_streams_do_not_matter(streams: str, tmp_path: Path) -> None:
    write(tmp_path, TRIVIAL)
    assert shell(tmp_path, f"{streams} >out", "check", "program.c")[0] == 0
    assert shell(tmp_path, f"{streams} >out", "check", "absent.c")[0] == 2


OUTPUTS = {
    "check": ["check", "program.c", "--json"],
    "check --html": ["check", "program.c", "--html"],
    "prove --json": ["prove", "lemma.kat", "--json"],
    "prove --svg": ["prove", "lemma.kat", "--svg"],
    "prove --program": ["prove", "lemma.kat", "--program"],
    "models --lattice": ["models", "--lattice", "--dot"],
}


@pytest.mark.parametrize("path", ["absent/out", ".", "lemma.kat/out", "dangling/", "a\0b"])
@pytest.mark.parametrize("command", OUTPUTS)
def test_a_path_that_cannot_be_written_is_noticed_first(
    command: str,
    path: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from mazurka.cli import commands

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "_run", lambda _: pytest.fail("the work began"))
    write(tmp_path, TRIVIAL)
    write(tmp_path, LEMMA, "lemma.kat")
    assert commands.main([*OUTPUTS[command], path]) == 2
    assert "[cannot-write]" in capsys.readouterr().err


def test_trying_a_path_leaves_nothing_and_changes_nothing(tmp_path: Path) -> None:
    terminal.check_writable(str(tmp_path / "new"), "--json")
    (tmp_path / "old").write_text("kept")
    terminal.check_writable(str(tmp_path / "old"), "--json")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("old", "kept")]


def test_an_answer_is_printed_though_its_file_cannot_be_written(tmp_path: Path) -> None:
    ran = mazurka("check", write(tmp_path, FAILING), "--json", "/dev/full")
    assert ran.status == 2
    assert ran.out.startswith("Violation under rc11: ")
    assert (
        "cannot write /dev/full: No space left on device; the verdict was 'violation' [cannot-write]"
        in ran.err
    )


def test_a_fifo_may_take_the_answer(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert mazurka("check", write(tmp_path, TRIVIAL), "--json", pipe).status == 0
    reader.join()
    assert json.loads(read[0])["verdict"] == "verified"


@pytest.mark.parametrize("columns", some(["²", "", "-5", "0", "x", "9" * 5000, " 80", "٣", "1e9"]))
def test_any_width_will_do(columns: str, tmp_path: Path) -> None:
    assert mazurka("check", write(tmp_path, FAILING), COLUMNS=columns).status == 1
    assert mazurka("check", "--help", COLUMNS=columns).status == 0


def test_a_bug_in_any_command_is_not_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from mazurka.cli import commands

    def broken(_: object) -> int:
        raise RecursionError("too deep")

    monkeypatch.setattr(commands, "_run", broken)
    for command in (["models"], ["prove", "weaker", "sc", "tso"], ["check", "program.c"]):
        assert commands.main(command) == 70
        assert "too deep [internal]" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "at",
    [
        "mazurka.cli.terminal",
        "mazurka.errors",
        "argparse",
        "mazurka.checking.check",
        "mazurka.checking.outcome",
    ],
)
def test_a_signal_while_we_load_is_no_traceback(at: str, number: signal.Signals, tmp_path: Path) -> None:
    """The signal comes when a module is about to be loaded, which is the same each time."""
    script = f"""\
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {at!r}:
            sys.meta_path.remove(self)
            exec("os.kill(os.getpid(), {int(number)})")  # as deep as where named tuples are made
sys.meta_path.insert(0, Finder())
sys.argv = ["mazurka", "check", {str(write(tmp_path, TRIVIAL))!r}]
from mazurka.__main__ import main
sys.exit(main())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert done.stderr == "mazurka: interrupted before there was an answer\n"


def test_too_little_memory_is_not_our_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from mazurka.cli import commands

    def hungry(_: object) -> int:
        raise MemoryError

    monkeypatch.setattr(commands, "_run", hungry)
    assert commands.main(["models"]) == 2
    assert "[too-large]" in capsys.readouterr().err


def test_a_signal_that_the_interpreter_wraps_is_an_interruption(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from mazurka.cli import commands

    class Late:
        def __set_name__(self, *_: object) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(commands, "_run", lambda _: type("Made", (), {"late": Late()}))
    assert commands.main(["models"]) == 3
    assert "interrupted" in capsys.readouterr().err


def test_an_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    script = f"trap '' HUP; exec {sys.executable} -c \"$1\""
    code = """\
import os, signal, sys
sys.argv = ["mazurka", "--version"]
from mazurka import __main__
__main__._end_as_by_ctrl_c()
os.kill(os.getpid(), signal.SIGHUP)
print("alive")
"""
    done = subprocess.run(["/bin/sh", "-c", script, "sh", code], capture_output=True, text=True, check=False)
    assert done.stdout == "alive\n"


def test_only_the_owner_can_read_what_is_kept(tmp_path: Path, cache: Path) -> None:
    program = write(tmp_path, TRIVIAL)
    previous = os.umask(0)
    try:
        assert mazurka("check", program).status == 0
    finally:
        os.umask(previous)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in cache.iterdir()}
    assert (stat.S_IMODE(cache.stat().st_mode), modes) == (0o700, {0o600})


def test_a_cache_that_others_may_enter_is_closed(cache: Path) -> None:
    cache.mkdir(parents=True)
    cache.chmod(0o777)
    assert disk.load("key") is None
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700


def test_a_cache_of_somebody_else_is_not_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk.store("key", {"number": 1})
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    assert disk.load("key") is None
    assert not disk.is_on()


def test_writing_to_a_bad_path_has_a_code() -> None:
    with pytest.raises(UsageError) as caught:
        terminal.write_text("/dev/full", "text")
    assert caught.value.code == ErrorCode.CANNOT_WRITE
