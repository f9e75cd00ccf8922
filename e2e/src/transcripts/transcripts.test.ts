import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHttpServer } from "@plasm/http";
import { openHost } from "@plasm/mcp";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENTS, holdSession } from "./hold-session.ts";
import { STEPS } from "./session-steps.ts";
import { stable } from "./stable.ts";

let dir: string;
let apis: SampleApis;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-transcripts-"));
  apis = await startSampleApis({ dataDir: join(dir, "apis"), ports: { quay: 0, yard: 0 } });
});
afterAll(async () => {
  await apis.close();
  await rm(dir, { recursive: true, force: true });
});

/** A server that nobody has used, so that the first session is s0. */
async function startServer(name: string) {
  const host = await openHost({
    dataDir: join(dir, name),
    catalogs: [fixtureCatalogDir("quay"), fixtureCatalogDir("yard")],
    env: { PLASM_BACKEND_QUAY: apis.quay.url, PLASM_BACKEND_YARD: apis.yard.url },
  });
  const { engine, connections } = host;
  const server = await startHttpServer({ engine, connections, host: "127.0.0.1", port: 0 });
  const close = async (): Promise<void> => {
    await server.close();
    await host.close();
  };
  return { url: server.url, close };
}

describe("G10 SURF-1 docs/transcripts: discover, context, plan, run and wait", () => {
  it.each(CLIENTS)("as %s holds them", async (name) => {
    const server = await startServer(name);
    try {
      const page = stable(await holdSession(name, server.url), server.url);
      for (const said of ["plan review pc0", "wait(s0_o1)", "Boat · 35 rows"]) {
        expect(page).toContain(said);
      }
      for (const { tool, args } of STEPS) {
        // The Inspector takes arguments one by one.
        const sent = name === "inspector" ? tool : JSON.stringify(args);
        expect(page).toContain(sent);
      }
      const path = join(import.meta.dirname, `../../../docs/transcripts/${name}.md`);
      await expect(`${page}\n`).toMatchFileSnapshot(path);
    } finally {
      await server.close();
    }
  });
});
