"""Trains all-MiniLM-L6-v2 on short memories and what people ask in other words.

    python train.py MODEL_DIR OUT_DIR [--epochs N] [--rate R] [--share S]

Learns from `evals/recall/train` (a question beside the memory that answers it) and `evals/pairs`, split
`dev` (a proposal beside the statement about the same matter). In a batch every other memory of the same
product is a wrong answer. Word and position embeddings stay as they are: the pair model has the same.
OUT_DIR gets what `convert.py model` reads: weights between the first ones (`--share 0`) and the trained
ones (`--share 1`). Needs torch, transformers, tokenizers, safetensors, numpy.
"""

import argparse
import json
import pathlib
import random
import shutil

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

from rounding import round_model

EVALS = pathlib.Path(__file__).resolve().parents[2] / "evals"
BATCH, TEMPERATURE = 40, 0.05
QUESTION_TOKENS, MEMORY_TOKENS = 96, 128
PROPOSALS_PER_STATEMENT = 2


def lines(path):
    return [json.loads(line) for line in open(EVALS / path, encoding="utf-8")]


def products():
    """Per product: a question, its memory, and what no other row of a batch may share with it."""
    memories = {line["id"]: line for line in lines("recall/train/docs.jsonl")}
    found = {}
    for line in lines("recall/train/queries.jsonl"):
        memory = memories[line["gold"][0]]
        row = (line["text"], f"{memory['title']}. {memory['text']}", memory["id"])
        found.setdefault(line["scope"], []).append(row)
    return list(found.values())


def statements(chance):
    by_statement = {}
    for line in lines("pairs/pairs.jsonl"):
        if line["split"] == "dev" and line["label"] not in ("beside", "other"):
            row = (line["proposal"], line["existing"], line["matter"])
            by_statement.setdefault(line["existing"], []).append(row)
    return [row for rows in by_statement.values() for row in chance.sample(rows, min(len(rows), PROPOSALS_PER_STATEMENT))]


def batches(rows, chance):
    rows, found = chance.sample(rows, len(rows)), []
    while len(rows) > 8:
        taken, batch, left = set(), [], []
        for row in rows:
            is_free = row[2] not in taken and len(batch) < BATCH
            (batch if is_free else left).append(row)
            taken.add(row[2])
        found.append(batch)
        rows = left
        if len(batch) < 9:
            break
    return found


class Texts:
    def __init__(self, directory):
        self.tokenizer = Tokenizer.from_file(f"{directory}/tokenizer.json")
        self.tokenizer.no_padding()

    def batch(self, texts, tokens):
        self.tokenizer.enable_truncation(tokens)
        rows = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        ids = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for number, row in enumerate(rows):
            ids[number, : len(row)], mask[number, : len(row)] = torch.tensor(row), 1
        return ids, mask


def vectors(bert, ids, mask):
    with torch.autocast("cpu", torch.bfloat16):
        states = bert(input_ids=ids, attention_mask=mask).last_hidden_state
    weight = mask.unsqueeze(-1).float()
    return torch.nn.functional.normalize((states.float() * weight).sum(1) / weight.sum(1), dim=1)


def train(options):
    torch.manual_seed(0)
    chance = random.Random(0)
    bert = BertModel(BertConfig.from_json_file(f"{options.directory}/config.json"), add_pooling_layer=False)
    first = {k: v for k, v in load_file(f"{options.directory}/model.safetensors").items() if not k.startswith("pooler")}
    bert.load_state_dict(first, strict=False)
    round_model(bert)
    for name, weight in bert.named_parameters():
        weight.requires_grad = "embeddings" not in name
    learnt = [weight for weight in bert.parameters() if weight.requires_grad]
    stores, pairs, texts = products(), statements(chance), Texts(options.directory)
    steps = []
    for _ in range(options.epochs):
        epoch = [batch for rows in [*stores, pairs] for batch in batches(rows, chance)]
        steps += chance.sample(epoch, len(epoch))
    optimiser = torch.optim.AdamW(learnt, options.rate, weight_decay=0.01)
    pace = lambda step: min(1, (step + 1) / (0.1 * len(steps))) * max(0.02, 1 - step / len(steps))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, pace)
    bert.train()
    for number, rows in enumerate(steps):
        asked = vectors(bert, *texts.batch([row[0] for row in rows], QUESTION_TOKENS))
        found = vectors(bert, *texts.batch([row[1] for row in rows], MEMORY_TOKENS))
        near, right = asked @ found.T / TEMPERATURE, torch.arange(len(rows))
        loss = (torch.nn.functional.cross_entropy(near, right) + torch.nn.functional.cross_entropy(near.T, right)) / 2
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        schedule.step()
        if number % 25 == 24:
            print(f"{number + 1} of {len(steps)}: {loss.item():.3f}", flush=True)
    trained, share = bert.state_dict(), options.share
    mixed = {k: (first[k] * (1 - share) + trained[k] * share if "encoder" in k else first[k]).contiguous() for k in trained}
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    save_file(mixed, out / "model.safetensors")
    for name in ("vocab.txt", "tokenizer.json", "config.json"):
        shutil.copy(f"{options.directory}/{name}", out / name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("out")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--share", type=float, default=1.0)
    train(parser.parse_args())


main()
