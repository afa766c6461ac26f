"""The real program in a process of its own, and phones that talk to it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener

ROOT = Path(__file__).parents[2]
READY_S = 60.0


class Program:
    """``dragon-table play`` in a process; `kill` pulls its plug."""

    def __init__(self, *arguments: str, data: Path, port: int) -> None:
        command = [sys.executable, "-m", "companion.cli", *arguments]
        command += ["--data", str(data), "--port", str(port)]
        self.port = port
        # Whoever is killed tells no coverage, and counting doubles the time of a start.
        environment = {k: v for k, v in os.environ.items() if not k.startswith("COV")}
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**environment, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
        )
        self.links = dict(self._links())

    def _links(self) -> Iterator[tuple[str, str]]:
        """Read the greeting: a line a seat, then the host's, then a code to scan."""
        assert self.process.stdout is not None
        for raw in self.process.stdout:
            name, _, link = raw.decode().strip().partition("  ")
            if "/j/" in link:
                yield name, "/j/" + link.rsplit("/j/", 1)[1]
            if name == "host":
                return
        self.process.stdout.close()
        raise AssertionError(f"the program ended with {self.process.wait()}")

    def phone(self, name: str | None = None) -> "Phone":
        """Return the phone of a player, or of somebody who only watches."""
        phone = Phone(self.port)
        if name is not None:
            phone.get(self.links[name])
        return phone

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.end()


class Phone:
    """A browser without a screen: cookies, JSON, an event stream."""

    def __init__(self, port: int) -> None:
        self.at = f"http://127.0.0.1:{port}"
        self.taps = 0
        self.jar = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self.jar))

    def get(self, path: str) -> str:
        with self._opener.open(self.at + path, timeout=20) as answer:
            return answer.read().decode()

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        request = Request(
            self.at + path,
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "Origin": self.at},
        )
        try:
            with self._opener.open(request, timeout=20) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except HTTPError as refused:
            with refused:
                return refused.code, json.loads(refused.read() or b"null")

    def state(self) -> Any:
        return json.loads(self.get("/api/state"))

    def act(self, move: str, seq: int) -> tuple[int, Any]:
        self.taps += 1
        key = f"{id(self)}-{self.taps}"
        return self.post("/api/act", {"move": move, "seq": seq, "key": key})

    def press(self, button: str) -> None:
        status, answer = self.post("/api/sim/press", {"button": button, "seat": None})
        assert status == 200, answer

    def views(self) -> Iterator[Any]:
        """Yield the number of each state that the event stream tells of."""
        request = Request(self.at + "/api/events")
        with self._opener.open(request, timeout=30) as stream:
            for raw in stream:
                line = raw.decode().rstrip("\n")
                if line.startswith("id:"):
                    yield int(line[3:].strip())
