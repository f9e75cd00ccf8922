import { join } from "node:path";
import axe from "axe-core";
import { openKeys } from "@plasm/host";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedBrowser, openBrowser } from "../harness/open-browser.ts";
import { SignInWorld } from "../sign-in/sign-in-world.ts";

let [browser, world]: [OpenedBrowser, SignInWorld] = [] as never;
let ann: Page;
let bob: Page;
let operatorKey = "";
const contexts: BrowserContext[] = [];

/** Signs in to the console with a key, and goes to its connections. */
async function visitor(key: string): Promise<Page> {
  const context = await browser.visitor();
  contexts.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${world.url}/console/connections`);
  await page.getByLabel("Or sign in with a key").fill(key);
  await page.keyboard.press("Enter");
  return page;
}

beforeAll(async () => {
  [browser, world] = await Promise.all([openBrowser(), SignInWorld.start(["ann", "bob"])]);
  const { keys, close } = await openKeys(join(world.directory, "data"), {});
  operatorKey = (await keys.add({ tenant: "acme", subject: "olga", role: "operator" })).key;
  await close();
  ann = await visitor(world.keyOf("ann"));
  bob = await visitor(world.keyOf("bob"));
});
afterAll(async () => {
  await Promise.all(contexts.map((one) => one.close()));
  await browser.close();
  await world.close();
});

async function faultsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window)))
    await page.evaluate(`${axe.source}; undefined`);
  const faults: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate<axe.AxeResults>("axe.run(document)");
    faults.push(...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`));
  }
  return faults;
}

const again = (page: Page) => page.goto(`${world.url}/console/connections`);

/** In the order of one day: each goes on where the one before ended. */
describe("RUN-186: the console's page of connections", { timeout: 180_000 }, () => {
  it("says what there could be while one is connected to nothing", async () => {
    await ann.getByText("You are not connected to it.").waitFor();
    expect(await faultsOf(ann)).toEqual([]);
    await ann.route("**/v1/accounts", (route) => route.fulfill({ json: { catalogs: [] } }));
    await again(ann);
    await ann.getByText("There is nothing to connect to.").waitFor();
    expect(await faultsOf(ann)).toEqual([]);
    await ann.unroute("**/v1/accounts");
  });

  it("signs in at the provider in one round, and comes back to the page", async () => {
    await again(ann);
    await ann.getByLabel("Label, if you have several").fill("work");
    await ann.getByRole("button", { name: "Sign in to quay" }).click();
    await ann.getByLabel("Name").fill("ann-work");
    await ann.getByRole("button", { name: "Sign in" }).click();
    await ann.getByRole("button", { name: "Allow" }).click();
    await ann.waitForURL(`${world.url}/console/connections`);
    const row = ann.getByRole("row", { name: /work/ });
    await row.getByText("you", { exact: true }).waitFor();
    expect(await faultsOf(ann)).toEqual([]);
    await again(bob);
    await bob.getByText("You are not connected to it.").waitFor();
  });

  it("a refusal connects nothing, and leads back", async () => {
    await bob.getByRole("button", { name: "Sign in to quay" }).click();
    await bob.getByLabel("Name").fill("bob-own");
    await bob.getByRole("button", { name: "Sign in" }).click();
    await bob.getByRole("button", { name: "Refuse" }).click();
    await bob.getByText("Consent was refused").waitFor();
    await bob.getByRole("button", { name: "Back to your connections" }).click();
    await bob.getByText("You are not connected to it.").waitFor();
    expect(bob.url()).toMatch(/\/console\/connections\??$/);
  });

  it("shares with those who are named, who see it and cannot change it", async () => {
    await ann.getByRole("button", { name: "Share work" }).click();
    await ann.getByLabel("Who may use work beside you").fill("bob");
    expect(await faultsOf(ann)).toEqual([]);
    await ann.getByRole("button", { name: "Share with these alone" }).click();
    await ann.getByText("shared/work", { exact: true }).waitFor();
    await again(bob);
    const row = bob.getByRole("row", { name: /shared\/work/ });
    await row.getByText("not yours to change").waitFor();
    await row.getByText("ann, bob").waitFor();
    expect(await faultsOf(bob)).toEqual([]);
    const run = await world.session("http", {
      principal: "bob",
      label: "shared/work",
      person: "ann-work",
    });
    expect(await run('Boat("ann-work.1")[id, name]')).toContain("ann-work");
  });

  it("says that the server does not answer, and what it refused", async () => {
    await bob.route("**/v1/accounts", (route) => route.abort());
    await again(bob);
    await bob.getByRole("alert").getByText("The server does not answer.").waitFor();
    expect(await faultsOf(bob)).toEqual([]);
    await bob.unroute("**/v1/accounts");
    await again(ann);
    await ann.route("**/v1/accounts/sign-in", (route) =>
      route.fulfill({
        status: 502,
        contentType: "application/problem+json",
        json: { code: "plasm-upstream-error", detail: "The provider does not answer." },
      }),
    );
    await ann.getByRole("button", { name: "Sign in to quay" }).click();
    await ann.getByRole("alert").getByText("The provider does not answer.").waitFor();
    await ann.unroute("**/v1/accounts/sign-in");
  });

  it("is not there for who only decides", async () => {
    const olga = await visitor(operatorKey);
    await olga.getByText("Your key may not open this page.").waitFor();
    expect(await olga.getByRole("link", { name: "Connections" }).count()).toBe(0);
  });

  it("revokes when asked twice, for everybody who used it", async () => {
    await again(ann);
    await ann.getByRole("button", { name: "Revoke shared/work" }).click();
    await ann.getByRole("button", { name: "Keep it" }).click();
    await ann.getByRole("button", { name: "Revoke shared/work" }).click();
    await ann.getByRole("button", { name: "Revoke shared/work for good" }).click();
    await ann.getByText("You are not connected to it.").waitFor();
    await again(bob);
    await bob.getByText("You are not connected to it.").waitFor();
    expect(await world.leaks()).toEqual([]);
  });
});
