import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHttpServer, type HttpServer } from "@plasm/http";
import { type Host, openHost } from "@plasm/host";
import { mountMcp } from "@plasm/mcp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixtureServer } from "./fixture-server.ts";
import { expectedFailures, REVISIONS, runSuite } from "./run-suite.ts";

let dir: string;
let host: Host;
let server: HttpServer;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-suite-"));
  host = await openHost({ dataDir: dir, catalogs: [], env: {} });
  const { engine, connections } = host;
  server = await startHttpServer({
    engine,
    mcp: mountMcp({ connections, served: fixtureServer }),
    host: "127.0.0.1",
    port: 0,
  });
});
afterAll(async () => {
  await server.close();
  await host.close();
  await rm(dir, { recursive: true, force: true });
});

/** How many checks of a scenario passed and failed, by its name. */
function summaryOf(stdout: string): ReadonlyMap<string, readonly [number, number]> {
  const lines = stdout.matchAll(/^\S ([\w-]+): (\d+) passed, (\d+) failed/gm);
  return new Map(
    [...lines].map(([, name = "", passed, failed]) => [name, [Number(passed), Number(failed)]]),
  );
}

/** How many scenarios the suite has for servers of a revision; more or fewer are another suite. */
const SCENARIOS = { "2025-11-25": 33, "2026-07-28": 50 } as const;

describe("SURF-1 the protocol's own suite on this server's transport", () => {
  it.each(REVISIONS)("%s: every scenario passes, but for those explained", async (revision) => {
    const { code, stdout, stderr } = await runSuite(server.url, revision);
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    const summary = [...summaryOf(stdout)];
    expect(summary).toHaveLength(SCENARIOS[revision]);
    // What is only reported does not change the exit code.
    const failed = summary.flatMap(([name, [, checks]]) => (checks === 0 ? [] : [name]));
    const expected = await expectedFailures(revision);
    expect(failed.toSorted(), stdout).toEqual(expected.toSorted());
  });
});
