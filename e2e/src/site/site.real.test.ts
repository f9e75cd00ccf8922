import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOf, watch } from "../console/watched-page.ts";
import { openBrowser, type OpenedBrowser } from "../harness/open-browser.ts";
import { serveFiles } from "../harness/serve-files.ts";

const FILES = join(dirname(fileURLToPath(import.meta.resolve("@plasm/site/package.json"))), "dist");

let files: Awaited<ReturnType<typeof serveFiles>>;
let browser: OpenedBrowser;

beforeAll(async () => {
  if (!existsSync(join(FILES, "playground/index.html")))
    throw new Error("The site is not built: pnpm site builds it.");
  [files, browser] = await Promise.all([serveFiles(FILES, "/"), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await files.close();
});

/** Opens a page of the site; `wrong` is what it did that none may do. */
async function open(path: string) {
  const page = await (await browser.visitor()).newPage();
  const wrong = watch(page, files.url);
  await page.goto(`${files.url}${path}`);
  return { page, wrong };
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { name, level: 1 }).waitFor();

describe("SURF-64: the site", { timeout: 120_000 }, () => {
  it("leads from its first page to a guide, without barriers, and asks nobody else", async () => {
    const { page, wrong } = await open("");
    await heading(page, /^Documentation/);
    expect(await faultsOf(page)).toEqual([]);
    await page
      .getByRole("navigation", { name: "Sidebar" })
      .getByRole("link", { name: "put it behind our identity provider" })
      .click();
    await heading(page, /^Put it behind/);
    expect(await faultsOf(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it("finds a word, and leads to where it stands", async () => {
    const { page, wrong } = await open("");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("undo(pc0)");
    const box = page.getByRole("dialog", { name: "Search" });
    const hit = box.getByRole("link").first();
    await hit.waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await hit.click();
    await heading(page, /^Undo/);
    expect(new URL(page.url()).pathname).toBe("/undo.html");
    expect(wrong).toEqual([]);
  });

  it("has the playground in it", async () => {
    const { page, wrong } = await open("");
    await page.getByRole("link", { name: "Playground", exact: true }).first().click();
    await page.waitForURL("**/playground/");
    await page.getByRole("button", { name: "Ask for context" }).first().click();
    await page.getByRole("region", { name: "Table of quay: Boat" }).waitFor();
    expect(wrong).toEqual([]);
  });

  it("shows pictures of the console by day and by night", async () => {
    const { page, wrong } = await open("console.html");
    const shown = async () => {
      const pictures = page.getByRole("img", { name: "Home" }).locator("visible=true");
      return pictures.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src));
    };
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(shown).toEqual([expect.stringContaining("home-wide-light")]);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(shown).toEqual([expect.stringContaining("home-wide-dark")]);
    expect(wrong).toEqual([]);
  });

  it("is without barriers on a phone, wide tables and long pages included", async () => {
    const { page, wrong } = await open("benchmarks.html");
    await page.setViewportSize({ width: 390, height: 844 });
    await heading(page, /^Figures/);
    expect(await faultsOf(page)).toEqual([]);
    const wide = await page.evaluate("document.documentElement.scrollWidth");
    expect(wide).toBe(390);
    expect(wrong).toEqual([]);
  });
});
