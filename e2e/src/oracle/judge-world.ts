import { type AgentSession, type Plasm, openPlasm } from "@plasm/agent-core";
import { openCatalog } from "@plasm/core";
import type { Registry, RegistryEntry } from "@plasm/runtime";
import { memoryStore } from "../../../packages/agent-core/src/testing/memory-store.ts";
import { type Got, faultOf } from "./compare.ts";
import { evaluate, type Expected, lostRows } from "./evaluate.ts";
import { isList, type World } from "./model.ts";
import { printProgram } from "./print-program.ts";
import type { Program } from "./program.ts";
import type { ServedWorld, Worlds } from "./serve-worlds.ts";
import { stateText } from "./state.ts";
import { writeCatalog } from "./write-catalog.ts";

/** What an engine did that it should not have, or did not that it should have. */
export interface Finding {
  readonly what: string;
  readonly program: string;
  readonly expected: string;
  readonly got: string;
  readonly plan: string;
  readonly requests: readonly string[];
}

function registryOf(entries: readonly RegistryEntry[]): Registry {
  return {
    list: () => entries,
    get: (id) => entries.find(({ catalog }) => catalog.entryId === id),
    find: () => ({ kind: "none", nearest: [] }),
    skipped: [],
  };
}

/** Loads the catalog of a served world as a directory would be. */
function entryOf(world: World, { base }: ServedWorld): RegistryEntry {
  const { domain, mappings } = writeCatalog(world, base);
  const files = {
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  };
  const { catalog, diagnostics } = openCatalog({ entryId: world.id, ...files });
  if (catalog === null) {
    const said = diagnostics.map(({ code, message }) => `${code} ${message}`);
    throw new Error(`the catalog of ${world.id} does not load: ${said.join("; ")}`);
  }
  return { catalog, path: world.id, domain, mappings, diagnostics };
}

const PAGES = 60;

type Answered = Awaited<ReturnType<AgentSession["run"]>>;
type Rows = Got["rows"];

/** A result with all rows that its handle leads to, unless effects may have changed what is behind it. */
async function wholeResult(
  session: AgentSession,
  answer: Answered,
  at: number,
  effects: number,
): Promise<Got | null> {
  const result = answer.results[at];
  if (result === undefined) return null;
  let { next, partial } = result;
  let { text } = answer;
  let rows: Rows = result.rows;
  const open = next !== null && effects > 0;
  for (let page = 0; next !== null && !open; page += 1) {
    if (page > PAGES) throw new Error("its pages do not end");
    const { results, text: said } = await session.run(`page(${next})`, { wait: true });
    const [more] = results;
    text += `\n${said}`;
    if (more === undefined) throw new Error("a page without result");
    rows = [...rows, ...more.rows];
    ({ next } = more);
    partial ??= more.partial;
  }
  return { columns: result.columns, rows, partial, open, text };
}

type Figure = { readonly exact: number } | { readonly max: number } | { readonly unknown: string };

interface Planned {
  readonly plan: {
    readonly bill: { readonly requests: Figure; readonly hydration: { readonly possible: number } };
  };
}

/** Whether so many requests are what was billed, with the gets that rows may need. */
function isBilled({ requests, hydration }: Planned["plan"]["bill"], sent: number): boolean {
  if ("exact" in requests && hydration.possible === 0) return sent === requests.exact;
  if ("unknown" in requests) return true;
  const most = "exact" in requests ? requests.exact : requests.max;
  return sent <= most + hydration.possible;
}

/** Whether answers leave out what their catalog says they have: nobody can bill the gets that complete rows. */
const isSilent = ({ capabilities, entities }: World): boolean =>
  entities.some(({ leavesNullsOut }) => leavesNullsOut) ||
  capabilities.some((each) => "reply" in each && each.reply === "key") ||
  capabilities.filter(isList).some(({ entity, provides }) => {
    const of = entities.find(({ name }) => name === entity);
    return !provides && of !== undefined && of.fields.some(({ detail }) => detail);
  });

const isLost = ({ state }: Expected): boolean => lostRows(state);

const message = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Runs a program, and says what is wrong with what it did; null if nothing is. */
async function judgeProgram(
  session: AgentSession,
  world: World,
  served: ServedWorld,
  program: Program,
): Promise<Finding | null> {
  const text = printProgram(world, program);
  const expected = evaluate(world, program);
  const requests: string[] = [];
  const seen = (): readonly string[] => {
    requests.push(...served.takeRequests());
    return requests;
  };
  let plan = "";
  const finding = (what: string, wanted: unknown, got: unknown): Finding => ({
    what,
    program: text,
    expected: typeof wanted === "string" ? wanted : JSON.stringify(wanted),
    got: typeof got === "string" ? got : JSON.stringify(got),
    plan,
    requests: seen(),
  });
  served.takeRequests();
  let answer: Answered;
  try {
    const planned = await session.plan(text);
    plan = `${planned.text}\n${JSON.stringify((planned.meta as unknown as Planned).plan.bill)}`;
    if (seen().length > 0) return finding("planning sends requests", "none", "some");
    answer = await session.run(planned, { wait: true });
    const { bill } = (planned.meta as unknown as Planned).plan;
    const sent = seen().length;
    if (!isSilent(world) && !isBilled(bill, sent))
      return finding("other requests than billed", bill.requests, sent);
  } catch (thrown) {
    if (isLost(expected) && message(thrown).includes("does not exist")) return null;
    // Two lists that fit equally well are told of before anything is sent (RUN-110).
    if (seen().length === 0 && message(thrown).includes("capability_ambiguous")) return null;
    return finding(
      "a program that is right fails",
      expected.results.map(({ table }) => rowsIn(table)),
      message(thrown),
    );
  }
  // What an effect took away is missed by what refers to it.
  if (isLost(expected) && answer.text.includes("does not exist")) return null;
  const failed = /\bfailed\b|\berror\b/.exec(JSON.stringify(answer.meta["nodes"] ?? []));
  if (failed !== null)
    return finding("a node of a program that is right fails", "done", answer.text);
  for (const [at, result] of expected.results.entries()) {
    let got: Got | null;
    try {
      got = await wholeResult(session, answer, at, expected.effects);
    } catch (thrown) {
      return finding("a page that is right fails", rowsIn(result.table), message(thrown));
    }
    if (got === null) return finding(`there is no result ${at}`, rowsIn(result.table), answer.text);
    const fault = faultOf(result, got);
    if (fault !== null)
      return finding(
        `result ${at}: ${fault}`,
        rowsIn(result.table),
        `${JSON.stringify(got.rows)}\n${answer.text}`,
      );
  }
  const [wanted, left] = [stateText(expected.state), stateText(served.state)];
  return wanted === left ? null : finding("the API is left in another state", wanted, left);
}

const rowsIn = ({ items }: { readonly items: readonly { readonly cells: unknown }[] }): unknown =>
  items.map(({ cells }) => cells);

/** Judges programs on a world of their own each, so that what one does no other sees. */
export async function judgeWorld(
  worlds: Worlds,
  world: World,
  programs: readonly Program[],
): Promise<Finding | null> {
  let served = worlds.serve(world);
  const entry = entryOf(world, served);
  const plasm: Plasm = await openPlasm({
    catalogs: registryOf([entry]),
    store: memoryStore(),
    env: {},
  });
  try {
    const session = plasm.session();
    const seeds = world.entities.map(({ name }) => ({ api: world.id, entity: name }));
    await session.context({ intent: "what the data says", seeds, notation: "names" });
    for (const program of programs) {
      const finding = await judgeProgram(session, world, served, program);
      if (finding !== null) return finding;
      served = worlds.serve(world);
    }
    return null;
  } finally {
    await plasm.close();
    served.remove();
  }
}
