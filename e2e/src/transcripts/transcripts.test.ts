import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSampleServer } from "../harness/sample-server.ts";
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

describe("G10 SURF-1 docs/transcripts: discover, context, plan, run and wait", () => {
  it.each(CLIENTS)("as %s holds them", async (name) => {
    const server = await startSampleServer(join(dir, name), apis);
    try {
      const page = stable(await holdSession(name, server.url), server.url);
      for (const said of ["plan ok pc0", "wait(s0_o1)", "Boat · 35 rows"]) {
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
