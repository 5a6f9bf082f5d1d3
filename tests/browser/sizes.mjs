// Every page of a store of some size: that it opens, what it weighs, and how long it takes to the first paint beside
// a page of the same server that has nothing on it.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { House, isClean } from "./house.mjs";
import { enter } from "./journeys.mjs";

export const BYTES_MAX = 120 * 1024;
const VISITS = 5;
const EMPTY = "/enter";

// Memories that name files of the repository, as an import brings them, and a session that was told some of them.
function filled(house, size) {
  const git = (...args) => execFileSync("git", args, { cwd: house.repository, env: { ...house.env, GIT_CONFIG_GLOBAL: "/dev/null" }, stdio: "pipe" });
  git("init", "-q");
  for (let part = 0; part < 50; part += 1) {
    mkdirSync(`${house.repository}/src/part${part}`, { recursive: true });
    for (let file = 0; file < 10; file += 1) writeFileSync(`${house.repository}/src/part${part}/file${file}.rs`, `// ${part} ${file}\n`);
  }
  git("add", "src");
  git("-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "-qm", "files");
  house.ok("init");
  if (!size) return;
  const record = (number) => ({
    category: "reference", title: `Fact number ${number}`, tags: ["bulk", `t${number % 50}`], related_files: [`src/part${number % 50}/file${number % 10}.rs`],
    content: { text: `Fact ${number} tells how the part of that number behaves under load. `.repeat(9) },
  });
  const ran = house.run(["import", "-"], Array.from({ length: size }, (_, number) => JSON.stringify(record(number))).join("\n"));
  if (ran.status !== 0) throw new Error(ran.stderr);
  house.ok("add", "decision", "--title", "Use PostgreSQL", "--decision", "PostgreSQL");
  house.run(["add", "decision", "--title", "Use MySQL", "--decision", "MySQL"]);
  const prompt = { hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: house.repository, prompt: "which database do we use, PostgreSQL?" };
  house.run(["hook", "claude-code"], JSON.stringify(prompt));
}

// Milliseconds from the start of the navigation.
async function painted(page, address) {
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  return page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
}

const middle = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

// How often the time of an empty page: each visit beside one of it, so that both meet the same machine.
async function beside(page, base, path) {
  const times = [[], []];
  for (let visit = 0; visit < VISITS; visit += 1) {
    times[0].push(await painted(page, base + EMPTY));
    times[1].push(await painted(page, base + path));
  }
  return middle(times[1]) / middle(times[0]);
}

export async function atSize(world, size) {
  const house = new House(world.program);
  world.houses.push(house);
  filled(house, size);
  const begun = Date.now();
  await house.open();
  const page = await enter(house, await world.context());
  console.log(`        ${size} memories: the first page ${Date.now() - begun} ms after the start`);
  const named = await page.$$eval("nav.pages a", (all) => all.map((link) => link.getAttribute("href")));
  const paths = [...named, ...(size ? ["/m/fact-number-0", "/review?at=fact-number-0", "/s/s1"] : []), "/ask?q=part+under+load", "/memories?q=part"];
  for (const path of paths) {
    const reply = await page.goto(house.base + path);
    if (!reply.ok()) throw new Error(`${size} memories, ${path}: ${reply.status()}`);
    const bytes = (await reply.body()).length;
    if (bytes > BYTES_MAX) throw new Error(`${size} memories, ${path}: ${bytes} bytes`);
    const ratio = await beside(page, house.base, path);
    await isClean(page, `${size} memories, ${path}`);
    console.log(`          ${path.padEnd(28)} ${String(Math.ceil(bytes / 1024)).padStart(4)} KiB   first paint ${ratio.toFixed(1)} x an empty page`);
  }
  await house.close();
}
