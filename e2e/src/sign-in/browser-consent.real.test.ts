import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedBrowser, openBrowser } from "../harness/open-browser.ts";
import { SignInWorld } from "./sign-in-world.ts";
import { type Account, isRightAnswer } from "./witness.ts";

let [browser, world]: [OpenedBrowser, SignInWorld] = [] as never;
/** what the last page said, each time somebody signed in or refused to */
const pages: string[] = [];
/** what they answer, one time after the other */
const answers = ["Allow", "Refuse", "Allow"];

/** What a person does with a link: types the key, presses the button, says who they are, and answers. */
async function byBrowser(link: string, key: string, person: string): Promise<void> {
  const visitor = await browser.visitor();
  try {
    const page = await visitor.newPage();
    await page.goto(link);
    await page.getByLabel("Your key or token for this server").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Name").fill(person);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: answers.shift() ?? "" }).click();
    await page.waitForURL(/\/v1\/connect\/callback/);
    pages.push(await page.locator("body").innerText());
  } finally {
    await visitor.close();
  }
}

beforeAll(async () => {
  browser = await openBrowser();
  world = await SignInWorld.start(["ann"], byBrowser);
});
afterAll(async () => {
  await world.close();
  await browser.close();
});

describe("RUN-128: a person at a real browser clicks through", () => {
  const account = (label: string): Account => ({
    principal: "ann",
    label,
    person: `ann-${label}`,
  });

  test("consent: the agent's first program has its row, with one visit", async () => {
    const home = account("home");
    const run = await world.session("mcp", home);
    const told = await run('Boat("ann-home.1")[id, name]');
    expect(isRightAnswer(told, home, "ann-home.1", false)).toBe(true);
    expect(pages).toEqual([expect.stringContaining("You are signed in to quay account home.")]);
  });

  test("refusal: the page says so, nothing is connected, and the next link works", async () => {
    const work = account("work");
    const run = await world.session("http", work);
    const before = world.oauth.calls.length;
    const told = await run('Boat("ann-work.1")[id, name]');
    expect(pages.slice(1)).toEqual([
      expect.stringContaining("Consent was refused"),
      expect.stringContaining("You are signed in to quay account work."),
    ]);
    expect(isRightAnswer(told, work, "ann-work.1", false)).toBe(true);
    // A browser asks for the icon of whatever page it is on.
    const calls = world.oauth.calls.slice(before).filter(({ path }) => path !== "/favicon.ico");
    expect(calls.map(({ person }) => person)).toEqual(["ann-work"]);
    expect(await world.leaks()).toEqual([]);
  });
});
