"""Reads the public corpora of attacks as plain texts. They are data: nothing in them is followed."""

import ast
import json
import re
from pathlib import Path


def load(path):
    return json.loads(path.read_text())


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def bipia(folder):
    base = folder / "bipia/benchmark"
    attacks = [text for file in sorted(base.glob("*_attack_*.json")) for texts in load(file).values() for text in texts]
    rows = [row for file in sorted(base.glob("*/*.jsonl")) for row in lines(file)]
    contexts = [row["context"] for row in rows]
    return attacks, ["\n".join(it) if isinstance(it, list) else it for it in contexts]


def injecagent(folder):
    base = folder / "injecagent/data"
    cases = [case for file in sorted(base.glob("test_cases_*.json")) for case in load(file)]
    benign = {case["User Instruction"] for case in cases}
    return [case["Tool Response"] for case in cases], sorted(benign)


def clawtrojan(folder):
    base = folder / "clawtrojan/claw_trojan/steps"
    steps = [(file.parent.name, step) for file in sorted(base.glob("*/*.jsonl")) for step in lines(file)]
    attacks = [step["injected_inst"] for name, step in steps if name != "none" and step.get("injected_inst")]
    return attacks, [step["user_input"] for name, step in steps if name == "none" and step.get("user_input")]


def assigned(tree, names):
    """The constant strings that are assigned to one of the names, f-strings without what they fill in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(getattr(it, "id", "") in names for it in node.targets):
            parts = [it.value for it in ast.walk(node.value) if isinstance(it, ast.Constant)]
            yield " ".join(part for part in parts if isinstance(part, str))


def agentdojo(folder):
    base = folder / "agentdojo/agentdojo/default_suites"
    found = {"injection_tasks.py": set(), "user_tasks.py": set()}
    for name, texts in found.items():
        for file in sorted(base.rglob(name)):
            texts.update(it for it in assigned(ast.parse(file.read_text()), ("GOAL", "PROMPT")) if it.strip())
    return sorted(found["injection_tasks.py"]), sorted(found["user_tasks.py"])


def owasp(folder):
    source = (folder / "owasp-agent-memory-guard/benchmarks/security_benchmark.py").read_text()
    attacks, benign = [], []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "TestCase" and len(node.args) > 4):
            continue
        value, is_attack = node.args[3], node.args[4]
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            (attacks if is_attack.value else benign).append(value.value)
    return attacks, benign


INJECTIONS = {
    "agentdojo": agentdojo,
    "bipia": bipia,
    "clawtrojan": clawtrojan,
    "injecagent": injecagent,
    "owasp-agent-memory-guard": owasp,
}


def naughty(folder):
    return load(folder / "blns/blns.json")


def trojans(folder):
    suffixes = (".py", ".c", ".rs", ".regex")
    files = [file for file in sorted((folder / "trojan-source").rglob("*")) if file.suffix in suffixes]
    return [file.read_text(errors="replace") for file in files]


def secrets_elsewhere(folder):
    """Texts of leaky-repo and detect-secrets: a file counts as refused if anything in it does."""
    counts = re.findall(r"^([^#,\n]+),(\d+),\d+", (folder / "leaky-repo/.leaky-meta/secrets.csv").read_text(), re.M)
    for name, risks in counts:
        path = folder / "leaky-repo" / name
        if path.is_file():
            label = "true" if int(risks) else "false"
            yield {"rule": "leaky-repo", "label": label, "text": path.read_text(errors="replace"), "name": name}
    base = folder / "detect-secrets/test_data"
    clean = {"file_with_no_secrets.py": "false", "word_list.txt": "false", "only_comments.yaml": "false"}
    for file in sorted(base.rglob("*")):
        if file.is_file() and file.suffix in (".py", ".txt", ".yaml", ".ini", ".env", ".php", ".yml"):
            if file.name in clean or "secret" in file.name:
                label = clean.get(file.name, "true")
                text = file.read_text(errors="replace")
                if text.strip():
                    yield {"rule": "detect-secrets", "label": label, "text": text, "name": file.name}
