"""Chromium without a window, driven through a pipe by its DevTools protocol. Needs nothing but Python.

Messages are JSON, each followed by a zero byte: commands go to the browser's descriptor 3, and answers and
events come from its descriptor 4. Timeouts are generous and only catch hangs.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ABSENT = "there is no Chromium: apt-get install chromium-headless-shell"
_SECONDS = 60
_EXEC = """
import os, sys
ends = [os.dup(os.dup(os.dup(int(end)))) for end in sys.argv[1:3]]
for number, end in zip((3, 4), ends):
    os.dup2(end, number)
os.execvp(sys.argv[3], sys.argv[3:])
"""


def found_browser() -> str | None:
    """The program to run, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A page in a browser: what a reader can do with it, and what is on it."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._last, self._rest = 0, b""
        self._events: list[dict[str, Any]] = []
        self.requests: list[str] = []
        self.problems: list[str] = []
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command for the page."""
        return self._send(method, self._session, **parameters)

    def open(self, path: Path, *, width: int = 1500, height: int = 950, mobile: bool = False) -> None:
        """Loads a file, in a window of some size."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )
        self._events.clear()
        self.requests.clear()
        self.call("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._receive()

    def media(self, *, scheme: str = "light", kind: str = "screen") -> None:
        """Light or dark, on the screen or printed."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=kind, features=features)

    def run(self, script: str) -> Any:
        """The value of an expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def count(self, selector: str) -> int:
        """How many elements are there and can be seen."""
        visible = "(e) => e.checkVisibility() && !e.closest('.off')"
        return int(
            self.run(f"[...document.querySelectorAll({json.dumps(selector)})].filter({visible}).length")
        )

    def text(self, selector: str) -> str:
        """The text of an element."""
        return str(self.run(f"document.querySelector({json.dumps(selector)}).textContent"))

    def click(self, selector: str) -> None:
        """A click of the mouse in the middle of an element."""
        x, y = self._middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def hover(self, selector: str) -> None:
        """The mouse comes to the middle of an element."""
        x, y = self._middle(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key: str) -> None:
        """A key."""
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def screenshot(self) -> bytes:
        """What the window shows, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def _middle(self, selector: str) -> tuple[float, float]:
        element = f"document.querySelector({json.dumps(selector)})"
        self.run(f"{element}.scrollIntoView({{block: 'nearest', inline: 'nearest'}})")
        x, y = self.run(
            f"(() => {{ const r = {element}.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        return x, y

    def _send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._last:
                assert "error" not in answer, (method, answer["error"])
                return dict(answer["result"])

    def _receive(self) -> dict[str, Any]:
        """The next message; events are remembered."""
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._answers], [], [], _SECONDS)
            assert ready, "the browser does not answer"
            more = os.read(self._answers, 1 << 16)
            assert more, "the browser has ended"
            self._rest += more
        first, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(first)
        if "method" in message:
            self._events.append(message)
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            if message["method"] == "Runtime.exceptionThrown":
                self.problems.append(json.dumps(message["params"]))
        return message


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A browser with a profile of its own, for as long as it is needed."""
    program = found_browser()
    assert program is not None, ABSENT
    to_read, commands = os.pipe()
    answers, to_write = os.pipe()
    flags = [
        *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"),
        *("--remote-debugging-pipe", f"--user-data-dir={profile}", "--force-color-profile=srgb"),
        *("--no-first-run", "--disable-background-networking"),
    ]
    process = subprocess.Popen(
        [sys.executable, "-c", _EXEC, str(to_read), str(to_write), program, *flags],
        pass_fds=(to_read, to_write),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_read)
    os.close(to_write)
    try:
        yield Browser(commands, answers)
    finally:
        os.close(commands)
        process.terminate()
        process.wait(_SECONDS)
        os.close(answers)
