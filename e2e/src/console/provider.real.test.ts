import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixtureCatalogDir } from "@plasm/testkit";
import { type OAuthServer, startOAuthServer } from "@plasm/testkit/servers";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type OpenedBrowser, openBrowser } from "../harness/open-browser.ts";
import { plasmCommand, plasmServe } from "../harness/plasm-command.ts";
import { freePort } from "../servers/free-port.ts";

const CONSOLE = { id: "plasm-console", secret: "a secret of the console, and of nobody else" };

let [browser, oauth, server, url, home]: [
  OpenedBrowser,
  OAuthServer,
  ChildProcess,
  string,
  string,
] = [] as never;

/** Until the server answers that it is ready. */
const ready = (): Promise<void> =>
  vi.waitFor(
    async () => {
      if (!(await fetch(`${url}/v1/health`)).ok) throw new Error("It is not ready.");
    },
    { timeout: 60_000, interval: 100 },
  );

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "plasm-provider-"));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  [browser, oauth] = await Promise.all([
    openBrowser(),
    startOAuthServer({
      webClient: { ...CONSOLE, back: `${url}/v1/console/sign-in/default/callback` },
      claimsOf: (name) => ({ tid: "acme", roles: name === "lea" ? ["approvers"] : [] }),
    }),
  ]);
  const env = {
    PLASM_AUTH: "required",
    PLASM_BACKEND_QUAY: "http://127.0.0.1:1",
    PLASM_TRANSPORT_ORIGIN: url,
    PLASM_JWT_ISSUER: oauth.url,
    PLASM_JWT_JWKS_URL: `${oauth.url}/jwks`,
    PLASM_JWT_AGENT_ROLES: "staff",
    PLASM_JWT_OPERATOR_ROLES: "approvers",
    PLASM_JWT_OPERATOR_AUDIENCE: `${url}/desk`,
    PLASM_JWT_CLIENT_ID: CONSOLE.id,
    PLASM_JWT_CLIENT_SECRET: CONSOLE.secret,
  };
  const dataDir = join(home, "data");
  const made = plasmCommand(["keys", "add", "--subject", "olga", "--data", dataDir], {});
  execFileSync(made.command, made.args, { env: made.env, stdio: "ignore" });
  const options = { dataDir, catalogs: [fixtureCatalogDir("quay")], env };
  const served = plasmServe(options, ["--port", String(port)]);
  server = spawn(served.command, served.args, {
    env: served.env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  await ready();
}, 180_000);
afterAll(async () => {
  await browser.close();
  const ended = once(server, "exit");
  server.kill();
  await ended;
  await oauth.close();
  await rm(home, { recursive: true, force: true });
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

/** What a person does at the provider. */
async function consent(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: `Sign in with ${new URL(oauth.url).host}` }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
}

describe(
  "SURF-40: signing in to the console by the company's provider",
  { timeout: 120_000 },
  () => {
    it("leads there and back to where one was, and nothing of it stays in the address", async () => {
      const visitor = await browser.visitor();
      const page = await visitor.newPage();
      await page.goto(`${url}/console/audit?kind=refused`);
      await heading(page, "Sign in").waitFor();
      await page.getByRole("link", { name: /Sign in with/ }).waitFor();
      await page.evaluate(`${axe.source}; undefined`);
      const { violations } = await page.evaluate<axe.AxeResults>("axe.run(document)");
      expect(violations.map(({ id }) => id)).toEqual([]);
      await consent(page, "lea");
      await heading(page, "Audit").waitFor();
      expect(page.url()).toBe(`${url}/console/audit?kind=refused`);
      await page.getByText("lea (operator)").waitFor();
      expect(await page.evaluate(() => document.cookie)).toBe("");
      await page.reload();
      await heading(page, "Audit").waitFor();
      // Another tab is signed in with it, and out with it.
      const second = await visitor.newPage();
      await second.goto(`${url}/console/approvals`);
      await heading(second, "Approvals").waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await heading(page, "Sign in").waitFor();
      await heading(second, "Sign in").waitFor();
      await visitor.close();
    });

    it("says why somebody without a role is not signed in, and leads back", async () => {
      const visitor = await browser.visitor();
      const page = await visitor.newPage();
      await page.goto(`${url}/console/`);
      await consent(page, "rex");
      await page.getByText("You have no role here").waitFor();
      await page.getByRole("button", { name: "Back to the console" }).click();
      await heading(page, "Sign in").waitFor();
      const { origin, pathname, search } = new URL(page.url());
      expect([origin, pathname, search]).toEqual([url, "/console/", ""]);
      await visitor.close();
    });
  },
);
