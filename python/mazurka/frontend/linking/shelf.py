"""Sources of libraries, compiled to IR and kept.

I1: a compiled source is kept under a key that covers the compiler, its flags, our own code and the source.
"""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from mazurka.frontend.c.compiler import Compiler
from mazurka.frontend.c.driver import Compilation


class Shelf(NamedTuple):
    """Where compiled sources are kept; the cache fills it in."""

    key_of: Callable[..., str]
    load: Callable[[str], dict[str, Any] | None]
    store: Callable[[str, dict[str, Any]], None]

    def text(
        self, path: str, flags: Sequence[str], compiler: Compiler, other_files: Iterable[str] = ()
    ) -> str:
        """The IR of a source, which may depend on other files of ours (I1)."""
        states = (_state(file) for file in (path, *other_files))
        key = self.key_of("library", *states, *flags, *compiler.identity())
        kept = self.load(key)
        if kept is not None:
            return zlib.decompress(base64.b64decode(kept["ir"])).decode()
        with Compilation(path, path, flags, compiler, is_library=True) as compilation:
            text = compilation.result()[0]
        self.store(key, {"ir": base64.b64encode(zlib.compress(text.encode())).decode()})
        return text


NO_SHELF = Shelf(lambda *_: "", lambda _: None, lambda *_: None)


def _state(path: str) -> str:
    state = os.stat(path)
    return f"{path} {state.st_size} {state.st_mtime_ns}"
