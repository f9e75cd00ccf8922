import type { PlanNode } from "@plasm/core";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EffectEntry } from "../../effects/effect-log.ts";
import { effectNode, effectOn, forEach, lit, row } from "../../testing/effect-nodes.ts";
import { run } from "../../testing/fixture-run.ts";
import { memoryLog } from "../../testing/memory-log.ts";
import { orchard } from "../../testing/orchard-catalog.ts";
import { trees } from "../../testing/orchard-effects.ts";
import {
  type Received,
  type Reply,
  startServer,
  type TestServer,
} from "../../testing/start-server.ts";

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

/** More of them are asked for by PLASM_PROPERTY_RUNS. */
const RUNS = Number(process.env["PLASM_PROPERTY_RUNS"] ?? 150);

const ROWS = [1, 2, 3];
const KINDS = ["tree_create", "tree_put", "tree_pay"] as const;
type Kind = (typeof KINDS)[number];

interface Step {
  readonly kind: Kind;
  readonly perRow: boolean;
}

let server: TestServer;
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

beforeAll(async () => {
  server = await startServer(answer);
});
afterAll(() => server.close());

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

test(
  "P27 performed effects are reported effects, whatever the server does",
  async () => {
    const catalogs = [orchard()];
    await fc.assert(
      fc.asyncProperty(
        program,
        fc.array(fc.constantFrom(...FAULTS), { maxLength: 12 }),
        async (steps, script) => {
          faults = [...script];
          performed = [];
          keys = new Set();
          const { nodes, marks } = planned(steps);
          const effectLog = memoryLog();
          const setting = { catalogs, backends: { orchard: server.url }, effectLog };
          const { effects, status } = await run(setting, nodes);

          const marksOf = (wanted: (entry: EffectEntry) => boolean): string[] =>
            effects
              .filter(wanted)
              .map(({ node, row: at }) => marks.get(`${node} ${at}`) ?? "all rows");
          const done = marksOf((entry) => entry.status === "done");
          const doubtful = marksOf((entry) => entry.status === "in_doubt");
          const undone = marksOf(({ status: s }) => s === "failed" || s === "skipped");

          // Nothing twice; all that is done was performed; all that was performed is done or in doubt.
          expect(new Set(performed).size).toBe(performed.length);
          expect(done.filter((mark) => !performed.includes(mark))).toEqual([]);
          expect(
            performed.filter((mark) => !done.includes(mark) && !doubtful.includes(mark)),
          ).toEqual([]);
          expect(undone.filter((mark) => performed.includes(mark))).toEqual([]);
          // Nothing after a failure, and every effect is told of.
          const first = effects.findIndex((entry) => entry.status !== "done");
          const later = first < 0 ? [] : effects.slice(first + 1);
          expect(later.filter((entry) => entry.status !== "skipped")).toEqual([]);
          expect(new Set(effects.map(({ node }) => node)).size).toBe(steps.length);
          expect(status).toBe(first < 0 ? "succeeded" : "failed");
          // The log has what was sent, and its outcome.
          const sent = effects.filter((entry) => entry.status !== "skipped");
          expect(effectLog.writes.filter((entry) => entry.status !== "started")).toEqual(sent);
        },
      ),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 200,
);
