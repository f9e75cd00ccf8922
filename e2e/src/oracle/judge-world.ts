import { type AgentSession, type Plasm, openPlasm } from "@plasm/agent-core";
import { openCatalog } from "@plasm/core";
import type { Registry, RegistryEntry } from "@plasm/runtime";
import { testStore } from "../../../packages/agent-core/test/test-store.ts";
import { type Got, faultOf } from "./compare.ts";
import { evaluate, type Expected, lostRows } from "./evaluate.ts";
import { catalogsOf, isList, type World } from "./model.ts";
import { type Names, plainNames, taughtNames, Untaught } from "./names.ts";
import { printProgram } from "./print-program.ts";
import type { Mistake, Program } from "./program.ts";
import { unaskedFilter } from "./asked-for.ts";
import { predictRequests, requestText } from "./predict-requests.ts";
import type { Logged, ServedWorld, Worlds } from "./serve-worlds.ts";
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
function entryOf(world: World, id: string, { base }: ServedWorld): RegistryEntry {
  const { domain, mappings } = writeCatalog(world, id, base);
  const files = {
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  };
  const { catalog, diagnostics } = openCatalog({ entryId: id, ...files });
  if (catalog === null) {
    const said = diagnostics.map(({ code, message }) => `${code} ${message}`);
    throw new Error(`the catalog ${id} of ${world.id} does not load: ${said.join("; ")}`);
  }
  return { catalog, path: id, domain, mappings, diagnostics };
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
    readonly bill: {
      readonly requests: Figure;
      readonly effects: Figure;
      readonly hydration: { readonly possible: number };
    };
  };
}

/** Whether two lists have the same texts, in whatever order. */
const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted());

const isFigure = (figure: Figure, count: number): boolean => {
  if ("unknown" in figure) return true;
  return "exact" in figure ? figure.exact === count : count <= figure.max;
};

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

const isFailed = (meta: Answered["meta"]): boolean =>
  /\bfailed\b|\berror\b/.test(JSON.stringify(meta["nodes"] ?? []));

/** What is wrong with how a program is refused that means nothing; null if it is refused as it should be. */
async function isTaken(
  session: AgentSession,
  text: string,
  found: Mistake["found"],
): Promise<string | null> {
  const run = async (): Promise<boolean> => {
    const { meta } = await session.run(text, { wait: true, force: true });
    return !isFailed(meta);
  };
  const plan = async (): Promise<boolean> => (await session.plan(text)).meta !== null;
  for (const attempt of found === "planned" ? [plan, run] : [run]) {
    try {
      if (!(await attempt())) continue;
      return "a program that means nothing is taken";
    } catch (thrown) {
      if (/internal/i.test(message(thrown)))
        return "a program that means nothing breaks the engine";
    }
  }
  return null;
}

/** A program in the session's notation; null where its table lacks a name that it needs. */
function printed(names: Names, program: Program): string | null {
  try {
    return printProgram(names, program);
  } catch (thrown) {
    if (thrown instanceof Untaught) return null;
    throw thrown;
  }
}

function untaught({ world }: Names, program: Program): Finding {
  const text = printProgram(plainNames(world), program);
  const what = "the table lacks a name that a program needs";
  return { what, program: text, expected: "", got: "", plan: "", requests: [] };
}

/** Runs a program, and says what is wrong with what it did; null if nothing is. */
async function judgeProgram(
  session: AgentSession,
  names: Names,
  served: ServedWorld,
  program: Program,
): Promise<Finding | null> {
  const { world } = names;
  const text = printed(names, program);
  if (text === null) return untaught(names, program);
  const expected = evaluate(world, program);
  const requests: Logged[] = [];
  const seen = (): readonly Logged[] => {
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
    requests: seen().map(({ method, path, query, body }) =>
      `${method} ${path}?${query.toString()} ${body}`.replace(/\?? *$/, ""),
    ),
  });
  served.takeRequests();
  if (program.mistake !== null) {
    const { found } = program.mistake;
    const taken = await isTaken(session, text, found);
    if (taken !== null) return finding(taken, "refused", "taken");
    const sent = seen().filter(({ effect }) => effect !== null || found === "planned");
    return sent.length === 0 ? null : finding("what is refused sends requests", "none", "some");
  }
  let answer: Answered;
  try {
    const planned = await session.plan(text);
    plan = `${planned.text}\n${JSON.stringify((planned.meta as unknown as Planned).plan.bill)}`;
    if (seen().length > 0) return finding("planning sends requests", "none", "some");
    answer = await session.run(planned, { wait: true });
    const { bill } = (planned.meta as unknown as Planned).plan;
    const sent = seen();
    if (!isSilent(world) && !isBilled(bill, sent.length))
      return finding("other requests than billed", bill.requests, sent.length);
    const done = sent.flatMap(({ effect }) => (effect === null ? [] : [effect]));
    if (!sameTexts(expected.effects, done))
      return finding("other effects than the program has", expected.effects, done);
    if (!isFigure(bill.effects, done.length))
      return finding("other effects than billed", bill.effects, done.length);
    const strange = unaskedFilter(world, program, sent);
    if (strange !== null)
      return finding("it asks for what the program does not", "nothing more", strange);
    const wanted = expected.effects.length > 0 ? null : predictRequests(world, program);
    const asked = sent.map((each) => requestText(each.method, each.path, each.query, each.body));
    if (wanted !== null && !sameTexts(wanted, asked))
      return finding("other requests than the data says", wanted, asked);
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
  if (isFailed(answer.meta))
    return finding("a node of a program that is right fails", "done", answer.text);
  for (const [at, result] of expected.results.entries()) {
    let got: Got | null;
    try {
      got = await wholeResult(session, answer, at, expected.effects.length);
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
  const entries = catalogsOf(world).map((id) => entryOf(world, id, served));
  const plasm: Plasm = await openPlasm({
    catalogs: registryOf(entries),
    store: testStore(),
    env: {},
  });
  try {
    const session = plasm.session();
    const seeds = world.entities.map(({ name, catalog }) => ({ api: catalog, entity: name }));
    const { notation } = world;
    const taught = await session.context({ intent: "what the data says", seeds, notation });
    const names = notation === "symbols" ? taughtNames(world, taught.text) : plainNames(world);
    for (const program of programs) {
      const finding = await judgeProgram(session, names, served, program);
      if (finding !== null) return finding;
      served = worlds.serve(world);
    }
    return null;
  } finally {
    await plasm.close();
    served.remove();
  }
}
