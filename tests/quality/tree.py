"""The files that the quality tests look at."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "mazurka"
ENGINE = ROOT / "crates" / "engine"

_SKIPPED = {"target", ".git", "__pycache__", ".venv", "dist"}
_TEXT = {".py", ".pyi", ".rs", ".md", ".toml", ".c", ".h", ".tsv", ".kat", ".yml", ".sh"}
_NAMED = {"Makefile", "run", ".gitignore"}


def files(*suffixes: str) -> list[Path]:
    """The project's own files with one of the suffixes, sorted; without suffixes all text files."""
    wanted = set(suffixes) or _TEXT
    return sorted(
        path
        for path in ROOT.rglob("*")
        if path.is_file()
        and not path.is_symlink()  # the file is elsewhere in the tree
        and (path.suffix in wanted or (not suffixes and path.name in _NAMED))
        and not any(part in _SKIPPED or part.endswith("_cache") for part in path.relative_to(ROOT).parts)
    )
