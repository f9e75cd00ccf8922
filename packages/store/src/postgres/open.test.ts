import { type TestDatabase, createDatabase, runSql } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, describe, expect, inject, it, test, vi } from "vitest";
import { expectDamagedText } from "../../test/texts-contract.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import { followClock, openPostgresStore, unfit } from "./open.ts";

test("it is the database's, however this host's is set, and follows it", async () => {
  vi.useFakeTimers();
  let local = 1_000;
  let ahead = 500_000;
  const read = vi.fn<() => Promise<number>>(async () => local + ahead + 0.4);
  const clock = await followClock(read, () => local, 100);
  expect(clock.now()).toBe(501_000);
  local += 50;
  expect(clock.now()).toBe(501_050);
  ahead = -200;
  await vi.advanceTimersByTimeAsync(100);
  expect(clock.now()).toBe(850);
  read.mockRejectedValueOnce(new Error("down"));
  await vi.advanceTimersByTimeAsync(100);
  expect(clock.now()).toBe(850);
  clock.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});

test("a round trip counts half", async () => {
  let local = 0;
  const clock = await followClock(
    async () => {
      local += 100;
      return 10_050;
    },
    () => local,
  );
  expect(clock.now()).toBe(10_100);
  clock.stop();
});

test.each([
  ["before", 0],
  ["after", 1],
])(
  "18.8 a process that slept in the middle of a look, %s the database answered, keeps its time",
  async (_when, share) => {
    vi.useFakeTimers();
    let local = 0;
    let asleep = 0;
    const read = async (): Promise<number> => {
      local += 10 + asleep * share;
      const theirs = local + 5_000;
      local += 10 + asleep * (1 - share);
      return theirs;
    };
    const clock = await followClock(read, () => local, 100);
    asleep = 3_600_000;
    await vi.advanceTimersByTimeAsync(100);
    expect(clock.now()).toBe(local + 5_000);
    clock.stop();
    vi.useRealTimers();
  },
);

test("a first look that was slow is put right by the next", async () => {
  vi.useFakeTimers();
  let local = 0;
  let late = 2_000;
  const read = async (): Promise<number> => {
    const theirs = local + 300;
    local += late;
    return theirs;
  };
  const clock = await followClock(read, () => local, 100);
  late = 20;
  await vi.advanceTimersByTimeAsync(100);
  expect(Math.abs(clock.now() - local - 300)).toBeLessThanOrEqual(20);
  clock.stop();
  vi.useRealTimers();
});

let server: string;
let database: TestDatabase;
beforeAll(async () => {
  server = inject("postgresUrl");
  database = await createDatabase(server);
});
afterAll(() => database.drop());

/** The address with some of its parts replaced. */
function urlWith(parts: Partial<Pick<URL, "username" | "password" | "port" | "pathname">>): string {
  return Object.assign(new URL(database.url), parts).href;
}

async function refusal(url: string): Promise<string> {
  try {
    const store = await openPostgresStore({ url });
    await store.close();
  } catch (thrown) {
    if (thrown instanceof StoreUnavailableError) return thrown.message;
    throw thrown;
  }
  throw new Error("It was opened");
}

describe("openPostgresStore says why it cannot, where, and what to do, without the password", () => {
  const place = (url: string): string => {
    const { hostname, port, pathname } = new URL(url);
    return `PostgreSQL at ${hostname}:${port}, database ${pathname.slice(1)} cannot be used as the store: `;
  };

  it.each([
    ["no server", { port: "1" }, /ECONNREFUSED.* Check that the server runs there/],
    [
      "another password",
      { password: "s3cret-0f-mine" },
      /password authentication failed.* the user is plasm\./,
    ],
    [
      "no such database",
      { pathname: "/plasm_none" },
      /"plasm_none" does not exist\. Create it: createdb plasm_none/,
    ],
  ])("%s", async (_, parts, said) => {
    const url = urlWith(parts);
    const message = await refusal(url);
    expect(message.startsWith(place(url)), message).toBe(true);
    expect(message).toMatch(said);
    expect(message).not.toContain(new URL(url).password);
  });

  it("a user without rights", async () => {
    const role = `reader_${database.name}`;
    await runSql(server, `create role ${role} login password 'pw-0f-reader'`);
    const message = await refusal(urlWith({ username: role, password: "pw-0f-reader" }));
    expect(message).toContain("permission denied for database");
    expect(message).toContain(`grant create on database "${database.name}" to "${role}"`);
    expect(message).not.toContain("pw-0f-reader");
    await runSql(server, `grant create on database ${database.name} to ${role}`);
    const store = await openPostgresStore({
      url: urlWith({ username: role, password: "pw-0f-reader" }),
    });
    expect(await store.nextNumber("s", "r")).toBe(1);
    await store.close();
  });

  it("an encoding that holds not every text", async () => {
    const ascii = await createDatabase(
      server,
      "encoding 'SQL_ASCII' locale_provider libc locale 'C'",
    );
    expect(await refusal(ascii.url)).toContain("its encoding is SQL_ASCII");
    await ascii.drop();
  });

  it.each([
    "mysql://u:s3cret@h/db",
    "postgres://u:s3c/ret@h/db",
    "postgres://u:1#s3cret@h/db",
    "postgres://u:1?s3cret@h/db",
    "postgres://u:1/s3cret@h/db",
    "/var/run s3cret",
  ])("%j is no address", async (url) => {
    const message = await refusal(url);
    expect(message).toContain("It has the form postgres://USER:PASSWORD@HOST:PORT/DATABASE");
    expect(message).not.toMatch(/s3c|ret@/);
  });
});

describe("an open PostgreSQL store", () => {
  it("is unavailable, not defective, while its database is gone, and works again after", async () => {
    const other = await createDatabase(server);
    const store = await openPostgresStore({ url: other.url, connections: 2 });
    await store.ping();
    await runSql(
      server,
      `alter database ${other.name} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${other.name}'`,
    );
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.nextNumber("s", "r")).rejects.toBeInstanceOf(StoreUnavailableError);
    await runSql(server, `alter database ${other.name} allow_connections true`);
    await store.ping();
    expect(await store.nextNumber("s", "r")).toBe(1);
    await store.close();
    await other.drop();
  });

  it("leaves what else is in the database alone, tables of the same names included", async () => {
    const other = await createDatabase(server);
    await runSql(
      other.url,
      "create schema theirs",
      "create table theirs.kysely_migration (name text, timestamp text)",
      "create table public.records (id int)",
      "insert into theirs.kysely_migration values ('2019-theirs', 'x')",
    );
    const store = await openPostgresStore({ url: other.url });
    expect(await store.insert("minted", "t1", "x", { ref: "pc0" })).toBe(true);
    await store.close();
    expect(await runSql(other.url, "select * from public.records")).toEqual([]);
    await other.drop();
  });

  it("reports a damaged blob and never serves it (SESS-29, P10)", async () => {
    const store = await openPostgresStore({ url: database.url });
    await runSql(database.url, String.raw`insert into plasm.blobs values ('aa', '\x00')`);
    await expect(store.getBlob("aa")).rejects.toThrow("damaged");
    await expectDamagedText(store, (statement) =>
      runSql(
        database.url,
        statement.replace(" blobs", " plasm.blobs").replace("BYTES", String.raw`'\x00'`),
      ),
    );
    await store.close();
  });
});

const fit = { version: 180_004, encoding: "UTF8", standby: false };

test.each([
  ["a current one", fit],
  ["the oldest that will do", { ...fit, version: 140_000 }],
])("%s", (_, facts) => {
  expect(unfit(facts)).toBeNull();
});

test.each([
  ["an older one", { ...fit, version: 130_011 }, /^it is PostgreSQL 13, and 14 is the oldest/],
  ["another encoding", { ...fit, encoding: "LATIN1" }, /^its encoding is LATIN1/],
  ["a standby", { ...fit, standby: true }, /name the primary/],
])("%s", (_, facts, why) => {
  expect(unfit(facts)).toMatch(why);
});
