import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, LOCAL, type RunAnswer, type SessionAddress } from "@plasm/agent-core";
import { openHost } from "@plasm/host";
import { type SampleApis, startSampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import type { EconomyTask, Facts } from "./economy-task.ts";
import { readFacts } from "./read-facts.ts";

/** What a task cost, beside what it must cost and what a client without Plasm's care would. */
export interface TaskCost {
  readonly name: string;
  readonly program: string;
  readonly rows: number;
  readonly sent: number;
  readonly least: number;
  readonly hydration: number;
  readonly one_get_per_row: number;
}

interface World {
  readonly engine: Engine;
  readonly apis: SampleApis;
  readonly facts: Facts;
}

const QUAY = ["Boat", "Log", "Office", "Paper", "Person", "Visit"];
const seedsOf = ({ both }: EconomyTask) =>
  both === true
    ? ["quay", "yard"].map((api) => ({ api, entity: "Boat" }))
    : QUAY.map((entity) => ({ api: "quay", entity }));

/** A session of its own, so that no task has what another one read. */
async function sessionOf(engine: Engine, task: EconomyTask): Promise<SessionAddress> {
  const request = { intent: `economy: ${task.name}`, seeds: seedsOf(task) };
  const { meta } = await engine.context(LOCAL, request);
  return { kind: "ref", ref: String(meta["logical_session_ref"] as string) };
}

async function answersOf(engine: Engine, task: EconomyTask): Promise<readonly RunAnswer[]> {
  const address = await sessionOf(engine, task);
  const { program } = task;
  const planned = await engine.plan(LOCAL, address, program);
  const planCommitRef = String(planned.meta["plan_commit_ref"] as string);
  const answers = [await engine.run(LOCAL, address, { program, planCommitRef, wait: true })];
  for (let page = 0; page < (task.morePages ?? 0); page++) {
    const handle = answers.at(-1)?.results.at(-1)?.next ?? "";
    const next = { program: `page(${handle})`, wait: true };
    answers.push(await engine.run(LOCAL, address, next));
  }
  return answers;
}

/** Runs a task on fresh data and counts the requests that reach the APIs. */
async function costOf({ engine, apis, facts }: World, task: EconomyTask): Promise<TaskCost> {
  await apis.reset();
  const answers = await answersOf(engine, task);
  const least = task.least(facts);
  return {
    name: task.name,
    program: task.program,
    rows: answers.reduce((rows, { results }) => rows + (results.at(-1)?.row_count ?? 0), 0),
    sent: apis.requests.length,
    least,
    hydration: task.hydration?.(facts) ?? 0,
    one_get_per_row: least + task.listed(facts),
  };
}

/** Runs tasks over the sample APIs, each in a session of its own; `facts` are what the APIs hold. */
export async function measureEconomy(
  tasks: readonly EconomyTask[],
): Promise<{ readonly facts: Facts; readonly costs: readonly TaskCost[] }> {
  const dir = await mkdtemp(join(tmpdir(), "plasm-economy-"));
  const apis = await startSampleApis({ dataDir: join(dir, "apis"), ports: { quay: 0, yard: 0 } });
  const host = await openHost({
    dataDir: join(dir, "data"),
    catalogs: [fixtureCatalogDir("quay"), fixtureCatalogDir("yard")],
    env: { PLASM_BACKEND_QUAY: apis.quay.url, PLASM_BACKEND_YARD: apis.yard.url },
  });
  try {
    const facts = await readFacts(apis);
    const costs: TaskCost[] = [];
    for (const task of tasks) costs.push(await costOf({ engine: host.engine, apis, facts }, task));
    return { facts, costs };
  } finally {
    await host.close();
    await apis.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** The tasks that sent more than they had to: the least, and a get for each row that lacks a field. */
export const wasteful = (costs: readonly TaskCost[]): readonly TaskCost[] =>
  costs.filter(({ sent, least, hydration }) => sent > least + hydration);

/** The costs as lines a reader compares at a glance. */
export function economyTable(costs: readonly TaskCost[]): string {
  const columns = (cells: readonly (string | number)[], name: string): string =>
    [...cells.map((cell) => String(cell).padStart(9)), `  ${name}`].join("");
  const head = columns(["sent", "least", "hydration", "per row"], "requests");
  const lines = costs.map((cost) =>
    columns([cost.sent, cost.least, cost.hydration, cost.one_get_per_row], cost.name),
  );
  return [head, ...lines].join("\n");
}
