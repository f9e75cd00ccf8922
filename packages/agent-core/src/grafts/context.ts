import type { AccountDeps } from "../session/accounts.ts";
import { graftChanges } from "@plasm/core/internal";
import type { GraftsMeta } from "../answer/meta.ts";
import type { ContextOutcome } from "../outcome.ts";
import type { Caller } from "../identity/caller.ts";
import { contextMeta } from "../session/context-answer.ts";
import type { ContextUpdate, ContextRequest } from "../session/context-request.ts";
import { openContext } from "../session/open-context.ts";
import { attach, keepContents } from "./attach.ts";
import {
  type GraftDeps,
  graftPlace,
  type GraftRef,
  graftUser,
  mayUseGrafts,
  refuseForbiddenGrafts,
  requireGraftUser,
} from "./graft-key.ts";
import { readGraftSet } from "./graft-set.ts";
import { askProvider, graftError } from "./provider.ts";
import { graftsMeta, type LoadedGrafts, loadGrafts, NO_GRAFTS, sectionOf } from "./read.ts";

/**
 * What attaches the call's own grafts in the transaction that writes its waves: both are written or neither is
 * (GRAFT-14). Undefined where the call brings none.
 */
async function attachment(deps: GraftDeps, caller: Caller, grafts: unknown) {
  if (grafts === undefined) return undefined;
  await refuseForbiddenGrafts(deps, caller);
  const userId = await requireGraftUser(deps, caller);
  const kept = await keepContents(deps.store, readGraftSet(grafts));
  return (tx: Parameters<typeof attach>[0], owner: string): Promise<boolean> =>
    attach(tx, graftPlace(caller.scope, owner, userId), kept, "caller");
}

const withSection = (text: string, section: string): string =>
  section === "" ? text : `${text.trimEnd()}\n\n${section}`;

/**
 * plasm_context with its grafts (SURF-7, GRAFT-5): the section comes after the waves. Throws Failure for what is
 * attached and cannot be; nothing else about grafts fails the call (GRAFT-14).
 */
export async function openWithGrafts(
  deps: GraftDeps & AccountDeps,
  caller: Caller,
  request: ContextRequest,
): Promise<ContextOutcome> {
  const along = await attachment(deps, caller, request.grafts);
  const outcome = await openContext(deps, caller, request, along);
  const { replay, silent = false } = request;
  const shown = await showGrafts(deps, caller, outcome, { replay: replay === true, silent });
  const meta = { ...contextMeta(outcome), grafts: shown.meta };
  return { kind: "context", text: withSection(outcome.text, shown.text), meta };
}

/** What a context answer says of grafts: lines after its waves, and meta. */
interface ShownGrafts {
  readonly text: string;
  readonly meta: GraftsMeta;
}

/** What is asked of an answer: all again, or nothing at all since its text is not sent. */
interface Showing {
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
async function show(deps: GraftDeps, place: GraftRef, showing: Showing): Promise<ShownGrafts> {
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
  { logicalId }: ContextUpdate,
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
async function showGrafts(
  deps: GraftDeps,
  caller: Caller,
  outcome: ContextUpdate,
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
