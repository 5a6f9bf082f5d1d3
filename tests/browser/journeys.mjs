// Each journey has a house and a browser of its own.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Corpus, HIDDEN, plain, shown } from "./corpus.mjs";
import { House, has, isClean, same, watched } from "./house.mjs";
import { OURS } from "./payloads.mjs";
import { BYTES_MAX, atSize } from "./sizes.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function housed(world, prepare = () => {}) {
  const house = new House(world.program);
  world.houses.push(house);
  house.ok("init");
  prepare(house);
  await house.open();
  return house;
}

// Through the door, with the ticket of the printed address.
export async function enter(house, context) {
  const page = await watched(context, house.base);
  if (house.cookies) {
    await context.addCookies(house.cookies);
    await page.goto(`${house.base}/`);
  } else {
    await page.goto(house.address);
    await page.waitForURL(`${house.base}/`);
    house.cookies = await context.cookies();
  }
  return page;
}

export async function withoutScript(house, world) {
  const context = await world.context({ javaScriptEnabled: false });
  const page = await watched(context, house.base);
  await page.goto(`${house.base}/enter`);
  await page.fill("#ticket", new URL(house.address).hash.slice(1));
  await page.click("button[type=submit]");
  same(page.url(), `${house.base}/`, "the door without script");
  return page;
}

async function links(page) {
  return page.$$eval("nav.pages a", (all) => all.map((link) => new URL(link.href).pathname));
}

export async function axe(page, where) {
  await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const said = found.violations.map((it) => `${it.id} (${it.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")})`);
  if (said.length) throw new Error(`${where}: ${said.join("; ")}`);
}

// Every page that the navigation names, the first memory and the first item.
async function everyPage(house, page) {
  const paths = await links(page);
  await page.goto(`${house.base}/memories`);
  const first = await page.$$eval("main a[href^='/m/']", (all) => all.slice(0, 1).map((link) => link.getAttribute("href")));
  return [...paths, ...first, "/undo"];
}

async function look(house, page, path, checks) {
  const where = `${path} ${checks.name}`;
  const reply = await page.goto(house.base + path);
  if (reply.status() >= 500 || (reply.status() >= 400 && path !== "/undo")) throw new Error(`${where}: ${reply.status()}`);
  same(await page.locator("h1").count(), 1, `${where}: headings of the first rank`);
  const bytes = (await reply.body()).length;
  if (bytes > BYTES_MAX) throw new Error(`${where}: ${bytes} bytes`);
  const [wide, room] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
  if (wide > room) throw new Error(`${where}: ${wide} pixels wide, ${room} fit`);
  await isClean(page, where);
  if (checks.axe) await axe(page, where);
}

async function pagesOf(world, house, looks) {
  for (const { name, axe: isAudited, ...options } of looks) {
    const context = await world.context(options);
    const page = await enter(house, context);
    const wrong = [];
    for (const path of await everyPage(house, page)) {
      await look(house, page, path, { name, axe: isAudited }).catch((error) => wrong.push(error.message));
    }
    await context.close();
    if (wrong.length) throw new Error(wrong.join("\n        "));
  }
}

const WIDE = { viewport: { width: 1280, height: 900 } };
const NARROW = { viewport: { width: 390, height: 844 } };
const LOOKS = [
  { name: "light", axe: true, colorScheme: "light", ...WIDE },
  { name: "dark", axe: true, colorScheme: "dark", ...WIDE },
  { name: "narrow", axe: false, colorScheme: "light", ...NARROW },
];

export const candidates = (...titles) => (house) => {
  const said = JSON.stringify({ task_id: "T1", memory_candidates: titles });
  const ran = house.run(["learn"], said);
  if (ran.status !== 0) throw new Error(ran.stderr);
};

export function withConflict(house) {
  house.ok("add", "decision", "--title", "Use PostgreSQL", "--decision", "PostgreSQL");
  house.run(["add", "decision", "--title", "Use MySQL", "--decision", "MySQL"]);
}

async function decideByForm(house, page, at, verb, fields = {}) {
  await page.goto(`${house.base}/review?at=${encodeURIComponent(at)}`);
  await page.fill("#reason", "seen in the browser");
  for (const [name, value] of Object.entries(fields)) await page.fill(`#decide [name=${name}]`, value);
  await page.click(`#decide button[value=${verb}]`);
  await page.waitForLoadState();
}

// With script: a key, why, and go.
export async function decide(page, key, reason) {
  await page.keyboard.press(key);
  await page.waitForFunction(() => document.activeElement && document.activeElement.matches("[name=reason]"));
  await page.keyboard.type(reason);
  await page.keyboard.press("Control+Enter");
}

export const journeys = [
  ["the door opens once", async (world) => {
    const house = await housed(world);
    const stranger = await world.context();
    const closed = await stranger.newPage();
    same((await closed.goto(`${house.base}/`)).status(), 401, "without a ticket");
    const page = await enter(house, await world.context());
    has(await page.title(), "Today", "the first page");
    same(new URL(page.url()).hash, "", "no ticket stays in the address");
    const cookies = await page.context().cookies();
    same(cookies.map((it) => [it.httpOnly, it.sameSite]), [[true, "Strict"]], "the cookie");
    await closed.goto(house.address);
    await closed.waitForFunction(() => document.body.textContent.includes("used already"));
    const other = await fetch(`http://127.0.0.1:${new URL(house.base).port}/`);
    same(other.status, 421, "another name");
    await isClean(page, "the first page");
  }],
  // R370, at three sizes of the store.
  ["every page without a memory", async (world) => pagesOf(world, await housed(world), LOOKS)],
  ["every page with one memory", async (world) => {
    const house = await housed(world, (it) => it.ok("remember", "we decided to keep money in integer cents"));
    await pagesOf(world, house, [{ ...LOOKS[0], axe: false }, LOOKS[2]]);
  }],
  ["every page with 300 memories", async (world) => {
    const house = new House(world.program);
    world.houses.push(house);
    await house.open("--demo");
    await pagesOf(world, house, LOOKS);
    // R369: nothing of the user's was touched, and nothing stays.
    const store = house.errors.match(/store: (.*)/)[1];
    if (!existsSync(store)) throw new Error(`no store in ${store}`);
    await house.end();
    same(existsSync(dirname(dirname(store))), false, "what stays of the demo");
    same(readdirSync(house.folder), ["repository"], "the home of the user");
    same(readdirSync(house.repository), [".git"], "the repository of the user");
  }],
  // R372, with `--sizes` at others too.
  ["every page at every size", async (world) => {
    for (const size of world.sizes) await atSize(world, size);
  }],
  ["verbs by form, without script", async (world) => {
    const titles = ["Retry uploads once", "Name branches after tickets", "Write dates in full", "Keep scripts short", "Log in sentences"];
    const house = await housed(world, (it) => { candidates(...titles)(it); withConflict(it); });
    const page = await withoutScript(house, world);
    await decideByForm(house, page, "retry-uploads-once", "promote");
    same(house.state("retry-uploads-once"), "provisional", "promote");
    await decideByForm(house, page, "name-branches-after-tickets", "reject");
    same(house.state("name-branches-after-tickets"), "rejected", "reject");
    await decideByForm(house, page, "write-dates-in-full", "archive");
    same(house.state("write-dates-in-full"), "archived", "archive");
    await decideByForm(house, page, "keep-scripts-short", "keep");
    same(house.state("keep-scripts-short"), "candidate", "keep");
    await decideByForm(house, page, "pending:conflict-use-mysql", "follow");
    same(house.json("pending").pending.length, 0, "follow");
    house.ok("review", "use-postgresql", "--request", "--reason", "is it so?");
    await decideByForm(house, page, "use-postgresql", "reinstate", { more: "PostgreSQL for orders" });
    same(house.state("use-postgresql"), "stable", "reinstate");
    await page.goto(`${house.base}/undo`);
    await page.click("main button[type=submit]");
    same(house.state("use-postgresql"), "under_review", "undo");
    await isClean(page, "after the verbs").catch((error) => { if (!/not evaluated/.test(error.message)) throw error; });
  }],
  ["two tabs, and a store that changes", async (world) => {
    const house = await housed(world, candidates("Retry uploads once", "Write dates in full"));
    const context = await world.context();
    const first = await enter(house, context);
    const second = await watched(context, house.base);
    for (const page of [first, second]) await page.goto(`${house.base}/review?at=retry-uploads-once`);
    await decide(first, "p", "seen in a tab");
    await first.waitForSelector("li.done");
    same(house.state("retry-uploads-once"), "provisional", "the first tab");
    await decide(second, "r", "seen in a tab");
    await second.waitForFunction(() => document.querySelector("#outcome").textContent.includes("has changed"));
    same(house.state("retry-uploads-once"), "provisional", "the second tab");
    has(await second.textContent(".item"), "no longer waits", "the second tab shows it as it is");
    await first.goto(`${house.base}/memories`);
    house.ok("remember", "we decided to write dates in full everywhere");
    await first.waitForFunction(() => document.querySelector("#outcome").textContent.includes("changed"), null, { timeout: 60000 });
  }],
  ["back and forward", async (world) => {
    const house = await housed(world, (it) => it.ok("remember", "we decided to keep money in integer cents"));
    const page = await enter(house, await world.context());
    await page.goto(`${house.base}/memories`);
    await Promise.all([page.waitForNavigation(), page.click("main a[href^='/m/']")]);
    const there = page.url();
    await page.goBack();
    same(new URL(page.url()).pathname, "/memories", "back");
    await page.goForward();
    same(page.url(), there, "forward");
    await isClean(page, "forward");
  }],
  // R371
  ["strangers get nothing", async (world) => {
    const house = await housed(world, (it) => it.ok("remember", "we decided to keep money in integer cents"));
    const context = await world.context();
    await enter(house, context);
    const page = (base) => `<!doctype html><title>x</title><script>
      const tried = [];
      const note = (name) => (value) => tried.push(name + ":" + value);
      fetch("${base}/memories.json", { credentials: "include" }).then((it) => it.text()).then(note("fetch"), () => note("fetch")("no"));
      fetch("${base}/do/undo", { method: "POST", credentials: "include", mode: "no-cors", headers: { "content-type": "text/plain" }, body: "x" }).then(note("post"), () => note("post")("no"));
      const frame = document.createElement("iframe"); frame.src = "${base}/"; document.documentElement.append(frame);
      const image = new Image(); image.onload = () => note("image")("yes"); image.onerror = () => note("image")("no"); image.src = "${base}/memories";
      const script = document.createElement("script"); script.onload = () => note("script")("yes"); script.onerror = () => note("script")("no"); script.src = "${base}/memories.json"; document.documentElement.append(script);
      window.tried = tried;
    </script>`;
    const server = createServer((_, reply) => { reply.setHeader("content-type", "text/html"); reply.end(page(house.base)); });
    await new Promise((done) => { server.listen(0, "127.0.0.1", done); });
    try {
      for (const name of ["127.0.0.1", "localhost", "evil.localhost"]) {
        const attack = await context.newPage();
        const statuses = [];
        attack.on("response", (reply) => { if (reply.url().startsWith(house.base)) statuses.push(reply.status()); });
        await attack.goto(`http://${name}:${server.address().port}/`);
        await attack.waitForFunction(() => window.tried.length >= 4);
        const tried = await attack.evaluate(() => window.tried);
        const got = tried.filter((it) => it.includes("cents") || it.endsWith(":yes"));
        same(got, [], `${name} got something`);
        same(statuses.filter((it) => it < 400), [], `${name} was answered`);
        same(attack.frames().slice(1).map((frame) => frame.url().startsWith(house.base)).includes(true) && statuses.some((it) => it < 400), false, `${name} has a frame`);
        await attack.close();
      }
    } finally {
      server.close();
    }
    same(house.json("list").memories.length, 1, "nothing was undone");
  }],
  // R371
  ["hostile text is only text", async (world) => {
    const texts = world.corpus ? readFileSync(world.corpus, "utf8").split("\n").filter((line) => line.trim()) : OURS;
    const [name, user, branch] = ["<img src=x onerror=alert(1)>", "\"><svg onload=alert(2)>", "</title><script>alert(3)<|script>"];
    const house = new House(world.program, { name, user });
    world.houses.push(house);
    house.ok("init");
    const corpus = new Corpus(house, texts);
    corpus.fill();
    writeFileSync(`${house.repository}/.git/HEAD`, `ref: refs/heads/${branch}\n`);
    await house.open();
    const page = await enter(house, await world.context());
    // The gate compares every sentence of a decision with those of all others, and these have many.
    page.setDefaultNavigationTimeout(300_000);
    for (const part of [name, user, branch]) has(await page.textContent("header"), part, "the frame");
    const known = new Set();
    const refused = new Map();
    let largest = [0, ""];
    const read = async (path) => {
      if (known.has(path)) return;
      known.add(path);
      const reply = await page.goto(house.base + path);
      await isClean(page, path);
      const bytes = (await reply.body()).length;
      if (bytes > largest[0]) largest = [bytes, path];
      const [text, html] = await page.evaluate(() => [document.body.textContent, document.documentElement.outerHTML]);
      const raw = HIDDEN.find((character) => character !== "\u2028" && html.includes(character));
      if (raw) throw new Error(`${path}: U+${raw.codePointAt(0).toString(16)} is in the page`);
      if (!reply.ok()) refused.set(path, text.replace(/\s+/g, " ").slice(-200));
      const whole = plain(text);
      const here = corpus.put.filter((it) => !it.seen && it.pages.includes(path.replace(/\?from=.*/, "")));
      for (const it of here) it.seen = whole.includes(it.loose ? it.marker : shown(it.whole));
    };
    for (const path of await links(page)) await read(path);
    for (const first of ["/memories?state=all", "/sessions"]) {
      for (let path = first; path; ) {
        await read(path);
        path = await page.locator("a[rel=next]").getAttribute("href", { timeout: 100 }).catch(() => null);
      }
    }
    for (const { id } of corpus.memories) {
      await read(`/m/${id}`);
      await read(`/review?at=${id}`);
    }
    for (const path of corpus.put.flatMap((it) => it.pages)) await read(path);
    const query = encodeURIComponent(OURS[1]);
    for (const path of [`/memories?q=${query}`, `/memories?tag=${query}`, `/memories?kind=${query}`, `/ask?q=${query}`, `/code?path=${query}`, `/m/${query}`, `/s/${query}`, `/review?at=${query}`, `/?said=${query}`]) await read(path);
    // What the reader refuses is named by its page.
    const [unread, unseen] = [true, false].map((is) => corpus.put.filter((it) => !it.seen && it.pages.some((path) => refused.has(path)) === is));
    const fields = new Set(corpus.put.map((it) => it.field));
    const seen = corpus.put.filter((it) => it.seen);
    console.log(`        ${texts.length} texts in ${corpus.put.length} places of ${fields.size} fields and ${corpus.memories.length} memories: ${seen.length} seen on ${known.size} pages, the largest ${largest[1].slice(0, 60)} with ${Math.ceil(largest[0] / 1024)} KiB`);
    // R372
    if (largest[0] > BYTES_MAX) throw new Error(`${largest[1]}: ${largest[0]} bytes`);
    for (const it of unread) console.log(`        refused: ${it.field} ${JSON.stringify(it.text.slice(0, 80))}: ${it.pages[0]}`);
    const lost = new Set(texts);
    for (const it of seen) lost.delete(it.text);
    if (unseen.length) throw new Error(`${unseen.length} of ${corpus.put.length} were not seen: ${unseen.slice(0, 20).map((it) => `${it.field} on ${it.pages[0]}: ${shown(it.whole).slice(0, 120)}`).join("\n          ")}`);
    if (lost.size) throw new Error(`${lost.size} texts were nowhere seen whole: ${[...lost].slice(0, 5).join(" | ")}`);
    // The same in place: what the script builds is as harmless.
    await page.goto(`${house.base}/review`);
    await page.evaluate(() => { window.isSamePage = true; });
    for (let step = 0; step < 8; step += 1) {
      const at = page.url();
      await page.keyboard.press("j");
      await page.waitForFunction((old) => location.href !== old, at);
      await isClean(page, `step ${step}`);
    }
    same(await page.evaluate(() => window.isSamePage), true, "no page was loaded");
  }],
];
