"""Imports between rooms (packages): which may import which. A wrong import fails here, not in a review."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from mazurka.cache import disk
from tree import ENGINE, PACKAGE, ROOT

# A room is a package, at most two levels below mazurka, or a module directly under it; "mazurka" is the
# package's own __init__. The table is exact: an import that is no longer used must be removed.
ARROWS = """
    __main__: cli
    api: checking errors files kat.language litmus litmus.running models pictures pictures.executions
    prover.questions repair report why_not.programs
    cache: errors excerpts files frontend frontend.c frontend.linking kat.language kat.meaning kat.planning
    mazurka models program soundness
    checking: _engine cache checking.refused deadline errors files frontend frontend.c held kat.meaning
    machine mazurka models program program.flow spelling unfinished
    checking.refused:
    cli: _engine cache checking counterexamples errors excerpts expectations files kat.language
    kat.meaning kat.planning litmus litmus.running mazurka models pages pictures pictures.executions
    prover prover.questions repair replay report report.ci spelling watching why_not why_not.programs
    witness
    counterexamples: checking errors kat.meaning pictures prover prover.refuting prover.theory
    deadline: errors
    errors: mazurka
    excerpts:
    expectations: checking errors kat.language models pages spelling
    files:
    frontend: errors files frontend.analysis frontend.c frontend.cleaning frontend.cpp frontend.libc
    frontend.linking frontend.llvm frontend.lowering program program.passes
    frontend.analysis: deadline frontend.llvm program.sync_objects
    frontend.assembly: deadline program program.flow
    frontend.c: errors excerpts files
    frontend.cleaning: errors frontend.c frontend.llvm frontend.lowering
    frontend.cpp: frontend.c frontend.linking frontend.llvm program.flow
    frontend.inline: frontend.llvm frontend.lowering program
    frontend.libc: frontend.c frontend.linking frontend.llvm
    frontend.library: frontend.assembly frontend.c frontend.llvm frontend.lowering program
    program.sync_objects
    frontend.linking: deadline errors frontend.c frontend.cleaning frontend.llvm
    frontend.llvm: deadline errors frontend.c program program.flow
    frontend.lowering: deadline errors frontend.analysis frontend.assembly frontend.c frontend.inline
    frontend.library frontend.llvm program
    held: cache errors frontend frontend.c program
    kat:
    kat.automata: _engine deadline kat.meaning
    kat.cat: errors kat.meaning spelling
    kat.language: errors files kat.cat kat.meaning models spelling
    kat.meaning: errors excerpts program program.flow
    kat.planning: deadline kat.automata kat.meaning program program.flow
    litmus: errors files mazurka litmus.c litmus.machines litmus.meaning litmus.text
    litmus.c: litmus.meaning litmus.text program
    litmus.machines: errors litmus.meaning litmus.text program
    litmus.meaning: errors program
    litmus.running: _engine cache checking errors files kat.meaning kat.planning litmus.meaning models
    pictures program program.passes
    litmus.text: errors excerpts litmus.meaning spelling
    machine:
    mazurka: api checking errors frontend held program tracing watching
    models: errors mazurka spelling
    pages: errors spelling
    pictures:
    pictures.executions: checking errors kat.language kat.meaning pictures program reference
    reference.running report why_not.programs
    program:
    program.flow: deadline program
    program.passes: deadline program program.flow
    program.sync_objects: program
    prover: prover.deciding prover.theory
    prover.deciding: _engine kat.meaning machine prover.refuting prover.theory
    prover.questions: errors kat.language kat.meaning machine models prover prover.deciding prover.theory
    spelling
    prover.refuting: _engine kat.meaning prover.theory
    prover.theory: _engine kat.language kat.meaning
    pytest_plugin: checking cli errors expectations files litmus litmus.running mazurka models report
    reference: kat.language kat.meaning program reference.running
    reference.mixing: kat.meaning program reference reference.running
    reference.running: program
    repair: checking errors files frontend.c mazurka program report
    replay: checking errors files frontend.c mazurka
    report: checking counterexamples errors excerpts frontend kat.meaning mazurka program
    program.sync_objects prover prover.questions why_not
    report.ci: checking errors mazurka program report
    soundness: deadline errors kat.automata kat.language kat.meaning kat.planning models program program.flow
    prover
    spelling:
    testing: program program.sync_objects
    tracing: checking errors program program.passes program.sync_objects spelling
    unfinished: _engine
    watching: _engine checking
    why_not: checking deadline errors files kat.meaning litmus litmus.meaning litmus.running program reference
    reference.running
    why_not.programs: checking deadline errors frontend kat.language kat.meaning litmus.meaning litmus.text
    program reference reference.running report why_not
    witness: checking files mazurka program report
"""
ALLOWED = {room: set(used.split()) for room, used in re.findall(r"(\S+):((?:\s+[\w.]+(?![\w.:]))*)", ARROWS)}
MOST_FILES = 18
# Reports and findings name places and know nothing else of the front-end.
NAMING = {"mazurka.frontend.naming"}
# The specification reads what a model states. How it is planned for the engine is what it is there to test.
REFERENCE_MAY_USE = {
    *("mazurka.kat.language.load", "mazurka.kat.meaning.denotation", "mazurka.kat.meaning.rows"),
    *("mazurka.kat.meaning", "mazurka.kat.meaning.parts", "mazurka.kat.meaning.terms"),
}
# The engine's rooms: directories and loose files under crates/engine/src. Test code may use anything.
ENGINE_ALLOWED: dict[str, set[str]] = {
    "ids": set(),
    "numbered": set(),
    "program": {"ids", "numbered"},
    "memory": {"ids", "program"},
    "vm": {"ids", "program"},
    "graph": {"ids", "numbered", "program", "vm"},
    "consistency": {"graph", "ids", "numbered"},
    "detect": {"graph", "ids", "memory", "numbered", "program", "vm"},
    "explore": {"consistency", "detect", "graph", "ids", "memory", "program", "vm"},
}
GRAPH_MAY_USE = {"vm::Snapshot"}  # an event remembers its thread's snapshot, but does not look inside
_TEST_MODULE = re.compile(r"#\[cfg\(test\)\]\s*(?:pub(?:\([\w: ]+\))? )?mod (?P<name>\w+)(?P<end>[;{ ])")
_PATH = re.compile(r"\bcrate::(?P<path>\w+(?:::\w+)*)(?P<group>::\{[^;]*\})?")
_HIDDEN_PATH = re.compile(r"\bcrate::\{|\bsuper::super::")
# All shipped models (of `sc` only the long name: it is also a mode), and some that are to come.
SHIPPED = sorted({path.stem for path in (PACKAGE / "models").glob("*.kat")} - {"sc"})
MODEL_NAMES = re.compile(
    rf"\b({'|'.join(SHIPPED)}|imm|arm(?:v[78])?|power|riscv|lkmm|sequential\w*)\b", re.IGNORECASE
)


def room_of(module: str) -> str:
    """The room of a module, or of a name in one: ``mazurka.kat.meaning.terms`` is in ``kat.meaning``."""
    parts = module.split(".")[1:]
    for length in (2, 1):
        room = parts[:length]
        if len(room) == length and PACKAGE.joinpath(*room).is_dir():
            return ".".join(room)
    is_module = parts and (parts[0] == "_engine" or PACKAGE.joinpath(parts[0]).with_suffix(".py").is_file())
    return parts[0] if is_module else "mazurka"


def module_of(path: Path) -> str:
    """The full name of a file's module; a package is called by its name alone."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(["mazurka", *(parts[:-1] if parts[-1] == "__init__" else parts)])


def imports(path: Path) -> set[str]:
    """The full names of what a file imports from this package, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports say the whole name"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] == "mazurka"}


SOURCES = sorted(PACKAGE.rglob("*.py"))


def arrows() -> dict[str, set[str]]:
    """Every room of the package, with the rooms that it imports."""
    found: dict[str, set[str]] = {}
    for path in SOURCES:
        room = room_of(module_of(path))
        found.setdefault(room, set()).update(map(room_of, imports(path)))
    return {room: used - {room} for room, used in found.items()}


def test_the_arrows_are_those_of_the_table() -> None:
    """The table has every import, and no unused one."""
    found = arrows()
    assert found.keys() == ALLOWED.keys(), "a new room, or one that is gone: say so in the table"
    for room, used in found.items():
        assert used == ALLOWED[room], room


def test_reports_use_only_the_names_of_the_front_end() -> None:
    speakers = [*(PACKAGE / "report").rglob("*.py"), PACKAGE / "checking" / "findings.py"]
    used = {name for path in speakers for name in imports(path) if name.startswith("mazurka.frontend")}
    assert {name.rpartition(".")[0] for name in used} <= NAMING


def test_the_reference_knows_models_and_no_plans() -> None:
    used = {name for path in (PACKAGE / "reference").rglob("*.py") for name in imports(path)}
    assert {name.rpartition(".")[0] for name in used if name.startswith("mazurka.kat")} <= REFERENCE_MAY_USE


@pytest.mark.parametrize("top", [PACKAGE, ROOT / "crates"], ids=["python", "crates"])
def test_folders_are_small_enough_to_read(top: Path) -> None:
    sources = (path for path in top.rglob("*") if path.suffix in {".py", ".rs"})
    sizes = Counter(path.parent for path in sources)
    assert {str(folder.relative_to(ROOT)): size for folder, size in sizes.items() if size > MOST_FILES} == {}


def test_models_are_data() -> None:
    """The folder has model files and the one module that finds them."""
    assert SHIPPED
    found = {str(path.relative_to(PACKAGE / "models")) for path in (PACKAGE / "models").rglob("*.py")}
    assert found == {"__init__.py", "registry.py"}


def test_a_name_means_one_thing_among_models_plans_and_proofs() -> None:
    """Rooms that are read together: a class of one has no namesake in another."""
    rooms = ("cache", "counterexamples", "kat", "models", "prover", "soundness")
    found: Counter[str] = Counter()
    for path in (path for room in rooms for path in (PACKAGE / room).rglob("*.py")):
        nodes = ast.parse(path.read_text(encoding="utf-8")).body
        found.update(node.name for node in nodes if isinstance(node, ast.ClassDef) and node.name[0] != "_")
    assert {name for name, count in found.items() if count > 1} == set()


def test_the_arrows_have_no_cycle() -> None:
    """Leaving aside the package's own face, which everything may ask for the version, and library functions:
    they emit code like all that is lowered, and calls are lowered to them."""
    faces = {"mazurka", "_engine"}
    package = {room: allowed - faces for room, allowed in ALLOWED.items() if room not in faces}
    package["frontend.lowering"] = package["frontend.lowering"] - {"frontend.inline", "frontend.library"}
    for left in (package, ENGINE_ALLOWED):
        while left:
            leaves = {room for room, allowed in left.items() if not allowed & left.keys()}
            assert leaves, f"a cycle among {sorted(left)}"
            left = {room: allowed for room, allowed in left.items() if room not in leaves}


def product_code(path: Path) -> str:
    """A Rust file without comments and without the test module at its end."""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    inline = (match.start() for match in _TEST_MODULE.finditer(text) if match["end"] != ";")
    return text[: next(inline, len(text))]


def engine_paths(path: Path) -> set[str]:
    """The items of other rooms that a Rust file names, such as ``vm::Snapshot``."""
    code = product_code(path)
    assert not _HIDDEN_PATH.search(code), "name each room on a line of its own: use crate::room::..."
    assert path.name != "mod.rs" or "super::" not in code, "above a room there is only the crate"
    found: set[str] = set()
    for match in _PATH.finditer(code):
        items = re.findall(r"\w+", match["group"]) if match["group"] else []
        found |= {f"{match['path']}::{item}" for item in items} or {match["path"]}
    return found


def _engine_sources() -> list[Path]:
    """The engine's Rust files, except tests and modules declared only for tests."""
    sources = sorted((ENGINE / "src").rglob("*.rs"))
    tests: set[Path] = set()
    for path in sources:
        modules = _TEST_MODULE.finditer(path.read_text(encoding="utf-8"))
        tests |= {path.parent / module["name"] for module in modules if module["end"] == ";"}
    return [p for p in sources if p.name != "lib.rs" and not tests & {p.with_suffix(""), *p.parents}]


@pytest.mark.parametrize("path", _engine_sources(), ids=lambda p: str(p.relative_to(ENGINE / "src")))
def test_the_engine_has_only_allowed_arrows(path: Path) -> None:
    room = path.relative_to(ENGINE / "src").with_suffix("").parts[0]
    assert room in ENGINE_ALLOWED, f"a new room, {room}: say in this table what it may use"
    used = engine_paths(path)
    assert {name.split("::")[0] for name in used} - {room} <= ENGINE_ALLOWED[room]
    if room == "graph":
        assert {name for name in used if name.startswith("vm::")} <= GRAPH_MAY_USE


def test_the_engine_knows_no_python() -> None:
    assert "pyo3" not in (ENGINE / "Cargo.toml").read_text(encoding="utf-8")
    assert not [p for p in ENGINE.rglob("*.rs") if "pyo3" in p.read_text(encoding="utf-8")]


def test_the_engine_names_no_memory_model() -> None:
    named = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted((ENGINE / "src").rglob("*.rs"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MODEL_NAMES.search(line.split("//")[0])
    ]
    assert not named


def test_every_room_that_makes_kept_things_is_in_their_key() -> None:
    """The rooms that planning, the lattice and the compilation of programs need: by the table of imports."""
    waiting, needed = ["cache", "prover.questions", "soundness"], set[str]()
    while waiting:
        room = waiting.pop()
        if room not in needed:
            needed.add(room)
            waiting += ALLOWED.get(room, set()) - {"mazurka"}
    folders = {room.split(".")[0] for room in needed if PACKAGE.joinpath(room.split(".")[0]).is_dir()}
    assert folders == set(disk._ROOMS)
