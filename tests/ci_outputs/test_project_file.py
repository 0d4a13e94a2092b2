"""``mazurka.toml``: what it may say, what is wrong with others, and the answers for all its programs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from mazurka.cli.commands import main
from mazurka.cli.project_file import read_project
from mazurka.errors import MazurkaError
from mazurka.expectations import Result
from schemas import read_junit, read_sarif

RACY = """// expect[rc11]: violation=race
// expect[sc]: verified
// mazurka: -- -DTIMES=1
#include <pthread.h>
int n;
void *add(void *a) { n += TIMES; return a; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    n++;
    return pthread_join(t, 0);
}
"""
ODD = "// What it is.\n// expect[rc12]: verified\nint main(void) { return 0; }\n"
FINE = "#ifdef WANTED\nint main(void) { return 0; }\n#endif\n"
CUT = "#include <stdatomic.h>\n#include <pthread.h>\natomic_int n;\n" + (
    "void *run(void *a) { while (n < 3) n++; return a; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); n = 5; return 0; }\n"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of three programs; tests write what it says."""
    for name, text in (("racy.c", RACY), ("fine.c", FINE), ("cut.c", CUT), ("odd.c", ODD)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(text: str) -> str:
    Path("mazurka.toml").write_text(text, encoding="utf-8")
    return "mazurka.toml"


FINE_ENTRY = '[[program]]\nfiles = ["fine.c"]\ncflags = ["-DWANTED"]\n'
IN_RACY = '[[program]]\nfiles = ["racy.c"]\nexpect = "in-file"\n'
RACY_ENTRY = '[[program]]\nfiles = ["racy.c"]\ncflags = ["-DTIMES=1"]\n'


def test_options_are_those_of_the_command() -> None:
    text = '[defaults]\ntime-limit = 5\nmodel = "tso"\n[[program]]\nname = "p"\nfiles = ["a.c", "b.c"]\n'
    text += 'models = ["sc", "rc11"]\nunroll = "push=3"\nno-liveness = true\nstrict = false\n'
    text += 'stub = ["f=zero", "g=skip"]\ncflags = ["-DX"]\n'
    first, second = read_project(write(text)).checks
    assert (first.name, first.model, second.model) == ("p", "sc", "rc11")
    assert first.arguments[:2] == ("a.c", "b.c")
    given = first.arguments[2:]
    assert set(given[:-2]) == {
        *("--unroll=push=3", "--time-limit=5", "--no-liveness", "--stub=f=zero", "--stub=g=skip")
    }
    assert given[-2:] == ("--", "-DX")


def test_expectations_may_differ_by_model_and_stand_in_files() -> None:
    text = '[[program]]\nfiles = ["racy.c"]\nmodels = ["sc", "rc11"]\nexpect = { rc11 = "violation=race" }\n'
    text += '[[program]]\neach = "rac*.c"\nexpect = "in-file"\n'
    checks = read_project(write(text)).checks
    race, verified = Result("violation", "race"), Result("verified")
    assert [check.expected for check in checks] == [None, race, race, verified]
    assert checks[2].arguments == ("racy.c", "--", "-DTIMES=1")


@pytest.mark.parametrize(
    ("text", "line", "words", "cure"),
    [
        ("nonsense = 3\n" + FINE_ENTRY, 1, "no key 'nonsense'", "time-budget, defaults, program"),
        (FINE_ENTRY + "unrol = 3\n", 4, "[[program]] has no key 'unrol'", "did you mean 'unroll'?"),
        (FINE_ENTRY + RACY_ENTRY + "\nmodles = []\n", 8, "no key 'modles'", "did you mean 'models'?"),
        ("[defaults]\nfiles = []\n" + FINE_ENTRY, 2, "[defaults] has no key 'files'", "are model, models,"),
        (FINE_ENTRY + 'json = "x"\n', 4, "no key 'json'", "give --json on the command line"),
        (FINE_ENTRY + "strict = 3\n", 4, "'strict' must be true or false", "strict = true"),
        (FINE_ENTRY + 'expect = "fine"\n', 4, "cannot read the verdict of: fine", "verified"),
        (FINE_ENTRY + "expect = 1\n", 4, "not an expectation", "verified"),
        ('[[program]]\nname = "x"\n', 1, "either 'files'", "each"),
        ('[[program]]\nfiles = ["a.c"]\neach = "a.c"\n', 1, "either 'files'", "each"),
        ('[[program]]\neach = "none*.c"\n', 2, "no file matches 'none*.c'", "relative"),
        ("[[program]]\nfiles = [3]\n", 2, "must be a list of strings", "files"),
        ("[[program]]\nfiles = []\n", 2, "no files are listed", "program.c"),
        (FINE_ENTRY + 'model = "sc"\nmodels = ["tso"]\n', 4, "'model' and 'models'", "keep one"),
        ("time-budget = -1\n" + FINE_ENTRY, 1, "positive number", "600"),
        ("# empty\n", 1, "no programs are listed", "[[program]]"),
        ("[program]\nfiles = []\n", 1, "array of tables", "[[program]]"),
        ("defaults = 3\n", 1, "must be a table", "[defaults]"),
        (FINE_ENTRY + 'files = ["b.c"]\n', 4, "the same key is given twice", "keep one of them"),
        (FINE_ENTRY + 'html = "x"\n', 4, "no key 'html'", "it applies to a single program"),
        (
            FINE_ENTRY + 'expect-outcome = "x == 1"\n',
            4,
            "no key 'expect-outcome'",
            "applies to a single program",
        ),
        ("[[program]]\nfiles = [\n", 2, "this is not TOML", "brackets"),
        ('[[program]]\nfiles = ["fine.c"]\nexpect = "in-file"\n', 3, "no expectation", "expect[rc11]"),
        (FINE_ENTRY + "unroll = { a = 1 }\n", 4, "must be a string or a number", "unroll"),
        (FINE_ENTRY + "unroll = [3, 4]\n", 4, "must be a string or a number", "unroll"),
        (FINE_ENTRY + 'unroll = ""\n', 4, "'unroll' must not be empty", "leave it out"),
        (FINE_ENTRY + 'model = ""\n', 4, "'model' must not be empty", "leave it out"),
        ('[[program]]\nfiles = [""]\n', 2, "'files' must not be empty", "leave it out"),
        (FINE_ENTRY + 'models = ["sc", "tso", "sc"]\n', 4, "the model 'sc' is listed twice", "once"),
        (FINE_ENTRY + "name = 3\n", 4, "'name' must be a string on one line", "queue"),
        (FINE_ENTRY + 'name = "a\\nb"\n', 4, "'name' must be a string on one line", "queue"),
        (
            FINE_ENTRY + 'expect = "violation=rase"\n',
            4,
            "no kind of violation 'rase'",
            "did you mean 'race'?",
        ),
        (FINE_ENTRY + 'expect = { rc11 = "verifed" }\n', 4, "cannot read the verdict of: verifed", "bounded"),
        (FINE_ENTRY + 'expect = { sc = "verified" }\n', 4, "is expected under 'sc'", '"sc"'),
        ('[defaults]\nmodel = "sc"\nmodels = ["tso"]\n' + FINE_ENTRY, 2, "'model' and 'models'", "keep one"),
        ("time_budget = 3\n" + FINE_ENTRY, 1, "no key 'time_budget'", "did you mean 'time-budget'?"),
        ("[[programs]]\nfiles = []\n", 1, "no key 'programs'", "did you mean 'program'?"),
        (
            IN_RACY + 'models = ["tso", "pso"]\n',
            4,
            "what it expects under 'tso' and 'pso'",
            "[tso,pso]",
        ),
        (IN_RACY + 'models = ["rc11", "tso"]\n', 4, "expects under 'tso'", "// expect[tso]: verified"),
        (IN_RACY + 'model = "tso"\n', 4, "expects under 'tso'", "list other models"),
        ('[defaults]\nmodels = ["tso"]\n' + IN_RACY, 2, "expects under 'tso'", "list other models"),
        (FINE_ENTRY + IN_RACY + 'models = ["tso"]\n', 7, "expects under 'tso'", "list other models"),
        (FINE_ENTRY + 'model = "sparc"\n', 4, "no model 'sparc'", "the models are"),
        (FINE_ENTRY + 'models = ["sc", "rc12"]\n', 4, "no model 'rc12'", "did you mean 'rc11'?"),
        (FINE_ENTRY + 'races = "rc12"\n', 4, "no model 'rc12'", "did you mean 'rc11'?"),
        (FINE_ENTRY + 'unroll = "two"\n', 4, "'two' is not a loop bound", "give unroll a number"),
        (FINE_ENTRY + "time-limit = 0\n", 4, "a time limit of 0 s is out of range", "positive"),
        ("[defaults]\ntime-limit = 0\n" + FINE_ENTRY, 2, "a time limit of 0 s is out of range", "positive"),
        (FINE_ENTRY + 'workers = "x"\n', 4, "workers: 'x' is not a whole number", "keys here"),
        (FINE_ENTRY + 'symmetry = "x"\n', 4, "symmetry: invalid choice: 'x'", "keys here"),
        (FINE_ENTRY + 'memory-limit = "1"\n', 4, "a memory limit of 1 byte is", "such as 2G"),
        (FINE_ENTRY + 'stub = ["f"]\n', 4, "'f' does not say what", "rand=nondet"),
        (
            '[[program]]\nfiles = ["odd.c"]\nexpect = "in-file"\n',
            2,
            "no model 'rc12'",
            "did you mean 'rc11'?",
        ),
    ],
)
def test_mistakes_have_a_line_a_reason_and_a_cure(text: str, line: int, words: str, cure: str) -> None:
    with pytest.raises(MazurkaError) as caught:
        read_project(write(text))
    assert caught.value.place is not None
    assert caught.value.place.line == line
    assert words in caught.value.message
    assert cure in (caught.value.hint or "")


def test_the_usual_model_may_be_named_by_an_expectation() -> None:
    (check,) = read_project(write(FINE_ENTRY + 'expect = { rc11 = "verified" }\n')).checks
    assert (check.model, check.expected) == (None, Result("verified"))


def test_no_file_is_taken_for_an_option(folder: Path) -> None:
    (folder / "--json=fine.c").write_text("", encoding="utf-8")
    entries = '[[program]]\nfiles = ["--json=fine.c"]\n[[program]]\neach = "--*"\n'
    assert [check.arguments for check in read_project(write(entries)).checks] == [("./--json=fine.c",)] * 2


def test_each_file_has_a_name_of_its_own() -> None:
    checks = read_project(write('[[program]]\nname = "all"\neach = ["fine.c", "cut.c"]\n')).checks
    assert [check.name for check in checks] == ["all: fine.c", "all: cut.c"]


def test_error_rules_of_own_models_are_kinds(folder: Path) -> None:
    (folder / "below").mkdir()
    model = "view hb = po | rf\nexport coherence hb\nexport error stale unless fr <= hb\n"
    (folder / "below" / "mine.kat").write_text(model, encoding="utf-8")
    entry = '[[program]]\nfiles = ["fine.c"]\nmodel = "mine.kat"\nexpect = "violation=stale"\n'
    path = folder / "below" / "mazurka.toml"
    path.write_text(entry, encoding="utf-8")
    assert [check.expected for check in read_project(str(path)).checks] == [Result("violation", "stale")]
    path.write_text(entry.replace("=stale", "=steal"), encoding="utf-8")
    with pytest.raises(MazurkaError, match="no kind of violation 'steal'"):
        read_project(str(path))


def test_everything_as_it_should_be(capsys: pytest.CaptureFixture[str]) -> None:
    write(FINE_ENTRY + '[[program]]\neach = "racy.c"\nexpect = "in-file"\n')
    assert main(["check", "--junit", "j.xml", "--sarif", "s.sarif", "--json", "o.json"]) == 0
    out = capsys.readouterr().out
    assert "violation: race, as expected" in out
    assert "3 checks: all as expected" in out
    assert read_junit(Path("j.xml").read_text("utf-8")).get("failures") == "0"
    (result,) = read_sarif(Path("s.sarif").read_text("utf-8"))["results"]
    assert result["suppressions"][0]["justification"] == "expected: violation=race"
    objects = json.loads(Path("o.json").read_text("utf-8"))
    assert [(one["name"], one["model"], one["verdict"]) for one in objects] == [
        ("fine.c", "rc11", "verified"),
        ("racy.c", "rc11", "violation"),
        ("racy.c", "sc", "verified"),
    ]
    assert all(one["as_expected"] for one in objects)


def test_an_unexpected_violation_is_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    write(FINE_ENTRY + RACY_ENTRY)
    assert main(["check", "--junit", "j.xml"]) == 1
    out = capsys.readouterr().out
    assert "The execution, one column per thread" in out
    assert "2 checks: 1 as expected, 1 not" in out
    root = read_junit(Path("j.xml").read_text("utf-8"))
    assert (root.get("tests"), root.get("failures")) == ("2", "1")


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        (FINE_ENTRY + 'expect = "violation=race"\n', 1, "expected violation=race, found verified"),
        (FINE_ENTRY + 'expect = "verified complete=7"\n', 1, "found verified complete=1"),
        ('[[program]]\nfiles = ["fine.c"]\n', 2, "error: no-main"),
        ('[[program]]\nfiles = ["cut.c"]\nunroll = 1\n', 3, "bounded"),
        ('[[program]]\nfiles = ["cut.c"]\nunroll = 1\nallow-bounded = true\n', 0, "bounded"),
        ('[[program]]\nfiles = ["cut.c"]\nunroll = 1\nexpect = "bounded"\n', 0, "bounded, as expected"),
        (RACY_ENTRY + '[[program]]\nfiles = ["fine.c"]\n', 1, "error: no-main"),
        (
            '[[program]]\nfiles = ["fine.c"]\nunroll = "nowhere=3"\n[[program]]\nfiles = ["absent.c"]\n',
            2,
            "missing",
        ),
        ("time-budget = 1e-9\n" + FINE_ENTRY, 3, "was not started: the time budget"),
        ("time-budget = 1e-9\n" + FINE_ENTRY, 3, "stopped by the time budget of 1e-09 s"),
    ],
)
def test_exit_status(text: str, status: int, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(text)
    assert main(["check", "--sarif", "s.sarif", "--junit", "j.xml"]) == status
    assert words in capsys.readouterr().out
    read_sarif(Path("s.sarif").read_text("utf-8"))
    read_junit(Path("j.xml").read_text("utf-8"))


def test_the_file_is_found_upwards_and_its_folder_counts(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(FINE_ENTRY)
    (folder / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(folder / "deep" / "er")
    assert main(["check", "--json", "o.json"]) == 0
    assert os.path.samefile(os.getcwd(), folder)
    assert (folder / "deep" / "er" / "o.json").exists()
    assert "fine.c" in capsys.readouterr().out


def test_options_of_the_command_line_win(capsys: pytest.CaptureFixture[str]) -> None:
    file = write(RACY_ENTRY + 'models = ["rc11", "tso"]\n')
    assert main(["check", file, "--model", "sc", "--json", "-"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert (answer["model"], answer["verdict"]) == ("sc", "verified")


def test_outputs_about_one_program_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    write(FINE_ENTRY)
    assert main(["check", "--property", "unreach-call", "--witness", "w.yml"]) == 2
    assert "--witness applies to a single program" in capsys.readouterr().err
    for option in ("--html", "--svg", "--dot"):
        assert main(["check", option, "picture"]) == 2
        assert f"{option} applies to a single program" in capsys.readouterr().err


def test_without_a_file_there_is_nothing_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check"]) == 2
    assert "list programs in a mazurka.toml" in capsys.readouterr().err
    assert main(["check", "fine.c", "mazurka.toml"]) == 2
    assert "cannot be checked together with source files" in capsys.readouterr().err
