import type { ResourceAnswer } from "../answer.ts";
import type { ResourceAddress } from "../artifacts/uris.ts";
import type { Caller } from "../identity/caller.ts";
import type { GraftDeps } from "./graft-deps.ts";
import { graftIndex } from "./graft-index.ts";
import { readGraft } from "./read-graft.ts";

/** A graft, or the index of a session's, as a URI names it (SURF-10). */
export type GraftAddress = Extract<ResourceAddress, { readonly kind: "graft" | "grafts" }>;

/** Reads a graft, exactly as it was attached, or the complete index (GRAFT-9, GRAFT-11). Throws Failure. */
export async function readGraftResource(
  deps: GraftDeps,
  caller: Caller,
  uri: string,
  address: GraftAddress,
): Promise<ResourceAnswer> {
  const at = { kind: "ref", ref: address.ref } as const;
  if (address.kind === "grafts") {
    const { text } = await graftIndex(deps, caller, at);
    return { uri, mimeType: "text/markdown", text };
  }
  const { graft, bytes } = await readGraft(deps, caller, at, address.graftId);
  return { uri, mimeType: graft.mime, text: Buffer.from(bytes).toString("utf8") };
}
