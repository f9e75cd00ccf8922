import { graftChanges } from "@plasm/core/internal";
import type { ResourceAnswer } from "../answer/answer.ts";
import type { GraftsMeta } from "../answer/meta.ts";
import { type ResourceAddress, parseResourceUri } from "../artifacts/uris.ts";
import type { Caller } from "../identity/caller.ts";
import { KeyedLock } from "../keyed-lock.ts";
import type { ContextOutcome, FetchedGraftOutcome } from "../outcome.ts";
import type { AccountDeps } from "../session/accounts.ts";
import { contextMeta } from "../session/context-answer.ts";
import type { ContextRequest, ContextUpdate } from "../session/context-request.ts";
import type { SessionAddress } from "../session/handles.ts";
import { openContext } from "../session/open-context.ts";
import { attach, attachGrafts, keepContents } from "./attach.ts";
import { type FetchGraftArguments, fetchGraft } from "./fetch.ts";
import {
  type GraftDeps,
  type GraftRef,
  type GraftSettings,
  graftPlace,
  graftUser,
  mayUseGrafts,
  refuseForbiddenGrafts,
  requireGraftUser,
} from "./graft-key.ts";
import { readGraftSet } from "./graft-set.ts";
import { askProvider, graftError } from "./provider.ts";
import {
  type GraftIndex,
  type LoadedGrafts,
  NO_GRAFTS,
  type ReadGraft,
  graftIndex,
  graftsMeta,
  loadGrafts,
  readGraft,
  sectionOf,
} from "./read.ts";

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
async function openWithGrafts(
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
