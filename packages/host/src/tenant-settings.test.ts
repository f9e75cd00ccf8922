import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { openHost, type Host } from "./open-host.ts";
import { openKeys } from "./store.ts";
import { cleanUp, temporaryDirectory } from "./testing/data-directory.ts";

afterEach(cleanUp);

const POLICY = {
  tenants: {
    acme: {
      apis: { quay: { deny: ["boat_delete"], approval: { operator: ["update"] } } },
      force: false,
      budgets: { rows: 7 },
      quotas: { caller: { runs: { day: 9 } }, tenant: { requests: { minute: 5 } } },
    },
  },
  default: {},
};
const SECRETS = ["hook-key", "mail-password", "c2VjcmV0LW9mLXRoZS1ob29rLTAxMjM0NTY3ODk="];
const ENV = {
  PLASM_BUDGET_PAGES: "11",
  PLASM_TRANSPORT_ORIGIN: "https://plasm.example",
  PLASM_NOTIFY_WEBHOOK: `https://hooks.example/at?key=${SECRETS[0]}`,
  PLASM_NOTIFY_WEBHOOK_SECRET: `whsec_${SECRETS[2]}`,
  PLASM_NOTIFY_EMAIL: "ops@acme.example",
  PLASM_NOTIFY_FROM: "plasm@acme.example",
  PLASM_SMTP_URL: `smtps://plasm:${SECRETS[1]}@mail.example`,
};

async function withHost<T>(look: (host: Host, keys: readonly string[]) => Promise<T>): Promise<T> {
  const dataDir = await temporaryDirectory();
  const policyFile = join(await temporaryDirectory(), "policy.json");
  await writeFile(policyFile, JSON.stringify(POLICY));
  const { keys, close } = await openKeys(dataDir, {});
  const made = [
    await keys.add({ tenant: "acme", subject: "olga", role: "operator" }),
    await keys.add({
      tenant: "acme",
      subject: "ada",
      role: "agent",
      scopes: ["call"] as never,
      expiresAt: 1,
    }),
    await keys.add({ tenant: "other", subject: "mallory", role: "operator" }),
  ];
  await close();
  const catalogs = [fixtureCatalogDir("quay"), fixtureCatalogDir("yard")];
  const host = await openHost({ dataDir, catalogs, policyFile, env: ENV });
  try {
    return await look(
      host,
      made.flatMap(({ key, record }) => [key, record.hash]),
    );
  } finally {
    await host.close();
  }
}

describe("how a tenant is served, as its operators read it (SURF-36)", () => {
  it("is its own policy, budgets and quotas, each with where it is from", () =>
    withHost(async ({ operators: { settings } }) => {
      const read = await settings.read("acme");
      expect(read.policy).toMatchObject({ name: "policy.json, tenants.acme", force: false });
      expect(Object.keys(read.policy.rules).toSorted()).toEqual(["apis", "force"]);
      expect(read.catalogs).toMatchObject([{ entry_id: "quay", forbidden: 1 }]);
      expect(read.catalogs[0]?.operator).toBeGreaterThan(0);
      const budgets = Object.fromEntries(read.budgets.map((one) => [one.name, one]));
      expect(budgets).toMatchObject({
        rows: { most: 7, from: "policy" },
        pages: { most: 11, from: "server" },
        requests: { from: "default" },
      });
      expect(read.quotas).toMatchObject([
        { place: "quotas.tenant.requests.minute", most: 5, used: 0 },
      ]);
      expect((await settings.read("other")).policy).toMatchObject({
        name: "policy.json, default",
        force: true,
      });
    }));

  it("has the keys of that tenant alone, and nothing secret of them or of who is told", () =>
    withHost(async ({ operators: { settings } }, secrets) => {
      const read = await settings.read("acme");
      expect(read.keys.map(({ subject, role, is_expired }) => [subject, role, is_expired])).toEqual(
        [
          ["olga", "operator", false],
          ["ada", "agent", true],
        ],
      );
      expect(read.notifications).toEqual([
        { kind: "webhook", host: "hooks.example" },
        { kind: "email", host: "mail.example:465" },
      ]);
      const text = JSON.stringify(read);
      for (const secret of [...secrets, ...SECRETS, "mallory"]) expect(text).not.toContain(secret);
    }));

  it("says of a catalog what may be done and by which rule; of one that is forbidden as of one that is not there", () =>
    withHost(async ({ operators: { settings } }) => {
      const { capabilities, drift } = await settings.catalog("acme", "quay");
      const by = Object.fromEntries(capabilities.map((one) => [one.capability, one]));
      expect(by["boat_delete"]).toMatchObject({ access: "forbidden", rule: "apis.quay.deny[0]" });
      expect(by["boat_update"]).toMatchObject({ access: "operator" });
      expect(drift.signs).toEqual([]);
      for (const id of ["yard", "nowhere"])
        await expect(settings.catalog("acme", id)).rejects.toMatchObject({
          problem: { code: "plasm-unknown-catalog" },
        });
    }));
});
