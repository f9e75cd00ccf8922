import { EventEmitter } from "node:events";
import type { Pool, PoolClient } from "pg";
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import { kyselyPool } from "./pool.ts";

/** A pool of two that counts, and refuses whoever would have to wait for it. */
function poolOfTwo(connects: () => Promise<void> = async () => undefined) {
  let lent = 0;
  const connect = async (): Promise<PoolClient> => {
    await connects();
    if (lent === 2) throw new Error("timeout exceeded when trying to connect");
    lent += 1;
    const release = (): void => void (lent -= 1);
    return Object.assign(new EventEmitter(), { release }) as unknown as PoolClient;
  };
  const pool = { connect, end: async () => undefined, options: { max: 2 } };
  return kyselyPool(pool as unknown as Pool, 0);
}

test("who finds all connections lent waits for its turn, however long (SESS-33)", async () => {
  const pool = poolOfTwo();
  const order: number[] = [];
  const held = [await pool.connect(), await pool.connect()];
  const waiting = [0, 1, 2, 3].map(async (at) => {
    const client = await pool.connect();
    order.push(at);
    return client;
  });
  expect(order).toEqual([]);
  for (const client of held) client.release();
  for (const client of await Promise.all(waiting.slice(0, 2))) client.release();
  await Promise.all(waiting);
  expect(order).toEqual([0, 1, 2, 3]);
});

test("18.6 who is urgent takes the next turn, before those who wait already", async () => {
  const pool = poolOfTwo();
  const order: string[] = [];
  const held = [await pool.connect(), await pool.connect()];
  const take = async (name: string, from: Pick<typeof pool, "connect">): Promise<void> => {
    const client = await from.connect();
    order.push(name);
    client.release();
  };
  const all = [take("first", pool), take("second", pool), take("look", pool.urgent)];
  for (const client of held) client.release();
  await Promise.all(all);
  expect(order).toEqual(["look", "first", "second"]);
});

test("who cannot be connected is told so, and keeps nobody else waiting", async () => {
  let reachable = false;
  const pool = poolOfTwo(async () => {
    if (!reachable) throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  });
  const refused = await Promise.allSettled([1, 2, 3].map(() => pool.connect()));
  for (const one of refused) {
    expect(one).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailableError) });
  }
  reachable = true;
  const clients = await Promise.all([1, 2].map(() => pool.connect()));
  expect(clients).toHaveLength(2);
});

test.each(["25P03", "25P04", "57P01", "57P05"])(
  "18.8 a connection that the server ended (%s) before it was used again gives way to another one",
  async (code) => {
    const ended = Object.assign(new Error("terminating connection"), { code });
    const answers = [Promise.reject(ended), Promise.resolve("answered")];
    const connect = async () =>
      Object.assign(new EventEmitter(), {
        release: () => undefined,
        query: () => answers.shift(),
        getTransactionStatus: () => "I",
      });
    const pool = { connect, end: async () => undefined, options: { max: 1 } };
    const client = await kyselyPool(pool as unknown as Pool).connect();
    expect(await client.query("select 1", [])).toBe("answered");
  },
);
