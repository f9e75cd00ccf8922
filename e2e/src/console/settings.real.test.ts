import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";
import { faultsOf, holding, watch } from "./watched-page.ts";

let world: ConsoleWorld;
let context: BrowserContext;
let page: Page;
let wrong: readonly string[] = [];

const HOSTILE = '<img src=x onerror="alert(1)"> \u202Egnp.exe';
const AT = "2026-01-05T09:00:00.000Z";

beforeAll(async () => {
  world = await openConsoleWorld();
  context = await world.browser.visitor();
  page = await context.newPage();
  wrong = watch(page, world.url);
  await page.goto(world.link());
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
});
afterAll(() => world.close());

const open = () => page.goto(`${world.url}/console/settings`);
const table = (name: string) => page.getByRole("region", { name, exact: true });

describe("the console's page of settings (SURF-36)", { timeout: 180_000 }, () => {
  it("shows policy, budgets and keys as they are, and no secret", async () => {
    await open();
    await page.getByText("policy.json, default").waitFor();
    await table("Keys")
      .getByRole("row", { name: /olga.*operator/ })
      .waitFor();
    await table("Budgets")
      .getByRole("row", { name: /requests.*500.*the default/ })
      .waitFor();
    await page.getByText("No quota is set").waitFor();
    await page.getByText("Nobody outside is told.").waitFor();
    const [, , secret = ""] = world.operatorKey.split("_");
    expect(secret).not.toBe("");
    expect(await page.content()).not.toContain(secret);
    expect(await faultsOf(page)).toEqual([]);
  });

  it("shows what may be done with a catalog, and the rule that says so, by the keyboard", async () => {
    const quay = page.getByRole("button", { name: "quay" });
    await quay.focus();
    await page.keyboard.press("Enter");
    await table("What may be done with quay")
      .getByRole("row", { name: /boat_delete.*need an operator.*apis\.quay\.approval/ })
      .waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
    await quay.click();
    expect(await table("What may be done with quay").count()).toBe(0);
  });

  it("shows quotas with what is used, who is told, and texts as texts", async () => {
    await page.route(/\/v1\/settings$/, (route) =>
      route.fulfill({
        json: {
          tenant: HOSTILE,
          policy: { name: HOSTILE, force: false, rules: { apis: { [HOSTILE]: {} } } },
          catalogs: [],
          budgets: [{ name: HOSTILE, most: 1, from: "policy" }],
          quotas: [
            {
              place: "quotas.tenant.runs.day",
              measure: "runs",
              per: "day",
              most: 9,
              used: 9,
              ends_at: AT,
            },
            {
              place: "quotas.apis.quay.rows.day",
              measure: "rows",
              per: "day",
              most: 9,
              used: 2,
              ends_at: AT,
            },
            {
              place: "quotas.caller.runs.day",
              caller: HOSTILE,
              measure: "runs",
              per: "day",
              most: 4,
              used: 1,
              ends_at: AT,
            },
          ],
          keys: [
            {
              id: "0123456789abcdef",
              subject: HOSTILE,
              role: "agent",
              scopes: ["read"],
              act_as: [HOSTILE],
              created_at: AT,
              rotated_at: null,
              expires_at: AT,
              is_expired: true,
              last_used_at: AT,
            },
          ],
          notifications: [{ kind: "webhook", host: HOSTILE }],
        },
      }),
    );
    await open();
    await table("Quotas")
      .getByRole("row", { name: /the tenant.*runs a day.*9.*used up/ })
      .waitFor();
    await table("Quotas")
      .getByRole("row", { name: /quay.*rows a day/ })
      .waitFor();
    await table("Keys")
      .getByRole("row", { name: /has ended/ })
      .waitFor();
    await table("Notification targets")
      .getByRole("row", { name: /webhook/ })
      .waitFor();
    await page.getByText("This tenant may use no catalog.").waitFor();
    await page.getByText("The policy as it was written").click();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.locator("main").innerText()).not.toContain("\u202E");
    expect(await faultsOf(page)).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
  });

  it("says what is wrong where the store fails, the server is slow or a key may not see it", async () => {
    await page.route(/\/v1\/settings$/, (route) =>
      route.fulfill({
        status: 503,
        json: { code: "plasm-store-unavailable", detail: "No store." },
      }),
    );
    await open();
    await page.getByRole("alert").getByText("No store.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
    const held = holding();
    await page.route(/\/v1\/settings$/, async (route) => {
      await held.until;
      await route.continue();
    });
    await open();
    await page.getByText("Loading …").waitFor();
    held.goOn();
    await page.getByText("policy.json, default").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.route("**/v1/console/session", async (route) => {
      const answer = await route.fetch();
      const who = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...who, roles: { agent: "ada" } } });
    });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await open();
    await page.getByRole("navigation").first().waitFor();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByRole("link", { name: "Settings" }).count()).toBe(0);
    expect(asked).not.toContain("/v1/settings");
    await page.unrouteAll({ behavior: "wait" });
    const answer = await fetch(`${world.url}/v1/settings`);
    expect(answer.status).toBe(401);
  });

  it("comes back to it after a sign-in that has ended", async () => {
    await context.clearCookies();
    await open();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.getByLabel("Key").fill(world.operatorKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("policy.json, default").waitFor();
    expect(wrong).toEqual([]);
  });
});
