import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startHttpServer } from "@plasm/http";
import { mountMcp } from "@plasm/mcp";
import { openHost } from "@plasm/host";
import { afterAll, expect, it } from "vitest";
import { serverClient } from "../server/server-client.ts";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, fixture, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { lookAtServer } from "./doctor.ts";

afterAll(cleanUp);

/** A server on quay behind a token, and its data directory. */
async function guardedServer() {
  const dataDir = await temporaryDirectory();
  const quay = join(await temporaryDirectory(), "quay");
  await cp(fixture("quay"), quay, { recursive: true });
  const domain = join(quay, "domain.yaml");
  const text = await readFile(domain, "utf8");
  await writeFile(domain, text.replace("scheme: none", "scheme: bearer_token, env: QUAY_TOKEN"));
  const host = await openHost({ dataDir, catalogs: [quay], env: {} });
  const { engine } = host;
  const server = await startHttpServer({ engine, mcp: mountMcp(host), host: "127.0.0.1", port: 0 });
  const close = async (): Promise<void> => {
    await server.close();
    await host.close();
  };
  return { dataDir, url: server.url, close };
}

it("RUN-183 says what a catalog without credential needs, until one is stored", async () => {
  const { dataDir, url, close } = await guardedServer();
  const told = async () => (await lookAtServer(serverClient({ server: url }))).slice(2);
  const catalogs = { state: "ok", text: "catalogs quay" };
  const needed = `on the server run plasm auth set quay, or set QUAY_TOKEN in its environment or env file and restart it`;
  expect(await told()).toEqual([
    catalogs,
    { state: "note", text: `quay has no credential: ${needed}` },
  ]);
  const auth = (...args: readonly string[]) =>
    runHere(["auth", ...args, "--data", dataDir], { cwd: dataDir, input: "s3cret" });
  expect((await auth("set", "quay")).code).toBe(0);
  expect(await told()).toEqual([catalogs]);
  expect((await auth("remove", "quay")).code).toBe(0);
  expect(await told()).toHaveLength(2);
  await close();
});

/** What is told of a server's store. */
async function toldOf(store: object) {
  const client = {
    ...serverClient({ server: "http://127.0.0.1:1" }),
    get: async (path: string) => ({
      text: JSON.stringify(path === "/v1/health" ? { status: "ok", store } : []),
      headers: new Headers(),
    }),
  };
  return (await lookAtServer(client))[1];
}

it("18.9 says how full the store is, and what to do before what is oldest goes", async () => {
  const { url, close } = await guardedServer();
  const [, held] = await lookAtServer(serverClient({ server: url }));
  expect(held?.state).toBe("ok");
  expect(held?.text).toMatch(/^store \d+ MB of 2048 MB$/);
  await close();
  expect(await toldOf({ used: 950, limit: 1000, on_disk: 950 })).toMatchObject({
    state: "note",
    text: expect.stringContaining("Raise PLASM_DATA_LIMIT"),
  });
});

const MB = 1024 * 1024;

it("18.6 says how many bytes of rows are on the disk beside the store, which count against its limit", async () => {
  const held = { used: 100 * MB, limit: 1_000 * MB, on_disk: 100 * MB };
  expect(await toldOf({ ...held, spilled: 0 })).toEqual({
    state: "ok",
    text: "store 100 MB of 1000 MB",
  });
  expect(await toldOf({ ...held, spilled: 12 * MB })).toEqual({
    state: "ok",
    text: "store 100 MB of 1000 MB, and 12 MB of rows of runs",
  });
  expect(await toldOf({ ...held, spilled: 850 * MB })).toMatchObject({ state: "note" });
});
