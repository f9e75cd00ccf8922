import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";
import { faultsOf, watch } from "./watched-page.ts";

let world: ConsoleWorld;
let context: BrowserContext;
let page: Page;
let wrong: readonly string[] = [];

const HOSTILE = '<img src=x onerror="alert(1)"> \u202Egnp.exe';
const ROW = {
  operation_uuid: "0f5c8a52-6b1e-4d0a-9b0e-2f1f6c1d7a10",
  trace_id: "t1",
  run: "r1",
  subject: HOSTILE,
  plan_commit_ref: "pc0",
  catalogs: ["quay"],
  program: HOSTILE,
  state: "running",
  cancel_requested: false,
  set_aside: false,
  line: "s0_o1 ~ step 1/2",
  step: { k: 1, of: 2, rows: 7 },
  requests: 3,
  effects: 0,
  outcome: null,
  started_at: "2026-01-05T09:00:00.000Z",
  ended_at: null,
};

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

describe("the console's page of operations (SURF-33)", { timeout: 180_000 }, () => {
  it("says what would come here while nothing has run", async () => {
    await open("operations");
    await page.getByText("No operation yet.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it("lists what went on by itself, and shows its steps and requests with their times", async () => {
    const { status } = await world.run("Boat.limit(2)[id]", { wait: false });
    expect(status).toBe(202);
    const link = page.getByRole("link", { name: "Boat.limit(2)[id]" });
    await link.waitFor();
    await page.getByText("succeeded", { exact: true }).first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await link.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Operation" }).waitFor();
    await page.getByText("GET /boats").waitFor();
    await page.getByText("effects done: 0").waitFor();
    expect(await page.getByRole("button", { name: /Cancel/ }).count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
  });

  it("asks before it cancels, shows texts as texts, and says what is wrong", async () => {
    let row: object = ROW;
    let sent = 0;
    await page.route(/\/v1\/operations\/0f5c8a52[^/]*$/, (route) => route.fulfill({ json: row }));
    await page.route(/\/v1\/traces\/t1$/, (route) => route.fulfill({ json: { events: [] } }));
    await page.route(/\/cancel$/, async (route) => {
      sent += 1;
      if (sent === 1) {
        const problem = { code: "plasm-policy-denied", detail: "Not you." };
        await route.fulfill({ status: 403, json: problem });
        return;
      }
      row = { ...ROW, cancel_requested: true };
      await route.fulfill({ json: { ...row, cancel: "requested" } });
    });
    await open(`operations/${ROW.operation_uuid}`);
    await page.getByRole("button", { name: "Cancel this operation" }).click();
    expect(sent).toBe(0);
    await page.getByRole("button", { name: "Let it go on" }).click();
    expect(sent).toBe(0);
    for (const said of ["Not you.", "It is being cancelled"]) {
      await page.getByRole("button", { name: "Cancel this operation" }).click();
      await page.getByRole("button", { name: "Yes, cancel it" }).click();
      await page.getByText(said).waitFor();
    }
    expect(sent).toBe(2);
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.locator("main").innerText()).not.toContain("\u202E");
    expect(await faultsOf(page)).toEqual([]);
  });

  it("goes page by page to older ones and back, and begins anew with another choice", async () => {
    const numbered = (n: number) => ({
      ...ROW,
      operation_uuid: `0f5c8a52-6b1e-4d0a-9b0e-00000000000${n}`,
      program: `Boat("b${n}")`,
      state: "succeeded",
      ended_at: ROW.started_at,
    });
    const asked: string[] = [];
    await page.route(/\/v1\/operations(\?.*)?$/, (route) => {
      const { searchParams } = new URL(route.request().url());
      asked.push(searchParams.toString());
      const isFirst = searchParams.get("before") === null;
      const operations = isFirst ? [numbered(3), numbered(2)] : [numbered(1)];
      return route.fulfill({
        json: { operations, next: isFirst ? "older one" : null },
      });
    });
    await open("operations");
    await page.getByRole("button", { name: "Older ones" }).click();
    await page.getByRole("link", { name: 'Boat("b1")' }).waitFor();
    expect(await page.getByRole("link", { name: 'Boat("b3")' }).count()).toBe(0);
    expect(await page.getByRole("button", { name: /Older ones/ }).count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "The newest" }).click();
    await page.getByRole("link", { name: 'Boat("b3")' }).waitFor();
    await page.getByRole("button", { name: "Older ones" }).click();
    await page.getByRole("link", { name: 'Boat("b1")' }).waitFor();
    await page.getByRole("button", { name: "Failed" }).click();
    await page.getByRole("link", { name: 'Boat("b3")' }).waitFor();
    expect([...new Set(asked)]).toEqual(["", "before=older+one", "state=failed"]);
    await page.unrouteAll({ behavior: "wait" });
  });

  it("says that it loads while a server is slow, and shows no answer of another choice", async () => {
    const late: (() => void)[] = [];
    await page.route(/\/v1\/operations\?state=failed$/, async (route) => {
      await new Promise<void>((resolve) => late.push(resolve));
      await route.fulfill({
        json: {
          operations: [{ ...ROW, program: "late", state: "failed" }],
          next: null,
        },
      });
    });
    await open("operations");
    await page.getByRole("link", { name: "Boat.limit(2)[id]" }).waitFor();
    await page.getByRole("button", { name: "Failed" }).click();
    await page.getByText("Loading …").waitFor();
    expect(await page.getByRole("link", { name: "Boat.limit(2)[id]" }).count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByRole("link", { name: "Boat.limit(2)[id]" }).waitFor();
    late.splice(0).forEach((goOn) => goOn());
    await page.getByRole("button", { name: "Failed" }).click();
    await expect.poll(() => late.length).toBeGreaterThan(0);
    expect(await page.getByRole("link", { name: "late" }).count()).toBe(0);
    late.splice(0).forEach((goOn) => goOn());
    await page.getByRole("link", { name: "late" }).waitFor();
    await page.getByRole("button", { name: "All", exact: true }).click();
    late.splice(0).forEach((goOn) => goOn());
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  it("comes back to the operation after a sign-in that has ended", async () => {
    await open("operations");
    await page.getByRole("link", { name: "Boat.limit(2)[id]" }).click();
    await page.getByText("GET /boats").waitFor();
    const at = page.url();
    await context.clearCookies();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    expect(await page.getByText("GET /boats").count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel("Key").fill(world.operatorKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("GET /boats").waitFor();
    expect(page.url()).toBe(at);
  });

  it("keeps what it shows without a server, goes on when it is back, and knows nothing of what is gone", async () => {
    await page.unrouteAll();
    await open("operations");
    await page.getByRole("link", { name: "Boat.limit(2)[id]" }).waitFor();
    await context.setOffline(true);
    await page.getByRole("alert").getByText("does not answer").first().waitFor();
    await page.getByRole("link", { name: "Boat.limit(2)[id]" }).waitFor();
    await context.setOffline(false);
    await page.getByRole("alert").first().waitFor({ state: "detached" });
    await open("operations/unknown");
    await page.getByRole("alert").getByText("No operation").waitFor();
    expect(wrong).toEqual([]);
  });
});
