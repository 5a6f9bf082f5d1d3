"""What is written into every tool, and what it is asked: our own sets by their place in the repository, other
people's from outside of it, by path."""

import gzip
import json
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

Memory = namedtuple("Memory", "title text kind")
# `gold`: the titles of the memories that answer it; none if nothing does.
Question = namedtuple("Question", "text type gold")
# One store: its memories, and the questions about them.
Store = namedtuple("Store", "name memories questions")
# `old` is in force when `new` is written.
Pair = namedtuple("Pair", "old new matter")


def lines(path):
    packed = Path(f"{path}.gz")
    text = gzip.open(packed, "rt").read() if packed.exists() else Path(path).read_text()
    return [json.loads(line) for line in text.splitlines()]


def titled(text):
    """The beginning of a text that has no title, as somebody in a hurry would write one."""
    words, title = text.split(), ""
    while words and len(title) + len(words[0]) < 60:
        title = f"{title} {words.pop(0)}".strip()
    return title.rstrip(".,;:")


def stores(folder, name, skip=()):
    """One store per scope: only memories of a question's scope compete."""
    documents, questions = lines(folder / "docs.jsonl"), lines(folder / "queries.jsonl")
    silent = folder / "abstention.jsonl"
    questions += lines(silent) if silent.exists() else []
    made = []
    for scope in sorted({document["scope"] for document in documents}):
        memories, taken = {}, set()
        for document in documents:
            if document["scope"] == scope:
                title = document.get("title") or titled(document["text"])
                title = title if title not in taken else f"{title} ({len(taken)})"
                taken.add(title)
                memories[document["id"]] = Memory(title, document["text"], document.get("kind", "reference"))
        asked = [Question(each["text"], each["category"], [memories[gold].title for gold in each["gold"]])
                 for each in questions if each["scope"] == scope and each["category"] not in skip]
        made.append(Store(f"{name}-{scope}", list(memories.values()), asked))
    return made


def sets(outside, is_quick):
    """The sets by name, each a list of stores."""
    found = {"coding": stores(ROOT / "evals/coding", "coding"),
             "unseen": stores(ROOT / "evals/recall/test", "unseen")}
    if outside and (outside / "locomo-observations").is_dir():
        # Its adversarial questions have no true answer, and are not about silence either.
        store = stores(outside / "locomo-observations", "locomo", skip=("adversarial",))[0]
        found["locomo"] = [store._replace(questions=store.questions[::2])]
    if is_quick:
        for name, each in found.items():
            found[name] = [store._replace(questions=store.questions[::6]) for store in each[:1]]
    return found


def pairs(label, count, is_quick):
    """Pairs of statements that nobody wrote for a rule, the texts once each; a fixed choice."""
    chosen, seen = [], set()
    written = lines(ROOT / "evals/pairs/pairs.jsonl")
    for split in ("fresh", "test"):
        for each in written:
            old, new = titled(each["existing"]), titled(each["proposal"])
            if each["split"] == split and each["label"] == label and not {old, new} & seen and old != new:
                seen |= {old, new}
                chosen.append(Pair(Memory(old, each["existing"], "decision"),
                                   Memory(new, each["proposal"], "decision"), each["matter"]))
    return chosen[:count // 6 if is_quick else count]


def plain_memories():
    """Memories for tests of durability: of kinds that no tool compares with each other."""
    documents = lines(ROOT / "evals/recall/train/docs.jsonl")
    plain = {each["title"]: each for each in documents if each["kind"] not in ("decision", "constraint")}
    taken = {each["title"] for each in lines(ROOT / "evals/coding/docs.jsonl")}  # They are in the store already.
    return [Memory(title, each["text"], each["kind"]) for title, each in plain.items() if title not in taken]
