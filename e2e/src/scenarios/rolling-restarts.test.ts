import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase } from "@plasm/testkit/postgres";
import { expect, inject, test } from "vitest";
import {
  boatSession,
  type HttpAnswer,
  pingsOf,
  post,
  startBoatEffects,
} from "../harness/boat-effects.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { type Endings, useStarted } from "../servers/endings.ts";

const RESTARTS = 8;
const CLIENTS = 4;
const PATIENCE = { timeout: 120_000, interval: 100 };

/** A place for a replica, which is restarted there. */
interface Replica {
  server: PlasmServer;
  ready: boolean;
  restart(): Promise<void>;
}

/** Sends each request to a replica that said of late that it is ready; one that breaks breaks the client's connection. */
async function startBalancer(replicas: readonly Replica[], endings: Endings): Promise<string> {
  let turn = 0;
  const relay = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const ready = replicas.filter((one) => one.ready);
    const to = ready[(turn += 1) % Math.max(1, ready.length)];
    if (to === undefined) return void incoming.socket.resetAndDestroy();
    const { method, url: path, headers } = incoming;
    const onward = { method, path, headers: { ...headers, host: new URL(to.server.url).host } };
    const passed = send(to.server.url, { ...onward, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.on("error", () => outgoing.destroy()).pipe(outgoing);
    });
    passed.on("error", () => incoming.socket.resetAndDestroy());
    incoming.pipe(passed);
  };
  const balancer = createServer(relay);
  await new Promise<void>((resolve) => balancer.listen(0, "127.0.0.1", resolve));
  const over = new AbortController();
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      for (const one of replicas) {
        const isReady = (response: Response): boolean => response.status === 200;
        one.ready = await fetch(`${one.server.url}/v1/health`).then(isReady, () => false);
      }
      await delay(200);
    }
  };
  const looking = look();
  endings.add(async () => {
    over.abort();
    await looking;
    balancer.closeAllConnections();
    await new Promise((resolve) => balancer.close(resolve));
  });
  return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
}

const world = useStarted(async (endings) => {
  const database = await createDatabase(inject("postgresUrl"));
  endings.add(() => database.drop());
  const api = await startBoatEffects(20);
  endings.add(() => api.close());
  const replica = async (name: string): Promise<Replica> => {
    const options = {
      dataDir: await endings.directory(name),
      catalogs: [fixtureCatalogDir("quay")],
      env: { PLASM_BACKEND_QUAY: api.url, PLASM_DATABASE_URL: database.url },
    };
    const one: Replica = {
      server: await startPlasmServer(options),
      ready: true,
      restart: async () => {
        await one.server.stop();
        one.server = await startPlasmServer(options, one.server.port);
      },
    };
    endings.add(() => one.server.stop());
    return one;
  };
  const replicas = await Promise.all([replica("one"), replica("other")]);
  return { api, replicas, url: await startBalancer(replicas, endings) };
});

/** A client that repeats what met a broken connection, and nothing else. */
async function retried<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch {
      await delay(100);
    }
  }
}

/** Plans and runs effects again and again until it is told to end; gives what it was answered last of each. */
async function client(name: string, ended: AbortSignal) {
  const { url } = world();
  const answers: HttpAnswer[] = [];
  const expected: string[] = [];
  const session = await retried(() => boatSession(url, name));
  for (let n = 0; !ended.aborted; n += 1) {
    const { program, performed } = pingsOf(`${name}-${n}`, 3);
    const planned = await retried(() => post(url, session, { program }));
    const [, ref = ""] = /"plan_commit_ref":"(pc\d+)"/.exec(planned.text) ?? [];
    const asked = { program, plan_commit_ref: ref, wait: true };
    const told = await retried(() => post(url, session, asked));
    answers.push(planned, told);
    expected.push(...performed);
  }
  return { answers, expected };
}

test(
  "18.10 a client that repeats only what met a broken connection notices nothing of eight rolling restarts under load",
  async () => {
    const { api, replicas } = world();
    const over = new AbortController();
    const clients = Array.from({ length: CLIENTS }, (_none, n) => client(`c${n}`, over.signal));
    for (let n = 0; n < RESTARTS; n += 1) {
      const one = replicas[n % replicas.length];
      if (one === undefined) throw new Error("two replicas");
      await one.restart();
      await expect.poll(() => replicas.every(({ ready }) => ready), PATIENCE).toBe(true);
    }
    over.abort();
    const all = await Promise.all(clients);
    const statuses = new Set(all.flatMap(({ answers }) => answers.map(({ status }) => status)));
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 409]);
    const expected = all.flatMap((one) => one.expected);
    expect(expected.length).toBeGreaterThan(RESTARTS * CLIENTS);
    expect(api.performed.toSorted()).toEqual(expected.toSorted());
  },
  PATIENCE.timeout * RESTARTS,
);
