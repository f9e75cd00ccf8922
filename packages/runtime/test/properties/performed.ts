import assert from "node:assert/strict";
import fc from "fast-check";
import type { PlanNode } from "@plasm/core";
import { servedProperty } from "@plasm/testkit";
import { type Received, type Reply, startServer } from "@plasm/testkit/servers";
import type { EffectEntry } from "../../src/effects/effect-log.ts";
import { effectNode, effectOn, forEach, lit, row } from "../../src/testing/effect-nodes.ts";
import { run } from "../../src/testing/fixture-run.ts";
import { memoryLog } from "../../src/testing/memory-log.ts";
import { orchard } from "../../src/testing/orchard-catalog.ts";
import { trees } from "../../src/testing/orchard-effects.ts";

/** What the server does with a write: whether it performs it, and how it answers. */
const FAULTS = [
  { name: "fine", performs: true, reply: { json: { id: 7 } } },
  { name: "refused", performs: false, reply: { status: 422, json: { message: "no" } } },
  { name: "busy", performs: false, reply: { status: 503, text: "" } },
  { name: "limited", performs: false, reply: { status: 429, text: "" } },
  { name: "lost before", performs: false, reply: { hangUp: true } },
  { name: "lost after", performs: true, reply: { hangUp: true } },
  { name: "gateway before", performs: false, reply: { status: 502, text: "" } },
  { name: "gateway after", performs: true, reply: { status: 504, text: "" } },
  { name: "garbage after", performs: true, reply: { text: "<html></html>" } },
  { name: "login page", performs: false, reply: { text: "<html></html>" } },
  { name: "says no", performs: false, reply: { json: { error: "no" } } },
  {
    name: "redirects after",
    performs: true,
    reply: { status: 303, text: "", headers: { location: "/x" } },
  },
] satisfies readonly { name: string; performs: boolean; reply: Reply }[];

type Fault = (typeof FAULTS)[number];

const ROWS = [1, 2, 3];
const KINDS = ["tree_create", "tree_put", "tree_pay"] as const;
type Kind = (typeof KINDS)[number];

interface Step {
  readonly kind: Kind;
  readonly perRow: boolean;
}

let faults: Fault[] = [];
let performed: string[] = [];
let keys = new Set<string>();

const bodyText = (request: Received, name: string): string => {
  const body: unknown = JSON.parse(request.body);
  return String(typeof body === "object" && body !== null ? Reflect.get(body, name) : "");
};

/** The mark each effect carries: its node, and its row. */
const markOf = (request: Received): string =>
  request.path.endsWith("/pay") ? bodyText(request, "sum") : bodyText(request, "name");

function answer(request: Received): Reply {
  if (request.method === "GET")
    return { json: { results: ROWS.map((id) => ({ id, name: `r${id}` })) } };
  const fault = faults.shift() ?? FAULTS[0];
  if (fault === undefined) throw new Error("no fault");
  const key = request.headers["idempotency-key"];
  const repeated = typeof key === "string" && keys.has(key);
  if (fault.performs && !repeated) performed.push(markOf(request));
  if (fault.performs && typeof key === "string") keys.add(key);
  return fault.reply;
}

/** Effects whose mark is `100 * stage` alone, or plus the id of the row. */
function planned(steps: readonly Step[]): {
  nodes: PlanNode[];
  marks: ReadonlyMap<string, string>;
} {
  const marks = new Map<string, string>();
  const nodes: PlanNode[] = [trees()];
  for (const [stage, { kind, perRow }] of steps.entries()) {
    const id = `n${stage + 2}`;
    const mark = 100 * (stage + 1);
    const value = perRow
      ? row(kind === "tree_pay" ? "id" : "name")
      : lit(kind === "tree_pay" ? mark : `${mark}`);
    const target = kind === "tree_create" ? null : { id: perRow ? row("id") : lit(7) };
    const verb = kind === "tree_create" ? "create" : kind === "tree_put" ? "update" : "action";
    const args = kind === "tree_pay" ? { sum: value } : { name: value };
    const body = effectOn("orchard", "Tree", verb, kind, target, args);
    nodes.push(perRow ? forEach(id, stage, "n1", body) : effectNode(id, stage, body));
    if (!perRow) marks.set(`${id} null`, `${mark}`);
    else
      for (const [at, key] of ROWS.entries())
        marks.set(`${id} ${at}`, kind === "tree_pay" ? `${key}` : `r${key}`);
  }
  return { nodes, marks };
}

const step = fc.record({ kind: fc.constantFrom(...KINDS), perRow: fc.boolean() });
// One effect per row at most: otherwise two effects would carry one mark.
const program = fc
  .array(step, { minLength: 1, maxLength: 4 })
  .filter((steps) => steps.filter(({ perRow }) => perRow).length <= 1);

/** Whom the marks of some effects belong to, by what became of these. */
interface Outcome {
  readonly done: readonly string[];
  readonly doubtful: readonly string[];
  readonly undone: readonly string[];
}

function outcomeOf(effects: readonly EffectEntry[], marks: ReadonlyMap<string, string>): Outcome {
  const marksOf = (...wanted: readonly EffectEntry["status"][]): string[] =>
    effects
      .filter(({ status }) => wanted.includes(status))
      .map(({ node, row: at }) => marks.get(`${node} ${at}`) ?? "all rows");
  return {
    done: marksOf("done"),
    doubtful: marksOf("in_doubt"),
    undone: marksOf("failed", "skipped"),
  };
}

async function check(url: string, steps: readonly Step[], script: readonly Fault[]): Promise<void> {
  faults = [...script];
  performed = [];
  keys = new Set();
  const { nodes, marks } = planned(steps);
  const effectLog = memoryLog();
  const setting = { catalogs: [orchard()], backends: { orchard: url }, effectLog };
  const { effects, status } = await run(setting, nodes);
  const { done, doubtful, undone } = outcomeOf(effects, marks);

  // Nothing twice; all that is done was performed; all that was performed is done or in doubt.
  assert.equal(new Set(performed).size, performed.length);
  assert.deepEqual(
    done.filter((mark) => !performed.includes(mark)),
    [],
  );
  const told = new Set([...done, ...doubtful]);
  assert.deepEqual(
    performed.filter((mark) => !told.has(mark)),
    [],
  );
  assert.deepEqual(
    undone.filter((mark) => performed.includes(mark)),
    [],
  );
  // Nothing after a failure, and every effect is told of.
  const first = effects.findIndex((entry) => entry.status !== "done");
  const later = first < 0 ? [] : effects.slice(first + 1);
  assert(later.every((entry) => entry.status === "skipped"));
  assert.equal(new Set(effects.map(({ node }) => node)).size, steps.length);
  assert.equal(status, first < 0 ? "succeeded" : "failed");
  // The log has what was sent, and its outcome.
  const sent = effects.filter((entry) => entry.status !== "skipped");
  const logged = effectLog.writes.filter((entry) => entry.status !== "started");
  assert.deepEqual(logged, sent);
}

export const performedIsReported = servedProperty({
  key: "P27-run",
  says: "performed effects are reported effects in what a run tells, whatever the server does",
  runs: 150,
  start: () => startServer(answer),
  end: (server) => server.close(),
  holds: ({ url }) =>
    fc.asyncProperty(
      program,
      fc.array(fc.constantFrom(...FAULTS), { maxLength: 12 }),
      (steps, script) => check(url, steps, script),
    ),
});

export const properties = [performedIsReported];
