// A store as a hostile clone would bring it: written file by file, with a text in every field of every kind, in
// the log, in what waits, in the logs of this machine, in names of folders, branches and people.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// Control, zero-width, bidirectional and tag characters, each between two letters.
export const HIDDEN = ["\u0007", "\u001b", "\u007f", "\u0085", "\u00ad", "\u061c", "\u180e", "\u200b", "\u200d", "\u200e", "\u200f", "\u2028", "\u202a", "\u202e", "\u2060", "\u2066", "\u2069", "\ufeff", "\u{e0001}", "\u{e0041}", "\u{e007f}"];
const CODE = (character) => `<U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;
// As a page shows it: hidden characters by their number, blanks as one. What stands between two backticks is shown as
// code, and words with `_` between them as words.
export const shown = (text) => plain(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu, CODE)).trim();
export const plain = (text) => text.replaceAll("`", "").replace(/[\s_]+/g, " ");

const KINDS = {
  decision: ["decisions", ["Context", "Decision"], ["Rationale", "Consequences", "Constraints introduced"]],
  constraint: ["constraints", ["Rule"], ["Impact", "Workarounds"]],
  preference: ["preferences", ["Value", "Reason"], ["Prefer", "Avoid"]],
  runbook: ["runbooks", ["Trigger", "Verification", "Root cause", "Environment"], ["Symptoms", "Steps"]],
  tech_debt: ["tech-debt", ["Description", "Reason deferred"], ["Impact", "Suggested fix", "Acceptance criteria"]],
  session_summary: ["sessions", ["Goal", "Pattern learned"], ["Focus", "Next actions", "Files", "Commands", "Errors", "Exact values"]],
  lesson: ["lessons", ["Summary", "Guidance", "Applies when", "Falsified by"], []],
  architecture: ["architecture", ["Module map", "Interfaces", "Data flow", "External dependencies", "Known debt"], []],
  reference: ["reference", [""], []],
  playbook: ["playbooks", ["Steps", "Notes"], []],
};
const STATES = ["candidate", "provisional", "stable", "canonical", "under_review", "decayed", "superseded", "rejected", "retired", "archived"];
// One line of the frontmatter each; `path` fields name something inside the repository.
const FIELDS = ["title", "description", "state_reason", "scope", "domain", "level", "tags", "aliases", "evidence", "related_files", "code_paths", "heading", "section"];
const EVENTS = ["reason", "by", "via", "task", "evidence", "fields", "settled"];
const RECEIPTS = ["query", "reason", "dropped"];
const CALLS = ["event", "tool", "said", "note", "session", "host"];
const PENDING = ["title", "against", "date", "why", "ours", "theirs", "by", "proposal", "approval", "voter", "role", "file"];
// Places of which a page shows only the first, or the last: no more are filled than it shows.
const FEW = { "pending.file": 8, "event.settled": 38, "call.host": 60 };
// What goes through Markdown and stands nowhere else: links and marks are not shown as they were written.
const LOOSE = new Set(["description", "section", "proposal"]);

const quoted = (text) => JSON.stringify(text);
const oneLine = (text) => text.replace(/[\r\n]+/g, " ");
const at = (number) => new Date(Date.UTC(2026, 9, 1) + number * 1000).toISOString().replace(".000", "");

export class Corpus {
  constructor(house, texts) {
    Object.assign(this, { house, texts, put: [], count: 0, memories: [], calls: [] });
    this.store = join(house.repository, ".oldhand");
    this.slots = [
      ...FIELDS.map((name) => ["memory", name]), ...EVENTS.map((name) => ["event", name]), ...RECEIPTS.map((name) => ["receipt", name]),
      ...CALLS.map((name) => ["call", name]), ...PENDING.map((name) => ["pending", name]),
    ];
  }

  // What is written, with a word behind it that is nowhere else, and where it has to be seen.
  note(field, text, pages, how = {}) {
    const marker = `q${(this.count += 1).toString(36)}z`;
    const whole = `${oneLine(text)}${how.glue ?? " "}${marker}`;
    this.put.push({ field, text, whole, marker, pages, loose: LOOSE.has(field.split(".").at(-1)), seen: false });
    return whole;
  }

  write(path, text) {
    const file = join(this.store, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
  }

  // Every text in a section of a memory, and once more in one of the other places.
  fill() {
    const rest = new Map(this.slots.map((slot) => [slot.join("."), []]));
    const hidden = HIDDEN.map((character) => `a${character}b`);
    const texts = [...this.texts, ...hidden];
    texts.forEach((text, number) => {
      const slot = this.slots[number % this.slots.length].join(".");
      const isFull = rest.get(slot).length >= (FEW[slot] ?? Infinity);
      rest.get(isFull ? "memory.aliases" : slot).push(text);
    });
    // In each field at least two of the hidden characters, whatever the number of texts is.
    this.slots.forEach((slot, number) => rest.get(slot.join(".")).push(hidden[number % hidden.length], hidden[(number * 5 + 3) % hidden.length]));
    this.rest = rest;
    this.config();
    const kinds = Object.keys(KINDS);
    for (let from = 0; from < texts.length || FIELDS.some((name) => rest.get(`memory.${name}`).length); from += 12) {
      this.memory(kinds[this.memories.length % kinds.length], texts.slice(from, from + 12));
    }
    this.events();
    this.pending();
    this.machine();
    this.tree();
  }

  take(slot) {
    return this.rest.get(slot).shift();
  }

  memory(kind, texts) {
    const number = this.memories.length;
    const id = `hostile-${number}`;
    // Every kind comes in every state.
    const state = STATES[(number + Math.floor(number / STATES.length)) % STATES.length];
    const [folder, sections, lists] = KINDS[kind];
    const page = [`/m/${id}`];
    const given = (name, { pages = page } = {}) => { const text = this.take(`memory.${name}`); return text === undefined ? undefined : this.note(`memory.${name}`, text, pages); };
    const lines = ["---", `id: ${id}`, `type: ${kind}`, `title: ${quoted(given("title") ?? `Hostile ${number}`)}`, `state: ${state}`, "origin: capture", `created_at: ${at(number)}`, `updated_at: ${at(number)}`];
    const line = (key, value) => { if (value !== undefined) lines.push(`${key}: ${value}`); };
    const one = (key, text) => line(key, text && quoted(text));
    const list = (key, text) => line(key, text && `[${quoted(text)}]`);
    one("description", given("description"));
    one("state_reason", given("state_reason"));
    one("scope", given("scope") && `component:${this.put.at(-1).whole}`);
    one("domain", given("domain"));
    one("level", given("level"));
    list("tags", given("tags"));
    list("aliases", given("aliases"));
    list("evidence", given("evidence"));
    // A file that nothing is checked against stands on the page of its folder only, while the memory is in force.
    const isServed = ["provisional", "stable", "canonical"].includes(state);
    const file = isServed ? given("related_files", { pages: [`/code?path=only-${number}`] }) : undefined;
    list("related_files", file && `only-${number}/${file}`);
    const code = given("code_paths");
    line("depends_on", code && `{ code_paths: [${quoted(code)}] }`);
    lines.push("refresh_tier: 2", "---", "");
    const groups = [...sections.map((name) => [name, false]), ...lists.map((name) => [name, true])];
    groups.forEach(([name, isList], group) => {
      if (name) lines.push(`## ${name}`);
      const own = texts.filter((_, place) => place % groups.length === group);
      if (!own.length) lines.push(isList ? "- nothing" : "nothing", "");
      for (const text of own) {
        const whole = this.note(`${kind}.${name.toLowerCase() || "text"}`, text, page, { glue: isList ? " " : "\n\n" });
        lines.push(isList ? `- ${whole}` : whole, "");
      }
    });
    const heading = given("heading");
    if (heading && kind !== "reference") lines.push(`## ${heading}`, "below a foreign heading", "");
    else if (heading) lines.push(heading, "");
    const section = given("section");
    if (section) lines.push(...(kind === "reference" ? [] : ["## Foreign"]), section, "");
    this.write(`${state === "candidate" ? "candidates" : folder}/${id}.md`, `${lines.join("\n")}\n`);
    this.memories.push({ id, kind, state });
  }

  // The log: what was said about memories that are there.
  events() {
    const lines = [];
    const event = (more) => lines.push(JSON.stringify({ id: `01m${lines.length.toString(36).padStart(23, "0")}`, at: at(lines.length), by: "eve", write: `01n${lines.length.toString(36).padStart(23, "0")}`, ...more }));
    this.memories.forEach(({ id, state }) => event({ type: "created", memory: id, to: state, origin: "capture" }));
    let number = 0;
    for (const name of EVENTS) {
      for (let text = this.take(`event.${name}`); text !== undefined; text = this.take(`event.${name}`)) {
        const { id } = this.memories[number % this.memories.length];
        const pages = name === "settled" ? ["/conflicts"] : [`/m/${id}`];
        const whole = this.note(`event.${name}`, text, pages);
        const base = { memory: id, path: `reference/${id}.md`, type: "updated" };
        const by = {
          reason: { type: "reviewed", decision: "keep", from: "stable", to: "stable", reason: whole }, by: { by: whole, fields: ["title"] }, via: { via: `agent:${whole}`, fields: ["title"] },
          task: { type: "applied", effect: "negative", task: whole }, evidence: { type: "evidence", evidence: [whole] }, fields: { fields: [whole] },
          settled: { type: "conflict", before: "0".repeat(64), memory: `pending:conflict-${id}`, reason: `follow: ${whole}` },
        };
        event({ ...base, ...by[name] });
        number += 1;
      }
    }
    const words = this.texts.slice(0, 5).map((text) => this.note("task.signals", text.slice(0, 70), ["/learning"]));
    for (const task of ["T1", "T2"]) event({ type: "task", task, outcome: "failed", signals: { failure_class: words[0], concerns: words.slice(1) } });
    this.write("events/2026-10.0hostile.jsonl", `${lines.join("\n")}\n`);
  }

  pending() {
    let number = 0;
    const next = (name, pages, fallback) => { const text = this.take(`pending.${name}`); return quoted(text === undefined ? fallback : this.note(`pending.${name}`, text, pages)); };
    const isLeft = () => PENDING.some((name) => this.rest.get(`pending.${name}`).length);
    for (; isLeft(); number += 1) {
      const { id } = this.memories[number % this.memories.length];
      const conflict = [`/review?at=pending%3Aconflict-${id}-${number}`];
      const title = this.take("pending.title");
      const heading = title === undefined ? `Conflict ${number}` : this.note("pending.title", title, conflict);
      const proposal = this.take("pending.proposal");
      const body = proposal === undefined ? "nothing" : this.note("pending.proposal", proposal, conflict);
      this.write(`pending/conflict-${id}-${number}.md`, [
        "---", `id: conflict-${id}-${number}`, "pending: conflict", "action: create", `memory: ${id}`, "against:", `  - id: ${id}`, `    title: ${next("against", conflict, "x")}`,
        `    date: ${next("date", conflict, "2026-11-16")}`, `    why: ${next("why", conflict, "x")}`, `    ours: ${next("ours", conflict, "x")}`, `    theirs: ${next("theirs", conflict, "y")}`,
        `by: ${next("by", conflict, "eve")}`, `at: ${at(number)}`, "---", "", `# ${heading}`, "", "## Proposal", "``````markdown", "---", `id: ${id}`, "type: decision", "title: Proposal", "state: stable", "---", "", "## Decision", body, "``````", "",
      ].join("\n"));
      const approval = [`/review?at=pending%3Apromote-${id}-${number}`];
      this.write(`pending/promote-${id}-${number}.md`, [
        "---", `id: promote-${id}-${number}`, "pending: approval", `memory: ${id}`, "to: canonical", `reason: ${next("approval", approval, "x")}`, "approvals:", `  - by: ${next("voter", approval, "eve")}`,
        `    role: ${next("role", approval, "quality")}`, `    at: ${at(number)}`, "by: eve", `at: ${at(number)}`, "---", "", "# A request", "",
      ].join("\n"));
      const name = this.take("pending.file");
      if (name !== undefined) {
        const file = this.note("pending.file", name.replace(/[/\0]/g, "|").slice(0, 60), ["/review"]);
        this.write(`pending/${file}.md`, "no frontmatter\n");
      }
    }
  }

  // The logs of this machine: what was asked, and what hooks did.
  machine() {
    this.house.ok("recall", "anything");
    const state = join(this.house.folder, ".local/state/oldhand");
    const folder = join(state, readdirSync(state)[0]);
    const line = (file, value) => appendFileSync(join(folder, file), `${JSON.stringify(value)}\n`);
    let number = 0;
    for (const name of RECEIPTS) {
      for (let text = this.take(`receipt.${name}`); text !== undefined; text = this.take(`receipt.${name}`)) {
        const { id } = this.memories[number % this.memories.length];
        const whole = this.note(`receipt.${name}`, text.slice(0, 140), [`/m/${id}`]);
        const served = name === "dropped" ? [] : [{ id, reason: name === "reason" ? whole : "words", tokens: 1 }];
        const dropped = name === "dropped" ? [{ id, reason: whole }] : [];
        line("receipts.jsonl", { at: at(number), session: null, by: "eve", query: name === "query" ? whole : "x", paths: [], served, dropped, tokens: 1, budget: 10 });
        number += 1;
      }
    }
    for (const name of CALLS) {
      for (let text = this.take(`call.${name}`); text !== undefined; text = this.take(`call.${name}`)) {
        const isOwn = name === "session" || name === "host";
        const session = `s${Math.floor(number / 100)}`;
        const whole = this.note(`call.${name}`, text.slice(0, 70), [isOwn ? "/sessions" : `/s/${session}`]);
        // A list shows the beginning of a name.
        if (name === "session") this.put.at(-1).pages = [`/s/${encodeURIComponent(whole)}`];
        const call = { at: at(number), host: "claude-code", event: "prompt", session, tool: "", said: "nothing", served: [], captured: [], tokens: 0, ms: 1, trouble: false, note: "" };
        line("hooks.jsonl", { ...call, ...(isOwn ? { session: `own-${number}` } : {}), [name]: whole });
        number += 1;
      }
    }
    this.calls = Array.from({ length: Math.ceil(number / 100) }, (_, at) => `/s/s${at}`);
  }

  config() {
    const [about, section] = this.texts;
    this.write("config.toml", `format = 1\n\n[kinds.playbook]\nfolder = "playbooks"\ndescription = ${quoted(this.note("config.description", about.slice(0, 100), ["/store"]))}\nsections = ["Steps", "Notes", ${quoted(section.slice(0, 60))}]\n`);
  }

  // Folders of the repository, its branch and its own name are texts too; see `House`.
  tree() {
    const git = (...args) => execFileSync("git", args, { cwd: this.house.repository, env: { ...this.house.env, GIT_CONFIG_GLOBAL: "/dev/null" }, stdio: "pipe" });
    git("init", "-q");
    const names = this.texts.map((text) => oneLine(text).replace(/[/\0]/g, "|").slice(0, 50)).filter((text) => !/^\.|\.$/.test(text)).slice(0, 40);
    names.forEach((name) => {
      const folder = join(this.house.repository, this.note("folder", name, ["/code"]));
      mkdirSync(folder);
      writeFileSync(join(folder, "a.rs"), "");
    });
  }
}
