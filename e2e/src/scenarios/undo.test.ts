import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { berthsCatalog } from "@plasm/testkit";
import { type Berths, makeBerths, startServer, type TestServer } from "@plasm/testkit/servers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { commandLineTalk } from "../harness/command-line-talk.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import type { PlasmOptions } from "../harness/plasm-command.ts";
import { type PlasmServer, startPlasmServer } from "../harness/plasm-server.ts";
import { connect } from "../harness/surfaces.ts";

let dir: string;
let berths: Berths = makeBerths();
let api: TestServer;
let server: PlasmServer;
let options: PlasmOptions;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-undo-"));
  const catalog = join(dir, "berths");
  await mkdir(catalog);
  await writeFile(join(catalog, "domain.yaml"), berthsCatalog.domain);
  await writeFile(join(catalog, "mappings.yaml"), berthsCatalog.mappings);
  api = await startServer(({ method, path, query, body }) =>
    berths.answer(method, path, query, body),
  );
  options = {
    dataDir: join(dir, "data"),
    catalogs: [catalog],
    env: { PLASM_BACKEND_BERTHS: api.url },
  };
  server = await startPlasmServer(options);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await api.close();
  await rm(dir, { recursive: true, force: true });
});
beforeEach(() => {
  berths = makeBerths();
});

const PROGRAM = 'Berth("a").update(name="A")\nBerth("b").fill()\nBerth("c").ring()';

describe("undo by the text of a program alone (UNDO-05)", () => {
  test.each(["MCP 2025 over HTTP", "MCP 2026 over HTTP", "HTTP"] as const)(
    "%s",
    async (surface) => {
      const before = berths.dump();
      const agent = await connect(surface, { url: server.url, options });
      const { ref } = await openSession(agent, `${surface}: undo`, seedsOf("berths", "Berth"));
      await agent.plan(ref, PROGRAM);
      await agent.run(ref, PROGRAM, { plan_commit_ref: "pc0" });
      expect(berths.dump()).not.toBe(before);
      const planned = await agent.plan(ref, "undo(pc0)");
      expect(planned.text).toContain("not undone 3 ring berths.Berth c: nothing undoes it");
      const explained = await agent.run(ref, "undo(pc0)", { mode: "explain" });
      expect(explained.text).toContain('name "A" → "Berth a"');
      const run = await agent.run(ref, "undo(pc0)", { plan_commit_ref: "pc1" });
      expect(run.text).toContain("done dig berths.Berth b\ndone update berths.Berth a");
      expect(berths.dump()).toBe(before);
      await agent.close();
    },
    180_000,
  );

  test("the command line", async () => {
    const before = berths.dump();
    const seeds = seedsOf("berths", "Berth");
    const talk = await commandLineTalk(server.url, { intent: "undo by command", seeds });
    await talk.plan(PROGRAM);
    expect((await talk.run(PROGRAM, { plan_commit_ref: "pc0" })).outcome).toBe("done");
    expect(await talk.run("undo(pc0)")).toMatchObject({ outcome: "review" });
    expect((await talk.run("undo(pc0)", { plan_commit_ref: "pc1" })).outcome).toBe("done");
    expect(berths.dump()).toBe(before);
    await talk.close();
  }, 180_000);
});
