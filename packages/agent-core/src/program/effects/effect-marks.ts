import type { Plan } from "@plasm/core";
import type { Cursor, RunOutcome } from "@plasm/runtime";
import type { StoreOps } from "../../store-port.ts";
import { entryIdsOf } from "../plan/plan-facts.ts";

/** How far the effects of a session have come, by entry id; one that is not there has had none. */
export type EffectMarks = Readonly<Record<string, number>>;

/** Whose effects: a session's. */
export interface MarkKey {
  readonly scope: string;
  /** whose counters and handles they are (SESS-6) */
  readonly owner: string;
}

const idOf = (owner: string, entryId: string): string => `${owner}/${entryId}`;

/** The marks of these catalogs as they stand. */
export async function readMarks(
  store: StoreOps,
  { scope, owner }: MarkKey,
  entryIds: Iterable<string>,
): Promise<EffectMarks> {
  const found = [...new Set(entryIds)].map(async (entryId) => {
    const record = await store.get("mark", scope, idOf(owner, entryId));
    return [entryId, record?.value.count ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

/** Others that mark the same catalog at the same time, at most. */
const ATTEMPTS = 50;

/** Notes that an effect has begun or ended on a catalog, and gives its mark now. */
export async function raiseMark(
  store: StoreOps,
  { scope, owner }: MarkKey,
  entryId: string,
): Promise<number> {
  const id = idOf(owner, entryId);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = await store.get("mark", scope, id);
    const count = (found?.value.count ?? 0) + 1;
    const kept =
      found === null
        ? await store.insert("mark", scope, id, { count })
        : await store.cas("mark", scope, id, found.version, { count });
    if (kept) return count;
  }
  throw new Error("The mark of a catalog's effects kept changing");
}

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
  place: MarkKey,
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
