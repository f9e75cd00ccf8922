/**
 * Draws the pictures of docs/console.md: each page wide and narrow, light and dark. From the root, on what is built:
 * `PLASM_TEST_BUILT=yes node --conditions=@plasm/source e2e/src/console/pictures.ts [DIRECTORY]`.
 */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { openConsoleWorld } from "./console-world.ts";

const [directory = "docs/console"] = process.argv.slice(2);
const place = resolve(directory);
await mkdir(place, { recursive: true });
const world = await openConsoleWorld();

/** A saved program that is watched. */
const LOST = `;; name: lost_boats
;; description: Boats that nobody has seen
;; parameters: longer
;; shared: yes
;; entities: quay.Boat

longer = 8
Boat{state=lost, length>longer}[id, name, length]
`;

const WIDTHS = { wide: 1440, narrow: 390 } as const;

async function draw(page: Page, name: string): Promise<void> {
  for (const [size, width] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width, height: size === "wide" ? 900 : 780 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: join(place, `${name}-${size}-${colorScheme}.jpg`),
        type: "jpeg",
        quality: 45,
      });
    }
  }
}

try {
  const context = await world.browser.visitor();
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${world.url}/console/`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await draw(page, "sign-in");
  await world.run('Boat("b1")');
  const sold = await world.ask('Boat("b2").update(note="sold to Ines, keys at the office")');
  await world.operator(`/v1/approvals/${sold}/approve`, "POST");
  await world.run('Boat("b2").update(note="sold to Ines, keys at the office")', {
    plan_commit_ref: "pc1",
  });
  const refused = await world.ask('Boat("b4").delete()');
  await world.operator(`/v1/approvals/${refused}/reject`, "POST");
  await world.run("Boat.limit(2)[id]", { wait: false });
  await world.ask('Boat("b5").update(note="to be painted")');
  const uuid = await world.ask('Boat("b3").delete()');
  await page.goto(world.link());
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.getByText("Plan rejected").first().waitFor();
  const pages: readonly (readonly [string, string, RegExp])[] = [
    ["home", "", /What happened last/],
    ["approvals", "approvals", /Who asks/],
    ["sessions", "sessions", /Last used/],
    ["catalogs", "catalogs", /What it is/],
    ["catalog", "catalogs/quay", /Nothing was seen/],
    ["operations", "operations", /How it stands/],
    ["settings", "settings", /Policy in force/],
    ["audit", "audit", /How it ended/],
    ["plan", `approvals/${uuid}`, /What would run/],
  ];
  for (const [name, path, text] of pages) {
    await page.goto(`${world.url}/console/${path}`);
    await page.getByText(text).first().waitFor();
    await page.waitForLoadState("networkidle");
    await draw(page, name);
  }
  await page.goto(`${world.url}/console/program`);
  await page.locator(".cm-content").waitFor();
  await page.getByLabel("Catalog").selectOption("quay");
  await page.getByLabel("Begin with").selectOption("Boat");
  await page
    .getByRole("textbox", { name: "Program" })
    .fill("Boat.group_by(state, n=count, metres=sum(length))");
  await page.locator(".graph .node").first().waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".bars").waitFor();
  await draw(page, "program");
  await page.goto(`${world.url}/console/sessions`);
  await page.locator("td a").first().click();
  await page.getByText("How it ended").waitFor();
  await draw(page, "session");
  await page.goto(`${world.url}/console/operations`);
  await page.locator("td a").first().click();
  await page.getByText("GET /boats").first().waitFor();
  await draw(page, "operation");
  await fetch(`${world.url}/v1/programs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: LOST }),
  });
  await page.goto(`${world.url}/console/programs`);
  await page.getByRole("row", { name: /lost_boats/ }).waitFor();
  await draw(page, "programs");
  await page.getByRole("link", { name: "lost_boats" }).click();
  await page.getByLabel("When (cron)").waitFor();
  await draw(page, "saved-program");
  await page.getByLabel("When (cron)").fill("*/1 * * * *");
  await page.getByLabel(/^Watch:/).check();
  await page.getByRole("button", { name: /at these times/ }).click();
  await page.getByRole("heading", { level: 1, name: /lost_boats/ }).waitFor();
  // It reads once a minute: what the second reading finds was changed after the first.
  await page.waitForTimeout(65_000);
  const found = 'Boat("b3").update(state=moored, note="found off the north pier")';
  const [ref] = /pc\d+/.exec(JSON.stringify((await world.run(found)).body)) ?? [];
  await world.operator(`/v1/approvals/${await world.ask(found)}/approve`, "POST");
  await world.run(found, { plan_commit_ref: ref });
  await page.getByText("vanished").first().waitFor({ timeout: 90_000 });
  await draw(page, "watch");
  await page.goto(`${world.url}/console/schedules`);
  await page.getByRole("row", { name: /lost_boats/ }).waitFor();
  await draw(page, "schedules");
  await page.goto(`${world.url}/console/connections`);
  await page.getByRole("heading", { level: 1, name: "Connections" }).waitFor();
  await page.waitForLoadState("networkidle");
  await draw(page, "connections");
} finally {
  await world.close();
}
