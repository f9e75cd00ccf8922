import type { Answer, ResourceAnswer } from "../answer.ts";
import { parseResourceUri } from "../artifacts/uris.ts";
import type { Caller } from "../identity/caller.ts";
import type { ContextRequest } from "../session/context-request.ts";
import { KeyedLock } from "../session/keyed-lock.ts";
import type { SessionAddress } from "../session/locate.ts";
import { attachGrafts } from "./attach-grafts.ts";
import { openWithGrafts } from "./context-with-grafts.ts";
import { fetchGraft, type FetchGraftArguments } from "./fetch-graft.ts";
import type { GraftDeps, GraftSettings } from "./graft-deps.ts";
import { graftIndex, type GraftIndex } from "./graft-index.ts";
import { readGraftResource } from "./graft-resource.ts";
import { readGraft, type ReadGraft } from "./read-graft.ts";

/** All that an engine does about grafts; each method throws Failure. */
export interface Grafts {
  context(caller: Caller, request: ContextRequest): Promise<Answer>;
  fetch(caller: Caller, request: FetchGraftArguments): Promise<Answer>;
  attach(caller: Caller, address: SessionAddress, set: unknown): Promise<GraftIndex>;
  index(caller: Caller, address: SessionAddress): Promise<GraftIndex>;
  read(caller: Caller, address: SessionAddress, graftId: string): Promise<ReadGraft>;
  /** null for a URI that is no graft's */
  resource(caller: Caller, uri: string): Promise<ResourceAnswer> | null;
  close(): Promise<void>;
}

/** Grafts on what sessions work on, with the settings of a deployment. */
export function graftsIn(
  all: Omit<GraftDeps, "grafts" | "asking">,
  settings: GraftSettings,
): Grafts {
  const deps: GraftDeps = { ...all, grafts: settings, asking: new KeyedLock() };
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
