import { graftChanges, type JsonObject } from "@plasm/core";
import type { Caller } from "../identity/caller.ts";
import type { ContextOutcome } from "../session/context-request.ts";
import { askProvider, graftError } from "./ask-provider.ts";
import type { GraftDeps } from "./graft-deps.ts";
import { graftsMeta, NO_GRAFTS, sectionOf } from "./graft-meta.ts";
import { graftPlace, type GraftPlace, graftUser, mayUseGrafts } from "./graft-place.ts";
import { type LoadedGrafts, loadGrafts } from "./load-grafts.ts";

/** What a context answer says of grafts: lines after its waves, and meta. */
export interface ShownGrafts {
  readonly text: string;
  readonly meta: JsonObject;
}

/** What is asked of an answer: all again, or nothing at all since its text is not sent. */
export interface Showing {
  readonly replay: boolean;
  readonly silent: boolean;
}

const NOTHING: ShownGrafts = Object.freeze({ text: "", meta: NO_GRAFTS });
const UNAVAILABLE = "Grafts unavailable.";

/** The whole section at first and where it is asked for, later what is new or has changed (GRAFT-10). */
function textOf({ set, grafts }: LoadedGrafts, whole: string, { replay }: Showing): string {
  const { shown } = set.value;
  if (replay || shown === 0) return whole;
  return graftChanges(grafts.filter(({ setRevision }) => setRevision > shown)).text;
}

/** Shows what is there, and notes that it was shown. */
async function show(deps: GraftDeps, place: GraftPlace, showing: Showing): Promise<ShownGrafts> {
  for (;;) {
    const loaded = await loadGrafts(deps.store, place);
    if (loaded === null) return NOTHING;
    const section = sectionOf(loaded);
    const meta = graftsMeta(loaded, section);
    if (showing.silent) return { text: "", meta };
    const text = textOf(loaded, section.text, showing);
    const { id, version, value } = loaded.set;
    if (value.shown === value.revision) return { text, meta };
    const next = { ...value, shown: value.revision };
    if (await deps.store.cas("graftSet", place.scope, id, version, next)) return { text, meta };
  }
}

async function intentOf(
  { store }: GraftDeps,
  { scope }: Caller,
  { logicalId }: ContextOutcome,
): Promise<string | null> {
  if (logicalId === null) return null;
  return (await store.get("logical", scope, logicalId))?.value.intent ?? null;
}

const joined = (...lines: readonly string[]): string =>
  lines.filter((line) => line !== "").join("\n");

/**
 * What a written context call says of the caller's grafts (GRAFT-5, GRAFT-10), with those of the provider, if it
 * is asked now. Never throws: what fails is one line, and the next context tries again (GRAFT-14).
 */
export async function showGrafts(
  deps: GraftDeps,
  caller: Caller,
  outcome: ContextOutcome,
  showing: Showing,
): Promise<ShownGrafts> {
  try {
    if (!(await mayUseGrafts(deps, caller))) return NOTHING;
    const userId = await graftUser(deps, caller);
    if (userId === null) return NOTHING;
    const place = graftPlace(caller.scope, outcome.logicalId ?? outcome.key.sessionId, userId);
    const error = await askProvider(deps, caller, place, await intentOf(deps, caller, outcome));
    const { text, meta } = await show(deps, place, showing);
    if (error === null) return { text, meta };
    return { text: joined(text, UNAVAILABLE), meta: { ...meta, error } };
  } catch (thrown) {
    deps.warn("grafts are unavailable", thrown);
    return { text: UNAVAILABLE, meta: { ...NO_GRAFTS, error: graftError(thrown) } };
  }
}
