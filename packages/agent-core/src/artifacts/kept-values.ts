import type { Json, PlanNode } from "@plasm/core";
import { type KeptName, keptNames } from "@plasm/core/internal";
import type { KeptValues } from "@plasm/runtime";
import { idOf } from "../answer/effect-runs.ts";
import { fail } from "../errors/problem.ts";
import { named } from "../errors/arguments.ts";
import type { Caller } from "../identity/caller.ts";
import type { ResolvedSession } from "../session/locate.ts";
import type { Store } from "../store-port.ts";
import { isForbidden } from "./still-allowed.ts";
import { documentOf, type SnapshotDocument } from "./snapshots.ts";

type Found = Awaited<ReturnType<KeptValues>>;

const HANDLE = /^(?:(s(?:0|[1-9][0-9]*))_)?r([1-9][0-9]{0,8})$/;

/** A handle of a snapshot as its reader sees it: an unbound session's is told with the slot `s0` (SESS-6, OPS-17). */
export const snapshotHandle = (ref: string | null, n: number): string => `${ref ?? "s0"}_r${n}`;

/** One and the same for handles that never were, are gone, or are of somebody else (SESS-38). */
const unknown = (handle: string): Found => ({
  problem: `No answer ${named(handle)} in this session.`,
  fix: "name one that an answer of this session names beside a value it cuts, or read the value again in this program",
});

/** The document that a handle of the session names, if its caller may still see it; null for any other handle. */
async function snapshotOf(
  store: Store,
  { scope }: Caller,
  at: ResolvedSession,
  handle: string,
): Promise<SnapshotDocument | null> {
  const [whole, prefix, n] = HANDLE.exec(handle) ?? [];
  if (whole === undefined || (prefix !== undefined && prefix !== (at.ref ?? "s0"))) return null;
  const found = await store.get("snapshot", scope, `${at.owner}/${Number(n)}`);
  if (found === null || found.value.principal !== at.principal) return null;
  const document = await documentOf(store, found.value);
  return isForbidden(at.view.exposure.policy, document.entry_ids, found.value.uses)
    ? null
    : document;
}

/** The index of the row that a key names, or its number from 1 where it has no identity; of one row any is it. */
function rowAt({ rows, relations }: SnapshotDocument, row: string | undefined): number | null {
  if (row === undefined) return rows.length === 1 ? 0 : null;
  const refs = (relations["refs"] ?? []) as readonly Json[];
  const at = rows.findIndex((_, index) => {
    const ref = refs[index];
    return typeof ref === "string" ? idOf(ref) === row : `${index + 1}` === row;
  });
  return at < 0 ? null : at;
}

function valueIn(document: SnapshotDocument, [handle, column, row]: KeptName): Found {
  const columns = document.columns.map(([name]) => name);
  if (!columns.includes(column)) {
    return {
      problem: `${handle} has no column ${named(column)}.`,
      fix: `name one of ${columns.slice(0, 20).map(named).join(", ")}`,
    };
  }
  const at = rowAt(document, row);
  if (at !== null) return { value: document.rows[at]?.[column] ?? null };
  const count = `${handle} has ${document.rows.length} row${document.rows.length === 1 ? "" : "s"}`;
  return {
    problem: row === undefined ? `${count}.` : `${count}, and none ${named(row)}.`,
    fix: `name a row by its key, or by its number where it has none: kept(${handle}, ${column}, key)`,
  };
}

/** Values of earlier answers of a session, as its programs name them; a snapshot is read once (LANG-057). */
export function keptValues(store: Store, caller: Caller, at: ResolvedSession): KeptValues {
  const read = new Map<string, Promise<SnapshotDocument | null>>();
  return async (name) => {
    const [handle] = name;
    const reading = read.get(handle) ?? snapshotOf(store, caller, at, handle);
    read.set(handle, reading);
    const document = await reading;
    return document === null ? unknown(handle) : valueIn(document, name);
  };
}

/** Refuses a plan that names a value which the session does not have, before anything is sent. Throws plasm-unknown-handle. */
export async function checkKept(
  store: Store,
  caller: Caller,
  at: ResolvedSession,
  nodes: readonly PlanNode[],
): Promise<void> {
  const valueOf = keptValues(store, caller, at);
  for (const name of nodes.flatMap(keptNames)) {
    const found = await valueOf(name);
    if ("problem" in found)
      throw fail("plasm-unknown-handle", `${found.problem}\nfix: ${found.fix}`);
  }
}
