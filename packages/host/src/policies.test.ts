import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LOCAL } from "@plasm/agent-core";
import type { KeyOwner, KeyRing } from "@plasm/agent-core/internal";
import { openCatalog, type Catalog, type Policies, type Policy } from "@plasm/core";
import { readFixtureCatalog } from "@plasm/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, temporaryDirectory } from "./testing/data-directory.ts";
import { filePolicies, readPolicyFile, refuseWithoutOperator, withBudgets } from "./policies.ts";

afterEach(cleanUp);

function opened(): Catalog {
  const { entryId, domain, mappings } = readFixtureCatalog("quay");
  const { catalog } = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null) throw new Error("quay does not open");
  return catalog;
}

const quay = opened();

async function read(text: string): Promise<{ readonly file: string; readonly said: string }> {
  const file = join(await temporaryDirectory(), "policy.json");
  await writeFile(file, text);
  try {
    await readPolicyFile(file, [quay]);
    return { file, said: "" };
  } catch (thrown) {
    return { file, said: thrown instanceof Error ? thrown.message : "" };
  }
}

const keysOf = (owners: readonly KeyOwner[]): KeyRing => ({
  list: async () => owners.map((owner) => ({ ...owner, id: "1", hash: "", createdAt: 0 })),
  add: () => Promise.reject(new Error("no key is made")),
  rotate: async () => null,
  remove: async () => false,
  recordOf: async () => null,
});

describe("the file of policies (SURF-25)", () => {
  it("is none: all is allowed", async () => {
    expect(await readPolicyFile(undefined, [])).toEqual({ tenants: {}, default: {} });
  });

  it("is not there, or no JSON: the file and the place are told", async () => {
    const nowhere = join(await temporaryDirectory(), "policy.json");
    await expect(readPolicyFile(nowhere, [])).rejects.toThrow(
      `The policies in ${nowhere} cannot be read (ENOENT).`,
    );
    const { file, said } = await read('{"default": {"force" true}}');
    expect(said).toMatch(new RegExp(`^The policies in ${file} cannot be used:\n  It is no JSON: `));
    expect(said).toMatch(/line 1 column 22/);
  });

  it("has faults: all are told, with place and what is allowed", async () => {
    const { file, said } = await read(
      '{"default": {"force": 1, "apis": {"quay": {"efects": false, "deny": "boat_ping"}}}}',
    );
    expect(said.split("\n")).toEqual([
      `The policies in ${file} cannot be used:`,
      "  default.force: found 1, allowed is true or false.",
      "  default.apis.quay.efects: no such member; there are deny, effects, approval. Did you mean effects?",
      '  default.apis.quay.deny: found "boat_ping", allowed is a list of capability names.',
    ]);
  });

  it("names what a catalog does not have: a slip of the pen lets nothing through", async () => {
    const { said } = await read(
      '{"tenants": {"acme": {"apis": {"quay": {"approval": {"operator": ["boat_delte"]}}}}}}',
    );
    expect(said).toContain(
      "tenants.acme.apis.quay.approval.operator[0]: quay has no capability boat_delte. Did you mean boat_delete?",
    );
  });
});

const asking = { apis: { quay: { approval: { operator: ["update"] } } } };
const ann = { tenant: LOCAL.scope, subject: "ann", role: "operator" } as const;

describe("policies that name an operator (OPS-36)", () => {
  it.each<[string, Policies, readonly KeyOwner[], string]>([
    ["nobody is asked for", { tenants: {}, default: {} }, [], ""],
    ["one is there", { tenants: {}, default: asking }, [ann], ""],
    ["none is there", { tenants: {}, default: asking }, [], "plasm keys add --subject NAME"],
    [
      "only agents are there",
      { tenants: {}, default: asking },
      [{ ...ann, role: "agent" }],
      "plasm keys add --subject NAME",
    ],
    [
      "another tenant has one",
      { tenants: { acme: asking }, default: {} },
      [ann],
      "--subject NAME --tenant acme",
    ],
    [
      "the tenant has one",
      { tenants: { acme: asking }, default: {} },
      [{ ...ann, tenant: "acme" }],
      "",
    ],
    [
      "one that is demanded of others alone",
      { tenants: { [LOCAL.scope]: {} }, default: asking },
      [],
      "",
    ],
  ])("%s", async (_, policies, owners, said) => {
    const refused = await refuseWithoutOperator(policies, keysOf(owners)).then(
      () => "",
      (thrown: unknown) => String(thrown),
    );
    expect([refused !== "", refused.includes(said)]).toEqual([said !== "", true]);
  });
});

it("OPS-65 says at the start whose plans wait in vain where a client asks nobody", async () => {
  const leaving: Policy = { apis: { quay: { approval: { client: ["update"] } } } };
  const policies = { tenants: { acme: leaving }, default: {} };
  const [said = ""] = await refuseWithoutOperator(policies, keysOf([ann]));
  expect(said).toContain("plasm keys add --subject NAME --tenant acme");
  expect(await refuseWithoutOperator(policies, keysOf([{ ...ann, tenant: "acme" }]))).toEqual([]);
  expect(await refuseWithoutOperator({ tenants: {}, default: leaving }, keysOf([ann]))).toEqual([]);
});

it("a tenant's budgets stand before those of the deployment (RUN-130)", async () => {
  const policies = { tenants: { acme: { budgets: { rows: 5 } } }, default: { force: false } };
  const { policyOf } = withBudgets(filePolicies(policies), { rows: 9, requests: 3 });
  expect(await policyOf("acme")).toEqual({ budgets: { rows: 5, requests: 3 } });
  expect(await policyOf(LOCAL.scope)).toEqual({ force: false, budgets: { rows: 9, requests: 3 } });
});
