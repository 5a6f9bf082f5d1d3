// A scratch repository with a home of its own, the dashboard over it, and a browser before it.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class House {
  constructor(program, { name = "repository", user = "ada" } = {}) {
    this.program = program;
    this.folder = mkdtempSync(join(tmpdir(), "oldhand-browser-"));
    this.repository = join(this.folder, name);
    mkdirSync(join(this.repository, ".git"), { recursive: true });
    this.env = { HOME: this.folder, USER: user, PATH: process.env.PATH, OLDHAND_TRUST: "1", OLDHAND_LIMITS_MAX_MEMORIES_PER_KIND: "0" };
  }

  run(args, input = "") {
    const options = { cwd: this.repository, env: this.env, input, encoding: "utf8", maxBuffer: 1 << 28 };
    return spawnSync(this.program, args, options);
  }

  ok(...args) {
    const ran = this.run(args);
    if (ran.status !== 0) throw new Error(`oldhand ${args.join(" ")}: ${ran.stderr}${ran.stdout}`);
    return ran.stdout;
  }

  json(...args) {
    return JSON.parse(this.run([...args, "--json"]).stdout);
  }

  state(id) {
    return this.json("show", id).state;
  }

  // Lines of JSON, as `import` takes them.
  fill(records) {
    writeFileSync(join(this.repository, "records.jsonl"), records.map((it) => `${JSON.stringify(it)}\n`).join(""));
    return this.ok("import", "records.jsonl");
  }

  // The address with its ticket; more of them by `another`.
  async open(...args) {
    this.server = spawn(this.program, ["ui", "--no-open", ...args], { cwd: this.repository, env: this.env });
    this.errors = "";
    this.server.stderr.on("data", (bytes) => { this.errors += bytes; });
    this.addresses = [];
    let rest = "";
    this.server.stdout.on("data", (bytes) => {
      rest += bytes;
      const lines = rest.split("\n");
      rest = lines.pop();
      this.addresses.push(...lines.filter((line) => line.includes("#")));
    });
    this.address = await this.next();
    this.base = new URL(this.address).origin;
    return this.address;
  }

  async next() {
    const count = this.addresses.length;
    for (let waited = 0; waited < 1200; waited += 1) {
      if (this.addresses.length > count || (count === 0 && this.addresses.length)) return this.addresses.at(-1);
      if (this.server.exitCode !== null) throw new Error(`the server ended: ${this.errors}`);
      await new Promise((done) => { setTimeout(done, 100); });
    }
    throw new Error(`no address came: ${this.errors}`);
  }

  async end() {
    if (this.server && this.server.exitCode === null && this.server.signalCode === null) {
      const ended = new Promise((done) => { this.server.once("exit", done); });
      this.server.kill("SIGINT");
      await ended;
    }
  }

  async close() {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// A page that remembers everything that it should not have done.
export async function watched(context, base) {
  const page = await context.newPage();
  page.wrong = [];
  page.on("dialog", async (dialog) => { page.wrong.push(`dialog: ${dialog.message()}`); await dialog.dismiss(); });
  page.on("pageerror", (error) => page.wrong.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A refusal is an answer: its page says what is wrong.
    const isAnswer = /the server responded with a status of 4\d\d/.test(message.text());
    if (message.type() === "error" && !isAnswer) page.wrong.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${base}/`)) page.wrong.push(`foreign request: ${request.url()}`);
  });
  await page.addInitScript(() => {
    window.reports = [];
    addEventListener("securitypolicyviolation", (event) => window.reports.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  return page;
}

// Fails on anything that a page did wrong, and on anything that no template of ours has.
export async function isClean(page, where) {
  const found = await page.evaluate(() => {
    const strange = [...(window.reports || []).map((it) => `policy: ${it}`)];
    const forbidden = "iframe,object,embed,base,img,video,audio,frame,applet,meta[http-equiv],style,math,marquee,link:not([rel=stylesheet]):not([rel=icon])";
    for (const element of document.querySelectorAll("*")) {
      const name = element.localName;
      if (element.matches(forbidden)) strange.push(`element: ${name}`);
      if (name === "script" && new URL(element.src, location.href).origin !== location.origin) strange.push("script");
      for (const attribute of element.attributes) {
        if (attribute.name.startsWith("on") || attribute.name === "style") strange.push(`attribute: ${name} ${attribute.name}`);
        if (/^(href|src|action|formaction|xlink:href)$/.test(attribute.name) && /^\s*(javascript|data|vbscript):/i.test(attribute.value)) strange.push(`address: ${attribute.value}`);
      }
    }
    return strange;
  }).catch((error) => [`not evaluated: ${error.message}`]);
  const wrong = [...page.wrong, ...found];
  page.wrong = [];
  if (wrong.length) throw new Error(`${where}: ${[...new Set(wrong)].slice(0, 8).join("; ")}`);
}

export function same(found, wanted, what) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`);
  }
}

export function has(text, part, what) {
  if (!text.includes(part)) throw new Error(`${what}: no ${JSON.stringify(part)} in ${JSON.stringify(text.slice(0, 400))}`);
}
