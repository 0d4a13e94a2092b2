"""Updates the outputs and pictures of a page: ``python tests/quality/rewrite_outputs.py docs/prover.md``.

For pages whose files are all written in the page itself. Read the difference before you commit it: the test
only shows that a page says what the command prints.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from howto import compile_rust, pictures, write_files
from mazurka.cli import commands

_SHOWN = re.compile(r"^```\n\$ mazurka (?P<arguments>.*)\n(?P<output>(?:.*\n)*?)```$", re.MULTILINE)


def rewritten(page: str) -> str:
    """The page with what its commands print now."""

    def run(shown: re.Match[str]) -> str:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            commands.main(shlex.split(shown["arguments"]))
        return f"```\n$ mazurka {shown['arguments']}\n{printed.getvalue()}```"

    return _SHOWN.sub(run, page)


def main() -> None:
    """Rewrites the pages that are named."""
    os.environ["COLUMNS"] = "100"
    for path in [Path(name).resolve() for name in sys.argv[1:]]:
        page = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as directory:
            write_files(page, Path(directory))
            compile_rust(page, Path(directory))
            os.chdir(directory)
            path.write_text(rewritten(page), encoding="utf-8")
            for picture in pictures(page):
                (path.parent / picture).parent.mkdir(exist_ok=True)
                shutil.copy(picture.name, path.parent / picture)


if __name__ == "__main__":
    main()
