"""Writes neighbours.jsonl: pairs of statements that are near each other and have nothing to do with
each other, for `pairs.py train`.

    python neighbours.py MODEL_DIR neighbours.jsonl

Statements of different matters of `evals/pairs` (split `dev`), and memories of one store of
`evals/coding` and `evals/recall/dev`, which all hold beside each other. Without them a judge that was
trained on pairs about one matter takes every neighbour for a rival.
"""

import json
import pathlib
import random
import sys

import numpy as np
import torch

from pairs import Judge, batch, batches, encoded

EVALS = pathlib.Path(__file__).resolve().parents[2] / "evals"
STATEMENTS, PAIRS = 6000, 3500


def lines(path):
    return [json.loads(line) for line in open(EVALS / path, encoding="utf-8")]


@torch.no_grad()
def vectors(model, directory, texts):
    rows = encoded(directory, texts)
    found = np.zeros((len(texts), 384), np.float32)
    for chosen in batches(rows, False):
        ids, mask = batch([rows[at] for at in chosen])
        states = model.bert(input_ids=ids, attention_mask=mask).last_hidden_state
        weight = mask.unsqueeze(-1).float()
        mean = (states * weight).sum(1) / weight.sum(1)
        found[chosen] = torch.nn.functional.normalize(mean, dim=1).numpy()
    return found


def main(directory, out):
    chance, model = random.Random(1), Judge(directory).eval()
    matter = {}
    for line in (line for line in lines("pairs/pairs.jsonl") if line["split"] == "dev"):
        matter.setdefault(line["existing"], line["matter"])
        if line["label"] != "other":
            matter.setdefault(line["proposal"], line["matter"])
    texts = list(matter)
    chance.shuffle(texts)
    texts = texts[:STATEMENTS]
    near = (found := vectors(model, directory, texts)) @ found.T
    matters = np.array([matter[text] for text in texts])
    pairs = []
    for at, text in enumerate(texts):
        others = np.flatnonzero(matters != matters[at])
        nearest = others[np.argsort(-near[at][others])[:12]]
        nearest = [other for other in nearest if 0.3 < near[at][other] < 0.8]
        if nearest:
            pairs.append((text, texts[chance.choice(nearest)]))
    chance.shuffle(pairs)
    pairs = pairs[:PAIRS]
    stores = {"coding": lines("coding/docs.jsonl")}
    for line in lines("recall/dev/docs.jsonl"):
        stores.setdefault(line["scope"], []).append(line)
    for memories in stores.values():
        texts = [f"{line['title']}. {line['text']}"[:400] for line in memories]
        near = (found := vectors(model, directory, texts)) @ found.T
        for at, text in enumerate(texts):
            nearest = [other for other in np.argsort(-near[at])[1:9] if near[at][other] > 0.25]
            pairs += [(texts[other], text) for other in nearest[:6]]
    with open(out, "w", encoding="utf-8") as file:
        file.writelines(json.dumps({"a": a, "b": b, "label": 1}) + "\n" for a, b in pairs)


main(*sys.argv[1:])
