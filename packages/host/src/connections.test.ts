import { LOCAL } from "@plasm/agent-core";
import { NOBODY, sweep } from "@plasm/agent-core/internal";
import { openSqliteStore } from "@plasm/store";
import { afterEach, expect, it, test } from "vitest";
import { cleanUp, temporaryDirectory } from "./testing/data-directory.ts";
import { connectionsIn, onConnection } from "./connections.ts";

const DAY = 86_400_000;

afterEach(cleanUp);

it("SESS-37 a connection that is used stays; 30 days after its last use its name is unknown", async () => {
  let now = 1_800_000_000_000;
  const store = await openSqliteStore({ dataDir: await temporaryDirectory(), now: () => now });
  const connections = connectionsIn(store);
  const used = await connections.issue(LOCAL);
  const unused = await connections.issue(LOCAL);
  const known = () => Promise.all([used, unused].map((name) => connections.isOf(LOCAL, name)));
  expect(await connections.isOf({ ...LOCAL, scope: "t2" }, used)).toBe(false);
  for (let day = 0; day < 29; day += 1) {
    now += DAY;
    await sweep(store);
    expect(await connections.isOf(LOCAL, used)).toBe(true);
  }
  now += DAY;
  await sweep(store);
  expect(await known()).toEqual([true, false]);
  now += 30 * DAY;
  await sweep(store);
  expect(await known()).toEqual([false, false]);
  await store.close();
});

const anonymous = { ...NOBODY, scope: "anonymous|nobody", anonymous: true };
const [one, two] = ["1".repeat(32), "2".repeat(32)];

test("SESS-8 a connection is the scope of a caller that proved nothing, and does not show its name", () => {
  const { scope, ...rest } = onConnection(anonymous, one);
  expect(rest).toEqual({ subject: null, connection: one });
  expect(scope).toMatch(/^anonymous\|[0-9a-f]{32}$/);
  expect(scope).not.toContain(one);
  expect(onConnection(anonymous, two).scope).not.toBe(scope);
  expect(onConnection(anonymous, one).scope).toBe(scope);
});

test("without one it stays what it is, and so does a caller that is known", () => {
  expect(onConnection(anonymous, null)).toEqual(anonymous);
  expect(onConnection(LOCAL, one)).toEqual({ ...LOCAL, connection: one });
});
