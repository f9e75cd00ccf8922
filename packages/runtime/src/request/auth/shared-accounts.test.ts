import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CredentialScope } from "../../ports.ts";
import { withDepot } from "../../testing/guarded-depot.ts";
import { credentialDirectory, openCredentialFiles } from "./credential-files.ts";
import { accountKey } from "./credential-help.ts";
import { fileSecrets } from "./secret-provider.ts";

const TOP = "auth: { scheme: bearer_token, env: DEPOT_TOKEN }";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plasm-shared-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** As another process opens them. */
const files = () =>
  openCredentialFiles(dataDir, () => Date.now(), {
    PLASM_SECRETS_KEY: Buffer.alloc(32, 1).toString("hex"),
  });

const ownerOf = (account: string, tenant: string | null, principal: string | null = null) => ({
  key: accountKey("depot", account),
  tenant,
  principal,
});

/** Stores an account, and shares it with users. */
async function shared(account: string, tenant: string, users: readonly string[], of?: string) {
  const owner = ownerOf(account, tenant, of ?? null);
  await files().set(owner, `${account}-of-${tenant}`, "set", "op");
  return files().share(owner, "op", () => users);
}

const change = (account: string, users: readonly string[]) =>
  files().share(ownerOf(`shared/${account}`, "acme"), "op", () => users);

/** What the API was sent by a list of that scope: tokens; else the code of the failure. */
const sentBy = (scope: CredentialScope, account?: string) =>
  withDepot({}, async (place) => {
    const accounts = account === undefined ? {} : { accounts: new Map([["depot", account]]) };
    const outcome = await place.list(TOP, {
      secrets: fileSecrets({}, files()),
      credentials: { ...scope, ...accounts },
    });
    const sent = place.server.log.map(({ headers }) => headers.authorization);
    return outcome.nodes[0]?.error?.code ?? sent;
  });

const user = (principal: string, tenant = "acme") => ({ tenant, principal, delegated: true });
const ANN = user("ann");
const BOB = user("bob");
const CAT = user("cat");

/** The only file of a credential, as something else than plasm changes it. */
async function changeFile(to: (record: Record<string, unknown>) => object): Promise<void> {
  const directory = credentialDirectory(dataDir);
  const name = (await readdir(directory)).find((one) => one.endsWith(".json")) ?? "";
  const record = JSON.parse(await readFile(join(directory, name), "utf8")) as Record<
    string,
    unknown
  >;
  await writeFile(join(directory, name), JSON.stringify(to(record)));
}

describe("RUN-184: sharing moves the whole of an account", () => {
  const keys = () =>
    files()
      .list()
      .map(({ key, principal }) => [key.slice(key.indexOf("@")), principal]);
  const part = { ...ownerOf("work", "acme", "ann"), key: accountKey("depot", "work", "account") };

  test("its further keys go with it", async () => {
    await files().set(part, "further", "set", "ann");
    await shared("work", "acme", ["ann", "bob"], "ann");
    expect(keys()).toEqual([
      ["@shared/work", null],
      ["@shared/work:account", null],
    ]);
    await change("work", ["ann"]);
    expect(
      files()
        .list()
        .map((one) => one.shared),
    ).toEqual([
      { by: "ann", users: ["ann"] },
      { by: "ann", users: ["ann"] },
    ]);
  });

  test("what a kill left on its way is moved by the next call", async () => {
    await files().set(part, "further", "set", "ann");
    await shared("work", "acme", ["ann", "bob"], "ann");
    // Both were written, and none was removed.
    await files().set(part, "further", "set", "ann");
    expect(await shared("work", "acme", ["ann", "bob"], "ann")).toMatchObject({
      shared: { by: "ann", users: ["ann", "bob"] },
    });
    expect(keys()).toEqual([
      ["@shared/work", null],
      ["@shared/work:account", null],
    ]);
    await files().set(ownerOf("work", "acme", "ann"), "another account", "set", "ann");
    await files().set(part, "of another", "set", "ann");
    const before = keys();
    await expect(
      files().share(ownerOf("work", "acme", "ann"), "ann", () => ["ann"]),
    ).rejects.toThrow("Another account is shared under this label already.");
    // What is refused has moved nothing.
    expect(keys()).toEqual(before);
  });
});

describe("RUN-184: an account that a tenant shares with some of its users", () => {
  test("those on the list use it, and it is there for nobody else", async () => {
    await shared("work", "acme", ["ann", "bob"]);
    await shared("work", "other", ["dan"]);
    const scopes: readonly (readonly [CredentialScope, string | null])[] = [
      [ANN, "work-of-acme"],
      [BOB, "work-of-acme"],
      [CAT, null],
      [user("dan"), null],
      [user("ann", "other"), null],
      [user("dan", "other"), "work-of-other"],
      // Callers that share credentials are no users of a list.
      [{ tenant: "acme" }, null],
      [{ tenant: "other" }, null],
      [{ tenant: "acme", delegated: true }, null],
    ];
    for (const [scope, token] of scopes) {
      const expected = token === null ? "auth_missing" : [`Bearer ${token}`];
      expect([scope, await sentBy(scope), await sentBy(scope, "shared/work")]).toEqual([
        scope,
        expected,
        expected,
      ]);
      const labels = token === null ? [] : ["shared/work"];
      expect(files().accounts("depot", scope)).toEqual(labels);
      expect(files().candidates("depot", scope)).toEqual(labels);
      const key = accountKey("depot", "shared/work");
      expect(files().find(key, scope)).toBe(token ?? undefined);
      expect(files().holder(key, scope)).toEqual(
        token === null ? null : { key, tenant: scope.tenant, principal: null },
      );
    }
  });

  test("what is one's own comes first; several that are shared are a question", async () => {
    await shared("work", "acme", ["ann", "bob"]);
    await shared("home", "acme", ["bob"]);
    expect(await sentBy(ANN)).toEqual(["Bearer work-of-acme"]);
    expect(await sentBy(BOB)).toBe("auth_missing");
    expect(await sentBy(BOB, "shared/home")).toEqual(["Bearer home-of-acme"]);
    await files().set(ownerOf("work", "acme", "bob"), "bobs-own", "set", "op");
    expect(await sentBy(BOB)).toEqual(["Bearer bobs-own"]);
    expect(await sentBy(BOB, "work")).toEqual(["Bearer bobs-own"]);
    expect(await sentBy(BOB, "shared/work")).toEqual(["Bearer work-of-acme"]);
  });

  test("one's own that is shared is the tenant's from then on, and no other takes its label", async () => {
    const told = await shared("work", "acme", ["ann", "bob"], "ann");
    expect(told).toMatchObject({ principal: null, shared: { by: "ann", users: ["ann", "bob"] } });
    expect(files().find(accountKey("depot", "work"), ANN)).toBeUndefined();
    expect(await sentBy(BOB)).toEqual(["Bearer work-of-acme"]);
    await expect(shared("work", "acme", ["cat"], "cat")).rejects.toThrow("shared under this label");
    expect(await sentBy(CAT)).toEqual(["Bearer work-of-acme"]);
    expect(files().accounts("depot", CAT)).toEqual(["work"]);
  });

  test("who is taken from the list uses it no longer, in the middle of a run too", async () => {
    await shared("work", "acme", ["ann", "bob"]);
    await change("work", ["ann"]);
    expect([await sentBy(BOB), await sentBy(ANN)]).toEqual([
      "auth_missing",
      ["Bearer work-of-acme"],
    ]);
    await change("work", []);
    expect(await sentBy(ANN)).toBe("auth_missing");
    await change("work", ["ann"]);
    const secrets = fileSecrets({}, files());
    let looks = 0;
    const outcome = await withDepot({}, async (place) => {
      const { nodes } = await place.list(TOP, {
        credentials: ANN,
        secrets: {
          ...secrets,
          hosted: async (key, scope) => {
            if (key.includes("@")) looks += 1;
            // The run has it in its hand by then.
            if (looks === 2) await change("work", []);
            return secrets.hosted(key, scope);
          },
        },
      });
      return { code: nodes[0]?.error?.code, sent: place.server.log.length };
    });
    expect(outcome).toEqual({ code: "auth_missing", sent: 0 });
  });

  test("another token, a refresh and another key change nothing about who may use it", async () => {
    await shared("work", "acme", ["ann"]);
    const owner = ownerOf("shared/work", "acme");
    await files().set(owner, "anew", "set", "op");
    expect([await sentBy(ANN), await sentBy(BOB)]).toEqual([["Bearer anew"], "auth_missing"]);
    await files().refresh(owner.key, ANN, "anew", "fresh");
    await files().refresh(owner.key, BOB, "fresh", "of-another");
    expect([await sentBy(ANN), await sentBy(BOB)]).toEqual([["Bearer fresh"], "auth_missing"]);
    expect(files().list()).toMatchObject([{ shared: { by: null, users: ["ann"] } }]);
  });

  test("users of one account refresh it one at a time", async () => {
    await shared("work", "acme", ["ann", "bob"]);
    const { key } = ownerOf("shared/work", "acme");
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 30));
      order.push(`${name} ends`);
    };
    await Promise.all([
      files().exclusively(key, ANN, work("one")),
      files().exclusively(key, BOB, work("one")),
    ]);
    expect(order).toEqual(["one begins", "one ends", "one begins", "one ends"]);
  });

  test("whoever can change files puts nobody on a list, and takes no list away", async () => {
    await shared("work", "acme", ["ann"]);
    await changeFile((record) => ({ ...record, shared: { by: null, users: ["ann", "bob"] } }));
    expect(await sentBy(BOB)).toBe("auth_missing");
    await changeFile((record) => {
      delete record["shared"];
      return record;
    });
    expect([await sentBy(BOB), await sentBy({ tenant: "acme" })]).toEqual([
      "auth_missing",
      "auth_missing",
    ]);
  });

  test("nothing is stored as shared with nobody in particular, and nothing of all tenants is shared", async () => {
    const set = files().set(ownerOf("shared/work", "acme"), "token", "set", "op");
    await expect(set).rejects.toThrow("then share it");
    await files().set(ownerOf("work", null), "token", "set", "op");
    await expect(files().share(ownerOf("work", null), "op", () => ["ann"])).rejects.toThrow(
      "all tenants",
    );
    expect(await files().share(ownerOf("gone", "acme"), "op", () => ["ann"])).toBeNull();
  });
});
