import { sha256Hex } from "@plasm/core";
import type { Answer } from "../answer.ts";
import { fail } from "../errors/failure.ts";
import { refuseNoText } from "../errors/refuse-type.ts";
import type { Caller } from "../identity/caller.ts";
import { actingIn } from "../session/acting.ts";
import type { SessionAddress } from "../session/locate.ts";
import { onlySession } from "./default-session.ts";
import { graftAnswer, type Fetched } from "./graft-answer.ts";
import type { GraftDeps } from "./graft-deps.ts";
import { graftIndex } from "./graft-index.ts";
import { readGraft } from "./read-graft.ts";

/** A call of grafted_context_fetch, before any check (GRAFT-11). */
export interface FetchGraftArguments {
  readonly graftId?: unknown;
  /** the session, by ref or uuid; the only one there is without it */
  readonly ref?: unknown;
  /** code points before the part that is wanted */
  readonly offset?: unknown;
}

/** The id under which the complete index is fetched (GRAFT-9). */
const ALL = "*";

function offsetOf({ offset = 0 }: FetchGraftArguments): number {
  if (typeof offset === "number" && Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw fail(
    "plasm-bad-request",
    "offset is a whole number from 0 on: next_offset of the part before.",
  );
}

async function addressOf(
  deps: GraftDeps,
  caller: Caller,
  { ref }: FetchGraftArguments,
): Promise<SessionAddress & { readonly kind: "ref" }> {
  if (ref === undefined || ref === null) {
    return { kind: "ref", ref: await onlySession(deps.store, caller) };
  }
  if (typeof ref === "string") return { kind: "ref", ref };
  throw refuseNoText("logical_session_ref", ref, "the text that plasm_context answered, like s0");
}

async function fetchedIndex(
  deps: GraftDeps,
  caller: Caller,
  address: SessionAddress,
): Promise<Fetched> {
  const { text, grafts, meta } = await graftIndex(deps, caller, address);
  const bytes = Buffer.byteLength(text);
  const revision = Number(meta["revision"] ?? 0);
  const counted = `${grafts.length} graft${grafts.length === 1 ? "" : "s"}`;
  const title = `${ALL} · ${counted} · ${bytes} bytes · revision ${revision}`;
  const sha256 = sha256Hex(text);
  return { graftId: ALL, title, mime: "text/markdown", text, revision, sha256, bytes };
}

async function fetchedGraft(
  deps: GraftDeps,
  caller: Caller,
  address: SessionAddress,
  graftId: string,
): Promise<Fetched> {
  const { graft, bytes } = await readGraft(deps, caller, address, graftId);
  const { source, path, mime, sha256, revision } = graft;
  const title = `${graftId} · ${source} · ${path} · ${graft.bytes} bytes · revision ${revision}`;
  const text = Buffer.from(bytes).toString("utf8");
  return { graftId, title, mime, text, revision, sha256, bytes: graft.bytes };
}

/**
 * grafted_context_fetch (GRAFT-11, GRAFT-12): a part of a graft, or of the index for `*`, within the result budget.
 * Throws plasm-unknown-graft, plasm-bad-request, plasm-policy-denied; for the index plasm-unknown-session.
 */
export async function fetchGraft(
  deps: GraftDeps,
  caller: Caller,
  request: FetchGraftArguments,
): Promise<Answer> {
  const { graftId } = request;
  if (typeof graftId !== "string") {
    throw refuseNoText("graft_id", graftId, "an id that plasm_context lists, like g01");
  }
  const offset = offsetOf(request);
  const address = await addressOf(deps, caller, request);
  const who = await actingIn(deps.store, caller, address);
  const fetched =
    graftId === ALL
      ? await fetchedIndex(deps, who, address)
      : await fetchedGraft(deps, who, address, graftId);
  const answer = await graftAnswer(fetched, offset);
  return { ...answer, meta: { logical_session_ref: address.ref, ...answer.meta } };
}
