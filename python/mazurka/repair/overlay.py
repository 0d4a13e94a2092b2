"""Shows the compiler changed files, each in a folder that looks like its own.

A temporary tree has the folders of the program's files, at the same places relative to each other, with links
to everything else in these folders and next to them. So ``#include "queue.h"`` and ``"../common/atomics.h"``
find what they find in the user's tree, and a changed header is found instead of its original.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType

_LEVELS_ABOVE = 3  # how far up an include may go by ``../``
_FOLDER_FLAGS = ("-I", "-isystem", "-iquote", "-idirafter", "-include")


class Overlay:
    """A tree of links in which some files are written anew; it is removed at the end of a ``with``."""

    def __init__(self, files: Iterable[str]) -> None:
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="mazurka-"))
        self._written: set[str] = set()
        self._folders = {os.path.dirname(os.path.abspath(file)) for file in files}
        for folder in sorted(self._folders):
            self._link_folder(folder)

    def __enter__(self) -> Overlay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def inside(self, path: str) -> str:
        """The path of a file in the tree."""
        return self.root + os.path.abspath(path)

    def outside(self, path: str) -> str:
        """The path of the user's file that a path in the tree stands for."""
        return path.removeprefix(self.root)

    def write(self, texts: Mapping[str, str]) -> None:
        """Changes these files, and no others any more."""
        for path in self._written - set(texts):
            self._link(path)
        for path, text in texts.items():
            target = self.inside(path)
            with suppress(FileNotFoundError):
                os.unlink(target)
            with open(target, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        self._written = set(texts)

    def flags(self, cflags: Sequence[str]) -> list[str]:
        """The compiler's flags, with folders and headers in the tree where it has them."""
        found: list[str] = []
        takes = False  # the flag before this one has its value here
        for flag in cflags:
            option = next((each for each in _FOLDER_FLAGS if flag.startswith(each)), None)
            if takes:
                found.append(self._in_tree(flag))
            elif option is not None and flag != option:
                found.append(option + self._in_tree(flag[len(option) :]))
            else:
                found.append(flag)
            takes = not takes and option is not None and flag == option
        return found

    def _in_tree(self, path: str) -> str:
        inside = self.inside(path)
        return inside if os.path.lexists(inside) and not os.path.islink(inside) else path

    def _link_folder(self, folder: str) -> None:
        """Makes a folder with links to all that is in it, and the folders above it likewise."""
        for level in range(_LEVELS_ABOVE + 1):
            os.makedirs(self.root + folder, exist_ok=True)
            with suppress(OSError):
                for name in os.listdir(folder):
                    path = os.path.join(folder, name)
                    if not any((own + os.sep).startswith(path + os.sep) for own in self._folders):
                        self._link(path)
            folder = os.path.dirname(folder)
            if level == _LEVELS_ABOVE or folder == os.sep or self.root.startswith(folder + os.sep):
                return

    def _link(self, path: str) -> None:
        target = self.inside(path)
        with suppress(FileNotFoundError):
            if not os.path.isdir(target) or os.path.islink(target):
                os.unlink(target)
        with suppress(FileExistsError):
            os.symlink(os.path.abspath(path), target)
