import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { OAUTH_CLIENT, type OAuthServer, startOAuthServer } from "@plasm/testkit/servers";
import { runHere, startHere } from "../testing/run-here.ts";
import { cleanUp, fixture, temporaryDirectory } from "../testing/spawn-plasm.ts";

afterAll(cleanUp);

let oauth: OAuthServer;
let cwd: string;
beforeEach(async () => {
  oauth = await startOAuthServer();
  cwd = await temporaryDirectory();
  const catalog = join(cwd, "catalogs", "quay");
  await cp(fixture("quay"), catalog, { recursive: true });
  const path = join(catalog, "domain.yaml");
  const text = await readFile(path, "utf8");
  const auth = "scheme: oauth_bearer, env: QUAY_TOKEN";
  const declared = "\noauth: { provider: harbour-id, scopes: { boats.read: {} } }\n";
  await writeFile(path, text.replace("scheme: none", auth) + declared);
});
afterEach(() => oauth.close());

const here = (env: Readonly<Record<string, string>> = {}) => ({
  cwd,
  env: {
    PLASM_DATA: join(cwd, "data"),
    PLASM_OAUTH_HARBOUR_ID_ISSUER: oauth.url,
    PLASM_OAUTH_HARBOUR_ID_CLIENT_ID: OAUTH_CLIENT,
    PLASM_BACKEND_QUAY: oauth.url,
    ...env,
  },
});

const login = (...more: readonly string[]) =>
  startHere(["auth", "login", "quay", "--catalogs", "catalogs", ...more], here());

/** The address that was printed. */
async function address(running: ReturnType<typeof startHere>): Promise<string> {
  await expect.poll(() => running.remarks()).toMatch(/\nhttp\S+\n/);
  return /\n(http\S+)\n/.exec(running.remarks())?.[1] ?? "";
}

const stored = async (): Promise<string> => {
  const directory = join(cwd, "data", "credentials");
  const names = (await readdir(directory)).filter((name) => name.endsWith(".json"));
  return (await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")))).join("");
};

describe("plasm auth login (RUN-127)", () => {
  it("stores the tokens of who consents, encrypted; revoke ends them at their server", async () => {
    const running = login();
    const back = await oauth.visit(await address(running), { name: "ann" });
    expect(back.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/);
    const page = await fetch(back);
    expect([page.status, await page.text()]).toEqual([
      200,
      "You are signed in to quay. This page can be closed.\n",
    ]);
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("quay is connected") });
    expect(await stored()).toMatch(/"encrypted":"plasm1\./);
    expect(await stored()).not.toMatch(/access_token|refresh/);
    const revoked = await runHere(["auth", "revoke", "quay", "--catalogs", "catalogs"], here());
    expect(revoked).toMatchObject({ code: 0, stdout: expect.stringContaining("is revoked") });
    expect(oauth.asked.filter((path) => path === "POST /token/revocation")).toHaveLength(2);
    expect(await stored()).toBe("");
  });

  it("RUN-129 keeps accounts apart, and revokes one of them", async () => {
    for (const name of ["ann", "bob"]) {
      const running = login("--account", name);
      await fetch(await oauth.visit(await address(running), { name }));
      expect(await running.ended).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`quay account ${name} is connected`),
      });
    }
    const revoke = (account: string) =>
      runHere(["auth", "revoke", "quay", "--catalogs", "catalogs", "--account", account], here());
    oauth.refuses = { status: 503, error: "down" };
    const failed = await revoke("ann");
    expect(failed.stderr).toContain("503");
    expect(failed.stderr).not.toContain("cannot be used");
    oauth.refuses = null;
    expect(await revoke("ann")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("The credential for quay account ann is revoked"),
    });
    const listed = await runHere(["auth", "list"], here());
    expect(listed.stdout).toContain("quay account bob");
    expect(listed.stdout).not.toContain("account ann");
    expect((await revoke("ann")).stderr).toContain("No credential for quay account ann");
  });

  it("an answer that is not of this sign-in ends nothing; another host, path or method finds nothing", async () => {
    const running = login();
    const url = await address(running);
    const redirect = new URL(url).searchParams.get("redirect_uri") ?? "";
    const forged = await fetch(`${redirect}?code=stolen&state=guessed`);
    expect([forged.status, await forged.text()]).toEqual([
      400,
      expect.stringContaining("does not belong to the sign-in under way"),
    ]);
    const lost = [
      await fetch(redirect, { method: "POST" }),
      await fetch(new URL("/", redirect)),
      await fetch(redirect.replace("127.0.0.1", "localhost")),
    ];
    expect(lost.map(({ status }) => status)).toEqual([404, 404, 404]);
    await fetch(await oauth.visit(url, { name: "ann" }));
    expect((await running.ended).code).toBe(0);
  });

  it("consent that is refused connects nothing, and says so in both places", async () => {
    const running = login();
    const back = await oauth.visit(await address(running), { name: "ann", refuses: true });
    const page = await fetch(back);
    const { code, stderr } = await running.ended;
    expect([page.status, code]).toEqual([400, 1]);
    for (const told of [await page.text(), stderr]) {
      expect(told).toContain('Consent was refused ("access_denied: the person said no")');
    }
    expect((await runHere(["auth", "list"], here())).stdout).toContain("No credentials");
  });

  it("ends when it is stopped", async () => {
    const running = login();
    await address(running);
    running.stop("SIGINT");
    expect(await running.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Nothing was connected."),
    });
  });

  it.each<[string, readonly string[], number, string]>([
    ["no catalogs", ["quay"], 2, "--catalogs DIRECTORY"],
    ["an unknown catalog", ["yard", "--catalogs", "catalogs"], 1, "There is no catalog yard in"],
    ["a hosted key", ["plasm:outbound:x"], 2, "a hosted key does not say how people sign in"],
    ["a port that is none", ["quay", "--port", "70000"], 2, "It is not a port"],
  ])("refuses %s", async (_name, args, code, words) => {
    const ended = await runHere(["auth", "login", ...args], here());
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(words);
  });

  it("asks nobody for a consent whose token could not be kept", async () => {
    const ended = await runHere(
      ["auth", "login", "quay", "--catalogs", "catalogs"],
      here({ PLASM_SECRETS_KEY: "short" }),
    );
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("keys of 32 bytes") });
    expect(oauth.asked).toEqual([]);
  });
});
