import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CredentialScope } from "../../ports.ts";
import { depot } from "../../testing/depot-catalog.ts";
import { withDepot } from "../../testing/guarded-depot.ts";
import { credentialDirectory, openCredentialFiles } from "./credential-files.ts";
import { accountKey, accountOfKey, defaultHostedKey, isAccountLabel } from "./credential-help.ts";
import { fileSecrets } from "./secret-provider.ts";
import { accountChoice } from "./secret-sources.ts";

const TOP = "auth: { scheme: bearer_token, env: DEPOT_TOKEN }";
const ENV = { DEPOT_TOKEN: "of-the-environment" };

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plasm-accounts-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** As another process opens them. */
const files = () =>
  openCredentialFiles(dataDir, () => Date.now(), {
    PLASM_SECRETS_KEY: Buffer.alloc(32, 1).toString("hex"),
  });

/** Stores a secret that says whose it is; without account that of the catalog itself. */
const store = (account: string | null, tenant: string | null, principal: string | null = null) => {
  const key = keyOf(account);
  const secret = [account ?? "own", tenant ?? "all", principal ?? "all"].join("-");
  return files().set({ key, tenant, principal }, secret, "set", "op");
};

const named = (scope: CredentialScope, account: string): CredentialScope => ({
  ...scope,
  accounts: new Map([["depot", account]]),
});

/** What the API was sent by a list of that scope: tokens; else the code of the failure and what it says. */
const sentBy = (scope: CredentialScope, top = TOP, env: Readonly<Record<string, string>> = {}) =>
  withDepot({}, async (place) => {
    const outcome = await place.list(top, {
      secrets: fileSecrets(env, files()),
      credentials: scope,
    });
    const sent = place.server.log.map(({ headers }) => headers.authorization);
    const { code, message } = outcome.nodes[0]?.error ?? {};
    return code === undefined ? sent : { code, message, sent };
  });

/** What to do about a list of that scope that fails. */
const fixOf = (scope: CredentialScope) =>
  withDepot({}, async ({ list }) => {
    const outcome = await list(TOP, { secrets: fileSecrets({}, files()), credentials: scope });
    return outcome.nodes[0]?.error?.correction;
  });

/** Which account a scope uses, as it is told before a run. */
const chosen = (scope: CredentialScope, env: Readonly<Record<string, string>> = {}) =>
  accountChoice(
    depot({ backend: "http://127.0.0.1:9", top: TOP, list: "response: { items: items }" }),
    scope,
    {
      env: (name) => env[name],
      hosted: (key) => files().find(key, scope),
      accounts: (entryId) => files().candidates(entryId, scope),
      now: () => 0,
    },
  );

const keyOf = (account: string | null) =>
  account === null ? defaultHostedKey("depot") : accountKey("depot", account);

const remove = (account: string, tenant: string | null) =>
  files().remove({ key: keyOf(account), tenant, principal: null }, "op");

/** The file of what is stored for one account, or for none. */
async function pathOf(account: string | null): Promise<string> {
  const directory = credentialDirectory(dataDir);
  for (const name of (await readdir(directory)).filter((one) => one.endsWith(".json"))) {
    const text = await readFile(join(directory, name), "utf8");
    if ((JSON.parse(text) as { key: string }).key === keyOf(account)) return join(directory, name);
  }
  throw new Error("Nothing is stored there");
}

/** Changes that file, as something else than plasm would. */
async function damage(account: string | null, to: (record: object) => string): Promise<void> {
  const path = await pathOf(account);
  await writeFile(path, to(JSON.parse(await readFile(path, "utf8")) as object));
}

const ACME = { tenant: "acme" };
const ANN = { tenant: "acme", principal: "ann" };
const BOB = { tenant: "acme", principal: "bob" };

describe("RUN-129: several accounts of one catalog", () => {
  test("the one that is named is used, and no other", async () => {
    await store("home", "acme");
    await store("work", "acme");
    expect(await sentBy(named(ACME, "home"))).toEqual(["Bearer home-acme-all"]);
    expect(await sentBy(named(ACME, "work"))).toEqual(["Bearer work-acme-all"]);
    await store(null, "acme");
    expect(await sentBy(named(ACME, "work"))).toEqual(["Bearer work-acme-all"]);
    const missing = await sentBy(named(ACME, "gone"));
    expect(missing).toMatchObject({ code: "auth_missing", sent: [] });
    expect(JSON.stringify(missing)).toContain("plasm:outbound:v1:catalog:depot@gone");
  });

  test("without a name the default is used, else the only one; several are asked about, and nothing is sent", async () => {
    await store("work", "acme");
    expect(await sentBy(ACME)).toEqual(["Bearer work-acme-all"]);
    await store("home", "acme");
    expect(await sentBy(ACME)).toEqual({
      code: "auth_missing",
      message:
        "depot has the accounts home, work, and none of them is the default: which one is meant?",
      sent: [],
    });
    await store(null, null);
    expect(await sentBy(ACME)).toEqual(["Bearer own-all-all"]);
  });

  test("whoever adds accounts changes nothing for calls that have a variable", async () => {
    expect(await sentBy(ACME, TOP, ENV)).toEqual(["Bearer of-the-environment"]);
    for (const account of ["work", "home"]) {
      await store(account, "acme");
      expect(await sentBy(ACME, TOP, ENV)).toEqual(["Bearer of-the-environment"]);
      expect(chosen(ACME, ENV)).toEqual({ used: null, open: [] });
    }
    // One that is there and of no use is reported: no account takes its place.
    await remove("home", "acme");
    const broken = { DEPOT_TOKEN: "two\nlines" };
    expect(await sentBy(ACME, TOP, broken)).toMatchObject({ code: "auth_missing", sent: [] });
    expect(chosen(ACME, broken)).toEqual({ used: null, open: [] });
  });

  test("once it is decided that none is used, the only one is not either; several stay a question", async () => {
    const decided = { ...ACME, accountsDecided: true };
    await store("work", "acme");
    expect(await sentBy(ACME)).toEqual(["Bearer work-acme-all"]);
    expect(await sentBy(decided)).toMatchObject({ code: "auth_missing", sent: [] });
    expect(chosen(decided)).toEqual({ used: null, open: [] });
    expect(await sentBy(named(decided, "work"))).toEqual(["Bearer work-acme-all"]);
    await store("home", "acme");
    expect(JSON.stringify(await sentBy(decided))).toContain("which one is meant?");
    await store(null, "acme");
    expect(await sentBy(decided)).toEqual(["Bearer own-acme-all"]);
  });

  test("RUN-125 a default that cannot be read is reported, and no account takes its place", async () => {
    await store(null, "acme");
    await store("work", "acme");
    await damage(null, (record) => JSON.stringify({ ...record, changedAt: 1 }));
    expect(chosen(ACME)).toEqual({ used: null, open: [] });
    const sent = await sentBy(ACME);
    expect(sent).toMatchObject({ code: "auth_missing", sent: [] });
    expect(JSON.stringify(sent)).toContain("cannot be used: it is damaged");
  });

  test.each([
    ["is no record", () => "{"],
    ["is a copy of another", (_: object, other: string) => other],
  ])(
    "RUN-125 where the file of one account %s, the other is not the only one",
    async (_name, to) => {
      await store("home", "acme");
      await store("work", "acme");
      const other = await readFile(await pathOf("work"), "utf8");
      await damage("home", (record) => to(record, other));
      expect(chosen(ACME)).toEqual({ used: null, open: [] });
      const sent = await sentBy(ACME);
      expect(sent).toMatchObject({ code: "auth_missing", sent: [] });
      expect(JSON.stringify(sent)).toContain("cannot be used: it is damaged");
      expect(await sentBy(named(ACME, "work"))).toEqual(["Bearer work-acme-all"]);
    },
  );

  test("what is asked about is told before a run, too", async () => {
    const at = (scope: CredentialScope) => chosen(scope);
    await store("work", "acme");
    expect(at(ACME)).toEqual({ used: "work", open: [] });
    await store("home", "acme");
    expect(at(ACME)).toEqual({ used: null, open: ["home", "work"] });
    expect(at(named(ACME, "home"))).toEqual({ used: "home", open: [] });
    await store(null, "acme");
    expect(at(ACME)).toEqual({ used: null, open: [] });
  });

  test("accounts of a deployment, a tenant and a user: nobody sees or uses those of another", async () => {
    const scopes = [ACME, { tenant: "other" }, ANN, BOB, { tenant: "other", principal: "ann" }];
    await store("of-all", null);
    await store("of-acme", "acme");
    await store("of-ann", "acme", "ann");
    await store("of-bob", "acme", "bob");
    expect(scopes.map((scope) => files().accounts("depot", scope))).toEqual([
      ["of-acme", "of-all"],
      ["of-all"],
      ["of-ann"],
      ["of-bob"],
      [],
    ]);
    const labels = ["of-all", "of-acme", "of-ann", "of-bob"];
    const used = await Promise.all(
      scopes.map((scope) => Promise.all(labels.map((label) => sentBy(named(scope, label))))),
    );
    const tokens = used.map((row) => row.flatMap((sent) => (Array.isArray(sent) ? sent : [])));
    expect(tokens).toEqual([
      ["Bearer of-all-all-all", "Bearer of-acme-acme-all"],
      ["Bearer of-all-all-all"],
      ["Bearer of-ann-acme-ann"],
      ["Bearer of-bob-acme-bob"],
      [],
    ]);
  });

  test("calls without a name choose among the tenant's own, and only without any among the deployment's", async () => {
    await store("of-all", null);
    expect(await sentBy(ACME)).toEqual(["Bearer of-all-all-all"]);
    await store("of-acme", "acme");
    expect(await sentBy(ACME)).toEqual(["Bearer of-acme-acme-all"]);
    expect(chosen(ACME)).toEqual({ used: "of-acme", open: [] });
    expect(await sentBy({ tenant: "other" })).toEqual(["Bearer of-all-all-all"]);
    await store("second", "acme");
    expect(chosen(ACME)).toEqual({ used: null, open: ["of-acme", "second"] });
  });

  test("what is missing says the command that stores it: of that account and that user, and no variable", async () => {
    expect(await fixOf(named(ACME, "gone"))).toBe(
      "on the server run plasm auth set depot --account gone; then run this again",
    );
    expect(await fixOf(named({ tenant: "ac me", principal: "o'neil" }, "gone"))).toBe(
      String.raw`store one for this user: on the server run plasm auth set depot --account gone --principal 'o'\''neil' --tenant 'ac me'; then run this again`,
    );
    expect(await fixOf(ACME)).toContain("or set DEPOT_TOKEN in its environment");
  });

  test("a label that there is not says which there are, and that nothing else is used", async () => {
    await store("home", "acme");
    await store("work", null);
    const missing = await sentBy(named(ACME, "wrok"));
    expect(missing).toMatchObject({ code: "auth_missing", sent: [] });
    expect(JSON.stringify(missing)).toContain("Its accounts are home, work.");
    expect(await fixOf(named(ACME, "wrok"))).toBe(
      "name one of these in another intent, or on the server run plasm auth set depot --account wrok; then run this again",
    );
    expect(JSON.stringify(await sentBy(named({ tenant: "other" }, "wrok")))).not.toContain("home");
  });

  test("no catalog reaches an account by naming its key, its own included", async () => {
    await store("work", null);
    await store("home", null);
    const greedy = (id: string) =>
      `auth: { scheme: bearer_token, hosted_kv: "plasm:outbound:v1:catalog:${id}@work" }`;
    expect(await sentBy(ACME, greedy("depot"))).toMatchObject({ code: "auth_missing", sent: [] });
    expect(accountOfKey(accountKey("depot", "work"), "yard")).toBeNull();
  });

  test("one that is forgotten, or stored by another process, counts at once", async () => {
    const running = files();
    expect(running.accounts("depot", ACME)).toEqual([]);
    await store("work", null);
    expect(running.accounts("depot", ACME)).toEqual(["work"]);
    const owner = { key: accountKey("depot", "work"), tenant: null, principal: null };
    await files().remove(owner, "op");
    expect(running.accounts("depot", ACME)).toEqual([]);
  });

  test.each(["", "A", "a@b", "a:b", "-a", "a/b", "a".repeat(33)])("%j is no label", (text) => {
    expect(isAccountLabel(text)).toBe(false);
  });
});
