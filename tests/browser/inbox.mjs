// Journeys through the inbox: in place with script, by forms without.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { has, isClean, same } from "./house.mjs";
import { axe, candidates, decide, enter, housed, withConflict, withoutScript } from "./journeys.mjs";

const TITLES = ["Retry uploads once", "Write dates in full", "Name branches after tickets"];
const [RETRY, DATES, BRANCHES] = ["retry-uploads-once", "write-dates-in-full", "name-branches-after-tickets"];
const full = (house) => { candidates(...TITLES)(house); withConflict(house); };

// Whatever loads a page loses this.
const stamp = (page) => page.evaluate(() => { window.isSamePage = true; });
const isSamePage = (page) => page.evaluate(() => window.isSamePage === true);
const heading = (page) => page.textContent(".item h2");
const shows = (page, title) => page.waitForFunction((wanted) => document.querySelector(".item h2")?.textContent === wanted, title);
const keyOf = (page) => page.evaluate(() => new URL(location.href).searchParams.get("at"));

// What a page holds, without how long ago anything was.
const content = (page) => page.evaluate(() => {
  const tree = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    const attributes = [...node.attributes].map((it) => `${it.name}=${it.value}`).filter((it) => !/^(title|hidden)=/.test(it)).sort();
    const children = node.matches("time") ? [] : [...node.childNodes].map(tree);
    return [node.namespaceURI, node.localName, attributes, children];
  };
  return [...document.querySelectorAll("[data-part]")].map(tree);
});

export const inboxJourneys = [
  // R365
  ["steps exchange the item in place", async (world) => {
    const house = await housed(world, full);
    const page = await enter(house, await world.context());
    await page.goto(`${house.base}/review`);
    await stamp(page);
    const first = await heading(page);
    const seen = [first];
    for (const key of ["j", "ArrowDown", "j"]) {
      const before = seen.at(-1);
      await page.keyboard.press(key);
      await page.waitForFunction((old) => document.querySelector(".item h2").textContent !== old, before);
      seen.push(await heading(page));
      const focus = await page.evaluate(() => document.activeElement.textContent);
      same(focus, seen.at(-1), "the focus is on the item");
      same(await page.locator("li.here [aria-current] .title").allTextContents(), [seen.at(-1)], "the row");
      await isClean(page, `after ${key}`);
    }
    same([...seen].sort(), ["Use MySQL", ...TITLES].sort(), "each item once");
    has(await page.title(), "Inbox (4)", "the title");
    await axe(page, "after steps");
    // What was built is what the server writes.
    const built = await content(page);
    same(await isSamePage(page), true, "no page was loaded");
    await page.reload();
    same(built, await content(page), "the page of the same item");
    await stamp(page);
    await page.keyboard.press("k");
    await shows(page, seen[2]);
    await page.goBack();
    await shows(page, seen[3]);
    await page.goBack();
    await shows(page, seen[2]);
    await page.goForward();
    await shows(page, seen[3]);
    const row = page.locator("a[data-row]").first();
    await row.click();
    await shows(page, first);
    // Faster than the server answers: the last one counts.
    for (const key of ["j", "j", "j"]) await page.keyboard.press(key);
    await shows(page, seen[3]);
    await page.waitForFunction((key) => location.search.includes(key), await page.locator("li.here a").getAttribute("href").then((it) => it.split("?")[1]));
  }],
  ["the inbox by keyboard alone", async (world) => {
    const house = await housed(world, (it) => { candidates(TITLES[0], TITLES[1])(it); withConflict(it); });
    const page = await enter(house, await world.context());
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.waitForURL(/\/review/);
    await stamp(page);
    for (const [key, reason] of [["b", "both hold"], ["p", "seen twice"]]) {
      const before = await heading(page);
      await decide(page, key, reason);
      await page.waitForFunction((old) => document.querySelector(".item h2").textContent !== old, before);
      await isClean(page, `key ${key}`);
    }
    same(await isSamePage(page), true, "no page was loaded");
    // A reason that was given before is one digit away.
    await page.keyboard.press("r");
    await page.keyboard.type("not ours");
    await page.keyboard.press("Escape");
    same(await page.locator(".picked").count(), 0, "nothing is chosen");
    await page.fill("#reason", "");
    await page.keyboard.press("Escape");
    await page.keyboard.press("p");
    await page.keyboard.press("1");
    same(await page.inputValue("#reason"), "seen twice", "the last reason for this verb");
    await page.fill("#reason", "");
    await page.keyboard.press("Escape");
    await Promise.all([page.waitForNavigation(), decide(page, "r", "not ours")]);
    has(await page.textContent("main"), "Nothing waits", "the last one leads to the empty inbox");
    same(house.json("review").total, 0, "what waits");
    same(house.json("pending").pending.length, 0, "what is pending");
    same(house.state("use-mysql"), "stable", "both hold");
    await page.keyboard.press("u");
    await page.waitForURL(/\/undo/);
    await page.waitForFunction(() => document.activeElement && document.activeElement.matches("button"));
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    same(house.json("review").total, 1, "undo");
    same(new URL(page.url()).pathname, "/review", "back in the inbox");
  }],
  // R367
  ["a decided row stays for six seconds, and can be undone", async (world) => {
    const house = await housed(world, full);
    const page = await enter(house, await world.context());
    await page.clock.install();
    await page.goto(`${house.base}/review?at=${RETRY}`);
    await page.clock.pauseAt(Date.now() + 60000);
    await decide(page, "p", "seen twice");
    const row = page.locator(`li[data-part="row-${RETRY}"]`);
    await page.waitForSelector("li.done");
    has(await row.textContent(), "Promoted", "its outcome");
    has(await row.textContent(), "Undo", "the way back");
    has(await row.evaluate((it) => getComputedStyle(it.querySelector(".title")).textDecorationLine), "line-through", "struck through");
    await page.waitForFunction(() => document.querySelector("#outcome").textContent.includes("Promoted"));
    has(await page.textContent("h1"), "3", "the count");
    await page.clock.fastForward(5900);
    same(await row.count(), 1, "it stays");
    await page.clock.fastForward(200);
    same(await row.count(), 0, "it is gone");
    same(await page.textContent("#outcome"), "", "so is what was said");
    const next = await keyOf(page);
    await decide(page, "r", "not ours");
    await page.waitForSelector("li.done");
    await page.clock.resume();
    await axe(page, "with a decided row");
    same(await page.locator("li.done a[href^='/undo']").count(), 1, "one way back");
    await page.keyboard.press("u");
    await page.waitForURL(/\/undo/);
    await Promise.all([page.waitForNavigation(), page.click("main button[type=submit]")]);
    same(await keyOf(page), next, "back at the item");
    same(house.state(next), "candidate", "undone");
  }],
  // R346, R367
  ["a stale item is read again in place", async (world) => {
    const house = await housed(world, full);
    const page = await enter(house, await world.context());
    await page.goto(`${house.base}/review?at=${RETRY}`);
    await stamp(page);
    await page.keyboard.press("r");
    await page.keyboard.type("my own words");
    house.ok("update", RETRY, "--title", "Retry uploads twice");
    await page.keyboard.press("Control+Enter");
    await shows(page, "Retry uploads twice");
    same(house.state(RETRY), "candidate", "nothing was decided");
    same(await page.inputValue("#reason"), "my own words", "the reason");
    has(await page.textContent("#decide [role=alert]"), "has changed", "the page says so");
    has(await page.textContent("li.here"), "Retry uploads twice", "the row too");
    same(await page.evaluate(() => document.activeElement.id), "reason", "the focus");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("li.done");
    same(house.state(RETRY), "rejected", "decided again");

    await page.goto(`${house.base}/review?at=pending:conflict-use-mysql`);
    same(await page.locator(".sides mark").allTextContents(), ["PostgreSQL", "MySQL"], "the words that clash");
    await stamp(page);
    await page.keyboard.press("s");
    await page.keyboard.type("one database less");
    const file = join(house.repository, ".oldhand/pending/conflict-use-mysql.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("# Use MySQL", "# Use MySQL 9"));
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("#decide [role=alert]");
    same(await page.inputValue("#reason"), "one database less", "the reason");
    same(house.state("use-postgresql"), "stable", "nothing was settled");
    same(await isSamePage(page), true, "no page was loaded");
  }],
  // R366
  ["several marked items, with script and without", async (world) => {
    const house = await housed(world, full);
    const page = await withoutScript(house, world);
    await page.goto(`${house.base}/review`);
    same(await page.isVisible("#several"), false, "nothing is marked");
    for (const id of [RETRY, DATES]) await page.check(`[name=mark-${id}]`);
    same(await page.isVisible("#several"), true, "something is marked");
    house.ok("update", RETRY, "--tags", "uploads");
    await page.fill("#reason-several", "not ours");
    await page.click("#several button[value=reject]");
    same([house.state(RETRY), house.state(DATES)], ["candidate", "rejected"], "each by itself");
    const row = `li[data-part="row-${RETRY}"]`;
    has(await page.textContent(row), "has changed", "why");
    same(await page.isChecked(`[name=mark-${RETRY}]`), true, "still marked");
    same(await page.inputValue("#reason-several"), "not ours", "the reason");
    await page.click("#several button[value=reject]");
    same(house.state(RETRY), "rejected", "again");
    has(await page.textContent(".said"), "Rejected", "the outcome");

    candidates("Keep scripts short", "Log in sentences")(house);
    house.cookies = await page.context().cookies();
    const keyed = await enter(house, await world.context());
    await keyed.goto(`${house.base}/review?at=${BRANCHES}`);
    await stamp(keyed);
    await keyed.keyboard.press("x");
    await keyed.keyboard.press("j");
    await keyed.waitForFunction((old) => !location.search.includes(old), BRANCHES);
    await keyed.keyboard.press("x");
    same(await keyed.locator("li input:checked").count(), 2, "marked by key, and kept over a step");
    const stale = await keyOf(keyed);
    house.ok("update", stale, "--tags", "style");
    await decide(keyed, "r", "not ours either");
    await keyed.waitForFunction(() => document.querySelector("#outcome").textContent.includes("1 decided, 1 refused"));
    same([house.state(BRANCHES), house.state(stale)], ["rejected", "candidate"], "each by itself");
    has(await keyed.textContent(`li[data-part="row-${stale}"]`), "has changed", "why");
    same(await keyed.locator("li.done").count(), 1, "the decided one");
    same(await isSamePage(keyed), true, "no page was loaded");
    await isClean(keyed, "after several");
  }],
  // R491
  ["several are undone as one, and nobody else's write is", async (world) => {
    const house = await housed(world, full);
    const page = await enter(house, await world.context());
    const states = () => TITLES.map((title) => house.state(title.toLowerCase().replaceAll(" ", "-")));
    const rejectAll = async () => {
      await page.goto(`${house.base}/review`);
      for (const id of [RETRY, DATES, BRANCHES]) await page.check(`[name=mark-${id}]`);
      await decide(page, "r", "not ours");
      await page.waitForFunction(() => document.querySelector("#outcome").textContent.includes("3 decided"));
      same(states(), ["rejected", "rejected", "rejected"], "decided");
    };
    await rejectAll();
    await page.keyboard.press("u");
    await page.waitForURL(/\/undo/);
    for (const id of [RETRY, DATES, BRANCHES]) has(await page.textContent("main"), id, "what would be taken back");
    await Promise.all([page.waitForNavigation(), page.click("main button[type=submit]")]);
    same(states(), ["candidate", "candidate", "candidate"], "undone as one");
    await rejectAll();
    house.ok("remember", "we decided to write dates in UTC everywhere");
    await page.keyboard.press("u");
    await page.waitForURL(/\/undo/);
    has(await page.textContent("main"), "something else was written since", "the refusal");
    same(states(), ["rejected", "rejected", "rejected"], "nothing was undone");
    await isClean(page, "the refusal");
  }],
  ["what comes in meanwhile is counted", async (world) => {
    const house = await housed(world, full);
    const page = await enter(house, await world.context());
    await page.goto(`${house.base}/review`);
    await stamp(page);
    candidates("Keep scripts short", "Log in sentences")(house);
    await page.waitForFunction(() => document.querySelector("#outcome").textContent.includes("2 new items wait"), null, { timeout: 60000 });
    same(await page.textContent("nav.pages .count"), "6", "the number beside the link");
    same(await page.locator("a[data-row]").count(), 4, "nothing moved");
    same(await isSamePage(page), true, "no page was loaded");
    await page.click("#outcome a");
    await page.waitForFunction(() => document.querySelectorAll("a[data-row]").length === 6);
  }],
];
