import type { StructuredResult } from "@plasm/agent-core";
import type { Capability, Catalog } from "@plasm/core";
import { keyParts } from "@plasm/core/internal";
import { type CapabilityTool, capabilityTools } from "./capability-tools.ts";
import type { EvalTask } from "./task-set.ts";
import { trialCaller, type World } from "./trial.ts";

/** Characters of one result: what hosts show of one. */
const MOST_RESULT = 40_000;

const NEXT_PAGE = {
  name: "next_page",
  description: "the rows that follow those of a result with a next",
  inputSchema: { type: "object", properties: { next: { type: "string" } }, required: ["next"] },
};

/** A call as a model writes it. */
export interface OperationCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Operation {
  readonly catalog: Catalog;
  readonly capability: Capability;
}

/** The operations that are tools, by the names of those. */
function operationsOf(catalogs: readonly Catalog[]): ReadonlyMap<string, Operation> {
  return new Map(
    catalogs.flatMap((catalog) =>
      [...catalog.cgs.capabilities.values()].map(
        (capability) => [`${catalog.entryId}_${capability.name}`, { catalog, capability }] as const,
      ),
    ),
  );
}

/** The operations that a task is offered: on the entities that its seeds name, as if a search had found them; without seeds all. */
function operationsFor(
  { seeds }: EvalTask,
  catalogs: readonly Catalog[],
): ReadonlyMap<string, Operation> {
  const isNamed = ({ catalog, capability }: Operation): boolean =>
    seeds === undefined ||
    seeds.some(
      ({ api, entity }) =>
        (api === undefined || api === catalog.entryId) && entity === capability.entity,
    );
  return new Map([...operationsOf(catalogs)].filter(([, operation]) => isNamed(operation)));
}

const written = (value: unknown): string => JSON.stringify(value ?? null);

/** A call as a program of one statement, which is how the engine carries it out. */
function programOf(
  { catalog, capability }: Operation,
  given: Readonly<Record<string, unknown>>,
  isAlone: boolean,
): string {
  const { entity: name, label, kind, needsIdentity } = capability;
  const entity = catalog.cgs.entities.get(name);
  const called = isAlone ? name : `${catalog.entryId}.${name}`;
  const onRow = needsIdentity && !["query", "search", "create"].includes(kind);
  const parts = onRow && entity !== undefined ? keyParts(entity) : [];
  const key =
    parts.length === 1
      ? written(given[parts[0] ?? ""])
      : parts.map((part) => `${part}=${written(given[part])}`).join(", ");
  const args = Object.entries(given)
    .filter(([argument]) => !parts.includes(argument))
    .map(([argument, value]) => `${argument}=${written(value)}`);
  return `${called}${onRow ? `(${key})` : ""}.${label}(${args.join(", ")})`;
}

/** What is answered, as rows that can be compared with what is right. */
export function resultOf(answer: unknown): StructuredResult {
  const list = Array.isArray(answer) ? (answer as readonly unknown[]) : [answer];
  const rows = list.map((one) =>
    isMembers(one)
      ? one
      : Object.fromEntries((Array.isArray(one) ? one : [one]).map((cell, at) => [`c${at}`, cell])),
  ) as StructuredResult["rows"];
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return {
    name: "answer",
    columns,
    rows,
    row_count: rows.length,
    partial: null,
    snapshot: null,
    next: null,
  };
}

const effectsOf = (meta: object): readonly unknown[] =>
  (meta as { readonly effects?: readonly unknown[] }).effects ?? [];

/** What came of a call: its rows and the next of a page, or why there are none. */
export interface Called {
  readonly result:
    | { readonly rows: readonly unknown[]; readonly next?: string; readonly partial?: unknown }
    | { readonly error: string };
  readonly hasChanged: boolean;
}

/** A tool, and what its rows are. */
export interface OfferedTool {
  readonly tool: CapabilityTool;
  readonly entity: string;
}

/** The operations of the APIs, as one trial may call them. */
export interface OperationCalls {
  readonly tools: readonly OfferedTool[];
  call(call: OperationCall): Promise<Called>;
}

/** A result as text, as much of it as hosts show. */
export const shownResult = ({ result }: Called): string =>
  JSON.stringify(result).slice(0, MOST_RESULT);

/** The catalogs whose operations a task is offered: those of its seeds, else all. */
function catalogsFor({ catalogs }: World, { seeds = [] }: EvalTask): readonly Catalog[] {
  const named = new Set(seeds.map(({ api }) => api));
  const chosen = catalogs.filter(({ entryId }) => named.has(entryId));
  return chosen.length === 0 || named.has(undefined) ? catalogs : chosen;
}

/** Opens what calls the operations that a task is offered, and says what they are: with `outputs` what they answer with, too. */
export async function openCalls(
  world: World,
  task: EvalTask,
  { outputs }: { readonly outputs: boolean },
): Promise<OperationCalls> {
  const { engine } = world;
  const catalogs = catalogsFor(world, task);
  const caller = trialCaller();
  const seeds = catalogs.flatMap(({ entryId, cgs }) =>
    [...cgs.entities.values()]
      .filter((entity) => !entity.abstract)
      .map(({ name }) => ({ api: entryId, entity: name })),
  );
  const { meta } = await engine.context(caller, { intent: task.goal, seeds, notation: "names" });
  const { logical_session_ref: ref } = meta;
  if (ref === null) throw new Error("a session that was opened has no ref");
  const operations = operationsFor(task, catalogs);
  const call: OperationCalls["call"] = async ({ tool, arguments: given }) => {
    const operation = operations.get(tool);
    if (operation === undefined && tool !== NEXT_PAGE.name)
      return { result: { error: `There is no tool ${tool}.` }, hasChanged: false };
    const program =
      operation === undefined
        ? `page(${String(given["next"])})`
        : programOf(operation, given, catalogs.length === 1);
    try {
      const { results, meta: done } = await engine.run(
        caller,
        { kind: "ref", ref },
        { program, force: true, wait: true },
      );
      const [first] = results;
      const result = {
        rows: first?.rows ?? [],
        ...(first === undefined || first.next === null ? {} : { next: first.next }),
        ...(first === undefined || first.partial === null ? {} : { partial: first.partial }),
      };
      return { result, hasChanged: effectsOf(done).length > 0 };
    } catch (thrown) {
      return { result: { error: engine.problemOf(thrown).text }, hasChanged: false };
    }
  };
  const tools = catalogs
    .flatMap((catalog) => [...capabilityTools(catalog, { outputs })])
    .filter(({ name }) => operations.has(name))
    .map((tool) => ({ tool, entity: operations.get(tool.name)?.capability.entity ?? "Row" }));
  return { tools: [...tools, { tool: NEXT_PAGE, entity: "Row" }], call };
}
