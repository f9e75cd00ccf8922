import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startHttpServer } from "@plasm/http";
import { openHost } from "@plasm/mcp";
import { afterAll, expect, it } from "vitest";
import { serverClient } from "../server/server-client.ts";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, fixture, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { lookAtServer } from "./look-at-server.ts";

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
  const { engine, connections } = host;
  const server = await startHttpServer({ engine, connections, host: "127.0.0.1", port: 0 });
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

it("18.9 says how full the store is, and what to do before what is oldest goes", async () => {
  const { url, close } = await guardedServer();
  const [, held] = await lookAtServer(serverClient({ server: url }));
  expect(held?.state).toBe("ok");
  expect(held?.text).toMatch(/^store \d+ MB of 2048 MB$/);
  await close();
  const full = { status: "ok", store: { used: 950, limit: 1000, on_disk: 950 } };
  const client = {
    ...serverClient({ server: url }),
    get: async (path: string) => ({
      text: JSON.stringify(path === "/v1/health" ? full : []),
      headers: new Headers(),
    }),
  };
  const findings = await lookAtServer(client);
  expect(findings[1]).toMatchObject({
    state: "note",
    text: expect.stringContaining("Raise PLASM_DATA_LIMIT"),
  });
});
