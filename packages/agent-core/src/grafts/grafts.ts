import type { ResourceAnswer } from "../answer/answer.ts";
import type { ContextOutcome, FetchedGraftOutcome } from "../outcome.ts";
import { parseResourceUri, type ResourceAddress } from "../artifacts/uris.ts";
import type { Caller } from "../identity/caller.ts";
import type { ContextRequest } from "../session/context-request.ts";
import { KeyedLock } from "../keyed-lock.ts";
import type { AccountDeps } from "../session/accounts.ts";
import type { SessionAddress } from "../session/handles.ts";
import { attachGrafts } from "./attach.ts";
import { openWithGrafts } from "./context.ts";
import { fetchGraft, type FetchGraftArguments } from "./fetch.ts";
import type { GraftDeps, GraftSettings } from "./graft-key.ts";
import { graftIndex, type GraftIndex, readGraft, type ReadGraft } from "./read.ts";

/** All that an engine does about grafts; each method throws Failure. */
export interface Grafts {
  context(caller: Caller, request: ContextRequest): Promise<ContextOutcome>;
  fetch(caller: Caller, request: FetchGraftArguments): Promise<FetchedGraftOutcome>;
  attach(caller: Caller, address: SessionAddress, set: unknown): Promise<GraftIndex>;
  index(caller: Caller, address: SessionAddress): Promise<GraftIndex>;
  read(caller: Caller, address: SessionAddress, graftId: string): Promise<ReadGraft>;
  /** null for a URI that is no graft's */
  resource(caller: Caller, uri: string): Promise<ResourceAnswer> | null;
  close(): Promise<void>;
}

/** Grafts on what sessions work on, with the settings of a deployment. */
export function graftsIn(
  all: Omit<GraftDeps, "grafts" | "asking"> & AccountDeps,
  settings: GraftSettings,
): Grafts {
  const deps: GraftDeps & AccountDeps = { ...all, grafts: settings, asking: new KeyedLock() };
  return {
    context: (caller, request) => openWithGrafts(deps, caller, request),
    fetch: (caller, request) => fetchGraft(deps, caller, request),
    attach: (caller, address, set) => attachGrafts(deps, caller, address, set),
    index: (caller, address) => graftIndex(deps, caller, address),
    read: (caller, address, graftId) => readGraft(deps, caller, address, graftId),
    resource: (caller, uri) => {
      const address = parseResourceUri(uri);
      if (address?.kind !== "graft" && address?.kind !== "grafts") return null;
      return readGraftResource(deps, caller, uri, address);
    },
    close: async () => settings.provider?.close(),
  };
}

/** A graft, or the index of a session's, as a URI names it (SURF-10). */
type GraftAddress = Extract<ResourceAddress, { readonly kind: "graft" | "grafts" }>;

/** Reads a graft, exactly as it was attached, or the complete index (GRAFT-9, GRAFT-11). Throws Failure. */
async function readGraftResource(
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
