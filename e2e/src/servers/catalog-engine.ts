import type { JsonObject } from "@plasm/core";
import type { Caller, Engine } from "@plasm/agent-core";
import { type CatalogName, catalogDirectory, openPublishedCatalogs } from "@plasm/catalogs";
import { envSecrets } from "@plasm/runtime";
import { openEngine } from "../engine/open-engine.ts";

/** What a program gave: the rows of each result, and the capabilities that its plan names. */
export interface ProgramRun {
  readonly results: readonly (readonly JsonObject[])[];
  readonly capabilities: readonly string[];
  readonly text: string;
}

/** One catalog on one server, in a session that knows all of its entities. */
export interface CatalogEngine {
  /** every capability, in code point order */
  readonly capabilities: readonly string[];
  /** Plans a program; throws what a surface would answer with. */
  plan(program: string): Promise<void>;
  /** Runs a program whatever its review; throws what a surface would answer with. */
  run(program: string): Promise<ProgramRun>;
  close(): Promise<void>;
}

const CALLER: Caller = { scope: "t1", subject: "ann", connection: null };
const SESSION = { kind: "ref", ref: "s0" } as const;

interface Planned {
  readonly nodes: readonly { readonly capability?: string | null }[];
}

/** What an engine throws, with the text that a surface would show. */
async function told<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw new Error(engine.problemOf(thrown).text, { cause: thrown });
  }
}

async function runOn(engine: Engine, program: string): Promise<ProgramRun> {
  const { meta } = await engine.plan(CALLER, SESSION, program);
  const answer = await engine.run(CALLER, SESSION, { program, force: true, wait: true });
  const { nodes } = meta["plan"] as unknown as Planned;
  const capabilities = nodes.flatMap(({ capability }) => capability ?? []);
  return { results: answer.results.map(({ rows }) => rows), capabilities, text: answer.text };
}

export interface CatalogEngineOptions {
  /** a changed copy of the catalog's directory, under the same name */
  readonly directory?: string;
  /** where credentials are */
  readonly env?: Readonly<Record<string, string>>;
}

/** Opens an engine on the shipped catalog and a server's address. */
export async function openCatalogEngine(
  name: CatalogName,
  backend: string,
  dataDir: string,
  { directory = catalogDirectory(name), env = {} }: CatalogEngineOptions = {},
): Promise<CatalogEngine> {
  const engine = await openEngine({
    dataDir,
    catalogs: [directory],
    backends: new Map([[name, backend]]),
    ports: { secrets: envSecrets(env) },
  });
  const entry = (await openPublishedCatalogs([name])).get(name);
  if (entry === undefined) throw new Error(`no catalog ${name}`);
  const { cgs } = entry.catalog;
  const seeds = [...cgs.entities.values()]
    .filter((entity) => !entity.abstract)
    .map((entity) => ({ api: name, entity: entity.name }));
  await engine.context(CALLER, { intent: `all of ${name}`, seeds });
  return {
    capabilities: [...cgs.capabilities.keys()].toSorted(),
    plan: (program) => told(engine, async () => void (await engine.plan(CALLER, SESSION, program))),
    run: (program) => told(engine, () => runOn(engine, program)),
    close: () => engine.close(),
  };
}
