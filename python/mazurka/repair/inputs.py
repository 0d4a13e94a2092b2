"""The files of a program and their flags, as a check takes them: the user's own, and those in the overlay.

A compilation database has flags of single files. In the overlay it is another file: the flags of its entries
are those of the user's database, with folders and headers in the tree.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mazurka.frontend.c.database import read_database
from mazurka.repair.overlay import Overlay
from mazurka.repair.ownfiles import own_texts

_DATABASE = ".mazurka-commands.json"  # at the top of the overlay


class Inputs(NamedTuple):
    """The files, the flags of all, and those of single files, if there is a database."""

    files: tuple[str, ...]
    cflags: tuple[str, ...]
    own: Mapping[str, tuple[str, ...]] | None = None

    @classmethod
    def of(cls, files: Sequence[str], cflags: Sequence[str], database: str | None) -> Inputs:
        """Those of a command line; without files, all of the database."""
        if database is None:
            return cls(tuple(files), tuple(cflags))
        known = read_database(database, files, cflags)
        return cls(tuple(known.paths), tuple(cflags), known.flags)

    def texts(self, others: Iterable[str]) -> dict[str, str]:
        """The texts of the user's own files; ``others`` have code in the compiled program, too."""
        found: dict[str, str] = {}
        for file in (*self.files, *others):
            own = self.own.get(file, ()) if self.own else ()
            found |= own_texts([file], [*own, *self.cflags])
        return found

    def inside(self, overlay: Overlay) -> dict[str, Any]:
        """What ``mazurka.check`` is given to check the files of the overlay."""
        paths = {file: overlay.inside(file) for file in self.files}
        options = {"path": list(paths.values()), "cflags": overlay.flags(self.cflags), "keep_program": False}
        if self.own is None:
            return options
        entries = [
            {
                "directory": os.getcwd(),
                "file": path,
                "arguments": ["cc", *overlay.flags(self.own.get(file, ())), path],
            }
            for file, path in paths.items()
        ]
        database = os.path.join(overlay.root, _DATABASE)
        with open(database, "w", encoding="utf-8") as target:
            json.dump(entries, target)
        return {**options, "compile_commands": database}
