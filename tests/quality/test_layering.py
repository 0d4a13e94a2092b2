"""The arrows between rooms: who may import whom. A wrong arrow fails here, not in a review."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from mazurka import diskcache
from tree import ENGINE, PACKAGE, ROOT

# A room is a module or a package directly under mazurka; "mazurka" is the package's own __init__.
ALLOWED = {
    "errors": set(),
    "excerpts": set(),
    "deadline": {"errors"},
    "files": set(),
    "machine": set(),
    "program": set(),
    "plan": set(),
    "execution": {"program"},
    "ordering": {"execution", "program"},
    "outcome": {"execution", "program"},
    "objects": {"execution", "outcome", "program"},
    "printf": {"program"},
    "refusals": {"errors", "execution", "objects", "program"},
    "frontend": {"deadline", "errors", "files", "printf", "program"},
    "kat": {"deadline", "errors", "excerpts", "files", "program"},
    "diskcache": {"mazurka"},
    "plancache": {"diskcache", "files"},
    "planning": {"diskcache", "errors", "excerpts", "kat", "plancache", "requirements"},
    "requirements": {"deadline", "errors", "kat", "program", "prover"},
    "programdata": {"program"},
    "compiled": {"kat", "program"},
    "programcache": {"compiled", "diskcache", "files", "frontend", "program", "programdata"},
    "modelpages": {"kat", "planning", "prover"},
    "findings": {"execution", "frontend", "objects", "ordering", "outcome", "planning", "printf", "program"},
    "checking": {
        *("deadline", "machine"),
        *("_engine", "compiled", "errors", "findings", "kat", "mazurka", "outcome", "planning"),
        *("program", "programcache", "refusals"),
    },
    "report": {
        *("counterexamples", "errors", "excerpts", "execution", "frontend", "kat", "mazurka", "objects"),
        *("outcome", "printf", "program", "prover"),
    },
    "terminal": {"errors"},
    "proving": {"errors", "kat", "machine", "prover"},
    "provefiles": {"counterexamples", "errors", "prover", "proving", "terminal"},
    "latticepage": {"diskcache", "plancache", "prover", "report"},
    "proofcommands": {"errors", "latticepage", "mazurka", "provefiles", "proving", "report", "terminal"},
    "cli": {
        *(
            "checking",
            "diskcache",
            "errors",
            "mazurka",
            "modelpages",
            "outcome",
            "planning",
            "proofcommands",
        ),
        *("report", "terminal"),
    },
    # The executable specification shares the program and the model's statement, never the engine.
    "reference": {"denotation", "kat", "plan", "program", "rows"},
    # Counterexamples are evaluated by the specification's operations.
    "rows": set(),
    "denotation": {"kat", "rows"},
    "prover": {"_engine", "denotation", "errors", "kat", "machine", "rows"},
    # Shows the prover's refutations, and runs their programs.
    "counterexamples": {"checking", "errors", "kat", "prover", "rows"},
    "testing": {"kat", "plan", "program", "reference"},
    "__main__": {"cli", "terminal"},
    "mazurka": {"checking", "errors", "execution", "frontend", "outcome", "program"},
}
# Reports and findings name places and know nothing else of the front-end.
NAMING = {"mazurka.frontend.naming"}
# The specification reads what a model states. How it is planned for the engine is what it is there to test.
REFERENCE_MAY_USE = {"mazurka.kat", "mazurka.kat.load", "mazurka.kat.terms"}
# The engine's rooms: directories (and ids.rs) under crates/engine/src. Test code may use anything.
ENGINE_ALLOWED: dict[str, set[str]] = {
    "ids": set(),
    "program": {"ids"},
    "memory": {"program"},
    "vm": {"ids", "program"},
    "graph": {"ids", "program", "vm"},
    "consistency": {"graph", "ids"},
    "detect": {"graph", "ids", "memory", "program", "vm"},
    "explore": {"consistency", "detect", "graph", "ids", "memory", "program", "vm"},
}
GRAPH_MAY_USE = {"vm::Snapshot"}  # an event remembers where its thread stood, and looks no further
_TEST_MODULE = re.compile(r"#\[cfg\(test\)\]\s*(?:pub(?:\(\w+\))? )?mod (?P<name>\w+)(?P<end>[;{ ])")
_PATH = re.compile(r"\bcrate::(?P<path>\w+(?:::\w+)*)(?P<group>::\{[^;]*\})?")
_HIDDEN_PATH = re.compile(r"\bcrate::\{|\bsuper::super::")
# All shipped models (of `sc` only the long name: it is also a mode), and some that are to come.
SHIPPED = sorted({path.stem for path in (PACKAGE / "models").glob("*.kat")} - {"sc"})
MODEL_NAMES = re.compile(
    rf"\b({'|'.join(SHIPPED)}|imm|arm(?:v[78])?|power|riscv|lkmm|sequential\w*)\b", re.IGNORECASE
)


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return "mazurka" if parts == ("__init__",) else parts[0]


def imports(path: Path) -> set[str]:
    """The full names of the modules of ours that a file imports, also inside functions."""
    package = ["mazurka", *path.relative_to(PACKAGE).parent.parts]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            found |= _from(module, [alias.name for alias in node.names])
    return {name for name in found if name.split(".")[0] == "mazurka"}


def _from(module: str, names: list[str]) -> set[str]:
    """``from mazurka import diskcache`` names a module; from elsewhere the module alone matters."""
    if module != "mazurka":
        return {module}
    rooms = {n for n in names if n in ALLOWED or n == "_engine"}
    return {f"mazurka.{n}" for n in rooms} | ({"mazurka"} if set(names) - rooms else set())


def rooms(names: set[str]) -> set[str]:
    return {[*name.split("."), "mazurka"][1] for name in names}


SOURCES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_only_allowed_arrows(path: Path) -> None:
    room = room_of(path)
    assert room in ALLOWED, f"a new room, {room}: say in this table what it may import"
    assert rooms(imports(path)) - {room} <= ALLOWED[room]


def test_reports_use_only_the_names_of_the_front_end() -> None:
    speakers = [*(PACKAGE / "report").rglob("*.py"), PACKAGE / "findings.py"]
    used = {name for path in speakers for name in imports(path)}
    assert {name for name in used if name.startswith("mazurka.frontend")} <= NAMING


def test_the_reference_knows_models_and_no_plans() -> None:
    used = {name for path in (PACKAGE / "reference").rglob("*.py") for name in imports(path)}
    assert {name for name in used if name.startswith("mazurka.kat")} <= REFERENCE_MAY_USE


def test_models_are_data() -> None:
    assert SHIPPED
    assert not list((PACKAGE / "models").rglob("*.py"))


def test_files_that_models_share_are_called_so() -> None:
    """Whether a file is a model is known by its name, without reading it."""
    from mazurka.planning import shipped_models

    shared = {path.stem for path in (PACKAGE / "models").glob("*.kat")} - set(shipped_models())
    assert {name for name in shared if not name.endswith("-base")} == set()
    assert not [name for name in shipped_models() if name.endswith("-base")]


def test_the_arrows_have_no_cycle() -> None:
    """Leaving aside the package's own face, which everything may ask for the version."""
    faces = {"mazurka", "_engine"}
    package = {room: allowed - faces for room, allowed in ALLOWED.items() if room not in faces}
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
    """The engine's Rust files that are no tests, nor modules declared for tests only."""
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
    waiting, needed = ["planning", "requirements", "prover", "programcache"], set[str]()
    while waiting:
        room = waiting.pop()
        if room not in needed:
            needed.add(room)
            waiting += ALLOWED.get(room, ())
    folders = {room for room in needed if (Path(diskcache.PACKAGE) / room).is_dir()}
    assert folders == set(diskcache._ROOMS) - {""}
