import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, LOCAL } from "@plasm/agent-core";
import { INSTRUCTIONS, tokenCounter, TOOLS } from "@plasm/agent-core/internal";
import { catalogDirectory } from "@plasm/catalogs";
import { unchangedNotice } from "@plasm/core/internal";
import { openHost } from "@plasm/host";
import { fixtureCatalogDir } from "@plasm/testkit";

/** A figure of TEACH-41 beside the most it may be, in o200k tokens. */
export interface SessionCost {
  readonly name: string;
  readonly tokens: number;
  readonly most: number;
}

/** What the surfaces add to the notice where a connection has not seen the tables (SESS-19). */
const HINT = "This connection has not seen the tables; replay:true sends them.";

interface Seed {
  readonly api: string;
  readonly entity: string;
}

async function seedsOf(engine: Engine, apis: readonly string[]): Promise<readonly Seed[]> {
  const seeds: Seed[] = [];
  for (const api of apis) {
    const { entities } = (await engine.registryEntry(LOCAL, api)) as {
      readonly entities: readonly { readonly entity: string }[];
    };
    seeds.push(...entities.map(({ entity }) => ({ api, entity })));
  }
  return seeds;
}

const open = (engine: Engine, seeds: readonly Seed[]) =>
  engine.context(LOCAL, { intent: `all of ${seeds[0]?.api ?? ""}`, seeds });

const HEADING = /^(?:Added from )?[a-z]+: e\d/;

/** What an answer says outside of its tables and their headings. */
function contractOf(text: string): string {
  let table = false;
  const lines = text.split("\n").filter((line) => {
    const fence = line.startsWith("```");
    if (fence) table = !table;
    return !fence && !table && !HEADING.test(line) && !line.startsWith("logical_session_ref");
  });
  return lines.join("\n");
}

/** What a session costs beside its rows, read off a real host's answers (TEACH-41, G9, A1). */
export async function measureSession(): Promise<readonly SessionCost[]> {
  const count = await tokenCounter();
  const dir = await mkdtemp(join(tmpdir(), "plasm-session-costs-"));
  const host = await openHost({
    dataDir: dir,
    catalogs: [fixtureCatalogDir("quay"), fixtureCatalogDir("yard"), catalogDirectory("github")],
    env: {},
  });
  try {
    const instructions = count(INSTRUCTIONS);
    const tools = count(JSON.stringify(TOOLS.map(({ definition }) => definition)));
    const all = await seedsOf(host.engine, ["quay", "yard"]);
    const contract = count(contractOf((await open(host.engine, all)).text));
    const seeds = await seedsOf(host.engine, ["github"]);
    await open(host.engine, seeds);
    const reopened = await open(host.engine, seeds);
    const names = seeds.map(({ entity }) => entity);
    return [
      { name: "server instructions", tokens: instructions, most: 120 },
      { name: "tool definitions", tokens: tools, most: 500 },
      { name: "contract, all parts", tokens: contract, most: 640 },
      { name: "fixed cost, the sum", tokens: instructions + tools + contract, most: 1_240 },
      {
        name: "unchanged notice, 36 entities",
        tokens: count(unchangedNotice("s0", names, "symbols", [HINT], count)),
        most: 60,
      },
      { name: "reopening, 36 entities", tokens: count(reopened.text), most: 80 },
    ];
  } finally {
    await host.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** The figures as lines a reader compares at a glance. */
export function sessionText(costs: readonly SessionCost[]): string {
  const lines = costs.map(({ name, tokens, most }) => {
    return `${String(tokens).padStart(10)}${String(most).padStart(10)}  ${name}`;
  });
  return [`${"tokens".padStart(10)}${"at most".padStart(10)}  once a session`, ...lines].join("\n");
}
