import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";
import { faultsOf, watch } from "./watched-page.ts";

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

const home = () => page.goto(`${world.url}/console/`);
const card = (title: string) =>
  page.locator("section.card").filter({ has: page.getByRole("heading", { name: title }) });
const counts = () => page.getByRole("region", { name: /by catalog and caller/ });

describe("the console's first page (SURF-34)", { timeout: 180_000 }, () => {
  it("says what would come here while nothing runs, waits or failed", async () => {
    for (const title of ["Nothing waits.", "Nothing runs.", "No operation failed."])
      await page.getByText(title).waitFor();
    await page.getByText("Nothing was refused lately.").waitFor();
    await page.getByText("Nothing runs, waits or failed lately.").waitFor();
    await card("Begin here").getByText(`${world.url}/mcp`).waitFor();
    await card("Begin here").getByRole("link", { name: "Write a program yourself" }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const hint = card("Begin here").getByText(/its changes wait here for your decision/);
    expect(await hint.evaluate((at) => at.scrollWidth <= at.clientWidth)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 720 });
    expect(await faultsOf(page)).toEqual([]);
  });

  it("shows what waits, runs and failed with links to it, and counts it by catalog and caller", async () => {
    await world.ask('Boat("b5").update(note="to be painted")');
    const rejected = await world.ask('Boat("b4").delete()');
    await world.operator(`/v1/approvals/${rejected}/reject`, "POST");
    await world.run("Boat.limit(2)[id]", { wait: false });
    await home();
    await card("Waits for you").getByRole("link", { name: /b5/ }).waitFor();
    await counts().getByRole("row", { name: /quay/ }).first().waitFor();
    expect(await card("Begin here").count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
    await counts().getByRole("link", { name: "quay" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Quay" }).waitFor();
  });

  it("says at least how many there are where it has not looked at all (SURF-72)", async () => {
    const one = {
      trace_id: "t1",
      run: "r1",
      session: { prompt_hash: "h", session: "s" },
      subject: "ann",
      plan_commit_ref: "pc1",
      catalogs: ["quay"],
      program: "Boat",
      cancel_requested: false,
      set_aside: false,
      line: "s0_o1 ~",
      step: { k: 1, of: 2, rows: 0 },
      requests: 0,
      effects: 0,
      outcome: null,
      started_at: "2026-01-05T09:00:00.000Z",
      ended_at: null,
    };
    await page.route("**/v1/operations?state=*", (route) => {
      const isRunning = route.request().url().endsWith("unfinished");
      const operations = Array.from({ length: isRunning ? 50 : 2 }, (_, n) => ({
        ...one,
        operation_uuid: `${isRunning}-${n}`,
        state: isRunning ? "running" : "failed",
      }));
      return route.fulfill({ json: { operations, next: isRunning ? "1.x" : null } });
    });
    await home();
    await card("Runs now").getByRole("link", { name: "All (at least 50)" }).waitFor();
    await card("Failed lately").getByRole("link", { name: "All (2)", exact: true }).waitFor();
    const cells = counts().getByRole("row", { name: /ann/ }).getByRole("cell");
    await expect
      .poll(() => cells.allInnerTexts())
      .toEqual(["quay", "ann", "at least 50", "0", "2"]);
    await page.getByText("There is more than is counted here").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
  });

  it("leads from an operation that runs or failed to its page, and shows texts as texts", async () => {
    const operation = {
      operation_uuid: "0f5c8a52-6b1e-4d0a-9b0e-2f1f6c1d7a10",
      trace_id: "t1",
      run: "r1",
      subject: HOSTILE,
      plan_commit_ref: "pc0",
      catalogs: [HOSTILE],
      program: HOSTILE,
      cancel_requested: false,
      set_aside: false,
      line: HOSTILE,
      step: { k: 1, of: 2, rows: 7 },
      requests: 3,
      effects: 0,
      outcome: null,
      started_at: "2026-01-05T09:00:00.000Z",
      ended_at: null,
    };
    await page.route(/\/v1\/operations\?state=/, (route) => {
      const state = route.request().url().includes("failed") ? "failed" : "running";
      const operations = [{ ...operation, state }];
      return route.fulfill({ json: { operations, next: null } });
    });
    await home();
    await card("Failed lately")
      .getByRole("link", { name: /<img src=x/ })
      .waitFor();
    await counts()
      .getByRole("row", { name: /<img src=x/ })
      .waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.locator("main").innerText()).not.toContain("\u202E");
    expect(await faultsOf(page)).toEqual([]);
    await card("Runs now")
      .getByRole("link", { name: /<img src=x/ })
      .click();
    await page.waitForURL(/\/operations\/0f5c8a52/);
    await page.unrouteAll({ behavior: "wait" });
  });

  it("shows the rest while one part fails or is slow, and says so there alone", async () => {
    const late: (() => void)[] = [];
    await page.route(/\/v1\/audit\?/, (route) =>
      route.fulfill({
        status: 503,
        json: { code: "plasm-store-unavailable", detail: "No store." },
      }),
    );
    await page.route(/\/v1\/operations\?state=unfinished/, async (route) => {
      await new Promise<void>((resolve) => late.push(resolve));
      await route.continue();
    });
    await home();
    await card("Refused, or effects that failed")
      .getByRole("alert")
      .getByText("No store.")
      .waitFor();
    await card("Waits for you").getByRole("link", { name: /b5/ }).waitFor();
    await card("Runs now").getByText("Loading …").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    late.forEach((goOn) => goOn());
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await card("Runs now").getByText("Nothing runs.").waitFor();
    await page.getByText("No store.").first().waitFor({ state: "detached" });
  });

  it("shows the key of an agent its own sessions and operations, and asks for nothing else", async () => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.route("**/v1/console/session", async (route) => {
      const answer = await route.fetch();
      const who = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...who, roles: { agent: "ada" } } });
    });
    asked.splice(0);
    await home();
    await card("Your sessions").getByRole("link").nth(1).waitFor();
    await card("Failed lately").getByText("No operation failed.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(asked.filter((path) => /approvals|audit/.test(path))).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
  });

  it("asks who was signed in to sign in again, and comes back", async () => {
    await context.clearCookies();
    await home();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.getByLabel("Key").fill(world.operatorKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await card("Waits for you").getByRole("link", { name: /b5/ }).waitFor();
    expect(wrong).toEqual([]);
  });
});
