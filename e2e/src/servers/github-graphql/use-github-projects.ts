import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { envSecrets } from "@plasm/runtime";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { caller } from "../../engine/engine-under-test.ts";
import { openEngine } from "../../engine/open-engine.ts";
import { impatientPorts } from "../../engine/performed/impatient-ports.ts";
import { CATALOG_DIRECTORY, githubProjects } from "./catalog.ts";
import { type Garden, plantGarden } from "./seed.ts";
import { type GithubGraphql, startGithubGraphql, TOKEN } from "./start-github-graphql.ts";

/** How a program ended. */
export interface Ended {
  readonly results: readonly { readonly rows: readonly JsonObject[] }[];
  readonly meta: JsonObject;
  readonly text: string;
  readonly problem: Problem | null;
}

/** The shipped catalog in an engine, on a server whose garden is planted anew for each test. */
export interface GithubProjects {
  readonly garden: Garden;
  readonly server: GithubGraphql;
  run(program: string): Promise<Ended>;
  plan(program: string): Promise<string>;
}

async function start() {
  const dir = mkdtempSync(join(tmpdir(), "plasm-github-projects-"));
  const server = await startGithubGraphql(plantGarden().world);
  const engine = await openEngine({
    dataDir: join(dir, "data"),
    catalogs: [CATALOG_DIRECTORY],
    backends: new Map([["github-projects", server.url]]),
    // Back-off passes at once, but answers are awaited: a busy machine changes nothing.
    ports: {
      clock: impatientPorts().clock,
      secrets: envSecrets({ GITHUB_TOKEN: TOKEN }),
    },
  });
  const entities = [...githubProjects().cgs.entities.keys()];
  const seeds = entities.map((entity) => ({ api: "github-projects", entity }));
  const opened = await engine.context(caller(), { intent: "all", seeds, notation: "names" });
  const address = { kind: "ref", ref: opened.meta["logical_session_ref"] as string } as const;
  const run = async (program: string): Promise<Ended> => {
    try {
      const { results, meta, text } = await engine.run(caller(), address, {
        program,
        force: true,
        wait: true,
      });
      return { results, meta, text, problem: null };
    } catch (thrown) {
      const problem = engine.problemOf(thrown);
      return { results: [], meta: {}, text: problem.text, problem };
    }
  };
  return {
    server,
    run,
    plan: async (program: string) => (await engine.plan(caller(), address, program)).text,
    close: async () => {
      await engine.close();
      await server.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Starts one for the tests of a file. */
export function useGithubProjects(): () => GithubProjects {
  let started: Awaited<ReturnType<typeof start>> | undefined;
  let garden = plantGarden();
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.close());
  beforeEach(() => {
    garden = plantGarden();
    started?.server.use(garden.world);
    started?.server.befall(null);
    started?.server.asked.splice(0);
  });
  return () => {
    if (started === undefined) throw new Error("It has not started");
    return { ...started, garden };
  };
}
