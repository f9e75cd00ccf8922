import { LOCAL, sweep } from "@plasm/agent-core";
import { openSqliteStore } from "@plasm/store";
import { afterEach, expect, it } from "vitest";
import { cleanUp, temporaryDirectory } from "../testing/real-host.ts";
import { connectionsIn } from "./connections.ts";

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
