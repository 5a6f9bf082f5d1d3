"""The samples that come with the rules of gitleaks and betterleaks, as labelled lines.

Usage: python3 evals/security/samples.py --go GO OUT.jsonl SEED CHECKOUT...

Their rules are Go programs that draw most samples from a pattern, so the seed makes others. Only the rules are built,
against the small stand-ins in `go/`: nothing else of the two programs is needed, and nothing is fetched.

Labels: `true` holds a secret, `false` is a text that a rule must pass and that no other rule finds, `another rule` one
that some rule finds, `sample` a value that documentations print and that is let through on purpose.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import uuid
from pathlib import Path

STAND_INS = {"config": "config", "regexp": "regexp", "secrets": "cmd/generate/secrets",
             "validate": "cmd/generate/config/utils"}
SAMPLE = re.compile(r"(?i)12345678|23456789|34567890|abcdef01|abcdef12|abcdefghijkl|example|a1b2c3")
SAMPLE_UUID = "12345678-ABCD-ABCD-ABCD-1234567890AB"


def build(go, checkout, folder):
    module = re.search(r"^module (\S+)", (checkout / "go.mod").read_text(), re.M).group(1)
    rules = folder / "cmd/generate/config/rules"
    skipped = shutil.ignore_patterns("*_test.go", "*.tmpl")
    shutil.copytree(checkout / "cmd/generate/config/rules", rules, ignore=skipped)
    for name, place in STAND_INS.items():
        text = (Path(__file__).parent / f"go/{name}.go.txt").read_text().replace("MODULE", module)
        (folder / place).mkdir(parents=True, exist_ok=True)
        (folder / place / f"{name}.go").write_text(text)
    for file in (checkout / "cmd/generate/config/utils").glob("*.go"):
        if file.name not in ("validate.go", "generate_test.go"):
            shutil.copy(file, folder / STAND_INS["validate"])
    found = "\n".join(file.read_text() for file in rules.glob("*.go"))
    names = sorted(set(re.findall(r"^func ([A-Z]\w*)\(\) \*config\.Rule", found, re.M)))
    calls = "\n".join(f"\trules.{name}()" for name in names)
    imports = f'import (\n\t"{module}/cmd/generate/config/rules"\n\t"{module}/cmd/generate/config/utils"\n)'
    (folder / "main.go").write_text(f"package main\n\n{imports}\n\nfunc main() {{\n{calls}\n\tutils.Flush()\n}}\n")
    (folder / "go.mod").write_text(f"module {module}\n\ngo 1.25\n")
    env = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local"}
    subprocess.run([go, "build", "-o", "samples", "."], cwd=folder, env=env, check=True)
    return folder / "samples"


def labelled(found, seed):
    drawn, seen = random.Random(seed), set()
    for one in found:
        text, label = one["text"], one["label"]
        rows = [(label, text)]
        if label == "false" and one["found_by"]:
            rows = [("another rule", text)]
        elif label == "true" and SAMPLE.search(text):
            rows = [("sample", text)]
            if SAMPLE_UUID in text:
                value = str(uuid.UUID(int=drawn.getrandbits(128), version=4)).upper()
                rows.append(("true", text.replace(SAMPLE_UUID, value)))
        for row in rows:
            if row not in seen:
                seen.add(row)
                yield {"rule": one["rule"], "label": row[0], "text": row[1]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--go", default="go")
    parser.add_argument("out", type=Path)
    parser.add_argument("seed", type=int)
    parser.add_argument("checkouts", type=Path, nargs="+")
    asked, found = parser.parse_args(), []
    for checkout in asked.checkouts:
        with tempfile.TemporaryDirectory() as folder:
            program = build(asked.go, checkout, Path(folder) / "module")
            env = {**os.environ, "SEED": str(asked.seed)}
            said = subprocess.run([program], env=env, check=True, capture_output=True).stdout
            found.extend(json.loads(line) for line in said.splitlines())
    rows = [json.dumps(row) + "\n" for row in labelled(found, asked.seed)]
    asked.out.write_text("".join(rows))
    print(f"{len(rows)} texts")


if __name__ == "__main__":
    main()
