import { DEFAULT_BOUNDS, DEFAULT_RETENTION } from "@plasm/agent-core/internal";
import { rowLimits } from "@plasm/runtime";
import { describe, expect, it, test } from "vitest";
import { HostStartError } from "./environment.ts";
import {
  boundsFrom,
  fileRulesFrom,
  budgetsFrom,
  operationLimitsFrom,
  retentionFrom,
  rowLimitsFrom,
} from "./limits.ts";
import { openHost } from "./open-host.ts";

describe("RUN-130: every run limit can be configured", () => {
  it("reads those that are set; the others keep their defaults", () => {
    expect(budgetsFrom({})).toEqual({});
    const env = { PLASM_BUDGET_PAGES: "1", PLASM_BUDGET_FAN_OUT: " 20 ", PLASM_BUDGET_ROWS: "" };
    expect(budgetsFrom(env)).toEqual({ pages: 1, fan_out: 20 });
    const names = ["REQUESTS", "ROWS", "PAGES", "FAN_OUT", "BYTES", "WALL", "WORK"];
    const all = Object.fromEntries(names.map((name) => [`PLASM_BUDGET_${name}`, "7"]));
    expect(Object.values(budgetsFrom(all))).toEqual([7, 7, 7, 7, 7, 7, 7]);
  });

  it.each(["0", "-1", "2.5", "many", "1e3"])("refuses %s by the setting's name", (text) => {
    const reading = () => budgetsFrom({ PLASM_BUDGET_WALL: text });
    expect(reading).toThrow(HostStartError);
    expect(reading).toThrow(`PLASM_BUDGET_WALL must be a positive integer, got "${text}".`);
  });
});

const MIB = 1024 * 1024;

describe("18.6 what the rows of runs may take", () => {
  test("fits the heap where nothing is set", () => {
    expect(rowLimitsFrom({ PLASM_ROWS_MEMORY: "" })).toEqual(rowLimits());
    const { process, tenant, run, results } = rowLimits({}, 1024 * MIB);
    expect([process, tenant, run, results]).toEqual([512 * MIB, 384 * MIB, 192 * MIB, 32 * MIB]);
  });

  test("is what is set; a run never has more than its tenant, nor a tenant more than the process", () => {
    const set = { PLASM_ROWS_MEMORY: "1000", PLASM_ROWS_MEMORY_PER_RUN: " 5000 " };
    expect(rowLimitsFrom({ ...set, PLASM_COMPUTED_CELLS: "7" })).toMatchObject({
      process: 1000,
      tenant: 750,
      run: 750,
      cells: 7,
    });
  });

  test.each(["0", "-1", "1.5", "64MB", "ten"])("%s stops the start", (text) => {
    expect(() => rowLimitsFrom({ PLASM_RESULT_BYTES: text })).toThrow(
      `PLASM_RESULT_BYTES must be a positive integer of bytes, got "${text}".`,
    );
  });
});

describe("OPS-14: how many operations may be unfinished can be set", () => {
  it("4 in a session and 32 of a tenant, unless set", () => {
    expect(operationLimitsFrom({})).toEqual({ perSession: 4, perTenant: 32 });
    const env = { PLASM_OPERATIONS_PER_SESSION: "10", PLASM_OPERATIONS_PER_TENANT: " 500 " };
    expect(operationLimitsFrom(env)).toEqual({ perSession: 10, perTenant: 500 });
    const empty = { PLASM_OPERATIONS_PER_SESSION: "", PLASM_OPERATIONS_PER_TENANT: "1" };
    expect(operationLimitsFrom(empty)).toEqual({ perSession: 4, perTenant: 1 });
  });

  it.each(["0", "-1", "2.5", "many", "1e3"])("refuses %s by the setting's name", (text) => {
    const reading = () => operationLimitsFrom({ PLASM_OPERATIONS_PER_TENANT: text });
    expect(reading).toThrow(HostStartError);
    expect(reading).toThrow("PLASM_OPERATIONS_PER_TENANT must be a positive integer of operations");
    expect(reading).toThrow(`got "${text}".`);
  });
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

it("SESS-37 what is not set keeps the specification's times", () => {
  expect(retentionFrom({})).toEqual(DEFAULT_RETENTION);
  expect(DEFAULT_RETENTION).toEqual({
    operations: HOUR,
    snapshots: 7 * DAY,
    traces: 7 * DAY,
    sessions: 30 * DAY,
    audit: 365 * DAY,
  });
  expect(retentionFrom({ PLASM_RETENTION_SNAPSHOTS: " " })).toEqual(DEFAULT_RETENTION);
});

it("SESS-37 what is set counts in its unit", () => {
  const env = {
    PLASM_RETENTION_OPERATIONS: "48",
    PLASM_RETENTION_SNAPSHOTS: " 2 ",
    PLASM_RETENTION_TRACES: "1",
    PLASM_RETENTION_SESSIONS: "3",
    // Audit lines outlast sessions, or end before them.
    PLASM_RETENTION_AUDIT: "2",
  };
  expect(retentionFrom(env)).toEqual({
    operations: 48 * HOUR,
    snapshots: 2 * DAY,
    traces: DAY,
    sessions: 3 * DAY,
    audit: 2 * DAY,
  });
});

it.each(["0", "-1", "1.5", "a week", "1e2", "36501", "99999999"])(
  "%s is refused by the setting's name, with what is allowed",
  (text) => {
    const reading = () => retentionFrom({ PLASM_RETENTION_SESSIONS: text });
    expect(reading).toThrow(HostStartError);
    expect(reading).toThrow(
      `PLASM_RETENTION_SESSIONS must be a positive integer of days from 1 to 36500, got "${text}".`,
    );
  },
);

it("nothing is kept longer than its session", () => {
  expect(() => retentionFrom({ PLASM_RETENTION_SESSIONS: "3" })).toThrow(
    "PLASM_RETENTION_SNAPSHOTS is 7 days, but PLASM_RETENTION_SESSIONS is 3 days",
  );
  const traces = { PLASM_RETENTION_SNAPSHOTS: "1", PLASM_RETENTION_SESSIONS: "3" };
  expect(retentionFrom(traces).traces).toBe(3 * DAY);
  expect(() => retentionFrom({ ...traces, PLASM_RETENTION_TRACES: "4" })).toThrow(
    "PLASM_RETENTION_TRACES is 4 days, but PLASM_RETENTION_SESSIONS is 3 days",
  );
  expect(() => retentionFrom({ PLASM_RETENTION_OPERATIONS: "721" })).toThrow(
    "PLASM_RETENTION_OPERATIONS is 721 hours, but PLASM_RETENTION_SESSIONS is 30 days",
  );
});

it("a host does not start with a time that is none, and opens nothing", async () => {
  const env = { PLASM_RETENTION_SNAPSHOTS: "soon" };
  const host = openHost({ dataDir: "/nowhere/at/all", catalogs: [], env });
  await expect(host).rejects.toThrow(
    'PLASM_RETENTION_SNAPSHOTS must be a positive integer of days from 1 to 36500, got "soon".',
  );
});

const GB = 1024 ** 3;

it("18.9, 18.16 a store is bounded by 2 GB unless set, a tenant by the store's limit", () => {
  expect(boundsFrom({})).toEqual(DEFAULT_BOUNDS);
  expect(DEFAULT_BOUNDS).toEqual({ store: 2 * GB, tenant: 2 * GB });
  expect(boundsFrom({ PLASM_DATA_LIMIT: " 5 GB " })).toEqual({ store: 5 * GB, tenant: 5 * GB });
  expect(boundsFrom({ PLASM_DATA_LIMIT: "3000000", PLASM_TENANT_BYTES: "1MB" })).toEqual({
    store: 3_000_000,
    tenant: 1024 ** 2,
  });
});

it.each(["much", "0", "-1", "2 PB", "1.5 GB", "100", "9999999999999 TB"])(
  "18.9 %s as a limit stops the start, with what is allowed",
  (text) => {
    const start = () => boundsFrom({ PLASM_DATA_LIMIT: text });
    expect(start).toThrow(HostStartError);
    expect(start).toThrow(`PLASM_DATA_LIMIT must be a number of bytes of 1 MB or more`);
  },
);

const NOWHERE = "/nowhere/at/all";

it("VAL-05, VAL-07 files have at most 256 MiB, and programs name none, unless set", () => {
  expect(fileRulesFrom({}, NOWHERE)).toEqual({
    maxBytes: 256 * 1024 ** 2,
    directories: [],
    origins: [],
  });
  const env = {
    PLASM_FILE_BYTES: "1 GB",
    PLASM_FILE_DIRECTORIES: "/srv/exports:/srv/scans/",
    PLASM_FILE_ORIGINS: "https://files.example/, http://127.0.0.1:9000",
  };
  expect(fileRulesFrom(env, NOWHERE)).toEqual({
    maxBytes: GB,
    directories: ["/srv/exports", "/srv/scans"],
    origins: ["https://files.example", "http://127.0.0.1:9000"],
  });
});

it("VAL-07 nor a directory that the key of stored secrets is in", () => {
  const env = {
    PLASM_FILE_DIRECTORIES: "/srv/exports:/home/ann",
    PLASM_SECRETS_KEY_FILE: "/home/ann/.keys/plasm",
  };
  expect(() => fileRulesFrom(env, NOWHERE)).toThrow("the key of stored secrets is in it");
});

it.each([
  ["PLASM_FILE_BYTES", "many", "must be a number of bytes"],
  ["PLASM_FILE_DIRECTORIES", "exports", "must be absolute paths"],
  ["PLASM_FILE_DIRECTORIES", "/", "has credentials"],
  ["PLASM_FILE_DIRECTORIES", "/nowhere", "has credentials"],
  ["PLASM_FILE_DIRECTORIES", "/nowhere/at/all/credentials", "has credentials"],
  ["PLASM_FILE_ORIGINS", "https://files.example/reports", "must be origins"],
  ["PLASM_FILE_ORIGINS", "*", "must be origins"],
])("VAL-07 %s=%s stops the start", (name, text, why) => {
  const start = () => fileRulesFrom({ [name]: text }, NOWHERE);
  expect(start).toThrow(HostStartError);
  expect(start).toThrow(why);
});
