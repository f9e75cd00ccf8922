import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";
import { faultsOf, watch } from "./watched-page.ts";

let world: ConsoleWorld;
let page: Page;
let wrong: readonly string[] = [];

const TEXT = `;; name: moored
;; description: What lies here
;; parameters:
;; shared: no
;; entities: quay.Boat

Boat{state=moored}[id, name]
`;

beforeAll(async () => {
  world = await openConsoleWorld();
  page = await (await world.browser.visitor()).newPage();
  wrong = watch(page, world.url);
  await page.goto(world.link());
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
});
afterAll(() => world.close());

describe("SURF-61: saved programs where nobody proves who they are", { timeout: 180_000 }, () => {
  it("are those of the agent that all are, who pauses and resumes what runs at times", async () => {
    const saved = await fetch(`${world.url}/v1/programs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: TEXT }),
    });
    expect(saved.status).toBe(201);
    await page.getByRole("link", { name: "Saved programs" }).click();
    const row = page.getByRole("row", { name: /moored/ });
    await row.getByText("you", { exact: true }).waitFor();
    await row.getByText("its owner alone").waitFor();
    await row.getByRole("link", { name: "moored" }).click();
    await page.getByLabel("When (cron)").fill("0 7 * * 1");
    await page.getByRole("button", { name: "Run it at these times" }).click();
    await page.getByRole("heading", { level: 1, name: "Schedule of moored" }).waitFor();
    await page.getByText("you", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("link", { name: "Schedules", exact: true }).click();
    await page
      .getByRole("row", { name: /moored/ })
      .getByText("you", { exact: true })
      .waitFor();
    expect(wrong).toEqual([]);
  });
});
