import type { Plan } from "@plasm/core";
import type { Cursor, RunOutcome } from "@plasm/runtime";
import { type EffectMarks, type MarkPlace, readMarks } from "../artifacts/effect-marks.ts";
import type { StoreOps } from "../ports.ts";
import { entryIdsOf } from "./planned-catalogs.ts";

/** What a run knows of the effects of its session, its own included (PLAN-083). */
export interface RunMarks {
  /** as they were before its first request */
  readonly before: EffectMarks;
  /** as its own effects left them */
  readonly own: EffectMarks;
  /** an earlier attempt had begun an effect, so that reads may be older than this attempt */
  readonly resumed: boolean;
}

/** What a run knows before its first request. */
export const openMarks = async (
  store: StoreOps,
  place: MarkPlace,
  plan: Plan,
): Promise<RunMarks> => ({
  before: await readMarks(store, place, entryIdsOf(plan)),
  own: {},
  resumed: false,
});

/** No mark is below it: what was read with it is read again. */
const NEVER = -1;

/** The catalogs that a run tried effects on after the reads of a stage (PLAN-004). */
function touchedAfter(plan: Plan, { effects }: RunOutcome, stage: number): ReadonlySet<string> {
  const stages = new Map(plan.nodes.map((node) => [node.id, node.stage]));
  const after = effects.filter(
    ({ node, status }) => status !== "skipped" && (stages.get(node) ?? stage) >= stage,
  );
  return new Set(after.map(({ entryId }) => entryId));
}

/** The marks that a result's rows were read under, by entry id. */
export function marksOf(
  cursor: Cursor,
  plan: Plan,
  outcome: RunOutcome,
  { before, own, resumed }: RunMarks,
): EffectMarks {
  const touched = touchedAfter(plan, outcome, cursor.stage);
  const mark = (entryId: string): number =>
    resumed || touched.has(entryId) ? NEVER : (own[entryId] ?? before[entryId] ?? 0);
  return Object.fromEntries(Object.keys(cursor.digests).map((id) => [id, mark(id)]));
}
