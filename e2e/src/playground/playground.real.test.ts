import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOf } from "../console/watched-page.ts";
import {
  censusDocument,
  fileSizes,
  FILES,
  openPlaygroundWorld,
  type PlaygroundWorld,
  write,
} from "./playground-world.ts";

/** bytes of all files together */
const MOST_BYTES = 3_000_000;

let world: PlaygroundWorld;

beforeAll(async () => {
  world = await openPlaygroundWorld();
});
afterAll(() => world.close());

const button = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).locator("visible=true");
const step = (page: Page, title: string) =>
  page.getByRole("heading", { name: title, exact: true }).waitFor();
const rowsOf = (page: Page, name: string) =>
  page
    .getByRole("region", { name: `Rows of ${name}` })
    .locator("tbody")
    .innerText();

/** The tour from its first step to its last, as a person takes it. */
async function takeTour(page: Page): Promise<void> {
  await button(page, "Ask for context").click();
  await page.getByRole("region", { name: "Table of quay: Boat" }).waitFor();
  await step(page, "Write a program, and have it planned");
  await button(page, "Put the program into the editor").click();
  await button(page, "Dry run").click();
  await page.getByText("ok: runs as it stands").waitFor();
  await page.getByRole("img", { name: "The plan as a graph, described below" }).waitFor();
  await step(page, "Run what only reads");
  await button(page, "Run").click();
  await page.getByRole("region", { name: "Rows of Boat" }).waitFor();
  expect(await rowsOf(page, "Boat")).toMatch(/^b5\s+Albatross\s+21\.3\s+Bob\s+b23/);
  await step(page, "Ask for context of a second API");
  await button(page, "Ask for context").click();
  await page.getByRole("region", { name: "Table of Added from yard: e2 Boat" }).waitFor();
  await step(page, "Run one program over both");
  await button(page, "Put the program into the editor").click();
  await button(page, "Run").click();
  await step(page, "Plan a change");
  expect(await rowsOf(page, "Boat")).toContain("Sea Star (b3): slip");
  await button(page, "Put the program into the editor").click();
  await button(page, "Dry run").click();
  await page.getByText("review: changes something").waitFor();
  await page.getByRole("cell", { name: '"lost"' }).waitFor();
  await page.getByRole("cell", { name: '"moored"' }).waitFor();
  await step(page, "Let the agent ask");
  await button(page, "Run").click();
  await page.getByRole("heading", { name: "An agent asks you to approve this" }).waitFor();
  await step(page, "Approve");
  await button(page, "Approve").click();
  await step(page, "Run the approved plan");
  await button(page, "Run").click();
  await step(page, "Read what became of it");
  await button(page, "Put the program into the editor").click();
  await button(page, "Run").click();
  await step(page, "Plan to take it back");
  expect(await rowsOf(page, "Boat")).toMatch(/b3\s+Sea Star\s+moored\s+in the yard, on the slip/);
  await button(page, "Put the program into the editor").click();
  await button(page, "Dry run").click();
  await step(page, "Undo");
  await button(page, "Run").click();
  await button(page, "Approve").click();
  await page.getByText("You approved this plan.").waitFor();
  await button(page, "Run").click();
  await step(page, "That was the tour");
}

describe("SURF-57: the playground is static files", { timeout: 120_000 }, () => {
  it("of 3 MB in all, which name no other place and hold no inline script", async () => {
    const sizes = [...fileSizes()];
    expect(sizes.map(([name]) => name)).toContain("index.html");
    expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(MOST_BYTES);
    const html = await (await fetch(world.url)).text();
    expect(html).not.toMatch(/<script(?![^>]* src="\.\/)|(src|href)="(\/|https?:)|<style|style="/);
    expect(html).toMatch(
      /Content-Security-Policy"\s+content="default-src 'none'; script-src 'self'/,
    );
  });

  it("that a browser opens from a disk, too, without a server", async () => {
    const { page, wrong } = await world.open(pathToFileURL(join(FILES, "index.html")).href);
    await button(page, "Ask for context").click();
    await page.getByRole("region", { name: "Table of quay: Boat" }).waitFor();
    await button(page, "Put the program into the editor").click();
    await button(page, "Run").click();
    await page.getByRole("region", { name: "Rows of Boat" }).waitFor();
    expect(wrong).toEqual([]);
  });
});

describe("SURF-60: the tour", { timeout: 180_000 }, () => {
  it("goes from context to undo, at a path of any server, and asks nobody else", async () => {
    const { page, wrong } = await world.open(world.url);
    await takeTour(page);
    expect(await faultsOf(page)).toEqual([]);
    await button(page, "Start over").click();
    await step(page, "Ask for context");
    expect(wrong).toEqual([]);
  });

  it("is without barriers where it begins, where a plan waits, and on a phone", async () => {
    const { page, wrong } = await world.open(world.url);
    await step(page, "Ask for context");
    expect(await faultsOf(page)).toEqual([]);
    await button(page, "Ask for context").click();
    await page.locator(".cm-content").waitFor();
    await write(page, 'Boat("b1").update(note="red")');
    await button(page, "Run").click();
    await button(page, "Approve").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(360);
    expect(wrong).toEqual([]);
  });
});

/** Imports a document and asks for the context of what the page chose first. */
async function importDocument(page: Page, text: string): Promise<void> {
  await page.getByLabel("An OpenAPI document").fill(text);
  await button(page, "Import").click();
  await page.getByText("operations are in the catalog").waitFor();
}

describe("SURF-59: a pasted document", { timeout: 180_000 }, () => {
  it("of a vendor is imported, taught and programmed against a mock", async () => {
    const { page, wrong } = await world.open(`${world.url}#document`);
    await importDocument(page, await censusDocument("nexmo.com-numbers"));
    await page.getByText("5 of 5 operations are in the catalog").waitFor();
    await button(page, "Ask for context").click();
    await page.getByRole("region", { name: "Table of numbers-api: Ownednumber" }).waitFor();
    await button(page, "Run").click();
    await page.getByRole("region", { name: "Rows of Ownednumber" }).waitFor();
    expect(await rowsOf(page, "Ownednumber")).toMatch(/^GB\s.*447700900000/);
    expect(await faultsOf(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it("whose schemas have no examples answers rows that are told apart", async () => {
    const { page, wrong } = await world.open(`${world.url}#document`);
    await importDocument(page, await censusDocument("twilio.com-twilio_supersim_v1"));
    await page.getByLabel("Entity").selectOption("Sim");
    await button(page, "Ask for context").click();
    await page.getByRole("region", { name: "Table of twilio-supersim: Sim" }).waitFor();
    await write(page, "Sim{status=new}.limit(2)[sid, status, unique_name]");
    await button(page, "Run").click();
    await page.getByRole("region", { name: "Rows of Sim" }).waitFor();
    expect(await rowsOf(page, "Sim")).toMatch(/^sid0+1\s+new\s+unique_name 1\s+sid0+2\s+new/);
    await page.getByLabel("Entity").selectOption("Fleet");
    await button(page, "Teach it, too").click();
    await page.getByRole("region", { name: /^Table of .*Fleet$/ }).waitFor();
    expect(wrong).toEqual([]);
  });

  it("changes nothing before somebody at the page approves", async () => {
    const { page, wrong } = await world.open(`${world.url}#document`);
    await button(page, "Use the harbour's document").click();
    await button(page, "Import").click();
    await page.getByText("operations are in the catalog").waitFor();
    await page.getByLabel("Entity").selectOption("Boat");
    await button(page, "Ask for context").click();
    await page.getByRole("region", { name: /^Table of .*: Boat$/ }).waitFor();
    await write(page, 'Boat("b1").update(note="red")[id, note]');
    await button(page, "Run").click();
    await button(page, "Reject").click();
    await page.getByText("You rejected this plan.").waitFor();
    await write(page, 'Boat("b1").update(note="blue")[id, note]');
    await button(page, "Run").click();
    await button(page, "Approve").click();
    await page.getByText("You approved this plan.").waitFor();
    await button(page, "Run").click();
    await page.getByRole("region", { name: "Rows of Boat" }).waitFor();
    expect(await rowsOf(page, "Boat")).toMatch(/^b1\s+blue/);
    expect(wrong).toEqual([]);
  });

  it("that is none is refused with the reason, and mistakes in programs with what would be right", async () => {
    const { page, wrong } = await world.open(`${world.url}#document`);
    await page.getByLabel("An OpenAPI document").fill('{"asyncapi": "3.0.0"}');
    await button(page, "Import").click();
    await page.getByRole("alert").getByText("AsyncAPI").waitFor();
    await importDocument(page, await censusDocument("nexmo.com-numbers"));
    await button(page, "Ask for context").click();
    await page.locator(".cm-content").waitFor();
    await write(page, "Ownednumber.limit(3)[contry]");
    await button(page, "Dry run").click();
    const mistakes = page.getByRole("list", { name: "Mistakes" });
    await mistakes.getByText("contry is no column of Ownednumber.").waitFor();
    await mistakes.getByRole("button", { name: "Use it" }).click();
    await button(page, "Run").click();
    await page.getByRole("region", { name: "Rows of Ownednumber" }).waitFor();
    expect(wrong).toEqual([]);
  });
});
