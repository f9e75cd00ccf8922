import type { Answer } from "../answer.ts";
import { pageNumber, readCursor } from "../artifacts/cursors.ts";
import { findOperation } from "../artifacts/operation-handles.ts";
import type { Caller } from "../identity/caller.ts";
import type { Located } from "../session/locate.ts";
import type { SessionDeps } from "../session/session-deps.ts";
import type { Compiled } from "./compile.ts";
import { placeOf } from "./place.ts";

const DOES = { page: "reads on", wait: "tells how it stands", cancel: "stops it" } as const;

/** A continuation planned dry does nothing but check its handle (OPS-4). */
export async function checkHandle(
  deps: SessionDeps,
  caller: Caller,
  at: Located,
  compiled: Extract<Compiled, { kind: "continuation" }>,
): Promise<Answer> {
  const { op, handle } = compiled;
  if (op === "page") {
    await readCursor(deps.store, placeOf(caller, at), handle, pageNumber(handle, at.ref));
  } else {
    await findOperation(deps.store, { ...at, scope: caller.scope }, handle);
  }
  return {
    text: `plan ok · ${op}(${handle}) ${DOES[op]} when it is run`,
    meta: { dry_run: true, dry_verdict: "ok" },
  };
}
