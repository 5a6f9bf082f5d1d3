// The pictures of the documents: the made-up project at two widths, light and dark.
import { House } from "./house.mjs";
import { enter } from "./journeys.mjs";

const SHOTS = [
  ["today", "/", 1280, 860, "light"],
  ["inbox", "/review?cause=conflict", 1280, 860, "light"],
  ["memories", "/memories", 1280, 860, "dark"],
  ["memory", "/m/holds-live-in-postgresql", 1280, 1100, "light"],
  ["code", "/code", 1280, 860, "dark"],
  ["sessions", "/sessions", 1280, 860, "light"],
  ["learning", "/learning", 1280, 860, "dark"],
  ["today-phone", "/", 390, 844, "dark"],
];

export async function pictures(world, folder) {
  const house = new House(world.program);
  world.houses.push(house);
  await house.open("--demo");
  const context = await world.context({ deviceScaleFactor: 1 });
  const page = await enter(house, context);
  for (const [name, path, width, height, colorScheme] of SHOTS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(house.base + path);
    await page.screenshot({ path: `${folder}/${name}.png` });
  }
}
