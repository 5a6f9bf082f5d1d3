"""Adds real decision records to a store of their own, one after the other, and counts stops and questions.

    python records.py oldhand docs.jsonl titles.jsonl [--repositories 12] [--each 30]

`docs.jsonl` has lines {"id", "scope", "text"}: `scope` is the repository that a record is from. `titles.jsonl`
has lines {"text", "gold": [id]}, the titles of records; those without one are left out. Each repository gets a
fresh store; a record is put whole into the decision. A question is answered with "both hold", so that the next
record meets it too; a stop is left to wait.
"""

import argparse, collections, json, os, subprocess, tempfile


def run(program, folder, home, *args):
    env = {"PATH": os.environ["PATH"], "HOME": home, "TZ": "UTC"}
    done = subprocess.run([program, *args], cwd=folder, env=env, capture_output=True, text=True)
    try:
        answer = json.loads(done.stdout or done.stderr)
    except json.JSONDecodeError:
        answer = {}
    return done.returncode, answer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("docs")
    parser.add_argument("titles")
    parser.add_argument("--repositories", type=int, default=12)
    parser.add_argument("--each", type=int, default=30)
    options = parser.parse_args()
    with open(options.titles) as lines:
        titles = {one["gold"][0]: one["text"] for one in map(json.loads, lines)}
    by_scope = collections.defaultdict(list)
    with open(options.docs) as lines:
        for line in lines:
            record = json.loads(line)
            if record["id"] not in titles:
                continue
            by_scope[record["scope"]].append(record)
    program = os.path.abspath(options.program)
    total = collections.Counter()
    for scope in sorted(by_scope)[: options.repositories]:
        count = collections.Counter()
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
            subprocess.run(["git", "init", "-q", folder], check=True)
            run(program, folder, home, "init")
            for record in sorted(by_scope[scope], key=lambda it: it["id"])[: options.each]:
                add = ["add", "decision", "--by", "ada", "--json"]
                add += ["--title", titles[record["id"]][:100], "--decision", record["text"][:8000]]
                beside = []
                while True:
                    code, answer = run(program, folder, home, *add, *beside)
                    error = answer.get("error", answer)
                    if error.get("code") != "JUDGE" or len(beside) > 20:
                        break
                    for problem in error.get("problems", []):
                        beside += ["--beside", problem["found"]]
                    beside += [] if "--because" in beside else ["--because", "both hold"]
                count["records"] += 1
                count["asked"] += bool(beside)
                count["stopped"] += error.get("code") == "CONFLICT"
                count["other"] += code != 0 and error.get("code") not in ("CONFLICT",)
        print(scope, dict(count), flush=True)
        total.update(count)
    share = {name: round(total[name] / max(1, total["records"]), 3) for name in ("asked", "stopped", "other")}
    print("all", dict(total), share)


main()
