import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TenantAccess } from "@plasm/host";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, type Ended, fixture, temporaryDirectory } from "../testing/spawn-plasm.ts";

let dataDir = "";
let policy = "";
const plasm = (...args: readonly string[]): Promise<Ended> =>
  runHere(args, { cwd: dataDir, env: { PLASM_DATA: dataDir } });
const show = (...args: readonly string[]): Promise<Ended> =>
  plasm("policy", "show", "--policy", policy, "--catalogs", fixture("quay"), ...args);
const reportOf = async (...args: readonly string[]): Promise<readonly TenantAccess[]> => {
  const { code, stdout, stderr } = await show("--json", ...args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as readonly TenantAccess[];
};
const accessOf = (report: readonly TenantAccess[], capability: string) => {
  const found = report[0]?.catalogs[0]?.capabilities.find((one) => one.capability === capability);
  return [found?.access, found?.rule];
};

beforeAll(async () => {
  dataDir = await temporaryDirectory();
  policy = join(dataDir, "policy.json");
  const quay = {
    deny: ["boat_ping"],
    approval: { operator: ["update", "boat_delete"] },
  };
  await writeFile(
    policy,
    JSON.stringify({
      tenants: { acme: { apis: { quay } }, desk: { apis: { quay: { effects: false } } } },
      default: { apis: {}, force: false },
    }),
  );
  const add = ["keys", "add", "--tenant", "acme"];
  await plasm(...add, "--subject", "olga");
  await plasm(...add, "--role", "agent", "--subject", "ann");
  await plasm(...add, "--role", "agent", "--subject", "ci", "--scope", "read");
});
afterAll(cleanUp);

describe("OPS-56 plasm policy show", { timeout: 60_000 }, () => {
  it("says what a tenant may do with each capability, and by which rule", async () => {
    const report = await reportOf("--tenant", "acme");
    expect(accessOf(report, "boat_query")).toEqual(["read", "apis.quay"]);
    expect(accessOf(report, "boat_create")).toEqual(["effect", "apis.quay"]);
    expect(accessOf(report, "boat_ping")).toEqual(["forbidden", "apis.quay.deny[0]"]);
    const operator = "apis.quay.approval.operator";
    expect(accessOf(report, "boat_update")).toEqual(["operator", `${operator}[0]`]);
    expect(accessOf(report, "boat_delete")).toEqual(["operator", `${operator}[1]`]);
    expect(report[0]?.principals.map(({ role, subject }) => [role, subject])).toEqual([
      ["operator", "olga"],
      ["agent", "ann"],
      ["agent", "ci"],
    ]);
  });

  it("narrows that to what a key lets its holder do", async () => {
    const ci = await reportOf("--tenant", "acme", "--subject", "ci");
    expect(accessOf(ci, "boat_query")[0]).toBe("read");
    expect(accessOf(ci, "boat_delete")).toEqual([
      "forbidden",
      expect.stringMatching(/^key [0-9a-f]{16} has no scope for effects$/),
    ]);
    const ann = await reportOf("--tenant", "acme", "--subject", "ann");
    expect(accessOf(ann, "boat_create")[0]).toBe("effect");
  });

  it("goes through all tenants that policies and keys name, in words", async () => {
    const { code, stdout } = await show();
    expect(code).toBe(0);
    expect(stdout).toContain(`Tenant anonymous: policy ${policy}, default; no force`);
    expect(stdout).toContain("(apis names other catalogs alone)");
    expect(stdout).toContain(`Tenant desk: policy ${policy}, tenants.desk`);
    expect(stdout).toMatch(/forbidden: boat_\w+.*\(apis\.quay\.effects\)/);
    expect(stdout).toContain("operator olga");
  });

  it("OPS-68 makes no store, and leaves one as it is, also beside a server that has it open", async () => {
    const empty = await temporaryDirectory();
    const nowhere = await runHere(
      ["policy", "show", "--policy", policy, "--catalogs", fixture("quay")],
      { cwd: empty, env: { PLASM_DATA: join(empty, "data") } },
    );
    expect(nowhere.code, nowhere.stderr).toBe(0);
    expect(nowhere.stdout).toContain("Tenant desk");
    expect(await readdir(empty)).toEqual([]);
    const file = join(dataDir, "plasm.db");
    const before = await readFile(file);
    await reportOf("--tenant", "acme");
    expect(before.equals(await readFile(file))).toBe(true);
    const open = new DatabaseSync(file);
    open.exec("begin immediate");
    await reportOf("--tenant", "acme");
    open.exec("rollback");
    open.close();
  });

  it("OPS-68 brings no store of an earlier Plasm up to date, and says what does", async () => {
    const old = await temporaryDirectory();
    const store = new DatabaseSync(join(old, "plasm.db"));
    store.exec("create table kysely_migration (name text primary key, timestamp text)");
    store.exec("insert into kysely_migration values ('0001-first', '2026-01-05')");
    store.close();
    const before = await readFile(join(old, "plasm.db"));
    const { code, stderr } = await runHere(
      ["policy", "show", "--policy", policy, "--catalogs", fixture("quay")],
      { cwd: old, env: { PLASM_DATA: old } },
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/earlier Plasm made its schema .*plasm serve/s);
    expect(before.equals(await readFile(join(old, "plasm.db")))).toBe(true);
  });

  it("says what is wrong with a file, as the start of a server does", async () => {
    const wrong = join(dataDir, "wrong.json");
    await writeFile(
      wrong,
      JSON.stringify({ default: { apis: { quay: { deny: ["boat_pong"] } } } }),
    );
    const { code, stderr } = await plasm(
      "policy",
      "show",
      "--policy",
      wrong,
      "--catalogs",
      fixture("quay"),
    );
    expect(code).toBe(1);
    expect(stderr).toContain("quay has no capability boat_pong. Did you mean boat_ping?");
  });
});
