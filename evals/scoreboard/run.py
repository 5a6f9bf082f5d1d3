"""The scoreboard: `cargo xtask scoreboard`. Installs the tools, measures them, and writes the page.

What one tool gave is kept below `target/scoreboard/results` stage by stage, so that a run that was stopped goes on
where it was; `--again` starts anew. A whole run writes `results.json` and the page; one with `--quick` or `--only` writes neither."""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import page
from install import Place
from rivals import ALL
from stages import STAGES, Bench

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = HERE / "results.json"


def arguments():
    parser = argparse.ArgumentParser(prog="cargo xtask scoreboard", description=__doc__)
    parser.add_argument("--page-only", action="store_true", help="write the page from the committed results")
    parser.add_argument("--check", action="store_true", help="fail if the page doesn't follow from the results")
    parser.add_argument("--quick", action="store_true", help="a sixth of everything; never committed")
    parser.add_argument("--only", default="", help="names of tools, separated by commas")
    parser.add_argument("--again", action="store_true", help="measure what was measured before, too")
    parser.add_argument("--stage", default="", help=f"measure this again, one of {', '.join(name for name, _, _ in STAGES)}")
    parser.add_argument("--results", type=Path, default=RESULTS, help="another file of results for the page")
    parser.add_argument("--into", type=Path, default=ROOT, help="another folder for the page")
    parser.add_argument("--jobs", type=int, default=2, help="tools at once, while no time is measured")
    parser.add_argument("--sets", type=Path, help="a folder with `locomo-observations`")
    parser.add_argument("--binary", type=Path, help="an oldhand that is built already")
    parser.add_argument("--scratch", type=Path, default=ROOT / "target/scoreboard")
    return parser.parse_args()


class Run:
    def __init__(self, wish):
        self.wish = wish
        self.place = Place(wish.scratch, wish.binary)
        self.folder = self.place.folder / ("quick" if wish.quick else "results")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.makers = [make for make in ALL if not wish.only or make.name in wish.only.split(",")]
        self.saving = threading.Lock()

    def file(self, make):
        return self.folder / f"{make.name}.json"

    def known(self, make):
        file = self.file(make)
        return json.loads(file.read_text()) if file.exists() else {}

    def save(self, make, known):
        # What a tool says may hold the place of its store, which is true on this machine only.
        text = re.sub(rf"{re.escape(str(self.place.folder))}[^\s'\"]*/", "", json.dumps(known, indent=1))
        with self.saving:
            self.file(make).write_text(text + "\n")

    def install(self):
        for make in self.makers:
            known = {} if self.wish.again else self.known(make)
            for name in ("failure", self.wish.stage):
                known.pop(name, None)
            try:
                self.place.install(make)
            except (RuntimeError, OSError) as trouble:
                known["failure"] = f"could not be installed: {trouble}"
            self.save(make, known)

    def measure(self, make, wants_machine):
        known = self.known(make)
        for name, stage, is_alone in STAGES:
            if is_alone != wants_machine or name in known or "failure" in known:
                continue
            before = time.monotonic()
            try:
                known[name] = stage(Bench(make, self.place, self.wish.sets, self.wish.quick))
            except Exception as trouble:  # Whatever a tool does: the others go on, and the page says what it was.
                traceback.print_exc()
                known["failure"] = f"{name}: {type(trouble).__name__}: {str(trouble)[:300]}"
            known.setdefault("seconds", {})[name] = round(time.monotonic() - before)
            self.save(make, known)
            print(f"{make.name}: {name}, {time.monotonic() - before:.0f} s", flush=True)

    def all(self):
        self.place.ready()
        self.install()
        # Nothing here measures time, so some run at once.
        with ThreadPoolExecutor(self.wish.jobs) as pool:
            list(pool.map(lambda make: self.measure(make, False), self.makers))
        for make in self.makers:
            self.measure(make, True)

    def results(self):
        def said(*command):
            return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.strip()
        return {"date": time.strftime("%Y-%m-%d"), "commit": said("git", "rev-parse", "--short", "HEAD"),
                "machine": f"{platform.system()}, {os.cpu_count()} cores", "node": said("node", "--version"),
                "tools": {make.name: {"version": version(make, self.place), **self.known(make)} for make in ALL}}


def version(make, place):
    if make.name == "oldhand":
        return subprocess.run([place.binary, "--version"], capture_output=True, text=True).stdout.split()[-1]
    return make.packages[0].rsplit("@", 1)[-1].rsplit("==", 1)[-1] if make.packages else ""


def main():
    wish = arguments()
    # Some environments set these. They make Python's tools look slower than they are.
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"):
        os.environ.pop(name, None)
    if not (wish.page_only or wish.check):
        run = Run(wish)
        run.all()
        if wish.quick or wish.only:
            print(f"results: {run.folder}")
            return 0
        wish.results.write_text(json.dumps(run.results(), indent=1) + "\n")
    files = page.files(json.loads(wish.results.read_text()))
    if wish.check:
        wrong = [path for path, text in files.items() if not (wish.into / path).exists()
                 or (wish.into / path).read_text() != text]
        for path in wrong:
            print(f"error: does not follow from the results: {path}\nhint: cargo xtask scoreboard --page-only")
        return int(bool(wrong))
    for path, text in files.items():
        (wish.into / path).parent.mkdir(parents=True, exist_ok=True)
        (wish.into / path).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
