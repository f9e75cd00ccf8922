import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { createHttpTransport } from "@plasm/runtime";
import { type SampleApis, startSampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir, type FaultProxy, startFaultProxy } from "@plasm/testkit";
import { caller } from "../engine-under-test.ts";
import { openEngine } from "../open-engine.ts";
import { impatientPorts } from "../performed/impatient-ports.ts";

/** What a caller was told of a run: its answer, or the problem it ended in. */
export interface ToldOf {
  readonly text: string;
  readonly code: string | null;
  readonly rows: readonly { readonly [column: string]: unknown }[];
  readonly partial: string | null;
  readonly next: string | null;
  /** the diagnostics of the answer's meta */
  readonly diagnostics: string;
}

/** An engine over the real quay API, with a proxy between them that goes wrong by script. */
export interface FaultyQuay {
  readonly proxy: FaultProxy;
  readonly apis: SampleApis;
  /** Opens a session, plans a program and runs it by its commit; the proxy goes by its script from then on. */
  run(program: string): Promise<ToldOf>;
  /** Another program of the last session: a page of its result. */
  more(program: string): Promise<ToldOf>;
  close(): Promise<void>;
}

const ENTITIES = ["Boat", "Person", "Visit", "Log", "Paper"];

async function told(
  engine: Engine,
  ref: string,
  program: string,
  plan: JsonObject | null,
): Promise<ToldOf> {
  const planCommitRef = plan?.["plan_commit_ref"];
  const commit = typeof planCommitRef === "string" ? { planCommitRef } : {};
  try {
    const { text, results, meta } = await engine.run(
      caller(),
      { kind: "ref", ref },
      { program, ...commit, wait: true },
    );
    const last = results.at(-1);
    const { rows = [], partial = null, next = null } = last ?? {};
    const diagnostics = JSON.stringify(meta["diagnostics"] ?? []);
    return { text, code: null, rows, partial, next, diagnostics };
  } catch (thrown) {
    const { text, errors } = engine.problemOf(thrown);
    const code = errors[0]?.code ?? "";
    return { text, code, rows: [], partial: null, next: null, diagnostics: "[]" };
  }
}

/** Starts quay, the proxy before it and an engine before that; back-off and Retry-After pass at once. */
export async function startFaultyQuay(): Promise<FaultyQuay> {
  const dir = mkdtempSync(join(tmpdir(), "plasm-faulty-"));
  const apis = await startSampleApis({ dataDir: join(dir, "apis"), ports: { quay: 0, yard: 0 } });
  const proxy = await startFaultProxy(apis.quay.url);
  const engine = await openEngine({
    dataDir: join(dir, "data"),
    catalogs: [fixtureCatalogDir("quay")],
    backends: new Map([["quay", proxy.url]]),
    ports: { ...impatientPorts(), transport: createHttpTransport() },
  });
  let ref = "";
  let sessions = 0;
  return {
    proxy,
    apis,
    run: async (program) => {
      const seeds = ENTITIES.map((entity) => ({ api: "quay", entity }));
      sessions += 1;
      const { meta } = await engine.context(caller(), { intent: `faults ${sessions}`, seeds });
      ref = String(meta["logical_session_ref"] as string);
      const plan = await engine.plan(caller(), { kind: "ref", ref }, program);
      return told(engine, ref, program, plan.meta);
    },
    more: (program) => told(engine, ref, program, null),
    close: async () => {
      await engine.close();
      await proxy.close();
      await apis.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
