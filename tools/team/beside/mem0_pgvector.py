#!/usr/bin/env python3
"""mem0 over PostgreSQL with pgvector, with the texts of the team server's benchmark.

    mem0_pgvector.py PG_BIN LINES.jsonl [--noise]

LINES.jsonl comes from `cargo xtask bench team texts`: memories as {"text"}, questions as {"question"}. Nothing is sent
anywhere: memories are added as they are (`infer=False`), and embedded by fastembed with all-MiniLM-L6-v2 from
FASTEMBED_CACHE_PATH. With --noise vectors are made up, so that what is left is the cost of everything but the model.
Only mem0's public interface is called. Prints milliseconds of CPU of this process and of PostgreSQL.
"""
import hashlib
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

DIMENSIONS = 384
ROUNDS = 3


def ticks(pid):
    with open(f"/proc/{pid}/stat") as file:
        return sum(int(word) for word in file.read().rsplit(")", 1)[1].split()[11:15]) * 10


def database_cpu(postmaster):
    with open(f"/proc/{postmaster}/task/{postmaster}/children") as file:
        children = file.read().split()
    return ticks(postmaster) + sum(ticks(child) for child in children if os.path.exists(f"/proc/{child}"))


def start(bin_folder, folder):
    """A cluster of its own on a socket, as `nobody` where we are root: PostgreSQL refuses root."""
    as_user = {}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        as_user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    data = os.path.join(folder, "data")
    subprocess.run([f"{bin_folder}/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"],
                   check=True, stdout=subprocess.DEVNULL, **as_user)
    server = subprocess.Popen(
        [f"{bin_folder}/postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "shared_buffers=1GB",
         "-c", "jit=off"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **as_user)
    for _ in range(600):
        if subprocess.run([f"{bin_folder}/pg_isready", "-q", "-h", folder]).returncode == 0:
            return server
        time.sleep(0.1)
    raise SystemExit("PostgreSQL did not start")


class Noise:
    """Stands in for the model: made up vectors of length one, in the place where mem0 keeps its embedder."""

    def __init__(self, config):
        self.config = config

    def embed(self, text, memory_action=None):
        import numpy
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        vector = numpy.random.default_rng(seed).standard_normal(DIMENSIONS)
        return (vector / numpy.linalg.norm(vector)).tolist()

    def embed_batch(self, texts, memory_action=None):
        return [self.embed(text) for text in texts]


def opened(folder):
    os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=os.path.join(folder, "mem0"), OPENAI_API_KEY="none",
                      HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    from mem0 import Memory
    return Memory.from_config({
        "vector_store": {"provider": "pgvector", "config": {
            "connection_string": f"host={folder} user=postgres dbname=postgres", "collection_name": "memories",
            "embedding_model_dims": DIMENSIONS, "hnsw": True, "diskann": False}},
        "embedder": {"provider": "fastembed", "config": {
            "model": "sentence-transformers/all-MiniLM-L6-v2", "embedding_dims": DIMENSIONS}},
        "history_db_path": os.path.join(folder, "history.db")})


def main():
    bin_folder, lines = sys.argv[1:3]
    with open(lines) as file:
        lines = [json.loads(line) for line in file]
    texts = [line["text"] for line in lines if "text" in line]
    questions = [line["question"] for line in lines if "question" in line]
    folder = tempfile.mkdtemp(prefix="beside-")
    server = start(bin_folder, folder)
    try:
        memory = opened(folder)
        if "--noise" in sys.argv:
            memory.embedding_model = Noise(memory.embedding_model.config)
        own = os.getpid()
        before, began = (ticks(own), database_cpu(server.pid)), time.time()
        for text in texts:
            memory.add(text, user_id="shop", infer=False)
        took = [ticks(own) - before[0], database_cpu(server.pid) - before[1]]
        print(f"add, {len(texts)}: process {took[0] / len(texts):.2f} + database {took[1] / len(texts):.2f} ms CPU each; "
              f"{(time.time() - began) * 1e3 / len(texts):.2f} ms by the clock")
        rounds = []
        for number in range(ROUNDS + 1):
            before, found = (ticks(own), database_cpu(server.pid)), 0
            for question in questions:
                found += len(memory.search(question, filters={"user_id": "shop"}, top_k=5, threshold=0.0)["results"])
            if number:
                rounds.append(((ticks(own) - before[0]) / len(questions),
                               (database_cpu(server.pid) - before[1]) / len(questions)))
        process, database = min(rounds, key=sum)
        print(f"search: process {process:.2f} + database {database:.2f} = {process + database:.2f} ms CPU, "
              f"{found / len(questions):.1f} found")
        size = subprocess.run([f"{bin_folder}/psql", "-h", folder, "-U", "postgres", "-Atc",
                               "select pg_total_relation_size('memories')"], capture_output=True, text=True)
        print(f"{int(size.stdout or 0) / max(len(texts), 1):.0f} bytes a memory in PostgreSQL")
    finally:
        server.send_signal(signal.SIGINT)  # mem0 keeps its connections
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
