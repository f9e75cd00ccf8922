import { DEFAULT_RETENTION } from "@plasm/agent-core";
import { expect, it } from "vitest";
import { HostStartError } from "./host-start-error.ts";
import { openHost } from "./open-host.ts";
import { retentionFromEnv } from "./retention-from-env.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

it("SESS-37 what is not set keeps the specification's times", () => {
  expect(retentionFromEnv({})).toEqual(DEFAULT_RETENTION);
  expect(DEFAULT_RETENTION).toEqual({
    operations: HOUR,
    snapshots: 7 * DAY,
    traces: 7 * DAY,
    sessions: 30 * DAY,
  });
  expect(retentionFromEnv({ PLASM_RETENTION_SNAPSHOTS: " " })).toEqual(DEFAULT_RETENTION);
});

it("SESS-37 what is set counts in its unit", () => {
  const env = {
    PLASM_RETENTION_OPERATIONS: "48",
    PLASM_RETENTION_SNAPSHOTS: " 2 ",
    PLASM_RETENTION_TRACES: "1",
    PLASM_RETENTION_SESSIONS: "3",
  };
  expect(retentionFromEnv(env)).toEqual({
    operations: 48 * HOUR,
    snapshots: 2 * DAY,
    traces: DAY,
    sessions: 3 * DAY,
  });
});

it.each(["0", "-1", "1.5", "a week", "1e2", "36501", "99999999"])(
  "%s is refused by the setting's name, with what is allowed",
  (text) => {
    const reading = () => retentionFromEnv({ PLASM_RETENTION_SESSIONS: text });
    expect(reading).toThrow(HostStartError);
    expect(reading).toThrow(
      `PLASM_RETENTION_SESSIONS=${text} is no time: a whole number of days from 1 to 36500 is.`,
    );
  },
);

it("nothing is kept longer than its session", () => {
  expect(() => retentionFromEnv({ PLASM_RETENTION_SESSIONS: "3" })).toThrow(
    "PLASM_RETENTION_SNAPSHOTS is 7 days, and PLASM_RETENTION_SESSIONS 3 days: what is of a session goes with it. Raise the second, or lower the first.",
  );
  const traces = { PLASM_RETENTION_SNAPSHOTS: "1", PLASM_RETENTION_SESSIONS: "3" };
  expect(retentionFromEnv(traces).traces).toBe(3 * DAY);
  expect(() => retentionFromEnv({ ...traces, PLASM_RETENTION_TRACES: "4" })).toThrow(
    "PLASM_RETENTION_TRACES is 4 days, and PLASM_RETENTION_SESSIONS 3 days",
  );
  expect(() => retentionFromEnv({ PLASM_RETENTION_OPERATIONS: "721" })).toThrow(
    "PLASM_RETENTION_OPERATIONS is 721 hours, and PLASM_RETENTION_SESSIONS 30 days",
  );
});

it("a host does not start with a time that is none, and opens nothing", async () => {
  const env = { PLASM_RETENTION_SNAPSHOTS: "soon" };
  const host = openHost({ dataDir: "/nowhere/at/all", catalogs: [], env });
  await expect(host).rejects.toThrow("PLASM_RETENTION_SNAPSHOTS=soon is no time");
});
