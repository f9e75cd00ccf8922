import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeys } from "@plasm/host";
import { berthsCatalog } from "@plasm/testkit";
import { type Berths, makeBerths, startServer, type TestServer } from "@plasm/testkit/servers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedBrowser, openBrowser } from "../harness/open-browser.ts";
import { type PlasmServer, startPlasmServer } from "../harness/plasm-server.ts";
import { faultsOf, watch } from "./watched-page.ts";

/** Until a schedule of each minute has run: a minute, a look for what is due, and a page that looks again. */
const A_MINUTE = { timeout: 100_000 };
const HOSTILE = '<img src=x onerror="alert(1)"> \u202Egnp.exe';
const SHARED = `;; name: berths_of
;; description: Berths of a state ${HOSTILE}
;; parameters: state
;; shared: yes
;; entities: berths.Berth

state = "taken"
found = Berth{state=state}[id, name, depth]
found
`;
const PRIVATE = `;; name: rename_a
;; description: Gives the first berth another name
;; parameters:
;; shared: no
;; entities: berths.Berth

Berth("a").update(name="Renamed")
`;

type Person = "ann" | "bob" | "olga";

let directory = "";
const berths: Berths = makeBerths();
let [api, server, browser]: [TestServer, PlasmServer, OpenedBrowser] = [] as never;
const keys = new Map<Person, string>();
const pages = new Map<Person, Page>();
const wrong: (readonly string[])[] = [];

async function startWorld(): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), "plasm-schedules-"));
  const catalog = join(directory, "berths");
  await mkdir(catalog);
  await writeFile(join(catalog, "domain.yaml"), berthsCatalog.domain);
  await writeFile(join(catalog, "mappings.yaml"), berthsCatalog.mappings);
  api = await startServer(({ method, path, query, body }) =>
    berths.answer(method, path, query, body),
  );
  const dataDir = join(directory, "data");
  const { keys: ring, close } = await openKeys(dataDir, {});
  for (const [subject, role] of [
    ["ann", "agent"],
    ["bob", "agent"],
    ["olga", "operator"],
  ] as const)
    keys.set(subject, (await ring.add({ tenant: "acme", subject, role })).key);
  await close();
  server = await startPlasmServer({
    dataDir,
    catalogs: [catalog],
    env: { PLASM_BACKEND_BERTHS: api.url },
    args: ["--auth", "required"],
  });
}

/** Calls the API as somebody. */
async function sent(who: Person, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": keys.get(who) ?? "", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

/** The page of somebody who is signed in. */
async function pageOf(who: Person): Promise<Page> {
  const known = pages.get(who);
  if (known !== undefined) return known;
  const page = await (await browser.visitor()).newPage();
  wrong.push(watch(page, server.url));
  await page.goto(`${server.url}/console/`);
  await page.getByLabel("Key").fill(keys.get(who) ?? "");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  pages.set(who, page);
  return page;
}

async function open(who: Person, path: string): Promise<Page> {
  const page = await pageOf(who);
  await page.goto(`${server.url}/console/${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

const titled = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name }).waitFor();

/** Paths of the watch, and of the schedule that changes something. */
let [watchPath, changePath]: [string, string] = ["", ""];
const pathOf = (page: Page): string => new URL(page.url()).pathname.replace("/console/", "");

beforeAll(async () => {
  [browser] = await Promise.all([openBrowser(), startWorld()]);
}, 240_000);
afterAll(async () => {
  await browser.close();
  await server.stop();
  await api.close();
  await rm(directory, { recursive: true, force: true });
});

/** In the order of one day: each goes on where the one before ended. */
describe(
  "SURF-61: the console's pages of saved programs and schedules",
  { timeout: 180_000 },
  () => {
    it("say what would stand here while there is nothing", async () => {
      const page = await open("ann", "programs");
      await page.getByText("Nothing is saved.").waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await open("ann", "schedules");
      await page.getByText("Nothing runs at times.").waitFor();
      expect(await faultsOf(page)).toEqual([]);
    });

    it("show what one may run: parameters, effects, owner and who else may, and the text", async () => {
      await sent("ann", "/v1/programs", { text: SHARED });
      await sent("ann", "/v1/programs", { text: PRIVATE });
      const page = await open("ann", "programs");
      const own = page.getByRole("row", { name: /rename_a/ });
      await own.getByText("berths/berth_update").waitFor();
      await own.getByText("its owner alone").waitFor();
      const shared = page.getByRole("row", { name: /berths_of/ });
      await shared.getByText("only reads").waitFor();
      await shared.getByText("everybody of this tenant").waitFor();
      await shared.getByText("you", { exact: true }).waitFor();
      expect(await page.locator("main img").count()).toBe(0);
      expect(await page.locator("main").innerText()).not.toContain("\u202E");
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole("link", { name: "berths_of" }).focus();
      await page.keyboard.press("Enter");
      await titled(page, "berths_of");
      await page.getByText("Berth{state=state}").waitFor();
      await page.getByRole("cell", { name: '"taken"' }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      for (const other of ["bob", "olga"] as const) {
        const theirs = await open(other, "programs");
        await theirs
          .getByRole("row", { name: /berths_of/ })
          .getByText("ann")
          .waitFor();
        expect(await theirs.getByText("rename_a").count()).toBe(0);
        await open(other, "programs/rename_a");
        await theirs.getByRole("alert").getByText("No saved program rename_a").first().waitFor();
      }
    });

    it("schedule a program with the server's own words for what is wrong, by keyboard alone", async () => {
      const page = await open("ann", "programs/rename_a");
      await page.getByLabel("When (cron)").fill("* * * *");
      await page.keyboard.press("Enter");
      await page
        .getByRole("alert")
        .getByText(/five fields/)
        .waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.getByLabel("When (cron)").fill("* * * * *");
      await page.getByLabel("Time zone").fill("Mars/Olympus");
      await page.keyboard.press("Enter");
      await page
        .getByRole("alert")
        .getByText(/Mars\/Olympus/)
        .waitFor();
      await page.getByLabel("Time zone").fill("UTC");
      await page.getByLabel(/^Watch/).press("Space");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page
        .getByRole("alert")
        .getByText(/only reads|reads/)
        .waitFor();
      await page.getByLabel(/^Watch/).press("Space");
      await page.getByLabel("When (cron)").press("Enter");
      await titled(page, "Schedule of rename_a");
      changePath = pathOf(page);
      await page.getByText("It has not run yet.").waitFor();
      await page
        .getByText(/, .* UTC$/)
        .first()
        .waitFor();
      expect(await faultsOf(page)).toEqual([]);
    });

    it("make a watch of one, with arguments and key columns", async () => {
      const page = await open("ann", "programs/berths_of");
      await page.getByLabel("When (cron)").fill("* * * * *");
      await page.getByLabel("Time zone").fill("Europe/Berlin");
      await page.getByLabel("state, text").fill("free");
      await page.getByLabel(/^Watch/).check();
      await page.getByLabel("Key columns").fill("id, ");
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole("button", { name: "Run it at these times" }).click();
      await titled(page, "Watch of berths_of");
      watchPath = pathOf(page);
      await page.getByText('berths_of(state="free")').waitFor();
      await page.getByText("Nothing has changed yet.").waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await open("ann", "programs/berths_of");
      await page.getByRole("link", { name: /berths_of\(state="free"\)/ }).waitFor();
    });

    it("show operators those of their tenant, and other agents none", async () => {
      const olga = await open("olga", "schedules");
      await olga
        .getByRole("row", { name: /berths_of/ })
        .getByText("ann")
        .waitFor();
      expect(await faultsOf(olga)).toEqual([]);
      const bob = await open("bob", "schedules");
      await bob.getByText("Nothing runs at times.").waitFor();
      await open("bob", watchPath);
      await bob.getByRole("alert").getByText("No schedule").first().waitFor();
    });

    it("lead from a run that waits to the plan, and from there to its operation", async () => {
      const ann = await open("ann", changePath);
      await ann.getByText("waiting").first().waitFor(A_MINUTE);
      await ann
        .getByText(/for an operator, as pc/)
        .first()
        .waitFor();
      expect(await faultsOf(ann)).toEqual([]);
      const olga = await open("olga", changePath);
      expect(await olga.getByRole("button", { name: "Resume" }).count()).toBe(0);
      await olga.getByRole("link", { name: "for your decision" }).click();
      await olga.getByRole("button", { name: "Approve" }).click();
      await ann.getByText("succeeded").first().waitFor(A_MINUTE);
      expect(berths.rows.get("a")?.["name"]).toBe("Renamed");
      await open("olga", changePath);
      await olga.getByRole("button", { name: "Pause" }).click();
      await olga.getByText("It does nothing until its owner resumes it.").waitFor();
      await ann.getByText("paused").first().waitFor();
      expect(await faultsOf(ann)).toEqual([]);
    });
  },
);

describe(
  "SURF-63: what a run has done is taken back by a plan that is looked at",
  { timeout: 180_000 },
  () => {
    it("shows the plan, runs nothing by it, and runs exactly that plan", async () => {
      const olga = await open("olga", changePath);
      await olga.getByRole("link", { name: "its operation" }).first().click();
      await olga.getByText("The agent of that session plans it; it is ann.").waitFor();
      expect(await olga.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
      const ann = await open("ann", changePath);
      await ann.getByRole("link", { name: "its operation" }).first().click();
      await ann.getByRole("button", { name: /^Undo pc\d+: show the plan/ }).press("Enter");
      await ann.getByText(/Berth\("a"\)\.update\(name="Berth a"\)/).waitFor();
      await ann.getByText("Nothing is undone yet.").waitFor();
      await ann.getByRole("button", { name: "Explain" }).click();
      const change = ann.getByRole("row", { name: /name/ }).getByRole("cell");
      await expect
        .poll(async () => (await change.allInnerTexts()).slice(-2))
        .toEqual(['"Renamed"', '"Berth a"']);
      expect(berths.rows.get("a")?.["name"]).toBe("Renamed");
      expect(await faultsOf(ann)).toEqual([]);
      await ann.getByRole("button", { name: "Run this plan" }).press("Enter");
      await expect.poll(() => berths.rows.get("a")?.["name"]).toBe("Berth a");
      await ann.getByText(/done update berths\.Berth a/).waitFor();
      expect(berths.rows.get("a")?.["name"]).toBe("Berth a");
      await ann.getByRole("button", { name: /^Undo/ }).click();
      await ann
        .getByRole("alert")
        .getByText(/undone by/)
        .waitFor();
      expect(await faultsOf(ann)).toEqual([]);
    });
  },
);

describe("SURF-62: the console's page of a watch", { timeout: 240_000 }, () => {
  it("goes on with what is found, the newest first, over a connection that breaks, each event once", async () => {
    const ann = await open("ann", watchPath);
    await ann.getByText(/the last of 3 rows/).waitFor(A_MINUTE);
    const streams: (string | undefined)[] = [];
    ann.on("request", (request) => {
      if (request.headers()["accept"] === "text/event-stream")
        streams.push(request.headers()["last-event-id"]);
    });
    const olga = await open("olga", watchPath);
    await olga.route(/\/events/, (route) => route.abort());
    await olga.reload();
    await olga.getByRole("alert").getByText("does not answer").waitFor();
    const events = (page: Page) =>
      page.getByRole("region", { name: "What it has found" }).getByRole("row");
    await ann.getByText("followed", { exact: true }).waitFor();
    berths.rows.set("d", { ...berths.rows.get("a"), id: "d", name: HOSTILE });
    berths.rows.set("b", { ...berths.rows.get("b"), name: "Another" });
    berths.rows.delete("c");
    await ann.getByText("followed: 3 new since this page was opened").waitFor(A_MINUTE);
    const kinds = async (page: Page) =>
      (await events(page).locator(".badge").allInnerTexts()).join(" ");
    const found = await kinds(ann);
    expect(found.split(" ").toSorted()).toEqual(["appeared", "changed", "vanished"]);
    await events(ann).filter({ hasText: "vanished" }).getByText("it is gone").waitFor();
    await events(ann).filter({ hasText: "changed" }).getByText("Another").waitFor();
    expect(await ann.locator("main img").count()).toBe(0);
    expect(await ann.locator("main").innerText()).not.toContain("\u202E");
    expect(await faultsOf(ann)).toEqual([]);
    const answer = await sent("ann", `/v1/${watchPath}/events`);
    const told = (answer["events"] as readonly { readonly kind: string }[]).map(({ kind }) => kind);
    expect(found).toBe(told.toReversed().join(" "));
    expect(await events(olga).count()).toBe(0);
    await olga.unrouteAll({ behavior: "wait" });
    await olga.getByRole("alert").waitFor({ state: "detached" });
    await expect.poll(() => kinds(olga)).toBe(found);
    await ann.reload();
    await expect.poll(() => kinds(ann)).toBe(found);
    await expect.poll(() => streams.at(-1)).toBe((answer["events"] as { id: string }[]).at(-1)?.id);
  });

  it("chooses a kind, on a narrow screen, too", async () => {
    const ann = await open("ann", watchPath);
    await ann.setViewportSize({ width: 390, height: 844 });
    await ann.getByRole("button", { name: "Vanished" }).press("Enter");
    expect(await ann.locator("td .badge", { hasText: /appeared|changed/ }).count()).toBe(0);
    await ann.locator("td .badge", { hasText: "vanished" }).waitFor();
    expect(await ann.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await faultsOf(ann)).toEqual([]);
    await ann.setViewportSize({ width: 1280, height: 720 });
  });

  it("says what is kept no longer, and what was missed and refused", async () => {
    const ann = await pageOf("ann");
    await ann.route(/\/events$/, async (route) => {
      if (route.request().headers()["accept"] === "text/event-stream") return route.continue();
      const answer = await route.fetch();
      return route.fulfill({ response: answer, json: { ...(await answer.json()), forgotten: 7 } });
    });
    await ann.route(/\/v1\/schedules\/[^/]+$/, async (route) => {
      const answer = await route.fetch();
      const one = (await answer.json()) as { readonly runs: readonly object[] };
      const run = { ...one.runs[0], state: "refused", code: "plasm-busy", message: HOSTILE };
      const late = { ...run, late: true, due_at: "2026-01-05T09:00:00.000Z" };
      const missed = [{ text: `missed 4 from then to then: no server ran ${HOSTILE}` }];
      await route.fulfill({
        response: answer,
        json: { ...one, problem: HOSTILE, runs: [run, late], missed },
      });
    });
    await open("ann", watchPath);
    await ann.getByText("7 earlier events are kept no longer").waitFor();
    await ann.getByText("missed 4 from then to then: no server ran").waitFor();
    await ann.getByText("Its next run would be refused").waitFor();
    await ann.getByText("made up for").waitFor();
    expect(await ann.locator("main img").count()).toBe(0);
    expect(await ann.locator("main").innerText()).not.toContain("\u202E");
    expect(await faultsOf(ann)).toEqual([]);
    await ann.unrouteAll({ behavior: "wait" });
  });

  it("is paused, goes on and is removed after asking once more", async () => {
    const ann = await open("ann", watchPath);
    await ann.getByRole("button", { name: "Pause" }).press("Enter");
    await ann.getByRole("button", { name: "Resume" }).press("Enter");
    await ann.getByRole("button", { name: "Pause" }).waitFor();
    await ann.getByRole("button", { name: "Remove" }).click();
    expect(await faultsOf(ann)).toEqual([]);
    await ann.getByRole("button", { name: "Keep it" }).click();
    await ann.getByRole("button", { name: "Remove" }).click();
    const olga = await open("olga", watchPath);
    await olga.getByText("followed", { exact: true }).waitFor();
    await ann.getByRole("button", { name: "Yes, remove it" }).click();
    await titled(ann, "Schedules");
    await ann.getByRole("row", { name: /rename_a/ }).waitFor();
    expect(await ann.getByRole("row", { name: /berths_of/ }).count()).toBe(0);
    await olga.getByRole("alert").getByText("No schedule").first().waitFor();
    expect(wrong.flat()).toEqual([]);
  });
});
