import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";
import { faultsOf, holding, watch } from "./watched-page.ts";

let world: ConsoleWorld;
let context: BrowserContext;
let page: Page;
let wrong: readonly string[] = [];

const HOSTILE = '<img src=x onerror="alert(1)"> \u202Egnp.exe';

beforeAll(async () => {
  world = await openConsoleWorld();
  context = await world.browser.visitor();
  page = await context.newPage();
  wrong = watch(page, world.url);
  await page.goto(world.link());
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
});
afterAll(() => world.close());

const open = (path: string) => page.goto(`${world.url}/console/${path}`);
const graph = () => page.getByRole("region", { name: "Entities and their relations" });

const entity = (name: string, targets: readonly string[]) => ({
  entity: name,
  description: HOSTILE,
  capabilities: [{ label: HOSTILE, kind: "get", description: HOSTILE }],
  relations: targets.map((target, n) => ({
    relation: `r${n}`,
    target,
    cardinality: "many",
    description: HOSTILE,
  })),
});

/** Answers with the real catalog, and these members in place of its own. */
const answering = (more: object) =>
  page.route(/\/v1\/registry\/quay$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), ...more } });
  });

describe("the console's page of a catalog (SURF-47)", { timeout: 180_000 }, () => {
  it("draws entities and what leads from one to another, and says the same in words", async () => {
    await open("catalogs/quay");
    await graph().getByText("Boat", { exact: true }).waitFor();
    expect(await graph().locator(".edge").count()).toBeGreaterThan(3);
    await page.getByText("Relations in words").click();
    await page
      .getByRole("region", { name: "Relations" })
      .getByRole("row", { name: /Boat.*owner.*one Person/ })
      .waitFor();
    expect(await faultsOf(page)).toEqual([]);
    const all = await graph().locator(".node").count();
    await page.getByLabel("Around").selectOption("Visit");
    await expect.poll(() => graph().locator(".node").count()).toBeLessThan(all);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it("says what was not kept of its import, and that nothing was left out or seen", async () => {
    await page.getByText("not kept with this catalog", { exact: true }).waitFor();
    await page.getByText("Nothing is left out.").waitFor();
    await page.getByText("Nothing was seen.").waitFor();
    await page.getByRole("heading", { name: "What an agent is taught" }).waitFor();
    expect(await page.getByRole("region", { name: "Parts that are left out" }).count()).toBe(0);
  });

  it("opens the page of programs on an entity, and replaces nothing that was typed unasked", async () => {
    const written = () => page.locator(".cm-content").innerText();
    await page.getByRole("button", { name: "Try Person" }).click();
    await page.getByRole("heading", { level: 1, name: "Program" }).waitFor();
    await expect.poll(written).toBe("Person.limit(5)");
    await page.getByText("No mistake").waitFor();
    await page.getByRole("textbox", { name: "Program" }).fill("Person.limit(7)[id]");
    await open("catalogs/quay");
    await page.getByRole("button", { name: "Try Boat" }).click();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Go on with it" }).click();
    await expect.poll(written).toBe("Person.limit(7)[id]");
    await open("catalogs/quay");
    await page.getByLabel("What to try of Boat").selectOption("delete");
    await page.getByRole("button", { name: "Try Boat" }).click();
    await page.getByRole("button", { name: "Replace it" }).click();
    await expect.poll(written).toBe('Boat("1").delete()');
    await page.getByText("No mistake").waitFor();
    expect((await world.operator("/v1/approvals"))["total"]).toBe(0);
  });

  it("shows texts of a catalog, of its import and of what differs as texts", async () => {
    await answering({
      entities: [entity(HOSTILE, ["B"]), entity("B", [HOSTILE])],
      not_loaded: [{ part: HOSTILE, why: HOSTILE }],
      origin: {
        source: HOSTILE,
        digest: "sha256:0123456789abcdef",
        read_at: "2026-01-05T09:00:00.000Z",
        operations: 9,
        reached: 2,
        left_out: [HOSTILE, "GET /x: no rows"],
        omitted: 5,
      },
    });
    await page.route(/\/v1\/settings\/catalogs\/quay$/, (route) =>
      route.fulfill({
        json: {
          entry_id: "quay",
          capabilities: [],
          drift: {
            since: "2026-01-05T09:00:00.000Z",
            signs: [
              {
                entry_id: "quay",
                sign: "value_unconverted",
                count: 3,
                last: HOSTILE,
                last_at: "2026-01-05T09:00:00.000Z",
              },
            ],
          },
        },
      }),
    );
    await open("catalogs/quay");
    await graph().locator(".node").first().waitFor();
    await page.getByText("2 of 9 operations").waitFor();
    await page.getByText("7 of its document, by the import").click();
    await page.getByText("GET /x: no rows").waitFor();
    await page.getByText("value_unconverted").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.locator("main").innerText()).not.toContain("\u202E");
    expect(await faultsOf(page)).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
  });

  it("is words alone where the drawing does not load, and asks for one entity where there are too many", async () => {
    await page.route("**/assets/graph-*.js", (route) => route.abort());
    await open("catalogs/quay");
    await page.getByText("The picture could not be loaded").waitFor();
    await page.getByText("Relations in words").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    const entities = Array.from({ length: 70 }, (_, n) => entity(`E${n}`, [`E${n + 1}`]));
    await answering({ entities });
    await open("catalogs/quay");
    await page.getByText("It has 70 entities: too many for one picture.").waitFor();
    expect(await graph().count()).toBe(0);
    await page.getByLabel("Around").selectOption("E5");
    await expect.poll(() => graph().locator(".node").count()).toBe(3);
    await page.unrouteAll({ behavior: "wait" });
  });

  it("says what is wrong where a catalog is gone, a server slow, a page not loaded or a sign-in ended", async () => {
    await open("catalogs/nowhere");
    await page.getByRole("alert").getByText("No catalog").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    const held = holding();
    await page.route(/\/v1\/registry\/quay$/, async (route) => {
      await held.until;
      await route.continue();
    });
    await open("catalogs/quay");
    await page.getByText("Loading …").waitFor();
    held.goOn();
    await graph().locator(".node").first().waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.route("**/assets/catalogs-*.js", (route) => route.abort());
    await open("catalogs/quay");
    await page.getByText("This page could not be loaded.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
    await context.clearCookies();
    await open("catalogs/quay");
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.getByLabel("Key").fill(world.operatorKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await graph().locator(".node").first().waitFor();
    expect(wrong).toEqual([]);
  });
});
