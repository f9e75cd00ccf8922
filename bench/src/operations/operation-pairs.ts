import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOCAL, type Engine, type RunAnswer, type SessionAddress } from "@plasm/agent-core";
import { compileProgram } from "@plasm/core";
import { openHost } from "@plasm/host";
import { startSampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import type { Pair } from "../pair.ts";
import { quayCatalog, wholeExposure } from "../quay.ts";

export interface OperationPairs {
  readonly pairs: readonly Pair[];
  /** Ends what runs and removes what it kept. */
  close(): Promise<void>;
}

const LINES = ["ann", "ben", "cid", "dan", "eve", "fay"].map(
  (owner) => `Boat{owner=${owner}}.sort(length, desc)[id, name]`,
);

/** Six reads, each sorted and projected, and two gets. */
const TWENTY_NODES = [...LINES, 'Boat("b1")', 'Boat("b2")'].join("\n");

const ONE = 'Boat("b1")';
/** The API does not answer it as long as the benchmark goes on. */
const ENDLESS = 'Boat("b9")';

const HERE: SessionAddress = { kind: "ref", ref: "s0" };
const MANY = "999999";

const run = (engine: Engine, program: string, wait?: boolean): Promise<RunAnswer> =>
  engine.run(LOCAL, HERE, { program, force: true, ...(wait === undefined ? {} : { wait }) });

const handleIn = ({ text }: RunAnswer): string => {
  const handle = /^wait\((\w+)\)/.exec(text)?.[1];
  if (handle === undefined) throw new Error(`Not accepted: ${text}`);
  return handle;
};

/** The commit of the same plan, made by the pure half alone: a dry run must come to the same. */
function pureCommit(): () => string {
  const exposure = wholeExposure(quayCatalog());
  return () => {
    const compiled = compileProgram(TWENTY_NODES, exposure);
    if (compiled.kind !== "plan" || compiled.plan.nodes.length !== 20) {
      throw new Error("The program of 20 nodes has others");
    }
    return compiled.plan.commit;
  };
}

const dryRunPair = (engine: Engine): Pair => ({
  name: "dry run",
  ours: {
    what: "dry run of a plan of 20 nodes, its ref kept in SQLite",
    run: () => engine.plan(LOCAL, HERE, TWENTY_NODES),
  },
  base: { what: "parse, check, plan and hash it", run: pureCommit() },
});

function acceptPair(engine: Engine): Pair {
  let handle = "";
  return {
    name: "accept",
    ours: {
      what: "accept an operation",
      run: async () => {
        handle = handleIn(await run(engine, ONE, false));
      },
      after: async () => void (await run(engine, `wait(${handle})`, true)),
    },
    base: { what: "dry run of the same", run: () => engine.plan(LOCAL, HERE, ONE) },
  };
}

async function waitPairs(engine: Engine): Promise<readonly Pair[]> {
  const ended = handleIn(await run(engine, ONE, false));
  const { meta } = await run(engine, `wait(${ended})`, true);
  const [step] = meta["steps"] as readonly { readonly artifact_uri: string }[];
  const uri = step?.artifact_uri ?? "";
  const endless = handleIn(await run(engine, ENDLESS, false));
  const base = { what: "read a snapshot", run: () => engine.readResource(LOCAL, uri) };
  return [
    {
      name: "wait, ended",
      ours: { what: "wait for what has ended", run: () => run(engine, `wait(${ended})`) },
      base,
    },
    {
      name: "wait, at once",
      ours: { what: "wait=false for what runs", run: () => run(engine, `wait(${endless})`, false) },
      base,
    },
  ];
}

/** What one call about an operation takes, in process, with the embedded store. */
export async function operationPairs(): Promise<OperationPairs> {
  const dir = await mkdtemp(join(tmpdir(), "plasm-bench-"));
  const ends: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  let letGo: () => void = () => undefined;
  const closing = new Promise<void>((resolve) => (letGo = resolve));
  const apis = await startSampleApis({
    dataDir: join(dir, "apis"),
    ports: { quay: 0, yard: 0 },
    keepRequests: 0,
    onRequest: ({ path }) => (path === "/boats/b9" ? closing : undefined),
  });
  ends.push(() => apis.close());
  try {
    const host = await openHost({
      dataDir: join(dir, "data"),
      catalogs: [fixtureCatalogDir("quay")],
      env: {
        PLASM_BACKEND_QUAY: apis.quay.url,
        PLASM_OPERATIONS_PER_SESSION: MANY,
        PLASM_OPERATIONS_PER_TENANT: MANY,
      },
    });
    ends.push(async () => {
      letGo();
      await host.close();
    });
    const { engine } = host;
    const seeds = [{ api: "quay", entity: "Boat" }];
    await engine.context(LOCAL, { intent: "benchmark", seeds, notation: "names" });
    const pairs = [dryRunPair(engine), acceptPair(engine), ...(await waitPairs(engine))];
    return { pairs, close };
  } catch (error) {
    await close();
    throw error;
  }
}
