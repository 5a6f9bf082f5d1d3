"""Gives a library, or a floor without a server, the same interface as the servers have.

`shim.py <kind> <folder>` speaks the Model Context Protocol on standard streams with three tools: `add`, `search`
and `everything`. It runs in the rival's own environment, calls only its documented functions, and adds no search of
its own."""

import json
import os
import re
import sys


class Mem0:
    """The library without a language model: texts are stored as they are (`infer=False`)."""

    def __init__(self, folder):
        os.environ.setdefault("OPENAI_API_KEY", "none")  # Its constructor wants one; nothing calls it.
        from mem0 import Memory
        self.memory = Memory.from_config({
            "vector_store": {"provider": "qdrant", "config": {
                "path": f"{folder}/qdrant", "on_disk": True, "embedding_model_dims": 384}},
            "embedder": {"provider": "fastembed", "config": {
                "model": "sentence-transformers/all-MiniLM-L6-v2", "embedding_dims": 384}},
            "history_db_path": f"{folder}/history.db"})

    def add(self, title, text):
        self.memory.add(f"{title}\n{text}", user_id="scoreboard", infer=False)
        return "added"

    def search(self, query):
        found = self.memory.search(query, filters={"user_id": "scoreboard"})["results"]
        return "\n".join(f"- {each['memory']}" for each in found)

    def everything(self):
        found = self.memory.get_all(filters={"user_id": "scoreboard"}, top_k=10_000)["results"]
        return "\n".join(each["memory"] for each in found)


class Notes:
    """A folder with one Markdown file per memory."""

    def __init__(self, folder):
        self.folder = f"{folder}/notes"
        os.makedirs(self.folder, exist_ok=True)

    def add(self, title, text):
        path = f"{self.folder}/{re.sub('[^a-z0-9]+', '-', title.lower()).strip('-')}.md"
        with open(path, "w") as file:
            file.write(f"# {title}\n\n{text}\n")
        return path

    def everything(self):
        return "\n".join(open(f"{self.folder}/{name}").read() for name in sorted(os.listdir(self.folder)))


class Memsearch(Notes):
    """Files are its source of truth: a write is a file and a run of its indexer."""

    def __init__(self, folder):
        super().__init__(folder)
        import asyncio
        from memsearch import MemSearch
        self.run = asyncio.new_event_loop().run_until_complete
        self.index = MemSearch([self.folder], embedding_provider="onnx", milvus_uri=f"{folder}/index.db",
                               embedding_model="qdrant/all-MiniLM-L6-v2-onnx")

    def add(self, title, text):
        path = super().add(title, text)
        self.run(self.index.index_file(path))
        return path

    def search(self, query):
        return "\n\n".join(each["content"] for each in self.run(self.index.search(query)))


class Grep(Notes):
    """What an agent without a tool does: search for the words of the question, and read the five files in which
    most of them are. `grep` does the searching."""

    COMMON = set("a an the is are was were be do does did have has how what when where which who why of in on at to "
                 "for from by with and or not no it its this that we you i our they my can should would".split())

    def search(self, query):
        import subprocess
        words = {word for word in re.findall(r"[\w.-]{2,}", query.lower())} - self.COMMON
        hits = {}
        for word in sorted(words):
            found = subprocess.run(["grep", "-rilF", "--", word, self.folder], capture_output=True, text=True)
            for path in found.stdout.splitlines():
                hits[path] = hits.get(path, 0) + 1
        best = sorted(hits, key=lambda path: (-hits[path], path))[:5]
        return "\n".join(open(path).read() for path in best)


class Bm25:
    """SQLite's FTS5 with its `bm25()`, all words of the question joined by OR, the best ten."""

    def __init__(self, folder):
        import sqlite3
        self.base = sqlite3.connect(f"{folder}/notes.db", timeout=30, isolation_level=None)
        self.base.execute("PRAGMA journal_mode=WAL")
        self.base.execute("PRAGMA synchronous=FULL")
        self.base.execute("CREATE VIRTUAL TABLE IF NOT EXISTS notes USING fts5(title, text, "
                          "tokenize='porter unicode61')")

    def add(self, title, text):
        self.base.execute("INSERT INTO notes VALUES (?, ?)", (title, text))
        return "added"

    def rows(self, query, *values):
        return "\n\n".join(f"{title}\n{text}" for title, text in self.base.execute(query, values))

    def search(self, query):
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        return self.rows("SELECT title, text FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT 10",
                         words) if words else ""

    def everything(self):
        return self.rows("SELECT title, text FROM notes")


KINDS = {"mem0": Mem0, "memsearch": Memsearch, "grep": Grep, "bm25": Bm25}
TOOLS = {"add": ["title", "text"], "search": ["query"], "everything": []}


def answer(store, request):
    if request["method"] == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                "serverInfo": {"name": "shim", "version": "1"}}
    if request["method"] == "tools/list":
        return {"tools": [{"name": name, "inputSchema": {"type": "object", "properties": {
            each: {"type": "string"} for each in wanted}}} for name, wanted in TOOLS.items()]}
    call = request["params"]
    try:
        text, is_error = getattr(store, call["name"])(**call["arguments"]), False
    except Exception as error:  # Whatever it is, the client hears it as a model would.
        text, is_error = f"{type(error).__name__}: {error}", True
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def main():
    kind, folder = sys.argv[1:]
    # What libraries print must not end up in the protocol.
    protocol = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    store = KINDS[kind](folder)
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            reply = {"jsonrpc": "2.0", "id": request["id"], "result": answer(store, request)}
            protocol.write(json.dumps(reply) + "\n")
            protocol.flush()


main()
