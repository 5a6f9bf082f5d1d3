"""What does the real program notice, find and guess in four made-up stores?

    python measure.py oldhand

Each store is written with `remember`, without a kind, and every question of the gate is answered with "both hold".
Then each proposal goes through `check`, each prompt through `recall`, and each sentence of `kinds.jsonl` through
`remember` in a store of its own.
"""

import collections, json, os, pathlib, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.path.abspath(sys.argv[1])


def store():
    folder, home = tempfile.mkdtemp(), tempfile.mkdtemp()
    env = {"PATH": os.environ["PATH"], "HOME": home, "TZ": "UTC"}
    run = lambda *args: subprocess.run([PROGRAM, *args], cwd=folder, env=env, capture_output=True, text=True)
    subprocess.run(["git", "init", "-q", folder], check=True)
    run("init")
    return run


def remember(run, text, count):
    answers = []
    for _ in range(8):
        done = run("remember", "--by", "ada", "--json", *answers, "--", text)
        answer = json.loads(done.stdout or done.stderr)
        problem = answer.get("error", answer)
        if problem.get("code") != "JUDGE":
            return answer.get("id")
        count["written, asked"] += not answers
        answers += [word for one in problem["problems"] for word in ("--beside", one["found"])]
        answers += [] if "--because" in answers else ["--because", "both hold"]


def check(run, text):
    found = json.loads(run("check", "--json", text).stdout)
    ids = lambda key: [one.get("id") or one["memory"]["id"] for one in found.get(key, [])]
    return ids("conflicts"), ids("questions"), ids("related")


def proposals(run, ids, one, count):
    for group, key in (("clashes", "against"), ("compatible", "near"), ("elsewhere", None)):
        for proposal in one[group]:
            proposal = proposal if isinstance(proposal, dict) else {"text": proposal}
            stops, questions, related = check(run, proposal["text"])
            wanted = ids[proposal[key]] if key else None
            count[group] += 1
            count[f"{group}, stopped"] += bool(stops)
            count[f"{group}, any stop or question"] += bool(stops or questions)
            count[f"{group}, about the right one"] += wanted in stops + questions
            count[f"{group}, the right one named at all"] += wanted in stops + questions + related


def prompts(run, ids, questions, count):
    for question in questions:
        found = json.loads(run("recall", "--json", question["text"]).stdout)
        served = [one["id"] for one in found["memories"] + found.get("cautions", [])]
        if question["want"] is None:
            count["prompts without an answer"] += 1
            count["prompts without an answer, silent"] += not served
        else:
            wanted = ids[question["want"]]
            count["prompts"] += 1
            count["prompts, first"] += served[:1] == [wanted]
            count["prompts, served"] += wanted in served
            count["prompts, silent"] += not served


def main():
    count = collections.Counter()
    questions = json.loads((HERE / "questions.json").read_text())
    for one, asked in zip(json.loads((HERE / "stores.json").read_text()), questions):
        run = store()
        ids = [remember(run, text, count) for text in one["memories"]]
        count["written"] += len(ids)
        run("reindex")
        proposals(run, ids, one, count)
        prompts(run, ids, asked["questions"], count)
    for line in map(json.loads, (HERE / "kinds.jsonl").read_text().splitlines()):
        run = store()
        run("remember", "--by", "ada", "--", line["text"])
        found = json.loads(run("list", "--json").stdout)["memories"]
        count["kinds"] += 1
        count["kinds, right"] += [one["type"] for one in found] == [line["kind"].replace("-", "_")]
    for what in sorted(count):
        print(f"{what}: {count[what]}")


main()
