"""Trains and writes pair.bin: all-MiniLM-L6-v2 as a judge of two statements.

    python pairs.py train MODEL_DIR OUT.pt --data mnli.jsonl [--epochs N] [--rate R] [--from IN.pt]
    python pairs.py train MODEL_DIR OUT.pt --data ../../evals/pairs/pairs.jsonl --from IN.pt …
    python pairs.py score MODEL_DIR IN.pt ../../evals/pairs/pairs.jsonl
    python pairs.py write MODEL_DIR IN.pt

Lines are `{"a", "b", "label"}` with 0 (b follows from a), 1 (neither), 2 (both can't hold), or those
of `evals/pairs`, `evals/gate` and `evals/twins`, of which only the split `dev` is learnt from.
`--from` takes a file of an earlier training, or an earlier `pair.bin`. `--rounded` trains with the rounding
of the kernels, which the last stage needs. `--unrelated N` adds N pairs of sentences of the first file that have nothing to do with each other.
`mnli.jsonl` is MNLI in the form above. Word and position embeddings stay as
they are, so that the program holds them once. Needs torch, transformers, tokenizers, safetensors,
numpy, and `../minilm` beside it.
"""

import argparse
import json
import pathlib
import random
import struct
import sys

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "minilm"))
import convert
from rounding import round_model

TOKENS, BATCH = 160, 32
# The matrices of a layer: outputs, inputs.
SHAPES = [(3 * convert.WIDTH, convert.WIDTH), (convert.WIDTH, convert.WIDTH), (convert.INNER, convert.WIDTH), (convert.WIDTH, convert.INNER)]
# How a pair of `evals/twins` that is no twin differs, where that excludes the other.
EXCLUDING = {"negation", "number", "version", "technology"}
STANDINGS = {"same": 0, "refines": 0, "beside": 1, "other": 1, "contradicts": 2, "replaces": 2}


class Judge(torch.nn.Module):
    """The mean of all states, then one linear layer; no second token type, as in the kernels."""

    def __init__(self, directory):
        super().__init__()
        config = BertConfig.from_json_file(f"{directory}/config.json")
        self.bert = BertModel(config, add_pooling_layer=False)
        weights = load_file(f"{directory}/model.safetensors")
        self.bert.load_state_dict({k: v for k, v in weights.items() if not k.startswith("pooler")}, strict=False)
        self.drop = torch.nn.Dropout(0.1)
        self.heads = torch.nn.ModuleDict({"nli": torch.nn.Linear(config.hidden_size, 3)})

    def forward(self, ids, mask):
        states = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state
        weight = mask.unsqueeze(-1).float()
        return self.heads["nli"](self.drop((states * weight).sum(1) / weight.sum(1)))


def encoded(directory, pairs):
    tokenizer = Tokenizer.from_file(f"{directory}/tokenizer.json")
    tokenizer.enable_truncation(TOKENS, strategy="longest_first")
    tokenizer.no_padding()
    return [encoding.ids for encoding in tokenizer.encode_batch(pairs)]


def batch(rows):
    ids = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
    mask = torch.zeros_like(ids)
    for number, row in enumerate(rows):
        ids[number, : len(row)], mask[number, : len(row)] = torch.tensor(row), 1
    return ids, mask


def batches(rows, shuffle, seed=0):
    """Rows of like lengths beside each other: padding costs time."""
    chance, order = random.Random(seed), list(range(len(rows)))
    if shuffle:
        chance.shuffle(order)
    found = []
    for start in range(0, len(order), BATCH * 50):
        chunk = sorted(order[start : start + BATCH * 50], key=lambda at: len(rows[at]))
        found += [chunk[at : at + BATCH] for at in range(0, len(chunk), BATCH)]
    if shuffle:
        chance.shuffle(found)
    return found


def read(paths, split):
    for path in paths:
        for line in map(json.loads, open(path, encoding="utf-8")):
            if line.get("split", split) != split:
                continue
            if "matter" in line:
                yield line["existing"], line["proposal"], STANDINGS[line["label"]]
            elif "existing" in line:
                clear = 0 if line["cause"] == "confirms" else 1
                yield said(line["existing"]), said(line["proposal"]), 2 if line["label"] == "conflict" else clear
            elif "split" not in line:
                yield line["a"], line["b"], line["label"]
            elif line["why"] not in ("lesson_type", "kind"):
                other = 2 if line["why"] in EXCLUDING else 1
                yield said(line["a"]), said(line["b"]), 0 if line["label"] == "twin" else other


def said(value):
    """A text, or a record by its title and what it says."""
    if isinstance(value, str):
        return value
    return f"{value['title']}. {value.get('text') or ' '.join(map(str, value.get('content', {}).values()))}"


def weights_of(path):
    """What a training saved; or, of a file that the program reads, its bytes as floats again."""
    if not path.endswith(".bin"):
        return torch.load(path)
    data = pathlib.Path(path).read_bytes()
    places = struct.iter_unpack("<QQ", data[24 : 24 + 16 * struct.unpack_from("<I", data, 12)[0]])
    sections = [data[start : start + length] for start, length in places]
    width, found = convert.WIDTH, {}
    for number in range(convert.LAYERS):
        *packed, _sums, floats = sections[number * 6 : number * 6 + 6]
        floats = np.frombuffer(floats, "<f4")
        take = iter(np.split(floats, np.cumsum([n for o, _ in SHAPES for n in (o, o)] + [width] * 3)))
        matrices = []
        for (outputs, inputs), section in zip(SHAPES, packed):
            rows = np.frombuffer(section, np.int8).reshape(outputs // 16, inputs // 4, 16, 4)
            rows = rows.transpose(0, 2, 1, 3).reshape(outputs, inputs)
            matrices.append((rows * next(take)[:, None], next(take)))
        (query, bias), *others = matrices
        # The root of the head width was folded into the query.
        factors = np.repeat([convert.HEAD_WIDTH**0.5, 1, 1], width).astype(np.float32)
        parts = list(zip(np.split(query * factors[:, None], 3), np.split(bias * factors, 3))) + others
        names = [f"attention.self.{n}" for n in ("query", "key", "value")] + ["attention.output.dense", "intermediate.dense", "output.dense"]
        for name, (weight, bias) in zip(names, parts):
            found |= {f"{name}.weight": weight, f"{name}.bias": bias}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            found |= {f"{name}.weight": next(take), f"{name}.bias": next(take)}
        found = {k if k.startswith("bert.") or k.startswith("heads.") else f"bert.encoder.layer.{number}.{k}": v for k, v in found.items()}
    head = np.frombuffer(sections[-1], "<f4")
    found |= {"heads.nli.weight": head[: 3 * width].reshape(3, width), "heads.nli.bias": head[3 * width :]}
    return {name: torch.tensor(np.array(value, np.float32)) for name, value in found.items()}


def train(options):
    torch.manual_seed(0)
    chance = random.Random(0)
    data = list(read(options.data, "dev"))
    first = chance.sample(data, 2 * options.unrelated)
    data += [(a, b, 1) for (a, _, _), (_, b, _) in zip(first[::2], first[1::2])]
    model = Judge(options.directory)
    if options.start:
        model.load_state_dict(weights_of(options.start), strict=False)
    if options.rounded:
        round_model(model.bert)
    for name, weight in model.named_parameters():
        weight.requires_grad = "embeddings" not in name
    learnt = [weight for weight in model.parameters() if weight.requires_grad]
    ahead = encoded(options.directory, [(a, b) for a, b, _ in data])
    back = encoded(options.directory, [(b, a) for a, b, _ in data])
    labels = torch.tensor([label for _, _, label in data])
    steps = [one for epoch in range(options.epochs) for one in batches(ahead, True, epoch)]
    optimiser = torch.optim.AdamW(learnt, options.rate, weight_decay=0.01)
    pace = lambda step: min(1, (step + 1) / (0.08 * len(steps))) * max(0.02, 1 - step / len(steps))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, pace)
    model.train()
    for number, chosen in enumerate(steps):
        # What does not follow stands the same way in both directions.
        turned = lambda at: data[at][2] != 0 and chance.random() < 0.3
        ids, mask = batch([(back if turned(at) else ahead)[at] for at in chosen])
        with torch.autocast("cpu", torch.bfloat16):
            standings = model(ids, mask).float()
        loss = torch.nn.functional.cross_entropy(standings, labels[chosen], label_smoothing=0.05)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        schedule.step()
        if number % 100 == 99:
            print(f"{number + 1} of {len(steps)}: {loss.item():.3f}", flush=True)
    torch.save(model.state_dict(), options.model)


@torch.no_grad()
def score(options):
    model = Judge(options.directory)
    model.load_state_dict(weights_of(options.model), strict=False)
    round_model(model.bert)
    model.eval()
    lines = [json.loads(line) for line in open(options.data[0], encoding="utf-8")]
    rows = encoded(options.directory, [(line["existing"], line["proposal"]) for line in lines])
    for chosen in batches(rows, False):
        found = torch.softmax(model(*batch([rows[at] for at in chosen])), -1)
        for at, standing in zip(chosen, found):
            lines[at]["clash"] = standing[2].item()
    for line in lines:
        print(json.dumps({key: line[key] for key in ("id", "split", "label", "clash")}))


def write(options):
    state = torch.load(options.model)
    tensors = {name[5:]: value.numpy() for name, value in state.items() if name.startswith("bert.")}
    sections = [part for number in range(convert.LAYERS) for part in convert.layer_sections(tensors, number)]
    head = np.concatenate([state["heads.nli.weight"].numpy().ravel(), state["heads.nli.bias"].numpy()])
    sections.append(head.astype("<f4").tobytes())
    convert.write_sections(HERE / "pair.bin", b"OHPAIRLM", sections)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("job", choices=["train", "score", "write"])
    parser.add_argument("directory")
    parser.add_argument("model")
    parser.add_argument("data", nargs="*")
    parser.add_argument("--data", dest="more", nargs="+", default=[])
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--from", dest="start")
    parser.add_argument("--rounded", action="store_true")
    parser.add_argument("--unrelated", type=int, default=0)
    options = parser.parse_args()
    options.data += options.more
    {"train": train, "score": score, "write": write}[options.job](options)


if __name__ == "__main__":
    main()
