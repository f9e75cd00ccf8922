import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { policyFor, policyNameFaults, readPolicies, readPolicy } from "./read-policies.ts";

/** SURF-25's own example. */
const example = {
  apis: {
    orchard: { deny: ["tree_delete"], approval: { operator: ["delete"] } },
    depot: { effects: false },
  },
  force: true,
  budgets: { requests: 200 },
  grafts: true,
};

test("SURF-25's example is a policy, of one tenant or of all others", () => {
  expect(readPolicies({ tenants: { acme: example }, default: example }).faults).toBeNull();
  expect(readPolicies({}).policies).toEqual({ tenants: {}, default: {} });
});

test("SURF-25: reads without review may be as many as a policy says, or none", () => {
  const policy = { unreviewed_reads: { requests: 0, rows: 50 } };
  expect(readPolicy(policy)).toEqual({ policy, faults: null });
});

test("SAV-16: what one version of a saved program may do without review", () => {
  const version = "a".repeat(64);
  const bound = {
    place: { one_of: ["harbour"] },
    long: { least: 1, most: 9 },
    note: { any: true },
  };
  const program = { version, effects: 20, capabilities: ["quay/boat_send"], parameters: bound };
  const policy = { programs: { send_home: program } };
  expect(readPolicy(policy)).toEqual({ policy, faults: null });
  const wrong = { version: "1", effects: 0, parameters: { long: {}, place: { one_off: [] } } };
  expect(readPolicy({ programs: { a: wrong, b: {} } }).faults).toEqual([
    'programs.a.version: found "1", allowed is the version of a saved program, 64 hex digits.',
    "programs.a.effects: found 0, allowed is a whole number from 1 on.",
    "programs.a.parameters.long names neither any, one_of, least nor most.",
    "programs.a.parameters.place.one_off: no such member; there are any, one_of, least, most. Did you mean one_of?",
    "programs.b.version is missing.",
    "programs.b.effects is missing.",
  ]);
});

test("the policy of one tenant is read alone, with the same faults", () => {
  expect(readPolicy(example)).toEqual({ policy: example, faults: null });
  expect(readPolicy({ tenants: {} }).faults).toEqual([
    "tenants: no such member; there are apis, force, budgets, unreviewed_reads, grafts, approval, quotas, programs.",
  ]);
  expect(readPolicy("none").faults).toEqual([
    'the whole: found "none", allowed is an object with apis, force, budgets, unreviewed_reads, grafts, approval, quotas, programs.',
  ]);
});

test("a tenant has its own policy, else that of all others", () => {
  const { policies } = readPolicies({ tenants: { acme: { force: false } }, default: example });
  if (policies === null) throw new Error("not read");
  expect(policyFor(policies, "acme")).toEqual({ force: false });
  expect(policyFor(policies, "other")).toEqual(example);
  expect(policyFor(policies, "toString")).toEqual(example);
});

test.each<[unknown, readonly string[]]>([
  [[], ["the whole: found [], allowed is an object with tenants, default."]],
  [{ tenant: {} }, ["tenant: no such member; there are tenants, default. Did you mean tenants?"]],
  [{ tenants: [] }, ["tenants: found [], allowed is an object of tenant names."]],
  [{ default: { force: "no" } }, ['default.force: found "no", allowed is true or false.']],
  [
    { tenants: { acme: { apis: { quay: { approval: { operator: "delete" } } } } } },
    [
      'tenants.acme.apis.quay.approval.operator: found "delete", allowed is "all", or a list of create, update, delete, action, all and capability names.',
    ],
  ],
  [
    { default: { apis: { quay: { approval: {}, deny: ["a", 3] } }, budgets: { rows: 0 } } },
    [
      "default.apis.quay.approval names neither operator nor client.",
      "default.apis.quay.deny[1]: found 3, allowed is the name of a capability.",
      "default.budgets.rows: found 0, allowed is a whole number from 1 on.",
    ],
  ],
  [
    { default: { unreviewed_reads: { requests: -1, rows: 0, pages: 1 } } },
    [
      "default.unreviewed_reads.requests: found -1, allowed is a whole number from 0 on.",
      "default.unreviewed_reads.pages: no such member; there are requests, rows.",
    ],
  ],
  [
    { default: { approval: { hours: 0.5 } } },
    ["default.approval.hours: found 0.5, allowed is a whole number of hours from 1 to 8760."],
  ],
  [
    { default: { quotas: { caller: { runs: { minute: -1 } }, apis: { quay: { tokens: {} } } } } },
    [
      "default.quotas.caller.runs.minute: found -1, allowed is a whole number from 0 on.",
      "default.quotas.apis.quay.tokens: no such member; there are runs, requests, rows, effects.",
    ],
  ],
  [
    { default: { apis: { quay: { efects: false } } } },
    [
      "default.apis.quay.efects: no such member; there are deny, effects, approval. Did you mean effects?",
    ],
  ],
])("readPolicies(%j) says place, finding and what is allowed", (value, faults) => {
  expect(readPolicies(value)).toEqual({ policies: null, faults });
});

const quay = buildCatalog("quay", {
  entities: { Boat: { fields: { id: "str" } } },
  capabilities: {
    boat_query: { kind: "query", entity: "Boat" },
    boat_delete: { kind: "delete", entity: "Boat" },
  },
});

test("names that a catalog does not have are told: they would hold nothing back (OPS-36)", () => {
  const apis = {
    quay: { deny: ["boat_delete", "boat_drop"], approval: { operator: ["boat_delte", "delete"] } },
    elsewhere: { deny: ["anything"] },
  };
  const operator = ["boat_query", "all", "update", "boat_delete"];
  const { policies } = readPolicies({
    tenants: { acme: { apis } },
    default: { apis: { quay: { approval: { operator } } } },
  });
  if (policies === null) throw new Error("not read");
  expect(policyNameFaults(policies, [quay])).toEqual([
    "tenants.acme.apis.quay.deny[1]: quay has no capability boat_drop.",
    "tenants.acme.apis.quay.approval.operator[0]: quay has no capability boat_delte. Did you mean boat_delete?",
    "default.apis.quay.approval.operator[0]: boat_query of quay changes nothing; operators approve effects only.",
  ]);
});
