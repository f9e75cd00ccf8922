import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { Caller, Engine } from "@plasm/agent-core";
import { connectTransport, createMcpHandler } from "@plasm/mcp";
import { createDatabase } from "@plasm/testkit/postgres";
import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { openEngine } from "../engine/open-engine.ts";
import { boatRow, READS_BOATS } from "../harness/boat-rows.ts";
import { useStarted } from "../servers/endings.ts";

const ANN: Caller = { scope: "acme", subject: "ann", connection: null };
const BOB: Caller = { ...ANN, subject: "bob" };
const HOUR = 3_600_000;
const PATIENCE = { timeout: 20_000, interval: 20 };
const NOTHING_MS = 300;

/** Two engines on one database and one clock of hours; the second never looks for what is due. */
const world = useStarted(async (endings) => {
  const api = { rows: [boatRow("b1")] };
  const server = createServer((_incoming, outgoing) => {
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ items: api.rows, page: 1, total: api.rows.length }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endings.add(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const database = await createDatabase(inject("postgresUrl"));
  endings.add(() => database.drop());
  const clock = { now: Date.UTC(2026, 0, 5, 10, 30) };
  const open = async (lookEveryMs: number): Promise<Engine> => {
    const engine = await openEngine({
      dataDir: await endings.directory("watch-over-mcp"),
      databaseUrl: database.url,
      now: () => clock.now,
      lookEveryMs,
      backends: new Map([["quay", `http://127.0.0.1:${port}`]]),
    });
    endings.add(() => engine.close());
    return engine;
  };
  const reading = await open(20);
  await reading.programs.import(ANN, READS_BOATS);
  return { api, clock, reading, other: await open(3_600_000) };
});

const WAYS = [
  "2026-07-28 over HTTP",
  "2026-07-28 on a connection that stands",
  "2025-11-25 on a connection that stands",
] as const;
type Way = (typeof WAYS)[number];
const isModern = (way: Way): boolean => way.startsWith("2026");

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** No name of a connection is ever asked for: none is a client of the 2025 protocols over HTTP. */
const NO_CONNECTIONS = {
  issue: async () => "0".repeat(32),
  clientOf: async () => ({}),
  isOf: async () => true,
};

/** A real client of somebody at the engine that does not read, and what it is told. */
async function connect(way: Way, caller = ANN) {
  const { other: engine } = world();
  const client = new Client(
    { name: "watch", version: "1" },
    { versionNegotiation: { mode: isModern(way) ? { pin: "2026-07-28" } : "legacy" } },
  );
  const told: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    told.push(params.uri);
  });
  if (way === WAYS[0]) {
    const handler = createMcpHandler({ engine, connections: NO_CONNECTIONS, caller });
    ends.push(() => handler.close());
    const at = new URL("http://127.0.0.1:3000/mcp");
    const transport = new StreamableHTTPClientTransport(at, {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    });
    await client.connect(transport);
  } else {
    const [near, far] = InMemoryTransport.createLinkedPair();
    connectTransport(far, { engine, caller });
    await client.connect(near);
  }
  ends.push(() => client.close());
  /** Listens to these, says which of them it will be told of, and gives what ends it. */
  const listen = async (uris: readonly string[]) => {
    if (isModern(way)) {
      const open = await client.listen({ resourceSubscriptions: [...uris] });
      return {
        heard: open.honoredFilter.resourceSubscriptions ?? [],
        end: () => open.close(),
      };
    }
    const heard: string[] = [];
    for (const uri of uris) {
      await client.subscribeResource({ uri }).then(
        () => heard.push(uri),
        (error: Error) => expect(error.message).toContain("plasm://watch/SCHEDULE_UUID"),
      );
    }
    const end = async (): Promise<void> => {
      for (const uri of heard) await client.unsubscribeResource({ uri });
    };
    return { heard, end };
  };
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri });
    return JSON.parse((contents[0] as { text: string }).text) as {
      readonly program: string;
      readonly key: readonly string[];
      readonly events: readonly { readonly id: string; readonly kind: string }[];
      readonly next: string | null;
      readonly forgotten: number;
    };
  };
  return { client, told, listen, read };
}

/** A watch of Ann's that has had its first reading. */
async function watch(): Promise<string> {
  const request = { program: "boats", cron: "0 * * * *", watch: true };
  const { schedule_uuid } = await world().reading.schedules.create(ANN, request);
  await nextReading(schedule_uuid, [boatRow("b1")]);
  return schedule_uuid;
}

/** Lets an hour pass, in which the API's rows have become these. */
async function nextReading(id: string, rows: readonly ReturnType<typeof boatRow>[]): Promise<void> {
  const { api, clock, reading } = world();
  const { runs: before } = await reading.schedules.find(ANN, id);
  api.rows = [...rows];
  clock.now += HOUR;
  await vi.waitFor(async () => {
    const { runs, current } = await reading.schedules.find(ANN, id);
    if (current !== null || runs[0]?.due_at === before[0]?.due_at) throw new Error("it reads");
  }, PATIENCE);
}

describe.each(WAYS)("WATCH-06 %s", (way) => {
  test("tells once of a reading that found something, of nothing else, and what it was is read", async () => {
    const id = await watch();
    const uri = `plasm://watch/${id}`;
    const { told, listen, read } = await connect(way);
    const { heard, end } = await listen([uri]);
    expect(heard).toEqual([uri]);
    await nextReading(id, [boatRow("b1")]);
    await nextReading(id, [boatRow("b2"), boatRow("b3")]);
    await vi.waitFor(() => expect(told).toEqual([uri]), PATIENCE);
    const found = await read(uri);
    expect(found).toMatchObject({ program: "boats", key: ["id"], forgotten: 0 });
    const kinds = found.events.map(({ kind }) => kind).toSorted();
    expect(kinds).toEqual(["appeared", "appeared", "vanished"]);
    await nextReading(id, [boatRow("b2", "lost"), boatRow("b3")]);
    await vi.waitFor(() => expect(told).toEqual([uri, uri]), PATIENCE);
    const later = await read(`${uri}?after=${found.next}`);
    expect(later.events.map(({ kind }) => kind)).toEqual(["changed"]);
    expect((await read(`${uri}?after=${later.next}`)).next).toBe(later.next);
    await end();
    await nextReading(id, [boatRow("b1")]);
    await new Promise((resolve) => setTimeout(resolve, NOTHING_MS));
    expect(told).toHaveLength(2);
  });

  test("of somebody else's watch, of none and of what never changes it tells nothing, and says so", async () => {
    const id = await watch();
    const foreign = `plasm://watch/${id}`;
    const none = "plasm://watch/0f6c1d2e-0000-4000-8000-000000000000";
    const { told, listen, client } = await connect(way, BOB);
    const uris = [
      foreign,
      none,
      "plasm://registry",
      `${foreign}?after=000000000001-${"x".repeat(22)}`,
    ];
    expect((await listen(uris)).heard).toEqual([]);
    const problems = await Promise.all(
      [foreign, none].map((uri) =>
        client.readResource({ uri }).then(
          () => "it was read",
          (error: Error) => error.message.replaceAll(uri.slice(14), "ID"),
        ),
      ),
    );
    expect(problems[0]).toContain("No schedule ID");
    expect(problems[1]).toBe(problems[0]);
    await nextReading(id, [boatRow("b9")]);
    await new Promise((resolve) => setTimeout(resolve, NOTHING_MS));
    expect(told).toEqual([]);
  });

  test("declares it, and completes the uuid of a watch", async () => {
    const id = await watch();
    const { client } = await connect(way);
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true });
    const ref = { type: "ref/resource" as const, uri: "plasm://watch/{schedule_uuid}{?after}" };
    const argument = { name: "schedule_uuid", value: id.slice(0, 6) };
    const { completion } = await client.complete({ ref, argument });
    expect(completion.values).toContain(id);
    const bob = await connect(way, BOB);
    expect((await bob.client.complete({ ref, argument })).completion.values).toEqual([]);
  });
});

describe("WATCH-06 limits", () => {
  test("a connection listens to 50 watches, and as many streams as one caller may have are open", async () => {
    const { reading } = world();
    const request = { program: "boats", cron: "0 5 1 1 *", watch: true };
    const made = [];
    for (let n = 0; n < 51; n += 1) {
      made.push(`plasm://watch/${(await reading.schedules.create(ANN, request)).schedule_uuid}`);
    }
    const { listen } = await connect(WAYS[0]);
    expect((await listen(made)).heard).toEqual(made.slice(0, 50));
    const [uri = ""] = made;
    for (let n = 1; n < 20; n += 1) expect((await listen([uri])).heard).toEqual([uri]);
    await expect(listen([uri])).rejects.toThrow("You have 20 streams of changes open");
    const standing = await connect(WAYS[1]);
    expect((await standing.listen(made)).heard).toHaveLength(50);
  });

  test("a stream whose client has gone leaves room for another", async () => {
    const uri = `plasm://watch/${await watch()}`;
    const { listen } = await connect(WAYS[0]);
    for (let n = 0; n < 40; n += 1) {
      const { heard, end } = await listen([uri]);
      expect(heard).toEqual([uri]);
      await end();
    }
  });

  test("streams end gracefully with their server", async () => {
    const { other: engine } = world();
    const uri = `plasm://watch/${await watch()}`;
    const handler = createMcpHandler({ engine, connections: NO_CONNECTIONS, caller: ANN });
    const client = new Client(
      { name: "watch", version: "1" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    await client.connect(
      new StreamableHTTPClientTransport(new URL("http://127.0.0.1:3000/mcp"), {
        fetch: (url, init) => handler.fetch(new Request(url, init)),
      }),
    );
    const open = await client.listen({ resourceSubscriptions: [uri] });
    await handler.close();
    expect(await open.closed).toBe("graceful");
    await client.close();
  });
});
