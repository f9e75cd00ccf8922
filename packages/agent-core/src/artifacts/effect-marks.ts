import type { StoreOps } from "../ports.ts";

/** How far the effects of a session have come, by entry id; one that is not there has had none. */
export type EffectMarks = Readonly<Record<string, number>>;

/** Whose effects: a session's. */
export interface MarkPlace {
  readonly scope: string;
  /** whose counters and handles they are (SESS-6) */
  readonly owner: string;
}

const idOf = (owner: string, entryId: string): string => `${owner}/${entryId}`;

/** The marks of these catalogs as they stand. */
export async function readMarks(
  store: StoreOps,
  { scope, owner }: MarkPlace,
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
  { scope, owner }: MarkPlace,
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
