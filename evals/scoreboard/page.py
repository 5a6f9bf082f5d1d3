"""The page and its pictures, from the results and nothing else: the same results give the same bytes."""

import re
from collections import namedtuple
from pathlib import Path

from chart import bars
from rivals import ABSENT, ALL

PROSE = Path(__file__).with_name("prose.md")
FLOORS, SHIMMED = ("bm25", "grep"), ("mem0", "memsearch", "bm25", "grep")
SETS, ASKED, SILENT = ("unseen", "coding"), ("paraphrase", "identifier", "prompt"), ("everyday", "offtopic", "near")
RANKS = ((5, "among five"), (1, "first"))

# One number of a tool: what it is called, how it is got from the tool's results, how it is shown, which way is better,
# and whether the picture shows it.
Number = namedtuple("Number", "name value shown is_more is_drawn", defaults=(True, False))


def share(value):
    return f"{value:.2f}"


def percent(value):
    return f"{100 * value:.0f} %"


def count(value):
    return f"{value:,.0f}"


def times(value):
    return f"{value:,.1f} ×" if value < 10 else f"{value:,.0f} ×"


def megabytes(value):
    return f"{value:,.0f} MB"


def milliseconds(value):
    return f"{value:,.1f} ms"


# --- numbers, from the results of one tool; nothing if it was not measured ---

def sums(tool, key, sets=SETS, types=ASKED):
    """A counter of some sets and types of question, added up."""
    return sum(counters.get(key, 0) for name in sets for label, counters in tool["found"][name]["types"].items()
               if types is None or label in types)


def recall(rank, sets, types=ASKED):
    return lambda tool: sums(tool, f"at{rank}", sets, types) / sums(tool, "n", sets, types)


def silent(*types):
    return lambda tool: sums(tool, "silent", types=types) / sums(tool, "n", types=types)


def per(part, whole, types):
    return lambda tool: (sums(tool, part, types=types) / sums(tool, whole, types=types)
                         if sums(tool, whole, types=types) else None)


def of(stage, part, whole, *path):
    def value(tool):
        for key in (stage, *path):
            tool = tool[key]
        return tool[part] / tool[whole] if tool[whole] else 0
    return value


def kept(tool):
    return sum(each["kept"] for each in tool["found"].values()) / sum(
        each["memories"] for each in tool["found"].values())


def questioned(tool):
    return sum(each["refused_before"] for each in tool["contradictions"].values())


def cpu(*ways):
    """The cheapest way to ask, as a multiple of `/bin/true`."""
    def value(tool):
        each = [tool["speed"][way]["cpu"] for way in ways if way in tool["speed"]]
        return min(each) / tool["speed"]["true"]["cpu"] if each else None
    return value


def tool_list(tool):
    return None if tool["name"] in SHIMMED else tool["speed"]["tool_tokens"]


SECTIONS = (
    ("found", "What is found", "found", False, (
        Number("unseen, among five", recall(5, ("unseen",)), share, is_drawn=True),
        Number("unseen, first", recall(1, ("unseen",)), share, is_drawn=True),
        *(Number(f"unseen, {each}, {place}", recall(rank, ("unseen",), (each,)), share)
          for each in ASKED for rank, place in RANKS),
        Number("coding, among five", recall(5, ("coding",)), share),
        Number("coding, first", recall(1, ("coding",)), share),
        *(Number(f"coding, {each}, {place}", recall(rank, ("coding",), (each,)), share)
          for each in ASKED for rank, place in RANKS),
        Number("LoCoMo, among five", recall(5, ("locomo",), None), share),
        Number("LoCoMo, first", recall(1, ("locomo",), None), share),
        Number("memories kept", kept, percent))),
    ("silence", "Silence when there is no answer", "found", False, (
        Number("silent where nothing answers", silent(*SILENT), percent, is_drawn=True),
        Number("silent where a memory answers", silent(*ASKED), percent, False, True),
        *(Number(f"silent: {each}", silent(each), percent) for each in SILENT))),
    ("stale", "Stale memories served", "stale", False, (
        Number("the old one is served", of("stale", "old_served", "pairs"), percent, False, True),
        Number("the new one is served", of("stale", "new_served", "pairs"), percent, is_drawn=True),
        Number("the old one comes first or alone", of("stale", "old_first", "pairs"), percent, False),
        Number("noticed when the new one was written", of("stale", "noticed", "pairs"), percent))),
    ("contradictions", "Contradictions noticed when something is written", "contradictions", False, (
        Number("contradictions noticed", of("contradictions", "noticed", "pairs", "contradicts"), percent,
               is_drawn=True),
        Number("false alarms", of("contradictions", "noticed", "pairs", "beside"), percent, False, True),
        Number("other writes refused or questioned", questioned, count, False))),
    ("tokens", "Tokens per useful answer", "found", True, (
        Number("tokens per useful answer", per("tokens", "useful", (*ASKED, *SILENT)), count, False, True),
        Number("tokens per answer", per("tokens", "n", (*ASKED, *SILENT)), count, False),
        Number("answerable questions with a useful answer", per("useful", "n", ASKED), percent),
        Number("tokens of the tool list", tool_list, count, False))),
    ("speed", "CPU of one question, as a multiple of `/bin/true`", "speed", True, (
        Number("cold, the cheaper way", cpu("server", "command"), times, False, True),
        Number("warm", cpu("warm"), times, False, True),
        Number("cold, a server", cpu("server"), times, False),
        Number("cold, its command", cpu("command"), times, False),
        Number("warm, CPU", lambda tool: tool["speed"]["warm"]["cpu"], milliseconds, False),
        Number("warm, by the clock", lambda tool: tool["speed"]["warm"]["seconds"], milliseconds, False))),
    ("memory", "Peak memory of a server", "speed", False, (
        Number("peak memory", lambda tool: tool["speed"]["peak_mb"], megabytes, False, True),)),
    ("lost", "Acknowledged writes that are lost", "durability", False, (
        Number("lost after kills", of("durability", "lost", "acknowledged", "kills"), percent, False, True),
        Number("lost with two writers", of("durability", "lost", "acknowledged", "writers"), percent, False, True),
        Number("refused with two writers", lambda tool: tool["durability"]["writers"]["refused"], count, False),
        Number("kills", lambda tool: tool["durability"]["kills"]["kills"], count),
        Number("writes before the kills", lambda tool: tool["durability"]["kills"]["acknowledged"], count),
        Number("starts that failed", lambda tool: tool["durability"]["kills"]["failed_starts"], count, False))),
)
# What is no merit of a tool, but says how much was tried.
COUNTS = ("kills", "writes before the kills", "memories kept")


def files(results):
    """Every generated file by its path in the repository."""
    tools = [{"name": make.name, **results["tools"].get(make.name, {})} for make in ALL]
    prose = dict(re.findall(r"<!-- part: (\w+) -->\n\n(.*?)\n(?=\n<!--|\Z)", PROSE.read_text(), re.DOTALL))
    made, parts = {}, [head(prose["head"], results, [tool for tool in tools if "found" in tool])]
    for number, (name, title, stage, is_log, numbers) in enumerate(SECTIONS, 1):
        measured = [tool for tool in tools if stage in tool]
        picture = f"pictures/scoreboard-{name}.svg"
        made[f"docs/{picture}"] = draw(title, numbers, measured, is_log)
        parts.append("\n\n".join((
            f"## {number}. {title}", f"![{title.replace('`', '')}]({picture})", prose[name], table(numbers, measured),
            said(numbers, measured),
            f"```console\n$ cargo xtask scoreboard --stage {stage}\n```")))
    made["docs/scoreboard.md"] = "\n\n".join((*parts, tail(prose["tail"], tools))) + "\n"
    return made


def measure(number, tool):
    try:
        return number.value(tool)
    except KeyError:
        return None  # A set that this run did not have.


def draw(title, numbers, tools, is_log):
    drawn = [number for number in numbers if number.is_drawn]
    rows = []
    for tool in tools:
        values = [measure(number, tool) for number in drawn]
        kind = "ours" if tool["name"] == "oldhand" else "floor" if tool["name"] in FLOORS else "theirs"
        rows.append((tool["name"], kind, [value if value is None else (value, number.shown(value))
                                          for number, value in zip(drawn, values)]))
    series = [f"{number.name} ({'more' if number.is_more else 'less'} is better)" for number in drawn]
    return bars(title.replace("`", ""), series, rows, is_log)


def table(numbers, tools):
    """A line per number, a column per tool; what is better than oldhand's is bold."""
    lines = [["", *(tool["name"] for tool in tools)], ["---"] * (len(tools) + 1)]
    for number in numbers:
        ahead, cells = better(number, tools), []
        for tool in tools:
            value = measure(number, tool)
            shown = "-" if value is None else number.shown(value)
            cells.append(f"**{shown}**" if tool["name"] in ahead else shown)
        lines.append([number.name, *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def better(number, tools):
    """Who is ahead of oldhand, floors included, the best first."""
    values = {tool["name"]: value for tool in tools if (value := measure(number, tool)) is not None}
    own = values.pop("oldhand", None)
    if own is None or number.name in COUNTS:
        return []
    ahead = [name for name, value in values.items() if (value > own if number.is_more else value < own)]
    return sorted(ahead, key=values.get, reverse=number.is_more)


def said(numbers, tools):
    lines = [f"- {number.name}: {', '.join(ahead)}." for number in numbers if (ahead := better(number, tools))]
    if not any(tool["name"] == "oldhand" for tool in tools):
        return "oldhand was not measured."
    if not lines:
        return "No other tool is better than oldhand in one of these numbers."
    return "Better than oldhand, in bold above, the best first:\n\n" + "\n".join(lines)


def head(prose, results, tools):
    makers = {make.name: make for make in ALL}
    rows = [f"| {tool['name']} | {tool['version']} | {makers[tool['name']].how} | {makers[tool['name']].replacing} |"
            for tool in tools]
    notes = [f"- {tool['name']}: {makers[tool['name']].note}." for tool in tools if makers[tool["name"]].note]
    loads = [tool["speed"]["load"] for tool in tools if "speed" in tool] or [0]
    return prose.format(tools="\n".join(rows), notes="\n".join(notes), results=results,
                             load=f"{min(loads):.0f} to {max(loads):.0f}")


def tail(prose, tools):
    lines = [f"- {tool['name']}: {' '.join(tool['failure'].split())}" for tool in tools if "failure" in tool]
    for tool in tools:
        left = [stage for stage in dict.fromkeys(section[2] for section in SECTIONS) if stage not in tool]
        if left and "failure" not in tool:
            lines.append(f"- {tool['name']}: the run ended before these parts were measured: {', '.join(left)}.")
    lines += [f"- {names}: {why}." for names, why in ABSENT]
    for tool in tools:
        why = tool.get("durability", {}).get("writers", {}).get("why")
        if why:
            lines.append(f"- {tool['name']}, asked to write with two writers: `{' '.join(why.split())}`")
    return prose.format(said="\n".join(lines))
