import type { Answer } from "../answer.ts";
import type { Caller } from "../identity/caller.ts";
import { contextMeta } from "../session/context-meta.ts";
import type { ContextRequest } from "../session/context-request.ts";
import { openContext } from "../session/open-context.ts";
import { attach, keepContents } from "./attach.ts";
import type { GraftDeps } from "./graft-deps.ts";
import { graftPlace, refuseForbiddenGrafts, requireGraftUser } from "./graft-place.ts";
import { readGraftSet } from "./read-graft-set.ts";
import { showGrafts } from "./show-grafts.ts";

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
  deps: GraftDeps,
  caller: Caller,
  request: ContextRequest,
): Promise<Answer> {
  const along = await attachment(deps, caller, request.grafts);
  const outcome = await openContext(deps, caller, request, along);
  const { replay, silent = false } = request;
  const shown = await showGrafts(deps, caller, outcome, { replay: replay === true, silent });
  const meta = { ...contextMeta(outcome), grafts: shown.meta };
  return { text: withSection(outcome.text, shown.text), meta };
}
