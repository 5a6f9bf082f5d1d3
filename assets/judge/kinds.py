"""Makes kinds.bin, the weights of the classifier that guesses the kind of a note.

    oldhand-eval --embed ../../evals/kinds/sentences.jsonl > /tmp/vectors.jsonl
    python kinds.py ../../evals/kinds/sentences.jsonl /tmp/vectors.jsonl

Logistic regression over words, pairs of words and the sentence vector, on the lines of the split
`train`. The reader is `crates/judge/src/guess/model.rs`; both cut a text into the same words.
Needs numpy, scipy and scikit-learn.
"""

import json
import pathlib
import re
import struct
import sys

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ["decision", "constraint", "preference", "runbook", "tech-debt", "lesson", "reference"]
SEEN_MIN = 2
WORDS_WEIGHT = 2.0
TOKEN = re.compile(r"[a-z0-9']+|[:`/!?]")


def features(text):
    text = re.sub(r"`[^`]*`", " ` ", text.lower().replace("\u2019", "'"))
    words = ["^"] + ["0" if token[0].isdigit() else token for token in TOKEN.findall(text)]
    return sorted(set(words) | {f"{a} {b}" for a, b in zip(words, words[1:])})


def fnv(feature):
    state = 0x811C9DC5
    for byte in feature.encode():
        state = (state ^ byte) * 0x01000193 & 0xFFFFFFFF
    return state


def main(sentences, vectors):
    rows = [json.loads(line) for line in open(sentences, encoding="utf-8")]
    dense = []
    for line in open(vectors, encoding="utf-8"):
        vector = json.loads(line)
        dense.append(np.array(vector["bytes"], np.float32) * np.float32(vector["scale"]))
    keep = [at for at, row in enumerate(rows) if row["kind"] in KINDS]
    rows, dense = [rows[at] for at in keep], np.array(dense)[keep]
    labels = np.array([KINDS.index(row["kind"]) for row in rows])
    train, held = (np.array([row["split"] == split for row in rows]) for split in ("train", "test"))
    texts = [features(row["text"]) for row in rows]
    count = {}
    for row, words in zip(rows, texts):
        for word in words if row["split"] == "train" else []:
            count[word] = count.get(word, 0) + 1
    known = sorted((word for word in count if count[word] >= SEEN_MIN), key=fnv)
    place = {word: at for at, word in enumerate(known)}
    at, to, value = [], [], []
    for number, words in enumerate(texts):
        found = [place[word] for word in words if word in place]
        at += [number] * len(found)
        to += found
        value += [WORDS_WEIGHT / np.sqrt(max(1, len(found)))] * len(found)
    words = csr_matrix((value, (at, to)), shape=(len(rows), len(known)))
    inputs = csr_matrix(hstack([csr_matrix(dense), words]))
    model = LogisticRegression(C=2, max_iter=5000, class_weight="balanced")
    model.fit(inputs[train], labels[train])
    meaning, weights = model.coef_[:, :384], model.coef_[:, 384:]
    scale = np.abs(weights).max() / 127
    rounded = np.round(weights / scale).astype(np.int8)
    out = b"OHKINDS1" + struct.pack("<If", len(known), scale * WORDS_WEIGHT)
    out += model.intercept_.astype("<f4").tobytes() + meaning.astype("<f4").tobytes()
    out += np.array([fnv(word) for word in known], "<u4").tobytes() + rounded.T.tobytes()
    (HERE / "kinds.bin").write_bytes(out)
    for split, chosen in (("train", train), ("test", held)):
        right = model.predict(inputs[chosen]) == labels[chosen]
        print(f"{split}: {right.mean():.3f} of {chosen.sum()} right")
    print(f"{len(known)} words and pairs, {len(out)} bytes")


main(*sys.argv[1:])
