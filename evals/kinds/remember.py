"""Which kind does the real program give a sentence?

    python remember.py oldhand sentences.jsonl [--split test]

Each line {"text", "kind"} is remembered without a kind, in a store of its own, so that nothing else is in
its way. Lines of the kind `none` are left out.
"""

import argparse, collections, json, os, subprocess, tempfile


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("sentences")
    parser.add_argument("--split")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    right, total, taken = collections.Counter(), collections.Counter(), collections.Counter()
    for line in map(json.loads, open(options.sentences, encoding="utf-8")):
        if line["kind"] == "none" or line.get("split", options.split) != (options.split or line.get("split")):
            continue
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
            env = {"PATH": os.environ["PATH"], "HOME": home, "TZ": "UTC"}
            run = lambda *args: subprocess.run([program, *args], cwd=folder, env=env, capture_output=True, text=True)
            subprocess.run(["git", "init", "-q", folder], check=True)
            run("init")
            run("remember", "--by", "ada", "--", line["text"])
            found = json.loads(run("list", "--json").stdout)["memories"]
        kind = found[0]["type"] if found else "refused"
        wanted = line["kind"].replace("-", "_")
        total[wanted] += 1
        right[wanted] += kind == wanted
        taken[f"{wanted} as {kind}"] += kind != wanted
    for kind in sorted(total):
        print(f"{kind}: {right[kind]} of {total[kind]}")
    print(f"all: {right.total()} of {total.total()}")
    print("wrong:", ", ".join(f"{what} {count}" for what, count in taken.most_common(12)))


main()
