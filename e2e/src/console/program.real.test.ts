import { gzipSync } from "node:zlib";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";
import { faultsOf, watch } from "./watched-page.ts";

/** gzipped; a tenth of what a first load may have at most */
const MOST_FIRST_BYTES = 40_000;
let world: ConsoleWorld;
let context: BrowserContext;
let page: Page;
let wrong: readonly string[];

const editor = () => page.getByRole("textbox", { name: "Program" });
const written = () => page.locator(".cm-content").innerText();
const offered = (name: string) =>
  page.getByRole("listbox", { name: "Completions" }).getByRole("option", { name, exact: true });
const open = async (): Promise<void> => {
  await page.goto(`${world.url}/console/program`);
  await page.locator(".cm-content").waitFor();
};
const write = async (program: string): Promise<void> => {
  await editor().click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(program);
};
const run = () => page.getByRole("button", { name: "Run", exact: true }).click();

beforeAll(async () => {
  world = await openConsoleWorld();
  context = await world.browser.visitor();
  page = await context.newPage();
  wrong = watch(page, world.url);
  await page.goto(world.link());
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await open();
  await page.getByLabel("Catalog").selectOption("quay");
  await page.getByLabel("Begin with").selectOption("Boat");
});
afterAll(async () => {
  await world.close();
});

describe("SURF-44: what a browser loads before anything is opened", { timeout: 180_000 }, () => {
  it("is small, and neither editor nor graph is in it", async () => {
    await page.goto(`${world.url}/console/`);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    const names = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => name),
    );
    const files = names.filter((name) => name.startsWith(`${world.url}/console/`));
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((name) => /code-editor|graph/.test(name))).toEqual([]);
    const sizes = await Promise.all(
      [`${world.url}/console/`, ...files].map(async (file) => {
        const answer = await fetch(file);
        return gzipSync(new Uint8Array(await answer.arrayBuffer())).length;
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_FIRST_BYTES);
  });

  it("is joined by the editor alone where programs are written", async () => {
    await open();
    const names = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => name),
    );
    expect(names.filter((name) => /code-editor/.test(name))).toHaveLength(1);
    expect(names.filter((name) => /graph/.test(name))).toEqual([]);
  });
});

describe("SURF-41: the editor of programs", { timeout: 180_000 }, () => {
  it("offers names that the session teaches, and what belongs after a dot", async () => {
    await write("Bo");
    await page.keyboard.press("Control+Space");
    await offered("Boat").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(written).toBe("Boat");
    await page.keyboard.type(".tw");
    await offered("twin").waitFor();
    await page.keyboard.press("Escape");
    await write("Boat{state=sai");
    await page.keyboard.press("Control+Space");
    await offered("sailing").click();
    await expect.poll(written).toBe("Boat{state=sailing");
  });

  it("marks mistakes while one types, says what would be right, and puts it there", async () => {
    await write("Boat.limit(3)[id, nam]");
    const mistakes = page.getByRole("list", { name: "Mistakes" });
    await mistakes.getByText("nam is no column of Boat.").waitFor();
    await expect.poll(() => page.locator(".cm-lintRange-error").innerText()).toBe("nam");
    expect(await faultsOf(page)).toEqual([]);
    await mistakes.getByRole("button", { name: "Use it" }).click();
    await expect.poll(written).toBe("Boat.limit(3)[id, name]");
    await page.getByText("No mistake").waitFor();
    expect(await page.locator(".cm-lintRange-error").count()).toBe(0);
  });

  it("explains what a change would find and leave, and changes nothing", async () => {
    await write('Boat("b1").update(note="from the editor")');
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByRole("heading", { name: "What it would change" }).waitFor();
    await page.locator("section pre", { hasText: "from the editor" }).waitFor();
    const { body } = await world.run('Boat("b1")[note]');
    expect(JSON.stringify(body["results"])).not.toContain("from the editor");
    expect((await world.operator("/v1/approvals"))["total"]).toBe(0);
  });

  it("shows by their number signs that nobody sees, and sends them as they are", async () => {
    await write('Boat{name="\u202Ea\u200B"}');
    await expect.poll(written).toBe('Boat{name="⟨U+202E⟩a⟨U+200B⟩"}');
    const kept = await page.evaluate(() => sessionStorage.getItem("plasm-program") ?? "");
    expect(JSON.parse(kept)).toMatchObject({ program: 'Boat{name="\u202Ea\u200B"}' });
    expect(await faultsOf(page)).toEqual([]);
    await write("Boat.limit(3)[id, name]");
  });

  it("runs by the keyboard, and Tab leaves it on both sides", async () => {
    await editor().focus();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: /3 rows/ }).waitFor();
    await editor().focus();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Run");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("SELECT");
  });

  it("loses nothing by a reload, without a server, or by a sign-in that ends", async () => {
    const program = 'a = Boat.limit(3)\n;; "kept" \\ as it is\na[id]';
    await write(program.slice(0, -5));
    // Key by key, while answers to what stood there before come in; the last of them just before the reload.
    await page.keyboard.type("a[id]");
    await page.reload();
    await expect.poll(written).toBe(program);
    await context.setOffline(true);
    await page.keyboard.press("Control+End");
    await editor().focus();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type(" ");
    await page.getByText("Not checked: The server does not answer").waitFor();
    await context.setOffline(false);
    await expect.poll(written).toBe(`${program} `);
    await context.clearCookies();
    await run();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.goto(world.link());
    await page.getByRole("navigation").first().waitFor();
    await open();
    await expect.poll(written).toBe(`${program} `);
  });

  it("is a plain field where its part cannot be loaded, and moves what was typed meanwhile", async () => {
    await page.route("**/assets/code-editor-*.js", (route) => route.abort());
    await page.goto(`${world.url}/console/program`);
    await page.getByText("The editor could not be loaded").waitFor();
    await editor().fill("Boat.limit(2)[id]");
    await run();
    await page.getByRole("heading", { name: /2 rows/ }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
    await open();
    await expect.poll(written).toBe("Boat.limit(2)[id]");
  });
});

describe("what the page did on the way", () => {
  it("did nothing that its policy forbids, and asked no other place", () => {
    expect(wrong).toEqual([]);
  });
});
