"""What is measured of one tool. Each stage takes a `Bench` and returns plain numbers; the page turns them into words."""

import os
import random
import shutil
import statistics
import subprocess
import threading
import time

import data
from client import Gone, Refused, cpu_of, cpu_of_ended, peak_mb
from rivals import spellings

QUESTIONS_TIMED, STARTS_TIMED = 40, 3
KILLS_PER_RUN, WRITES_PER_WRITER = 10, 50
MOST_SECONDS = 300  # Of kills: some tools take many seconds to start.


class Bench:
    """One tool in a folder of its own, and how much of everything is wanted."""

    def __init__(self, make, place, outside, is_quick):
        work = place.folder / "work" / make.name
        self.rival = make(place, work / "store")
        self.loaded = work / "loaded"
        self.sets = data.sets(outside, is_quick)
        self.is_quick = is_quick

    def load(self, memories):
        """A new store with these memories: which are in it, and how often the tool refused."""
        self.rival.prepare()
        kept, refused = [], 0
        with self.rival.start() as session:
            for memory in memories:
                try:
                    self.rival.write(session, memory)
                    kept.append(memory)
                except Refused as refusal:
                    refused += 1
                    if self.rival.insist(session, memory, str(refusal)):
                        kept.append(memory)
        return kept, refused

    def ask(self, session, text):
        """An answer, from a new connection where that is what the tool needs."""
        if not self.rival.is_fresh:
            return self.rival.search(session, text)
        with self.rival.start() as session:
            return self.rival.search(session, text)

    def restore(self):
        """The store with the memories of `coding`, as it was after the first stage."""
        shutil.rmtree(self.rival.store)
        shutil.copytree(self.loaded, self.rival.store, symlinks=True)


def place_of(answer, title):
    return min((at for each in spellings(title) if (at := answer.find(each)) >= 0), default=-1)


def ranked(answer, memories):
    """The titles in an answer, in their order."""
    places = {memory.title: place_of(answer, memory.title) for memory in memories}
    return sorted((title for title, at in places.items() if at >= 0), key=places.get)


def found(bench):
    """Recall, silence and tokens, over every set."""
    report = {}
    for name, stores in bench.sets.items():
        types, loads = {}, {"memories": 0, "kept": 0, "refused": 0}
        for store in stores:
            kept, refused = bench.load(store.memories)
            loads["memories"] += len(store.memories)
            loads["kept"] += len(kept)
            loads["refused"] += refused
            if name == "coding":
                shutil.rmtree(bench.loaded, ignore_errors=True)
                shutil.copytree(bench.rival.store, bench.loaded, symlinks=True)
            with bench.rival.start() as session:
                for question in store.questions:
                    count(types.setdefault(question.type, {}), question, store, bench, session)
        report[name] = {**loads, "types": types}
    return report


def count(sums, question, store, bench, session):
    try:
        answer = bench.ask(session, question.text)
    except Refused:
        answer = ""  # Some refuse a question that holds their search syntax; that finds nothing.
    titles = ranked(bench.rival.served(answer), store.memories)
    gold = question.gold
    hits = {f"at{k}": len(set(titles[:k]) & set(gold)) / len(gold) if gold else 0 for k in (1, 5)}
    for key, value in {"n": 1, **hits, "useful": bool(set(titles) & set(gold)), "silent": not titles,
                       "tokens": len(answer) / 4}.items():
        sums[key] = round(sums.get(key, 0) + value, 4)


def stale(bench):
    """Statements are written, then what replaces them; then somebody asks whether the old one holds."""
    pairs = data.pairs("replaces", 60, bench.is_quick)
    kept, _ = bench.load([pair.old for pair in pairs])
    pairs = [pair for pair in pairs if pair.old in kept]
    report = {"pairs": len(pairs), "noticed": 0, "old_served": 0, "new_served": 0, "old_first": 0}
    with bench.rival.start() as session:
        for pair in pairs:
            try:
                bench.rival.write(session, pair.new)
            except Refused as refusal:
                if bench.rival.points_to(str(refusal), pair.old):
                    report["noticed"] += 1
                    settle(bench.rival, session, pair, str(refusal))
                else:
                    bench.rival.insist(session, pair.new, str(refusal))
    with bench.rival.start() as session:
        for pair in pairs:
            answer = bench.rival.served(bench.ask(session, pair.old.text))
            old, new = place_of(answer, pair.old.title), place_of(answer, pair.new.title)
            report["old_served"] += old >= 0
            report["new_served"] += new >= 0
            report["old_first"] += old >= 0 and (new < 0 or old < new)
    return report


def settle(rival, session, pair, answer):
    try:
        rival.replace(session, pair.old, pair.new, answer)
    except Refused:
        pass  # Then the old one holds, and is counted as that.


def contradictions(bench):
    """What a tool says when a statement is written that contradicts one it has, or that stands well beside it."""
    report = {}
    for label in ("contradicts", "beside"):
        pairs = data.pairs(label, 60, bench.is_quick)
        kept, refused = bench.load([pair.old for pair in pairs])
        pairs = [pair for pair in pairs if pair.old in kept]
        noticed = set()
        with bench.rival.start() as session:
            for pair in pairs:
                try:
                    bench.rival.write(session, pair.new)
                except Refused as refusal:
                    if bench.rival.points_to(str(refusal), pair.old):
                        noticed.add(pair.old.title)
                    bench.rival.insist(session, pair.new, str(refusal))
            complaints = bench.rival.complaints(session)
        noticed |= {pair.old.title for pair in pairs if bench.rival.points_to(complaints, pair.old)}
        report[label] = {"pairs": len(pairs), "noticed": len(noticed), "refused_before": refused}
    return report


def timed(work):
    """The CPU seconds of the processes that end during some work, and the seconds of the clock."""
    cpu, before = cpu_of_ended(), time.perf_counter()
    work()
    return {"cpu": cpu_of_ended() - cpu, "seconds": time.perf_counter() - before}


def speed(bench):
    """CPU of a cold and a warm question beside `/bin/true`, on the store of `coding`; memory; the tool list."""
    bench.restore()
    rival = bench.rival
    questions = [each.text for each in bench.sets["coding"][0].questions if each.gold][:QUESTIONS_TIMED]
    runs = {"true": [], "server": [], "command": [], "warm": []}

    def run(command):
        subprocess.run(command, env=rival.environment(), cwd=rival.store, capture_output=True, check=True)

    def served(question):
        with rival.start() as session:
            rival.search(session, question)

    with rival.start() as session:
        for question in questions[:5]:
            rival.search(session, question)  # What is prepared once after writes is no part of a later start.
    for question in questions[:2 if bench.is_quick else STARTS_TIMED]:
        runs["true"].append(timed(lambda: run(["/bin/true"])))
        runs["server"].append(timed(lambda: served(question)))
        if rival.once(question):
            runs["command"].append(timed(lambda: run(rival.once(question))))
    with rival.start() as session:
        rival.search(session, "what is this about")  # The model is loaded with the first question.
        cpu, before = cpu_of(session.pid), time.perf_counter()
        for question in questions:
            rival.search(session, question)
        runs["warm"].append({"cpu": (cpu_of(session.pid) - cpu) / len(questions),
                             "seconds": (time.perf_counter() - before) / len(questions)})
        tools = session.ask("tools/list", {})["tools"]
        report = {"peak_mb": round(peak_mb(session.pid), 1), "tools": len(tools),
                  "tool_tokens": round(len(str(tools)) / 4), "load": round(os.getloadavg()[0], 1)}
    for name, each in runs.items():
        if each:
            report[name] = {key: round(1000 * statistics.median(run[key] for run in each), 3)
                            for key in ("cpu", "seconds")}
    return report


def write_quietly(rival, session, memory):
    try:
        rival.write(session, memory)
    except (Refused, Gone, OSError, ValueError):
        pass  # It was killed meanwhile; nothing was acknowledged.


def kills(bench, wanted):
    """Writers that are killed with a write under way, in runs of ten over one store each."""
    rival, memories = bench.rival, data.plain_memories()
    chance = random.Random(1)
    report = {"kills": 0, "acknowledged": 0, "lost": 0, "refused": 0, "failed_starts": 0}
    deadline = time.monotonic() + MOST_SECONDS
    while report["kills"] < wanted and time.monotonic() < deadline:
        bench.restore()
        waiting, written, taken = iter(memories), [], 0.05
        for _ in range(min(KILLS_PER_RUN, wanted - report["kills"])):
            try:
                session = rival.start()
            except (Gone, Refused):
                report["failed_starts"] += 1
                continue
            for _ in range(chance.randrange(1, 4)):
                memory, before = next(waiting), time.perf_counter()
                try:
                    rival.write(session, memory)
                    written.append(memory)
                except (Refused, Gone):
                    report["refused"] += 1
                taken = time.perf_counter() - before
            last = threading.Thread(target=write_quietly, args=(rival, session, next(waiting)))
            last.start()
            time.sleep(chance.random() * taken * 1.2)
            session.kill()
            last.join(5)
            report["kills"] += 1
        report["acknowledged"] += len(written)
        report["lost"] += len(missing(rival, written))
    return report


def missing(rival, written):
    try:
        with rival.start() as session:
            text = rival.everything(session, [memory.title for memory in written])
    except (Refused, Gone):
        return written  # The store can't be read any more.
    return [memory for memory in written if place_of(text, memory.title) < 0]


def two_writers(bench):
    """Two servers over one store, writing at once."""
    bench.restore()
    rival, memories = bench.rival, data.plain_memories()
    written, refused, both = [], [], threading.Barrier(2)

    def run(mine):
        try:
            with rival.start() as session:
                try:
                    both.wait(120)
                except threading.BrokenBarrierError:
                    pass  # The other one could not start; this one can write.
                for memory in mine:
                    try:
                        rival.write(session, memory)
                        written.append(memory)
                    except Refused as refusal:
                        refused.append(str(refusal))
        except (Gone, Refused) as trouble:
            both.abort()
            refused.extend([str(trouble)] * (len(mine) - sum(memory in written for memory in mine)))

    shares = (memories[:WRITES_PER_WRITER], memories[WRITES_PER_WRITER:2 * WRITES_PER_WRITER])
    writers = [threading.Thread(target=run, args=(share,)) for share in shares]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    return {"acknowledged": len(written), "refused": len(refused), "lost": len(missing(rival, written)),
            "why": sorted(set(refused))[0][:160] if refused else ""}


def durability(bench):
    return {"kills": kills(bench, 5 if bench.is_quick else 50), "writers": two_writers(bench)}


# In this order: the first leaves the store that the others begin with. The second of each says whether it needs
# the machine for itself.
STAGES = (("found", found, False), ("stale", stale, False), ("contradictions", contradictions, False),
          ("durability", durability, False), ("speed", speed, True))
