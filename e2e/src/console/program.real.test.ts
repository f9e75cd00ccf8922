import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";
import { faultsOf, holding, watch } from "./watched-page.ts";

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

/** Elements that no text may become, and signs that turn others around. */
const actsOn = (root: Element) => ({
  made: root.querySelectorAll("img, script, iframe, object, style").length,
  isUnseen: /[\u202A-\u202E\u2066-\u2069\u200B-\u200F]/.test(root.textContent ?? ""),
});

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
    // What the session teaches comes a moment after the editor.
    await expect
      .poll(async () => {
        await page.keyboard.press("Escape");
        await page.keyboard.press("Control+Space");
        return offered("Boat")
          .waitFor({ timeout: 1_000 })
          .then(
            () => true,
            () => false,
          );
      })
      .toBe(true);
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

  it("teaches a further entity where a program needs one, and no longer on request", async () => {
    await write('Boat("b1").owner');
    await page.getByText("Person is an entity of quay that this session does not have").waitFor();
    await page.locator(".cm-lintRange-error").hover();
    await page.locator(".cm-diagnostic").waitFor();
    expect(await page.getByText("plasm_context").count()).toBe(0);
    await page.getByRole("button", { name: "Teach Person, too" }).click();
    await page.getByText("No mistake").waitFor();
    await page.reload();
    await page.getByText("No mistake").waitFor();
    await run();
    await page.getByRole("heading", { name: /^Person: 1 row/ }).waitFor();
    await page.getByText("As curl").click();
    await page.locator("details pre", { hasText: '"entity":"Person"' }).waitFor();
    await page.getByRole("button", { name: "Without Person" }).click();
    await page.getByRole("button", { name: "Teach Person, too" }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it("SURF-72: goes over several catalogs, of which each is chosen beside the first", async () => {
    await page.getByLabel("Teach also, of").selectOption("yard");
    await page.getByLabel("Its entity").selectOption("Part");
    await page.getByRole("button", { name: "Without Part of yard" }).waitFor();
    await write('b = Boat.limit(1)[id]\np = Part(maker="Sail", no=12)\nb, p');
    await page.getByText("No mistake").waitFor();
    await page.reload();
    await page.getByText("No mistake").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Without Part of yard" }).click();
  });

  it("SURF-72: offers saved programs, calls them, and marks a call that cannot be made", async () => {
    const planned = await world.run("Boat.limit(2)[id]", {}, "plan");
    const meta = planned.body["_meta"] as { readonly plasm: { readonly plan_commit_ref: string } };
    await world.save("two_boats", meta.plasm.plan_commit_ref);
    await page.reload();
    await write("s.tw");
    await page.keyboard.press("Control+Space");
    await offered("two_boats").click();
    await expect.poll(written).toBe("s.two_boats");
    await page.keyboard.type("()");
    await page.getByText("No mistake").waitFor();
    await run();
    await page.getByRole("heading", { name: /2 rows/ }).waitFor();
    await write("s.two_boat()");
    await expect.poll(() => page.locator(".cm-lintRange-error").innerText()).toBe("s.two_boat");
    await page.getByRole("button", { name: "Use it" }).click();
    await expect.poll(written).toBe("s.two_boats()");
    await page.getByLabel("Catalog").selectOption("yard");
    await page.getByLabel("Begin with").selectOption("Part");
    await page.getByRole("button", { name: "Teach two_boats of saved programs, too" }).click();
    await page.getByText("No mistake").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel("Catalog").selectOption("quay");
    await page.getByLabel("Begin with").selectOption("Boat");
  });

  it("SURF-72: has one question under way at most, whatever is typed meanwhile", async () => {
    await write("Boat.limit(1)[id]");
    await page.getByText("No mistake").waitFor();
    const ended: string[] = [];
    page.on("requestfinished", (one) => {
      if (one.url().includes("mode=plan")) ended.push(one.postData() ?? "");
    });
    const failed: string[] = [];
    page.on("requestfailed", (one) => {
      if (one.url().includes("mode=plan")) failed.push(one.postData() ?? "");
    });
    const held = holding();
    await page.route("**/*mode=plan", async (route) => {
      await held.until;
      await route.continue().catch(() => undefined);
    });
    for (const n of [2, 3, 4]) {
      const asked = page.waitForRequest((one) => one.url().includes("mode=plan"));
      await write(`Boat.limit(${n})[id]`);
      await asked;
    }
    await expect.poll(() => failed.length).toBe(2);
    held.goOn();
    await page.getByText("No mistake").waitFor();
    expect(ended.map((one) => (JSON.parse(one) as { program: string }).program)).toEqual([
      "Boat.limit(4)[id]",
    ]);
    await page.unrouteAll({ behavior: "wait" });
    const before = ended.length;
    await editor().click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Boat{state=sailing}.sort(name).limit(5)[id, name]", { delay: 60 });
    await page.getByText("No mistake").waitFor();
    // Of 49 keys the pauses alone ask, and a line typed at one go is one plan.
    expect(ended.length - before).toBeLessThanOrEqual(2);
  });

  it("sends no text that cannot be read, and asks what would be right on request alone", async () => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("mode=plan")) asked.push(request.postData() ?? "");
    });
    await write("Boat.limit(3))[id]");
    const mistakes = page.getByRole("list", { name: "Mistakes" });
    await mistakes.getByText("Line 1:").waitFor();
    await expect.poll(() => page.locator(".cm-lintRange-error").count()).toBe(1);
    expect(asked).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "What would be right?" }).click();
    await mistakes.getByRole("button", { name: "Use it" }).click();
    await page.getByText("No mistake").waitFor();
    await expect.poll(written).toBe("Boat.limit(3)[id]");
    expect(asked).toHaveLength(2);
  });

  it("puts no correction of an earlier run in place of what was written since", async () => {
    await write("Boat.limit(3)[id, nam]");
    await run();
    await page.getByRole("alert").waitFor();
    await write("Boat.limit(9)[id]");
    await page.getByText("No mistake").waitFor();
    expect(await page.getByRole("button", { name: "Use it" }).count()).toBe(0);
    await write("Boat.limit(3)[id, nam]");
    await page.getByRole("button", { name: "Use it" }).waitFor();
  });

  it("keeps the names of what is chosen, whichever session is open last", async () => {
    const held = holding();
    await page.route("**/execute", async (route) => {
      if (route.request().postData()?.includes("Boat") === true) await held.until;
      await route.continue();
    });
    await page.reload();
    await page.getByLabel("Begin with").selectOption("Person");
    await write("Per");
    await page.keyboard.press("Control+Space");
    await offered("Person").waitFor();
    await page.keyboard.press("Escape");
    const late = page.waitForResponse((one) => one.request().postData()?.includes("Boat") === true);
    held.goOn();
    await (await late).finished();
    await write("Per");
    await page.keyboard.press("Control+Space");
    await offered("Person").waitFor();
    expect(await offered("Boat").count()).toBe(0);
    await page.unrouteAll({ behavior: "wait" });
    await page.getByLabel("Begin with").selectOption("Boat");
  });

  it("names its keys as the reader's machine has them", async () => {
    await page.getByText("Ctrl-Enter runs").waitFor();
    const mac = await context.newPage();
    await mac.addInitScript(() =>
      Object.defineProperty(navigator, "platform", { get: () => "MacIntel" }),
    );
    await mac.goto(`${world.url}/console/program`);
    await mac.getByText("⌘-Enter runs").waitFor();
    await mac.getByLabel("Begin with").selectOption("Boat");
    await mac.getByRole("textbox", { name: "Program" }).fill("Boat.limit(2)[id]");
    await mac.keyboard.press("Meta+Enter");
    await mac.getByRole("heading", { name: /2 rows/ }).waitFor();
    expect(await mac.getByText("Ctrl-Enter").count()).toBe(0);
    await mac.close();
  });

  it("explains what a change would find and leave, and changes nothing", async () => {
    await write('Boat("b1").update(note="from the editor")');
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByRole("heading", { name: "What it would change" }).waitFor();
    const table = page.getByRole("region", { name: /^What boat_update changes/ });
    await table.waitFor();
    const cells = await table.getByRole("row", { name: /note/ }).getByRole("cell").allInnerTexts();
    expect(cells.at(-1)).toBe('"from the editor"');
    await page.getByText("Nothing was changed.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByText("In words", { exact: true }).click();
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
    const late: (() => void)[] = [];
    await page.route("**/assets/code-editor-*.js", async (route) => {
      await new Promise<void>((resolve) => late.push(resolve));
      await route.abort();
    });
    await page.goto(`${world.url}/console/program`);
    await page.getByText("The editor is being loaded").waitFor();
    expect(await page.getByText("Ctrl-Space").count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    late.forEach((goOn) => goOn());
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

describe("SURF-42: the plan beside a program", { timeout: 180_000 }, () => {
  it("is drawn with its effects marked, with its cost and its steps in words", async () => {
    await write('a = Boat{state=moored}.limit(3)\na => Boat(_.id).update(note="x")\na.twin');
    const graph = page.getByRole("region", { name: "The plan as a graph" });
    await graph.getByText("changes data").waitFor();
    expect(await graph.locator(".node").count()).toBe(5);
    expect(await graph.locator(".edge").count()).toBe(4);
    await page.getByText("at most 7").waitFor();
    await page.getByText("Its steps in words").click();
    await page.getByText(/n2 update: .*changes data; reads from n1/).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect((await world.operator("/v1/approvals"))["total"]).toBe(0);
  });

  it("is told in words where the drawing cannot be loaded", async () => {
    await page.route("**/assets/graph-*.js", (route) => route.abort());
    await page.reload();
    await page.getByText("The picture could not be loaded").waitFor();
    await page.getByText("Its steps in words").click();
    await page.getByText(/n2 update: /).waitFor();
    expect(await page.locator(".graph").count()).toBe(0);
    await page.unrouteAll({ behavior: "wait" });
  });

  it("stays while its writer goes on, and says that it is the one from before", async () => {
    await open();
    await write("Boat.limit(4)[id]");
    const graph = page.getByRole("region", { name: "The plan as a graph" });
    await graph.locator(".node-title", { hasText: "n1 query" }).waitFor();
    await page.getByText("before your last change").waitFor({ state: "detached" });
    await write("Boat.limit(4)[id, nam]");
    await page.getByRole("list", { name: "Mistakes" }).waitFor();
    expect(await graph.locator(".node").count()).toBeGreaterThan(0);
    expect(await page.getByText("before your last change").count()).toBe(1);
  });

  it("is words alone where it is too long for a picture", async () => {
    await write(Array.from({ length: 80 }, (_, n) => `Boat("b${n}")`).join("\n"));
    await page.getByText(/It has \d+ steps: too many for a picture/).waitFor();
    expect(await page.locator(".graph").count()).toBe(0);
  });

  it("fits a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await write("a = Boat{state=moored}.limit(3)\na.twin\na[id]");
    await page
      .getByRole("region", { name: "The plan as a graph" })
      .locator(".node-title", { hasText: "relation twin" })
      .waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it("shows hostile texts as texts", async () => {
    const hostile = `<img src=x onerror=alert(1)>\u202Eevil`;
    await page.route("**/execute/*/*?mode=plan", async (route) => {
      const answer = await route.fetch();
      const text = await answer.text();
      const body = text.replaceAll('"label":"Boat"', `"label":${JSON.stringify(hostile)}`);
      await route.fulfill({ response: answer, body });
    });
    await write("Boat.limit(4)[id]");
    await page.locator(".node-title", { hasText: "<img src=x" }).waitFor();
    expect(await page.locator("#app").evaluate(actsOn)).toEqual({ made: 0, isUnseen: false });
    await page.unrouteAll({ behavior: "wait" });
  });
});

describe("SURF-43: groups of a program's result", { timeout: 180_000 }, () => {
  it("draws groups as bars, of the figure that one chooses", async () => {
    await open();
    await write("Boat.group_by(state, n=count, l=sum(length), f=first(name))");
    await page.getByText("No mistake").waitFor();
    await run();
    const bars = page.getByRole("list", { name: "n of Boat by state" });
    await bars.waitFor();
    expect(await bars.getByRole("listitem").allInnerTexts()).toContainEqual(
      expect.stringMatching(/moored\s+26/),
    );
    expect(await faultsOf(page)).toEqual([]);
    const choices = page.getByLabel("Bars show").getByRole("option");
    expect(await choices.allInnerTexts()).toEqual(["n", "l"]);
    await page.getByLabel("Bars show").selectOption("l");
    await page.getByRole("list", { name: "l of Boat by state" }).getByText("327.55").waitFor();
    expect(await page.locator(".bars rect").count()).toBe(4);
  });

  it("shows hostile texts as texts, and saves them as they are but as no formula", async () => {
    const hostile = `<img src=x onerror=alert(1)>\u202Eevil`;
    await page.route("**/execute/*/*", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      const answer = await route.fetch();
      const text = await answer.text();
      return route.fulfill({
        response: answer,
        body: text
          .replaceAll('"moored"', JSON.stringify(hostile))
          .replaceAll('"sailing"', JSON.stringify("=HYPERLINK(1)")),
      });
    });
    await run();
    await page.getByRole("cell", { name: "=HYPERLINK(1)" }).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).click(),
    ]);
    expect(await page.locator("#app").evaluate(actsOn)).toEqual({ made: 0, isUnseen: false });
    expect(await page.getByRole("listitem").filter({ hasText: "<img src=x" }).count()).toBe(1);
    const csv = await readFile(await saved.path(), "utf8");
    expect(csv).toContain(hostile);
    expect(csv).toMatch(/^'=HYPERLINK\(1\),14,/m);
    await page.unrouteAll({ behavior: "wait" });
  });
});

describe("what the page did on the way", () => {
  it("did nothing that its policy forbids, and asked no other place", () => {
    expect(wrong).toEqual([]);
  });
});
