import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";

let world: ConsoleWorld;
let context: BrowserContext;
let page: Page;
/** A page of somebody else on this very machine: the same site to a browser, another origin. */
let elsewhere: Server;
const wrong: string[] = [];

/** Notes what no page may do: throw, break its own policy, open a dialog, ask another place. */
function watched(one: Page): Page {
  one.setDefaultTimeout(60_000);
  one.on("pageerror", ({ message }) => wrong.push(message));
  one.on("dialog", (dialog) => {
    wrong.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  one.on("console", (message) => {
    if (/Content Security Policy|TrustedType/i.test(message.text())) wrong.push(message.text());
  });
  one.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(world.url) && !url.startsWith("blob:")) wrong.push(`asks ${url}`);
  });
  return one;
}

beforeAll(async () => {
  world = await openConsoleWorld();
  context = await world.browser.visitor();
  page = watched(await context.newPage());
  elsewhere = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><title>else</title><iframe src="${world.url}/console/"></iframe>`);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  elsewhere.close();
  await world.close();
});

const elsewhereUrl = (): string => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
const open = async (path: string, on = page): Promise<void> => {
  await on.goto(`${world.url}/console/${path}`);
};
const heading = (name: string | RegExp, on = page) => on.getByRole("heading", { level: 1, name });
const stateOf = async (uuid: string): Promise<unknown> =>
  (await world.operator(`/v1/approvals/${uuid}`))["state"];

/** Violations of WCAG 2.2 AA and of good practice; between light and dark nothing but colours differs. */
async function faultsOf(on = page): Promise<readonly string[]> {
  const faults: string[] = [];
  if (!(await on.evaluate(() => "axe" in window))) await on.evaluate(`${axe.source}; undefined`);
  for (const [colorScheme, options] of [
    ["light", "{}"],
    ["dark", '{ runOnly: ["color-contrast"] }'],
  ] as const) {
    await on.emulateMedia({ colorScheme });
    const { violations } = await on.evaluate<axe.AxeResults>(`axe.run(document, ${options})`);
    faults.push(
      ...violations.map(
        ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(" ")}`,
      ),
    );
  }
  return faults;
}

/** In the order of a person's first day: each test goes on where the one before ended. */
describe("the console in a browser (SURF-31, SURF-32)", { timeout: 180_000 }, () => {
  it("asks who does not know it to sign in, and shows nothing else", async () => {
    await open("approvals");
    await heading("Sign in").waitFor();
    expect(await faultsOf()).toEqual([]);
    await page.getByLabel("Or sign in with a key").fill("plasm_0000000000000000_made-up");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("This key is not known here.").waitFor();
    expect(await page.locator("nav").count()).toBe(0);
  });

  it("the link of the terminal signs in once, under an id of its own, and leaves no secret behind", async () => {
    const { port } = new URL(world.url);
    const name = `plasm_console_${port}`;
    await context.addCookies([{ name, value: "chosen-by-somebody", url: world.url }]);
    const link = world.link();
    await page.goto(link);
    await heading("Approvals").or(heading("Home")).waitFor();
    expect(page.url()).not.toContain("sign-in");
    const cookie = (await context.cookies()).find((one) => one.name === name);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
    expect(cookie?.value).not.toBe("chosen-by-somebody");
    expect(await page.evaluate(() => document.cookie)).toBe("");
    const other = await world.browser.visitor();
    const late = watched(await other.newPage());
    await late.goto(link);
    await late.getByRole("alert").getByText("This link has been used").waitFor();
    await other.close();
    await expect.poll(() => world.link()).not.toBe(link);
  });

  it("says what each page would show while there is nothing", async () => {
    await open("");
    await page.getByText("Nothing waits.").waitFor();
    expect(await faultsOf()).toEqual([]);
    await open("approvals");
    await page.getByText("Nothing waits for you.").waitFor();
    expect(await faultsOf()).toEqual([]);
    await open("audit?kind=refused");
    await page.getByText("No line is like that.").waitFor();
    await open("nothing/here");
    await page.getByText("There is nothing at this address.").waitFor();
    expect(await faultsOf()).toEqual([]);
  });

  it("lists catalogs with what each has, and shows what an agent is taught", async () => {
    await open("catalogs");
    await page.getByRole("link", { name: "Quay" }).click();
    await page.getByRole("cell", { name: "Visit", exact: true }).waitFor();
    expect(await faultsOf()).toEqual([]);
    await page.getByLabel("Entity").selectOption("Visit");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("Write Plasm programs with the names below.").waitFor();
    await open("catalogs/none");
    await page.getByRole("alert").getByText("plasm-unknown-catalog").waitFor();
  });

  it("tells what a session did, event by event", async () => {
    await world.run('Boat("b1")');
    await open("sessions");
    expect(await faultsOf()).toEqual([]);
    await page.getByRole("link", { name: "…" }).first().click();
    await page.getByRole("button", { name: "Requests" }).click();
    await page.getByText("GET /boats/{id}").first().waitFor();
    expect(await page.getByText("plasm_context").count()).toBe(0);
    expect(await faultsOf()).toEqual([]);
  });

  it("plans, runs and exports a program, and loses none that was typed", async () => {
    await open("program");
    await page.locator(".cm-content").waitFor();
    await page.getByLabel("Catalog").selectOption("quay");
    await page.getByLabel("Begin with").selectOption("Boat");
    expect(await faultsOf()).toEqual([]);
    const program = page.getByRole("textbox", { name: "Program" });
    await program.fill("Boat.limit(3)[id, nam]");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("alert").getByText("plasm-program-invalid").waitFor();
    await page.reload();
    await expect.poll(() => program.innerText()).toBe("Boat.limit(3)[id, nam]");
    await program.fill("Boat.limit(3)[id, name]");
    await page.getByRole("button", { name: "Show the plan" }).click();
    await page.getByText("plan ok").waitFor();
    await page.getByRole("button", { name: "Run this plan" }).click();
    await page.getByRole("heading", { name: /3 rows/ }).waitFor();
    await page.getByRole("cell", { name: "b1", exact: true }).waitFor();
    expect(await faultsOf()).toEqual([]);
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).click(),
    ]);
    const csv = await readFile(await saved.path(), "utf8");
    expect(csv.split("\n").slice(0, 2)).toEqual(["id,name", expect.stringMatching(/^b1,/)]);
    await page.getByLabel("Begin with").selectOption("Person");
    await page.getByRole("button", { name: "Run this plan" }).waitFor({ state: "detached" });
    await page.getByLabel("Begin with").selectOption("Boat");
    await page.getByText("As curl").click();
    const line = page.getByText("curl -sS -H 'content-type: text/plain'", { exact: false });
    // What is shown is what a person copies. The sample APIs run in this process, so nothing may hold it up.
    const { stdout } = await promisify(execFile)("bash", ["-c", await line.innerText()]);
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ rows: [{ id: "b1" }, {}, {}] }] });
  });

  it("reaches the last of many rows", async () => {
    const rows = Array.from({ length: 900 }, (_, n) => ({ id: `row ${n}`, name: "x" }));
    await page.route("**/execute/*/*", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { readonly results: readonly object[] };
      const results = body.results.map((one) => ({ ...one, rows }));
      await route.fulfill({ response: answer, json: { ...body, results } });
    });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("heading", { name: /900 rows/ }).waitFor();
    const region = page.getByRole("region", { name: "Rows of" });
    expect(await region.getByRole("row").count()).toBeLessThan(60);
    await region.evaluate((one) => one.scrollTo(0, one.scrollHeight));
    await page.getByRole("cell", { name: "row 899", exact: true }).waitFor();
    await page.unrouteAll({ behavior: "wait" });
  });

  it("of two tabs neither shows a name that the other has signed out", async () => {
    const second = watched(await context.newPage());
    await open("", second);
    await heading("Home", second).waitFor();
    // Another sign-in of the same browser: its page token is another one.
    const token = await page.evaluate(() => {
      const before = localStorage.getItem("plasm-page-token") ?? "";
      localStorage.setItem("plasm-page-token", "of-another");
      return before;
    });
    await heading("Sign in", second).waitFor();
    expect(await second.locator("nav").count()).toBe(0);
    await page.evaluate((before) => localStorage.setItem("plasm-page-token", before), token);
    await heading("Home", second).waitFor();
    await second.close();
  });

  it("shows a plan that waits within two seconds, and lets it run once with a reason", async () => {
    await open("");
    await page.getByText("Nothing waits.").waitFor();
    const uuid = await world.ask('Boat("b2").update(note="sold")');
    await page.getByRole("link", { name: /Approvals 1/ }).click({ timeout: 4_000 });
    await page.getByRole("link", { name: "update boat b2" }).click();
    await heading(/^Plan pc/).waitFor();
    await page.getByText("local asks to update boat b2.").waitFor();
    await page.getByRole("cell", { name: "sold" }).waitFor();
    expect(await faultsOf()).toEqual([]);
    await page.getByLabel("Reason").fill("as agreed on the phone");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("approved it", { exact: false }).waitFor();
    expect(await stateOf(uuid)).toBe("approved");
    expect(
      (await world.run('Boat("b2").update(note="sold")', { plan_commit_ref: "pc1" })).status,
    ).toBe(200);
    await page.getByText("It has run. Nothing is left to decide.").waitFor();
    expect(await page.getByRole("button", { name: /Approve|Reject/ }).count()).toBe(0);
  });

  it("of two tabs that decide on one plan the later is told what the earlier decided", async () => {
    const uuid = await world.ask('Boat("b3").delete()');
    const second = watched(await context.newPage());
    await open(`approvals/${uuid}`);
    await open(`approvals/${uuid}`, second);
    await page.getByText("Plasm cannot undo this", { exact: false }).waitFor();
    await second.getByRole("button", { name: "Approve" }).waitFor();
    // What the second tab shows is a moment old.
    await second.route(`**/v1/approvals/${uuid}`, () => undefined);
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByText("rejected it, and that is final", { exact: false }).waitFor();
    await second.getByRole("button", { name: "Approve" }).click();
    await second.getByRole("alert").getByText("was rejected by console; that is final").waitFor();
    expect(await stateOf(uuid)).toBe("rejected");
    await second.unrouteAll({ behavior: "ignoreErrors" });
    await second.close();
  });

  it("decides on no other plan than the one that was read", async () => {
    const uuid = await world.ask('Boat("b4").delete()');
    await page.route(`**/v1/approvals/${uuid}`, async (route) => {
      const answer = await route.fetch();
      const plan = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...plan, commit: "sha256:0" } });
    });
    await open(`approvals/${uuid}`);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("alert").getByText("another plan than the one that was read").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByText("This is another plan than the one you read").waitFor();
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    expect(await stateOf(uuid)).toBe("waiting");
  });

  it("has each member before and after, and asks to read what changed meanwhile (OPS-45)", async () => {
    const program = 'Boat("b2").update(note="read")';
    const uuid = await world.ask(program);
    await open(`approvals/${uuid}`);
    await page.getByText("The values from before were not read").waitFor();
    await page.getByText("Undone only by writing the values from before.").waitFor();
    expect((await world.run(program, { mode: "explain" })).status).toBe(200);
    await page.getByRole("alert").getByText("had it explained since you opened").waitFor();
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await page.getByRole("button", { name: "I have read what changed" }).click();
    const row = page.getByRole("row").filter({ hasText: "Boat:b2" });
    expect(await row.getByRole("cell").allTextContents()).toEqual([
      "Boat:b2",
      "note",
      // What an earlier test has left, or what the API begins with.
      expect.stringMatching(/^"(sold|# Bora)/),
      '"read"',
    ]);
    expect(await faultsOf()).toEqual([]);
    await page.getByRole("button", { name: "Approve" }).click();
    await expect.poll(() => stateOf(uuid)).toBe("approved");
  });

  it("says of a cut value that it is, and has the whole of it above the decision", async () => {
    const long = "x".repeat(300);
    const uuid = await world.ask(`Boat("b8").update(note="${long}")`);
    await open(`approvals/${uuid}`);
    await page.getByText("cut: read the whole in the program below").waitFor();
    const cards = await page.locator(".card h2").allTextContents();
    expect(cards.slice(0, 3)).toEqual(["What it changes", "The program", "Your decision"]);
    await page.getByText(long).first().waitFor();
    await page.getByRole("button", { name: "Reject" }).click();
    await expect.poll(() => stateOf(uuid)).toBe("rejected");
  });

  it("shows hostile texts as texts", async () => {
    const hostile = `<img src=x onerror=alert(1)><script>alert(2)</script>\u202Eevil\u200B javascript:alert(3)`;
    const uuid = await world.ask(`Boat("b5").update(note=${JSON.stringify(hostile)})`);
    for (const path of ["", "approvals", `approvals/${uuid}`, "audit"]) {
      await open(path);
      await page
        .getByText(/b5|plan pc/)
        .first()
        .waitFor();
      const shown = await page.locator("#app").evaluate((root) => ({
        images: root.querySelectorAll("img, script, iframe, object, style").length,
        unseen: /[\u202A-\u202E\u2066-\u2069\u200B-\u200F]/.test(root.textContent ?? ""),
        links: [...root.querySelectorAll("a")].filter((one) => one.protocol === "javascript:")
          .length,
      }));
      expect(shown).toEqual({ images: 0, unseen: false, links: 0 });
    }
    await open(`approvals/${uuid}`);
    await page.getByRole("cell", { name: "<img src=x onerror=alert(1)>" }).waitFor();
    expect(await page.getByRole("cell", { name: "U+202E" }).count()).toBe(1);
  });

  it("another page of this machine neither decides nor frames it", async () => {
    const uuid = await world.ask('Boat("b6").delete()');
    const other = await context.newPage();
    await other.goto(elsewhereUrl());
    const tried = await other.evaluate(async (target) => {
      const send = (headers: Record<string, string>, mode: RequestMode) =>
        fetch(target, { method: "POST", credentials: "include", mode, headers }).then(
          ({ status }) => status,
          () => -1,
        );
      return [await send({}, "no-cors"), await send({ "x-plasm-console": "x" }, "cors")];
    }, `${world.url}/v1/approvals/${uuid}/approve`);
    expect(tried).toEqual([0, -1]);
    expect(await stateOf(uuid)).toBe("waiting");
    const [, frame] = other.frames();
    expect(await frame?.locator("#app").count()).toBe(0);
    await other.close();
  });

  it("works without a mouse", async () => {
    const uuid = await world.ask('Boat("b7").update(note="by keyboard")');
    await open(`approvals/${uuid}`);
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.getByRole("link", { name: "Skip to the page" }).focus();
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    const label = () =>
      page.evaluate(() => `${document.activeElement?.id} ${document.activeElement?.textContent}`);
    for (let n = 0; n < 30 && !(await label()).startsWith("reason"); n += 1)
      await page.keyboard.press("Tab");
    await page.keyboard.type("typed");
    await page.keyboard.press("Tab");
    expect(await label()).toContain("Approve");
    await page.keyboard.press("Enter");
    await expect.poll(() => stateOf(uuid)).toBe("approved");
  });

  it("lists, filters, verifies and exports the audit log", async () => {
    await open("audit");
    await page.getByRole("cell", { name: "Plan rejected" }).first().waitFor();
    expect(await faultsOf()).toEqual([]);
    await page.getByLabel("What").selectOption("approval_given");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("as agreed on the phone", { exact: false }).waitFor();
    expect(await page.getByRole("cell", { name: "Plan rejected" }).count()).toBe(0);
    await page.getByRole("button", { name: "Verify the chain" }).click();
    await page.getByText(/The chain is whole: \d+ lines/).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe("audit.csv");
  });

  it("says that a line of the log was changed", async () => {
    await page.route("**/v1/audit?*order=asc*", async (route) => {
      const answer = await route.fetch();
      const text = await answer.text();
      await route.fulfill({ response: answer, body: text.replace("as agreed", "as denied") });
    });
    await page.getByRole("button", { name: "Verify the chain" }).click();
    const alert = await page.getByRole("alert").textContent();
    expect(alert).toMatch(/The log was changed: line \d+ was changed/);
    await page.unrouteAll({ behavior: "wait" });
  });

  it("says that the server does not answer, and goes on when it does", async () => {
    await open("approvals");
    await page.getByRole("cell", { name: "local" }).first().waitFor();
    await context.setOffline(true);
    await page.getByText("The server does not answer").first().waitFor();
    expect(await page.getByRole("cell", { name: "local" }).count()).toBeGreaterThan(0);
    await context.setOffline(false);
    await page.getByText("The server does not answer").first().waitFor({ state: "detached" });
  });

  it("an expired sign-in comes back to where one was", async () => {
    await open("audit?kind=approval_given");
    await page.getByText("as agreed on the phone", { exact: false }).waitFor();
    await context.clearCookies();
    await heading("Sign in").waitFor();
    await page.getByLabel("Or sign in with a key").fill(world.operatorKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("as agreed on the phone", { exact: false }).waitFor();
    expect(new URL(page.url()).search).toBe("?kind=approval_given");
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading("Sign in").waitFor();
    await page.reload();
    await heading("Sign in").waitFor();
  });

  it("did nothing on the way that its policy forbids, and asked no other place", () => {
    expect(wrong).toEqual([]);
  });
});
