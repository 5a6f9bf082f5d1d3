"""Makes model.bin and the golden file from the float weights of all-MiniLM-L6-v2.

    python convert.py model  PACKAGE_MODEL_DIR [OUT]   # int8 weights, laid out for the kernels
    python convert.py golden PACKAGE_MODEL_DIR OUT     # token ids and float vectors for the tests

Needs numpy and safetensors; `golden` also needs `tokenizers`, as an oracle that is not ours.
The README beside this file says where the package comes from.
"""

import json
import math
import pathlib
import struct
import sys
import unicodedata

import numpy as np
from safetensors.numpy import load_file

HERE = pathlib.Path(__file__).resolve().parent
WIDTH, LAYERS, HEADS, INNER, VOCABULARY, POSITIONS = 384, 6, 12, 1536, 30522, 256
HEAD_WIDTH = WIDTH // HEADS
VERSION = 1
ALIGNMENT = 64
SLOTS = 1 << 16


# ---- the file format ----------------------------------------------------------------------


def write_sections(path, magic, sections):
    """Header: magic, version, section count, file length; then (offset, length) pairs, then the sections."""
    offset = align(8 + 4 + 4 + 8 + 16 * len(sections))
    table, body = b"", b""
    for section in sections:
        section = bytes(section)
        table += struct.pack("<QQ", offset, len(section))
        padded = section + b"\0" * (align(len(section)) - len(section))
        body += padded
        offset += len(padded)
    header = magic + struct.pack("<IIQ", VERSION, len(sections), offset) + table
    header += b"\0" * (align(len(header)) - len(header))
    path.write_bytes(header + body)
    print(f"{path}: {len(header) + len(body)} bytes")


def align(length):
    return (length + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


# ---- the vocabulary -----------------------------------------------------------------------


def fnv(token):
    """FNV-1a over the bytes; a continuation piece (`##x`) starts from another basis, without its marks."""
    continuation = token.startswith(b"##") and len(token) > 2
    state = 0x811C9DC5 ^ (0x5BD1E995 if continuation else 0)
    for byte in token[2:] if continuation else token:
        state = ((state ^ byte) * 0x01000193) & 0xFFFFFFFF
    return state


def vocabulary_sections(directory):
    tokens = (directory / "vocab.txt").read_bytes().rstrip(b"\n").split(b"\n")
    assert len(tokens) == VOCABULARY
    slots = np.zeros(SLOTS, dtype="<u2")
    for number, token in enumerate(tokens):
        state = fnv(token)
        slot = (state ^ (state >> 16)) & (SLOTS - 1)
        while slots[slot]:
            slot = (slot + 1) & (SLOTS - 1)
        slots[slot] = number + 1
    ends = np.cumsum([0] + [len(token) for token in tokens]).astype("<u4")
    return [slots.tobytes(), ends.tobytes(), b"".join(tokens)]


def unicode_section(categories):
    """Inclusive ranges of the code points outside ASCII that have one of the categories."""
    ranges = []
    for code in range(128, 0x110000):
        if unicodedata.category(chr(code)) in categories:
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return np.array(ranges, dtype="<u4").tobytes()


# ---- the weights --------------------------------------------------------------------------


def quantise_rows(matrix):
    """Symmetric int8, one scale per row: bytes within -127..=127, which keeps maddubs from saturating."""
    largest = np.abs(matrix).max(axis=1)
    scales = np.where(largest > 0, largest / np.float32(127), np.float32(1)).astype(np.float32)
    return np.clip(np.rint(matrix / scales[:, None]), -127, 127).astype(np.int8), scales


def pack(rows):
    """Blocks of 16 outputs; in a block, for each 4 inputs, 16 x 4 bytes: what one VNNI instruction takes."""
    outputs, inputs = rows.shape
    return rows.reshape(outputs // 16, 16, inputs // 4, 4).transpose(0, 2, 1, 3).tobytes()


def layer_sections(tensors, number):
    """Four packed matrices; the sum of each output's bytes; scales and bias of each matrix, and the two norms."""
    prefix = f"encoder.layer.{number}."
    part = lambda name: tensors[prefix + name]
    attention = ["attention.self.query", "attention.self.key", "attention.self.value"]
    # The division of the scores by the root of the head width is folded into the query.
    factors = np.repeat([1 / math.sqrt(HEAD_WIDTH), 1, 1], WIDTH).astype(np.float32)
    matrices = [
        (np.concatenate([part(n + ".weight") for n in attention]), np.concatenate([part(n + ".bias") for n in attention]), factors)
    ]
    for name in ["attention.output.dense", "intermediate.dense", "output.dense"]:
        matrices.append((part(name + ".weight"), part(name + ".bias"), np.float32(1)))
    packed, sums, floats = [], [], []
    for weight, bias, factor in matrices:
        rows, scales = quantise_rows(weight)
        packed.append(pack(rows))
        sums.append(rows.astype(np.int32).sum(axis=1))
        floats += [scales * factor, bias * factor]
    for name in ["attention.output.LayerNorm", "output.LayerNorm"]:
        floats += [part(name + ".weight"), part(name + ".bias")]
    return packed + [np.concatenate(sums).astype("<i4").tobytes(), np.concatenate(floats).astype("<f4").tobytes()]


def make_model(directory, out):
    tensors = load_file(directory / "model.safetensors")
    rows, scales = quantise_rows(tensors["embeddings.word_embeddings.weight"])
    positions = tensors["embeddings.position_embeddings.weight"][:POSITIONS] + tensors["embeddings.token_type_embeddings.weight"][0]
    norm = np.concatenate([tensors["embeddings.LayerNorm.weight"], tensors["embeddings.LayerNorm.bias"]])
    sections = vocabulary_sections(directory)
    sections += [unicode_section({"Mn"}), unicode_section({"Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps"})]
    sections += [unicode_section({"Cc", "Cf", "Co"})]
    sections += [rows.tobytes(), scales.astype("<f4").tobytes(), positions.astype("<f4").tobytes(), norm.astype("<f4").tobytes()]
    for number in range(LAYERS):
        sections += layer_sections(tensors, number)
    print(f"Unicode {unicodedata.unidata_version}")
    write_sections(out, b"OHMINILM", sections)


# ---- the float reference ------------------------------------------------------------------


def exact_erf(x):
    return np.vectorize(math.erf, otypes=[np.float32])(x)


def norm(x, weight, bias):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + np.float32(1e-12)) * weight + bias


def reference(tensors, ids):
    """Embeds a batch of equally long id lists in float32: mean pooling, length one."""
    ids = np.asarray(ids)
    batch, length = ids.shape
    t = lambda name: tensors["embeddings." + name]
    x = t("word_embeddings.weight")[ids] + t("position_embeddings.weight")[:length] + t("token_type_embeddings.weight")[0]
    x = norm(x, t("LayerNorm.weight"), t("LayerNorm.bias"))
    for number in range(LAYERS):
        p = lambda name: tensors[f"encoder.layer.{number}.{name}"]
        dense = lambda x, name: x @ p(name + ".weight").T + p(name + ".bias")
        heads = lambda x: x.reshape(batch, length, HEADS, HEAD_WIDTH).transpose(0, 2, 1, 3)
        q, k, v = (heads(dense(x, f"attention.self.{n}")) for n in ["query", "key", "value"])
        scores = q @ k.transpose(0, 1, 3, 2) / np.float32(math.sqrt(HEAD_WIDTH))
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        context = (scores @ v).transpose(0, 2, 1, 3).reshape(batch, length, WIDTH)
        x = norm(x + dense(context, "attention.output.dense"), p("attention.output.LayerNorm.weight"), p("attention.output.LayerNorm.bias"))
        inner = dense(x, "intermediate.dense")
        inner = np.float32(0.5) * inner * (1 + exact_erf(inner * np.float32(math.sqrt(0.5))))
        x = norm(x + dense(inner, "output.dense"), p("output.LayerNorm.weight"), p("output.LayerNorm.bias"))
    pooled = x.mean(1)
    return pooled / np.linalg.norm(pooled, axis=-1, keepdims=True)



# ---- the golden file ----------------------------------------------------------------------

GOLDEN_TEXTS = [
    "", " ", "hello", "a", "The cat sits outside.", "A man is playing guitar", "Never use floats for money.",
    "How do we keep the payment service from charging a customer twice on retry?",
    "Idempotency keys stop duplicate charges when a request is repeated.",
    "Postgres connection pool exhaustion when the worker count is larger than max_connections; use pgbouncer in transaction mode.",
    "fn main() { let total: u64 = items.iter().map(|item| item.price_cents).sum(); }",
    "def __init__(self, *args, **kwargs): super().__init__(*args, **kwargs)",
    "SELECT id, name FROM users WHERE deleted_at IS NULL ORDER BY created_at DESC LIMIT 42;",
    "src/payments/rounding.rs", "/usr/local/lib/python3.11/site-packages/numpy/core/_multiarray_umath.so",
    "C:\\Users\\anna\\AppData\\Local\\Temp\\build.log", "getUserByEmailAddress", "MAX_RETRY_COUNT = 3", "snake_case_identifier kebab-case-name",
    "error[E0502]: cannot borrow `x` as mutable because it is also borrowed as immutable",
    "https://example.org/docs/index.html?query=a%20b&page=2#section-4",
    "Die Kosten werden in Cent gespeichert, nicht in Euro; Überträge müßten geprüft werden.", "Größenwahn Äpfel Straße naïve façade coöperate",
    "Пожалуйста, перезапустите сервер", "Ελληνικά ΣΊΣΥΦΟΣ", "我们使用整数来存储金额", "日本語のテキストとカタカナ", "한국어 문장", "שלום עולם", "हिन्दी में पाठ",
    "\U0001f680 deploy to production \U0001f389\U0001f389", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "!!! ??? ... --- ,,, ;;;", "\u2018curly\u2019 \u201cquotes\u201d \u2014 dash\u2026",
    "tabs\tand\nnewlines\r\nand\u00a0no-break\u3000spaces", "zero\u200bwidth \ufeffmark \u0007bell \ufffd replacement \u0000nul",
    "x" * 100, "x" * 101, "supercalifragilisticexpialidocious pneumonoultramicroscopicsilicovolcanoconiosis", "1234567890 3.14159 1e-12 0xdeadbeef 2026-06-01T00:00:00Z",
    "\u0130stanbul \u01c5 \u1e9e \ufb01ne \uf900", "e\u0301 cafe\u0301 = caf\u00e9",
]
LONG_TEXTS = [
    ("The worker takes a job from the queue, locks its row, and writes the result before it lets the lock go. ", 100),
    ("retry(attempt) && backoff_ms <= 30_000; ", 12), ("Ein langer deutscher Satz \u00fcber Gr\u00f6\u00dfen. ", 20), ("word ", 254), ("word ", 253),
]
# One in the golden file stands for this part of one: enough for a cosine to seven places.
GOLDEN_UNIT = 10000


def make_golden(directory, out):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(POSITIONS)
    tensors = load_file(directory / "model.safetensors")
    lines = []
    for text, times in [(text, 1) for text in GOLDEN_TEXTS] + LONG_TEXTS:
        ids = tokenizer.encode(text * times).ids
        vector = [int(value) for value in np.rint(reference(tensors, [ids])[0] * GOLDEN_UNIT)]
        lines.append(json.dumps({"text": text, "times": times, "ids": ids, "vector": vector}, separators=(",", ":")))
    out.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(f"{out}: {out.stat().st_size} bytes, {len(lines)} texts")


def main():
    command, directory, *rest = sys.argv[1:]
    directory = pathlib.Path(directory)
    if command == "model":
        make_model(directory, pathlib.Path(rest[0]) if rest else HERE / "model.bin")
    elif command == "golden":
        make_golden(directory, pathlib.Path(rest[0]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
