import { LOCAL, type RecordKind, type Store } from "@plasm/agent-core";
import { createDatabase, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openPostgresStore } from "./open.ts";

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
  store = await openPostgresStore({ url: database.url });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const LONG = "é".repeat(9_000);

async function fill(): Promise<void> {
  for (const n of [1, 2, 3]) {
    await store.insert("minted", "t1", `m${n}`, { ref: `pc${n}` });
    await store.insert("minted", "t2", `m${n}`, { ref: `other pc${n}` });
    await store.insert("savedProgram", "t1", `p${n}`, { program: `${n}${LONG}` } as never);
  }
}

test("what is asked for at once is what is asked for one after the other (SESS-38)", async () => {
  await fill();
  const asked: readonly (readonly [RecordKind, string, string])[] = [
    ["minted", "t1", "m1"],
    ["minted", "t2", "m1"],
    ["minted", "t3", "m1"],
    ["minted", "t1", "m1"],
    ["savedProgram", "t1", "p2"],
    ["savedProgram", "t2", "p2"],
    ["minted", "t1", "m\0"],
    ["minted", "t1", "\ud800"],
    ["commit", "t1", "m1"],
    ["savedProgram", "t1", "p3"],
  ];
  const one: unknown[] = [];
  for (const [kind, scope, id] of asked) one.push(await store.get(kind, scope, id));
  const all = await Promise.all(asked.map(([kind, scope, id]) => store.get(kind, scope, id)));
  expect(all).toEqual(one);
  expect(all.filter((found) => found !== null)).toHaveLength(5);
  expect(all[4]).toMatchObject({ id: "p2", value: { program: `2${LONG}` } });
});

test("a hundred and more are found, each in its place", async () => {
  const ids = Array.from({ length: 250 }, (_none, n) => `many${n}`);
  await Promise.all(ids.map((id) => store.insert("minted", LOCAL.scope, id, { ref: id })));
  const found = await Promise.all(ids.map((id) => store.get("minted", LOCAL.scope, id)));
  expect(found.map((one) => one?.value.ref)).toEqual(ids);
});

test("reads see what was written before them, in a transaction as well", async () => {
  await store.insert("minted", "t1", "late", { ref: "pc0" });
  const [before] = await Promise.all([
    store.get("minted", "t1", "late"),
    store.get("minted", "t1", "m1"),
  ]);
  expect(before).toMatchObject({ version: 1, value: { ref: "pc0" } });
  await store.transaction(async (tx) => {
    await tx.cas("minted", "t1", "late", 1, { ref: "pc1" });
    const both = await Promise.all([
      tx.get("minted", "t1", "late"),
      store.get("minted", "t1", "late"),
    ]);
    expect(both.map((one) => one?.value.ref)).toEqual(["pc1", "pc0"]);
  });
  expect((await store.get("minted", "t1", "late"))?.version).toBe(2);
});
