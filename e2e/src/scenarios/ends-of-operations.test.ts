import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type CountingProxy, startCountingProxy } from "../harness/counting-proxy.ts";
import { follow, type Follower } from "../harness/followers.ts";
import { type PlasmServer, startPlasmServer } from "../harness/plasm-server.ts";

const PATIENCE = { timeout: 60_000, interval: 50 };
/** Less than a lease: who waited for that would be later (OPS-31). */
const HANDED_OVER = { timeout: 25_000, interval: 50 };

const RACES = 10;
const PINGS = ["b1", "b2", "b3"].map((id) => `Boat("${id}").ping()`).join("\n");
/** Paged, and nothing of its condition is sent: expensive, so that nobody waits for it (OPS-9). */
const LONG = "long = Boat{length>10}[id, name]\nlong";

/** Where a server is started: with data and a way to the API of its own. */
interface Berth {
  readonly name: string;
  readonly proxy: CountingProxy;
  server: PlasmServer | null;
}

function there<T>(one: T | undefined): T {
  if (one === undefined) throw new Error("There is none");
  return one;
}

/** Servers on one store, and an API whose requests can be made to wait. */
class Fleet {
  readonly berths: Berth[] = [];
  #dir = "";
  #apis: SampleApis | null = null;
  #database: TestDatabase | null = null;
  #held: Promise<void> = Promise.resolve();
  #letGo: () => void = () => undefined;

  async open(names: readonly string[], databaseOn: string | null): Promise<void> {
    this.#dir = await mkdtemp(join(tmpdir(), "plasm-ends-"));
    const apis = await startSampleApis({
      dataDir: join(this.#dir, "apis"),
      ports: { quay: 0, yard: 0 },
    });
    this.#apis = apis;
    if (databaseOn !== null) this.#database = await createDatabase(databaseOn);
    await Promise.all(
      names.map(async (name) => {
        const arrived = (): Promise<void> => this.#held;
        const proxy = await startCountingProxy(apis.quay.url, { arrived });
        const berth: Berth = { name, proxy, server: null };
        this.berths.push(berth);
        await this.start(berth);
      }),
    );
  }

  async start(berth: Berth): Promise<void> {
    const shared = this.#database === null ? {} : { PLASM_DATABASE_URL: this.#database.url };
    berth.server = await startPlasmServer({
      dataDir: join(this.#dir, berth.name),
      catalogs: [fixtureCatalogDir("quay")],
      env: { PLASM_BACKEND_QUAY: berth.proxy.url, ...shared },
    });
  }

  async stop(berth: Berth): Promise<void> {
    await berth.server?.stop();
    berth.server = null;
  }

  /** Requests wait from now on. */
  hold(): void {
    for (const { proxy } of this.berths) proxy.forgetRequests();
    this.#held = new Promise((resolve) => (this.#letGo = resolve));
  }

  letGo(): void {
    this.#letGo();
  }

  /** An agent at each server that is up, all in one session. */
  followers(intent: string): Promise<readonly Follower[]> {
    const urls = this.berths.flatMap(({ server }) => (server === null ? [] : [server.url]));
    return Promise.all(urls.map((url) => follow(url, intent)));
  }

  /** Where a request comes from that is held. */
  get runner(): Berth | undefined {
    return this.berths.find(({ proxy }) => proxy.requests.length > 0);
  }

  async close(): Promise<void> {
    this.letGo();
    await Promise.all(this.berths.map((berth) => this.stop(berth)));
    await Promise.all(this.berths.map(({ proxy }) => proxy.close()));
    await this.#apis?.close();
    await this.#database?.drop();
    await rm(this.#dir, { recursive: true, force: true });
  }
}

const firstAndLast = (all: readonly Follower[]): readonly [Follower, Follower] => {
  const [first] = all;
  const last = all.at(-1);
  return [there(first), there(last)];
};

describe.each([
  ["sqlite", ["a"]],
  ["postgres", ["a", "b"]],
] as const)("%s", (store, names) => {
  const fleet = new Fleet();
  beforeAll(() => fleet.open(names, store === "sqlite" ? null : inject("postgresUrl")), 120_000);
  afterAll(() => fleet.close());

  test("F9 OPS-12 P15 a cancel races the end: one terminal state, told alike on every way", async () => {
    const followers = await fleet.followers("raced");
    const [one, other] = firstAndLast(followers);
    for (let race = 0; race < RACES; race += 1) {
      const handle = await one.run(PINGS, { force: true, wait: false });
      const streams = followers.map((follower) => follower.stream(handle));
      // Sooner or later into a run of three requests.
      await sleep(race * 8);
      const cancel = `cancel(${handle})`;
      await Promise.all([one.poll(cancel), other.post(cancel)]);
      const [stood] = await Promise.all(streams);
      expect(["!", "x", "?"]).toContain(stood?.signal);
      const told = await Promise.all(
        followers.flatMap((follower) => [
          follower.poll(`wait(${handle})`),
          follower.poll(cancel),
          follower.post(`wait(${handle})`),
          follower.post(cancel),
          follower.view(handle),
          follower.stream(handle),
        ]),
      );
      for (const standing of [...told, ...(await Promise.all(streams))]) {
        expect(standing).toEqual(stood);
      }
      for (const follower of followers) {
        await expect.poll(() => follower.notified(handle), PATIENCE).toEqual(stood);
      }
    }
    await Promise.all(followers.map((follower) => follower.close()));
  }, 120_000);

  test("OPS-31 OPS-33 a server that is told to stop hands over what it runs at once", async () => {
    const [one] = firstAndLast(await fleet.followers("handed over"));
    fleet.hold();
    const handle = await one.run(LONG, { force: true, wait: false });
    await expect.poll(() => fleet.runner?.name, PATIENCE).toBeDefined();
    const runner = there(fleet.runner);
    await one.close();
    await fleet.stop(runner);
    runner.proxy.forgetRequests();
    // On one machine the next start goes on, among replicas the other one.
    if (fleet.berths.length === 1) await fleet.start(runner);
    const heir = there(fleet.berths.find(({ server }) => server !== null));
    await expect.poll(() => heir.proxy.requests.length, HANDED_OVER).toBeGreaterThan(0);
    fleet.letGo();
    const [next] = firstAndLast(await fleet.followers("handed over"));
    const wait = async () => (await next.poll(`wait(${handle})`, { wait: true })).signal;
    await expect.poll(wait, PATIENCE).toBe("!");
    await next.close();
  }, 120_000);
});
