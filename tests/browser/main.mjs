// Journeys through the dashboard in a real browser:
// node main.mjs <program> <chromium> [--only NAME] [--corpus FILE] [--sizes 0,1,300] [--pictures FOLDER]
import { chromium } from "playwright-core";
import { inboxJourneys } from "./inbox.mjs";
import { journeys } from "./journeys.mjs";
import { pictures } from "./pictures.mjs";

const [program, executablePath, ...rest] = process.argv.slice(2);
const option = (name) => { const at = rest.indexOf(name); return at < 0 ? undefined : rest[at + 1]; };
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
let failed = 0;
const wanted = option("--pictures") ? [["pictures", (world) => pictures(world, option("--pictures"))]] : [...journeys, ...inboxJourneys];
for (const [name, journey] of wanted) {
  if (option("--only") && !name.includes(option("--only"))) continue;
  const begun = Date.now();
  const houses = [];
  const contexts = [];
  const world = {
    program, browser, houses, corpus: option("--corpus"), sizes: (option("--sizes") ?? "0,1,300").split(",").map(Number),
    context: async (options = {}) => { const made = await browser.newContext(options); contexts.push(made); return made; },
  };
  try {
    await journey(world);
    console.log(`ok      ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.stack || error}`);
  }
  for (const context of contexts) await context.close().catch(() => {});
  for (const house of houses) await house.close().catch(() => {});
}
await browser.close();
process.exit(failed ? 1 : 0);
