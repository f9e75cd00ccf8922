import { createHmac } from "node:crypto";
import { appendFile, cp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase } from "@plasm/testkit/postgres";
import { describe, expect, inject, test } from "vitest";
import { type PlasmServer, startPlasmServer } from "../harness/plasm-server.ts";
import { boatRow, READS_BOATS } from "../harness/boat-rows.ts";
import { useStarted } from "../servers/endings.ts";

const SECRET = "a secret of quay";
const PATIENCE = { timeout: 30_000, interval: 100 };
/** Once a year: what is read is read because somebody told. */
const YEARLY = "0 5 1 1 *";
const WEBHOOK = `
webhooks:
  changes:
    scheme: hmac_sha256
    header: X-Quay-Signature
    prefix: sha256=
    signed: "{{ timestamp }}.{{ body }}"
    timestamp_header: X-Quay-Time
    id_header: X-Quay-Delivery
    env: QUAY_WEBHOOK_SECRET
`;

/** Quay, which tells of changes, and servers on one database, as many as a test starts. */
const world = useStarted(async (endings) => {
  const api = { rows: [boatRow("b1")], reads: 0, hold: null as Promise<void> | null };
  const server = createServer((_incoming, outgoing) => {
    void (async () => {
      api.reads += 1;
      const body = JSON.stringify({ items: api.rows, page: 1, total: api.rows.length });
      await api.hold;
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endings.add(async () => {
    server.closeAllConnections();
    server.close();
  });
  const database = await createDatabase(inject("postgresUrl"));
  endings.add(() => database.drop());
  const catalog = join(await endings.directory("webhook-catalog"), "quay");
  await cp(fixtureCatalogDir("quay"), catalog, { recursive: true });
  await appendFile(join(catalog, "domain.yaml"), WEBHOOK);
  const { port } = server.address() as AddressInfo;
  const start = async (): Promise<PlasmServer> => {
    const plasm = await startPlasmServer({
      dataDir: await endings.directory("webhook"),
      catalogs: [catalog],
      env: {
        PLASM_BACKEND_QUAY: `http://127.0.0.1:${port}`,
        PLASM_DATABASE_URL: database.url,
        QUAY_WEBHOOK_SECRET: SECRET,
      },
    });
    endings.add(() => plasm.kill());
    return plasm;
  };
  const servers = await Promise.all([start(), start()]);
  const [first] = servers;
  const saved = await call(first, "POST", "/v1/programs", { text: READS_BOATS });
  if (saved.status !== 201) throw new Error(JSON.stringify(saved));
  return { api, servers, start };
});

async function call(server: PlasmServer | undefined, method: string, path: string, body?: object) {
  const response = await fetch(`${server?.url}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return { status: response.status, json: (await response.json()) as never };
}

interface Watch {
  readonly schedule_uuid: string;
  readonly runs: readonly { readonly state: string; readonly message: string | null }[];
  readonly current: object | null;
  readonly watch: { readonly reading: number; readonly webhook: { readonly path: string } };
}

async function watch(): Promise<Watch> {
  const [first] = world().servers;
  const body = { program: "boats", cron: YEARLY, watch: true, webhook: "quay.changes" };
  const { status, json } = await call(first, "POST", "/v1/schedules", body);
  expect([status, JSON.stringify(json)]).toEqual([201, expect.anything()]);
  return json;
}

let deliveries = 0;

/** What quay sends of a change: signed now, unless something is to be wrong with it. */
function delivery({ id = `d${(deliveries += 1)}`, at = Date.now(), secret = SECRET } = {}) {
  const body = JSON.stringify({ event: "boat.changed", rows: [{ id: "b9", state: "forged" }] });
  const time = String(Math.floor(at / 1_000));
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  return {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-quay-signature": `sha256=${signature}`,
      "x-quay-time": time,
      "x-quay-delivery": id,
    },
  };
}

const tell = async (
  server: PlasmServer | undefined,
  { watch: { webhook } }: Watch,
  sent = delivery(),
): Promise<number> => (await fetch(`${server?.url}${webhook.path}`, sent)).status;

async function viewOf({ schedule_uuid: id }: Watch, server = world().servers[1]): Promise<Watch> {
  return (await call(server, "GET", `/v1/schedules/${id}`)).json;
}

const readingsOf = async (one: Watch, server?: PlasmServer): Promise<number> =>
  (await viewOf(one, server)).watch.reading;

async function eventsOf({ schedule_uuid: id }: Watch, server = world().servers[1]) {
  const { json } = await call(server, "GET", `/v1/schedules/${id}/events`);
  const { events } = json as {
    readonly events: readonly { readonly kind: string; readonly key: { readonly id: string } }[];
  };
  return events.map(({ kind, key }) => `${kind} ${key.id}`);
}

describe("WATCH-07 an API tells that something has changed", () => {
  test("the watch reads within seconds, on whichever server, and takes nothing from what was said", async () => {
    const { api, servers } = world();
    const one = await watch();
    api.rows = [boatRow("b1")];
    expect(await tell(servers[0], one)).toBe(202);
    await expect.poll(() => readingsOf(one), PATIENCE).toBe(1);
    api.rows = [boatRow("b1", "lost"), boatRow("b2")];
    expect(await tell(servers[1], one)).toBe(202);
    await expect.poll(() => readingsOf(one), PATIENCE).toBe(2);
    expect((await eventsOf(one)).toSorted()).toEqual(["appeared b2", "changed b1"]);
  });

  test("what is forged, signed long ago or sent again has nothing read", async () => {
    const { servers } = world();
    const one = await watch();
    const [first] = servers;
    const sent = delivery();
    expect(await tell(first, one, sent)).toBe(202);
    await expect.poll(() => readingsOf(one), PATIENCE).toBe(1);
    const before = world().api.reads;
    expect(await tell(first, one, sent)).toBe(202);
    expect(await tell(servers[1], one, sent)).toBe(202);
    expect(await tell(first, one, delivery({ secret: "guessed" }))).toBe(401);
    expect(await tell(first, one, delivery({ at: Date.now() - 3_600_000 }))).toBe(401);
    expect(await tell(first, one, { ...sent, body: `${sent.body} ` })).toBe(401);
    const elsewhere = {
      ...one,
      watch: {
        ...one.watch,
        webhook: {
          path: one.watch.webhook.path.replace(/[^/]+$/u, "0f6c1d2e-0000-4000-8000-000000000000"),
        },
      },
    };
    expect(await tell(first, elsewhere)).toBe(404);
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    expect([await readingsOf(one), world().api.reads]).toEqual([1, before]);
  });

  test("what is told while it reads is read after that, and a hundred at once are one or two", async () => {
    const { api, servers } = world();
    const one = await watch();
    api.rows = [boatRow("b1")];
    let letGo = (): void => undefined;
    api.hold = new Promise<void>((resolve) => (letGo = resolve));
    const before = api.reads;
    expect(await tell(servers[0], one)).toBe(202);
    await expect.poll(() => api.reads, PATIENCE).toBe(before + 1);
    // The rows of the first reading have been sent already.
    api.rows = [boatRow("b1"), boatRow("b7")];
    const told = await Promise.all(
      Array.from({ length: 100 }, (_none, n) => tell(servers[n % 2], one)),
    );
    expect(told.every((status) => status === 202 || status === 503)).toBe(true);
    expect(told).toContain(202);
    // Whoever looks meanwhile leaves the reading to the process that has it.
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    expect(api.reads).toBe(before + 1);
    letGo();
    api.hold = null;
    await expect.poll(() => readingsOf(one), PATIENCE).toBe(2);
    expect(await eventsOf(one)).toEqual(["appeared b7"]);
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    expect(await readingsOf(one)).toBeLessThanOrEqual(3);
  });

  test("what was told to a server that is killed right after is read by another", async () => {
    const { api, start } = world();
    const one = await watch();
    for (let n = 0; n < 3; n += 1) {
      const dying = await start();
      expect(await tell(dying, one)).toBe(202);
      await dying.kill();
      await expect.poll(() => readingsOf(one), PATIENCE).toBe(n + 1);
      api.rows = [boatRow("b1"), boatRow(`killed${n}`)];
    }
  });

  test("a watch that is paused or gone is not read", async () => {
    const [first] = world().servers;
    const one = await watch();
    await call(first, "POST", `/v1/schedules/${one.schedule_uuid}/pause`, {});
    expect(await tell(first, one)).toBe(202);
    await call(first, "DELETE", `/v1/schedules/${one.schedule_uuid}`);
    expect(await tell(first, one)).toBe(404);
  });
});
