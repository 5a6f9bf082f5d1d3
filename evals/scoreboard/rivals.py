"""One small adapter per tool: how it is installed, started, written to and asked. To add one, write a class and put it
into `ALL`. A tool is used through its own documented interface, with its defaults; where that was not possible,
`note` says what was changed."""

import re
import shutil
import subprocess
from pathlib import Path

from client import Refused, Session

HERE = Path(__file__).resolve().parent


class Rival:
    name = how = note = ""
    replacing = "delete it and write the new one"
    python = None  # The version that its environment has; `packages` are Node's if there is none.
    packages = ()
    model_caches = ()  # Where below the home it looks for its embedding model.
    wants_extensions = False  # Of its SQLite.
    is_fresh = False  # A new connection for each question.

    def __init__(self, place, store):
        """`place` has what is installed; `store` is a folder that nothing else uses."""
        self.place, self.store, self.home = place, Path(store), Path(store) / "home"
        self.folder = place.peers / self.name
        self.handles = {}

    # --- what an adapter says ---

    def command(self):
        raise NotImplementedError

    def settings(self):
        return {}

    def once(self, query):
        """The command that asks without a server, if it has one."""
        return None

    def write(self, session, memory):
        """Raises `Refused` if the tool did not take it."""
        raise NotImplementedError

    def search(self, session, query):
        raise NotImplementedError

    def everything(self, session, titles):
        """A text with the titles of all that is stored."""
        raise NotImplementedError

    def insist(self, session, memory, answer):
        """What to do when it refuses something that is right. Whether it is stored then."""
        return False

    def replace(self, session, old, new, answer):
        """What to do when its answer to `new` points to `old`, which `new` replaces."""
        return False

    def served(self, answer):
        """The part of an answer that holds memories."""
        return answer

    def complaints(self, session):
        """Contradictions that it lists when asked, after the writes."""
        return ""

    # --- the same for all ---

    def prepare(self):
        shutil.rmtree(self.store, ignore_errors=True)
        for cache in self.model_caches:
            link = self.home / ".cache" / cache
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(self.place.model)
        self.home.mkdir(parents=True, exist_ok=True)

    def environment(self):
        return {"PATH": f"{self.place.node}:/usr/bin:/bin", "HOME": str(self.home), "LANG": "C.UTF-8",
                "HF_HUB_OFFLINE": "1", "ANONYMIZED_TELEMETRY": "False", **self.settings()}

    def start(self, timeout=120):
        return Session(self.command(), self.environment(), self.store, self.store / "errors.log", timeout)

    def points_to(self, answer, memory):
        """Whether an answer names a memory, by its title or by the name that the tool gave it."""
        return any(name and name in answer for name in (*spellings(memory.title), self.handles.get(memory.title)))


def spellings(title):
    """A title as it may stand in an answer: plain, in JSON, in markup."""
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    return {title, quoted, title.replace("&", "&amp;").replace("<", "&lt;"),
            quoted.encode("ascii", "backslashreplace").decode()}


class Oldhand(Rival):
    name = "oldhand"
    how = "words and meaning, a model of its own; Rust"
    replacing = "`oldhand supersede`; both stay, linked"
    is_fresh = True
    note = "does not repeat on one connection what it has served there, so each question gets a new one"

    def prepare(self):
        super().prepare()
        subprocess.run(["git", "init", "-q", self.store], check=True)
        self.by_hand("init")

    def settings(self):
        return {"OLDHAND_ROOT": str(self.store)}

    def command(self):
        # It keeps 100 memories per kind unless told otherwise; one set has more.
        return [str(self.place.binary), "--config", "limits.max_memories_per_kind=1000", "mcp"]

    def once(self, query):
        return [str(self.place.binary), "recall", query]

    def by_hand(self, *words):
        """As a person at the command line."""
        done = subprocess.run([self.place.binary, *words], env=self.environment(), cwd=self.store, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise Refused(done.stdout)
        return done.stdout

    def write(self, session, memory, **more):
        return session.call("remember", title=memory.title, text=memory.text, kind=memory.kind, **more)

    def insist(self, session, memory, answer):
        try:
            if "error[JUDGE]" in answer:
                self.write(session, memory, beside=named(answer), because="both hold")
            elif waiting := re.search(r"waits as `([^`]+)`", answer):
                self.by_hand("resolve", waiting[1], "--keep-both", "--by", "ada", "--reason", "both hold")
            else:
                return False
            return True
        except Refused as again:
            return str(again) != answer and self.insist(session, memory, str(again))

    def replace(self, session, old, new, asked):
        if waiting := re.search(r"waits as `([^`]+)`", asked):
            self.by_hand("resolve", waiting[1], "--supersede", "--by", "ada", "--reason", "it changed")
        else:
            # `supersede` can make the successor itself, but can't say that other memories hold beside it.
            answer = self.write(session, new, beside=named(asked), because="it replaces one, and others hold")
            known = dict(re.findall(r"^- (.*) \((\S+)\)$", asked, re.MULTILINE))
            created = re.match(r"created: (\S+)", answer)[1]
            self.by_hand("supersede", known[old.title], "--by-memory", created, "--because", "it changed",
                         "--by", "ada")
        return True

    def search(self, session, query):
        return session.call("recall", query=query)

    def served(self, answer):
        return answer.split("\nleft out:")[0]

    def everything(self, session, titles):
        return self.by_hand("list", "--json", "--limit", "100000")


def named(answer):
    """The ids in a question of oldhand's gate."""
    return re.findall(r"^- .* \((\S+)\)$", answer, re.MULTILINE)


class ServerMemory(Rival):
    name = "server-memory"
    how = "the whole question as one piece of text; Node"
    replacing = "`delete_entities`, `create_entities`"
    packages = ("@modelcontextprotocol/server-memory@2026.8.31",)

    def settings(self):
        return {"MEMORY_FILE_PATH": str(self.store / "memory.jsonl")}

    def command(self):
        return [str(self.folder / "node_modules/.bin/mcp-server-memory")]

    def write(self, session, memory):
        return session.call("create_entities", entities=[{
            "name": memory.title, "entityType": memory.kind, "observations": [memory.text]}])

    def search(self, session, query):
        return session.call("search_nodes", query=query)

    def everything(self, session, titles):
        return session.call("read_graph")


class Libsql(ServerMemory):
    name = "mcp-memory-libsql"
    how = "the whole question as one piece of text, in libSQL; Node"
    replacing = "`create_entities` with the same name"
    packages = ("mcp-memory-libsql@0.0.17",)

    def settings(self):
        return {"LIBSQL_URL": f"file:{self.store}/memory.db"}

    def command(self):
        return [str(self.folder / "node_modules/.bin/mcp-memory-libsql")]

    def everything(self, session, titles):
        return "\n".join(session.call("search_nodes", query=title) for title in titles)


class BasicMemory(Rival):
    name = "basic-memory"
    how = "words and meaning; Markdown files; Python"
    replacing = "`write_note` with `overwrite`, or `edit_note`"
    python, packages = "3.12", ("basic-memory==0.23.2",)
    wants_extensions = True
    note = ("its model bge-small-en-v1.5 is on no package registry; `semantic_embedding_model` names all-MiniLM-L6-v2. "
            "It finds nothing for some questions with punctuation, such as a comma, that it answers without")

    def settings(self):
        own = {"BASIC_MEMORY_HOME": str(self.store / "notes"),
               "BASIC_MEMORY_SEMANTIC_EMBEDDING_MODEL": "sentence-transformers/all-MiniLM-L6-v2",
               "BASIC_MEMORY_SEMANTIC_EMBEDDING_CACHE_DIR": str(self.place.hub)}
        if (self.folder / "sqlite").exists():
            own["PYTHONPATH"] = str(self.folder / "sqlite")
        return own

    def command(self):
        return [str(self.folder / "bin/basic-memory"), "mcp"]

    def once(self, query):
        return [str(self.folder / "bin/basic-memory"), "tool", "search-notes", query]

    def write(self, session, memory):
        answer = session.call("write_note", title=memory.title, content=memory.text, directory="memories",
                              note_type=memory.kind)
        if not answer.startswith("# Created"):
            raise Refused(answer)
        return answer

    def search(self, session, query):
        return session.call("search_notes", query=query)

    def served(self, answer):
        return "" if answer.startswith("No results") else answer

    def everything(self, session, titles):
        answers, page = [], 1
        while True:
            answers.append(session.call("list_directory", dir_name="/memories", page=page, page_size=200))
            if answers[-1].count("📄") < 200:
                return "\n".join(answers)
            page += 1


class MemoryService(Rival):
    name = "mcp-memory-service"
    how = "meaning; SQLite with vectors; Python"
    replacing = "`memory_update` with `versioned`; both stay, linked"
    python, packages = "3.11", ("mcp-memory-service==12.2.0", "onnxruntime", "tokenizers")
    model_caches = ("mcp_memory/onnx_models/all-MiniLM-L6-v2/onnx",)

    def settings(self):
        return {"MCP_MEMORY_SQLITE_PATH": str(self.store / "memory.db"),
                "MCP_MEMORY_BACKUPS_PATH": str(self.store / "backups")}

    def command(self):
        return [str(self.folder / "bin/memory"), "server"]

    def write(self, session, memory):
        answer = session.call("memory_store", content=f"{memory.title}\n{memory.text}",
                              metadata={"type": memory.kind})
        stored = re.search(r"stored successfully \(hash: (\w+)", answer)
        if not stored:
            raise Refused(answer)
        self.handles[memory.title] = stored[1]
        return answer

    def replace(self, session, old, new, answer):
        session.call("memory_update", content_hash=self.handles[old.title], versioned=True,
                     updates={"content": f"{new.title}\n{new.text}"})
        return True

    def search(self, session, query):
        return session.call("memory_search", query=query)

    def complaints(self, session):
        return session.call("memory_conflicts")

    def everything(self, session, titles):
        answers, page = [], 1
        while True:
            answers.append(session.call("memory_list", page=page, page_size=100))
            if '"has_more": true' not in answers[-1]:
                return "\n".join(answers)
            page += 1


class Chroma(Rival):
    name = "chroma-mcp"
    how = "cosine of all-MiniLM-L6-v2, nothing else; Python"
    replacing = "`chroma_update_documents`"
    python, packages = "3.11", ("chroma-mcp==0.2.6", "pydantic<2.12")
    model_caches = ("chroma/onnx_models/all-MiniLM-L6-v2/onnx",)

    def command(self):
        return [str(self.folder / "bin/chroma-mcp"), "--client-type", "persistent", "--data-dir",
                str(self.store / "chroma")]

    def prepare(self):
        super().prepare()
        with self.start() as session:
            session.call("chroma_create_collection", collection_name="memories")

    def write(self, session, memory):
        return session.call("chroma_add_documents", collection_name="memories", ids=[memory.title],
                            documents=[f"{memory.title}\n{memory.text}"])

    def search(self, session, query):
        return session.call("chroma_query_documents", collection_name="memories", query_texts=[query])

    def everything(self, session, titles):
        return session.call("chroma_get_documents", collection_name="memories", limit=10_000)


class Shimmed(Rival):
    """A library or a floor, behind `shim.py`."""

    python = "3.11"

    def command(self):
        return [str(self.folder / "bin/python"), str(HERE / "shim.py"), self.name, str(self.store)]

    def write(self, session, memory):
        return session.call("add", title=memory.title, text=memory.text)

    def search(self, session, query):
        return session.call("search", query=query)

    def everything(self, session, titles):
        return session.call("everything")


class Mem0(Shimmed):
    name = "mem0"
    how = "meaning; a library with qdrant in a folder; Python"
    replacing = "`update`"
    python, packages = "3.12", ("mem0ai==2.2.1", "fastembed==0.9.1")
    note = ("a library: a shim of 20 lines calls `add`, `search` and `get_all`. It is made for a language model that "
            "extracts facts and settles contradictions; without one, texts are stored as they are (`infer=False`)")

    def settings(self):
        return {"MEM0_DIR": str(self.store / "mem0"), "MEM0_TELEMETRY": "False",
                "FASTEMBED_CACHE_PATH": str(self.place.hub), "HF_HUB_CACHE": str(self.place.hub)}


class Memsearch(Shimmed):
    name = "memsearch"
    how = "words and meaning; Markdown files with Milvus Lite; Python"
    replacing = "edit the file"
    packages = ("memsearch[onnx]==0.4.23",)
    note = ("its Python interface behind a shim, because each run of its command loads everything anew; its model "
            "bge-m3 is on no package registry, `embedding_model` names all-MiniLM-L6-v2, which is much smaller")

    def settings(self):
        return {"HF_HUB_CACHE": str(self.place.hub)}

    def once(self, query):
        return [str(self.folder / "bin/memsearch"), "search", query, "-p", "onnx", "-m",
                "qdrant/all-MiniLM-L6-v2-onnx", "--milvus-uri", str(self.store / "index.db")]


class Grep(Shimmed):
    name = "grep"
    how = "floor: the five files with most words of the question"
    replacing = "edit the file"


class Bm25(Shimmed):
    name = "bm25"
    how = "floor: SQLite's FTS5 with its `bm25()`, ten rows"
    replacing = "`UPDATE`"


ALL = (Oldhand, BasicMemory, MemoryService, Mem0, Memsearch, Chroma, ServerMemory, Libsql, Bm25, Grep)

# What was looked at and is not on the board.
ABSENT = (
    ("claude-mem", "its observations are written by a language model, and this run calls none"),
    ("qmd", "the models of its search by meaning are on no package registry, and it needs Node 22"),
    ("Letta, Zep, Graphiti, cognee", "a language model writes or reads at every step; this run calls none"),
)

