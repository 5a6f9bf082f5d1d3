"""What a day needs around it: a repository with a store, a server, and words for what went wrong."""

import json
import os
import re
import subprocess
import tempfile
import threading
from pathlib import Path

CLIENT = "day-python"
SEEDED = 90


class Wrong(Exception):
    """A step that did not come out as expected."""


def ok(what):
    print(f"ok {what}", flush=True)


def expect(what, holds, expected, came):
    """One step: said when it holds, the end of the day when not."""
    if not holds:
        raise Wrong(f"{what}\n  expected: {expected}\n  came:     {shown(came)}")
    ok(what)


def shown(value):
    if hasattr(value, "model_dump_json"):
        value = value.model_dump_json(by_alias=True, exclude_none=True)
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) < 2000 else text[:2000] + "…"


class Scene:
    """A scratch repository with a store of its own, and a home that is nobody's."""

    def __init__(self, binary):
        self.binary = str(Path(binary).resolve())
        self.scratch = tempfile.TemporaryDirectory(prefix="day-")
        top = Path(self.scratch.name).resolve()
        self.home, self.folder, self.token_file = top / "home", top / "project", top / "token"
        self.home.mkdir()
        self.folder.mkdir()
        # Nothing of the one who runs this may be seen: no settings, no agent around it.
        self.environment = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        self.server = None

    def __enter__(self):
        self.run("git", "init", "--quiet")
        self.cli("init")
        self.seed()
        return self

    def __exit__(self, *_):
        if self.server:
            self.server.terminate()
            self.server.wait(timeout=10)
        self.scratch.cleanup()

    def run(self, *words, stdin=None):
        done = subprocess.run(
            words, cwd=self.folder, env=self.environment, input=stdin,
            capture_output=True, text=True, timeout=60,
        )
        if done.returncode != 0:
            raise Wrong(f"`{' '.join(words)}` ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def cli(self, *words):
        return self.run(self.binary, *words)

    def seed(self):
        """More memories than one page holds, and fewer than a kind may have."""
        folder = self.home.parent / "seeds"
        folder.mkdir()
        for number in range(SEEDED):
            (folder / f"seeded-fact-{number}.md").write_text(
                f"---\nid: seeded-fact-{number}\ntype: reference\ntitle: Seeded fact {number}\n"
                "state: stable\nscope: project\ntags: [seeded]\norigin: user\n"
                "created_at: 2026-01-01T12:00:00Z\nupdated_at: 2026-01-01T12:00:00Z\n---\n\n"
                f"Part {number} of the machine is painted in colour {number}.\n",
                encoding="utf-8",
            )
        self.cli("import", str(folder))
        self.cli("doctor")

    def serve(self):
        """Starts the server over HTTP and gives its address and its token."""
        words = [self.binary, "mcp", "--http", "127.0.0.1:0", "--token-file", str(self.token_file)]
        self.server = subprocess.Popen(
            words, cwd=self.folder, env=self.environment,
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        # One that says nothing is not waited for.
        silence = threading.Timer(20, self.server.kill)
        silence.daemon = True
        silence.start()
        said = []
        for line in self.server.stderr:
            said.append(line)
            found = re.search(r"127\.0\.0\.1:(\d+)", line)
            if found:
                silence.cancel()
                # A pipe that nobody reads fills up, and then the server waits.
                threading.Thread(target=self.server.stderr.read, daemon=True).start()
                token = self.token_file.read_text(encoding="utf-8").strip()
                return f"http://127.0.0.1:{found.group(1)}/mcp", token
        raise Wrong(f"the server said no address: {''.join(said)}")
