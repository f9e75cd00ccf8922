import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";
import { faultsOf, watch } from "./watched-page.ts";

const COUNT = 1_000_000;
let world: ConsoleWorld;
let page: Page;
let wrong: readonly string[];

/** Answers each run in the page itself: so many rows are not to be carried through the browser's debugging port. */
const answerRuns = (count: number) => {
  const real = window.fetch.bind(window);
  window.fetch = async (to, init) => {
    const path = typeof to === "string" ? to : "";
    if (!/^\/execute\/[^/]+\/[^/?]+$/.test(path) || init?.method !== "POST") return real(to, init);
    const rows = Array.from({ length: count }, (_, n) => ({ id: `row ${n}` }));
    const result = { name: "Boat", columns: ["id"], rows, row_count: count, partial: null };
    return Response.json({ results: [result], text: "", _meta: { plasm: {} } });
  };
};

beforeAll(async () => {
  world = await openConsoleWorld();
  const context = await world.browser.visitor();
  page = await context.newPage();
  wrong = watch(page, world.url);
  await page.addInitScript(answerRuns, COUNT);
  await page.goto(world.link());
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.goto(`${world.url}/console/program`);
  await page.getByLabel("Catalog").selectOption("quay");
  await page.getByLabel("Begin with").selectOption("Boat");
  await page.getByRole("textbox", { name: "Program" }).fill("Boat[id]");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("heading", { name: /1000000 rows/ }).waitFor();
});
afterAll(async () => {
  await world.close();
});

const region = () => page.getByRole("region", { name: "Rows of Boat" });

interface Seen {
  readonly rows: readonly { readonly index: number; readonly text: string }[];
  /** rows of the table, those that are out of sight too */
  readonly drawn: number;
}

/** The rows that are in sight, as they stand below each other, with the numbers that they say they have. */
const seen = (): Promise<Seen> =>
  region().evaluate((box) => {
    const top = (box.querySelector("thead")?.getBoundingClientRect().bottom ?? 0) - 1;
    const { bottom } = box.getBoundingClientRect();
    const all = [...box.querySelectorAll("tbody tr[aria-rowindex]")];
    const rows = all.filter((row) => {
      const place = row.getBoundingClientRect();
      return place.top >= top && place.bottom <= bottom + 1;
    });
    return {
      rows: rows.map((row) => ({
        index: Number(row.getAttribute("aria-rowindex")),
        text: row.textContent ?? "",
      })),
      drawn: all.length,
    };
  });

/** Each row stands where its number says, without a gap, and few more are drawn than are seen. */
function expectWhole({ rows, drawn }: Seen): void {
  expect(rows.length).toBeGreaterThan(9);
  expect(drawn).toBeLessThan(60);
  const [first = { index: 0 }] = rows;
  expect(rows).toEqual(
    rows.map((_, n) => ({ index: first.index + n, text: `row ${first.index + n - 2}` })),
  );
}

const scrollTo = (share: number) =>
  region().evaluate((box, at) => box.scrollTo(0, box.scrollHeight * at), share);

describe("SURF-35: a million rows in one table", { timeout: 240_000 }, () => {
  it("begins at the first and ends at the last", async () => {
    expectWhole(await seen());
    expect((await seen()).rows[0]?.text).toBe("row 0");
    await scrollTo(1);
    await expect.poll(async () => (await seen()).rows.at(-1)?.text).toBe(`row ${COUNT - 1}`);
    expectWhole(await seen());
    expect(await faultsOf(page)).toEqual([]);
  });

  it("shows right rows wherever one jumps to", async () => {
    for (const share of [0.1, 0.5, 0.9, 0.37]) {
      await scrollTo(share);
      const about = () => seen().then(({ rows }) => (rows[0]?.index ?? 0) / COUNT);
      await expect.poll(about).toBeCloseTo(share, 2);
      expectWhole(await seen());
    }
  });

  it("skips no row on the way down by the wheel", async () => {
    await scrollTo(0.5);
    await region().hover();
    const met = new Set<number>();
    for (let n = 0; n < 40; n += 1) {
      const now = await seen();
      expectWhole(now);
      for (const { index } of now.rows) met.add(index);
      await page.mouse.wheel(0, 200);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(null))));
    }
    const indexes = [...met].sort((a, b) => a - b);
    expect(indexes.length).toBeGreaterThan(150);
    expect(indexes.filter((index, n) => n > 0 && index !== (indexes[n - 1] ?? 0) + 1)).toEqual([]);
  });

  it("goes to both ends by keyboard, and steps row by row there", async () => {
    await region().focus();
    await page.keyboard.press("End");
    await expect.poll(async () => (await seen()).rows.at(-1)?.text).toBe(`row ${COUNT - 1}`);
    for (let n = 0; n < 5; n += 1) await page.keyboard.press("ArrowUp");
    await expect.poll(async () => (await seen()).rows.at(-1)?.index).toBeLessThan(COUNT);
    expect((await seen()).rows.at(-1)?.index).toBeGreaterThan(COUNT - 30);
    expectWhole(await seen());
    await page.keyboard.press("Home");
    await expect.poll(async () => (await seen()).rows[0]?.text).toBe("row 0");
    expect(wrong).toEqual([]);
  });

  it("stays where it was sent when the end of an earlier scroll is told after that", async () => {
    await scrollTo(1);
    await expect.poll(async () => (await seen()).rows.at(-1)?.text).toBe(`row ${COUNT - 1}`);
    await region().evaluate((box) => {
      box.scrollTop = 0;
      box.dispatchEvent(new Event("scrollend"));
    });
    await expect.poll(async () => (await seen()).rows[0]?.text).toBe("row 0");
    expectWhole(await seen());
  });
});
