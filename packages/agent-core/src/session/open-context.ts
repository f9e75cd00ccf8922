import type { Notation, Policy } from "@plasm/core";
import { fail } from "../errors/problem.ts";
import type { Caller } from "../identity/caller.ts";
import { type AccountDeps, refuseUnknownAccounts } from "./accounts.ts";
import { type CatalogLookup, catalogSource, prepareWaves } from "./prepare-context.ts";
import { commitContext, type ExtraWrite } from "./commit-context.ts";
import {
  boundBase,
  type ContextBase,
  namedBase,
  type SeedsFor,
  unboundBase,
} from "./context-base.ts";
import type { ContextUpdate, ContextRequest } from "./context-request.ts";
import { answerContext, type AskedContext, type ContextDone } from "./context-answer.ts";
import { requirePrincipal } from "./delegation.ts";
import { checkIntent, logicalId } from "./intent.ts";
import { type Pins, readPins } from "./pins.ts";
import { accountsIn, type AskedSeed, readSeeds, resolveSeeds, suggestSeeds } from "./seeds.ts";
import type { SessionDeps } from "./session-deps.ts";

/** How often a conflicting append is computed anew before `plasm-busy` (SESS-34). */
const RETRIES = 5;

/** The notation of a session whose caller asks for none (TEACH-26). */
const DEFAULT_NOTATION: Notation = "names";

function checkOptions(request: ContextRequest): AskedContext {
  const { notation, readOnly, replay = false, detail = false, known } = request;
  if (notation !== undefined && notation !== "symbols" && notation !== "names") {
    throw fail("plasm-bad-request", 'notation is "symbols" or "names".');
  }
  if (typeof replay !== "boolean") throw fail("plasm-bad-request", "replay is true or false.");
  if (typeof detail !== "boolean") throw fail("plasm-bad-request", "detail is true or false.");
  if (readOnly !== undefined && typeof readOnly !== "boolean") {
    throw fail("plasm-bad-request", "read_only is true or false.");
  }
  return { notation: notation ?? null, readOnly: readOnly ?? null, replay, detail, known };
}

interface Checked extends AskedContext {
  readonly intent: string | null;
  readonly seeds: readonly AskedSeed[];
  readonly source: CatalogLookup;
  readonly pins: Pins | null;
  readonly along: ExtraWrite | undefined;
}

/** What the call's seeds mean; who stands for no user opens nothing that needs one (SURF-24). */
const seedsFor =
  (
    deps: SessionDeps,
    caller: Caller,
    seeds: readonly AskedSeed[],
    policy: Policy,
    { programs = [] }: ContextRequest,
  ): SeedsFor =>
  (live, intent) => {
    const { registry } = deps;
    const besides = programs.flatMap(({ digests }) => Object.keys(digests));
    const found = resolveSeeds(seeds, { registry, policy, live, intent }, besides);
    requirePrincipal(deps.delegation(caller), found.groups, registry);
    return found;
  };

async function baseOf(
  deps: SessionDeps,
  caller: Caller,
  request: ContextRequest,
  { intent, seeds, source, readOnly }: Checked,
  policy: Policy,
): Promise<ContextBase> {
  const find = seedsFor(deps, caller, seeds, policy, request);
  if (request.session !== undefined) {
    return namedBase(deps, caller, request.session, find, policy);
  }
  if (intent === null) {
    return unboundBase(deps, source, caller, find, { policy, readOnly: readOnly ?? false });
  }
  const id = logicalId(caller.scope, intent, deps.delegation(caller).principal);
  return boundBase(deps, source, caller, { logicalId: id, intent }, find, policy);
}

async function attempt(
  deps: SessionDeps,
  caller: Caller,
  request: ContextRequest,
  checked: Checked,
): Promise<Omit<ContextDone, "request"> | null> {
  const { intent, source, pins, along } = checked;
  const policy = await deps.policies.policyOf(caller.scope);
  const wanted = checked.readOnly ?? false;
  const base = await baseOf(deps, caller, request, checked, policy);
  const { groups } = base.seeds;
  const notation = base.live?.session.notation ?? checked.notation ?? DEFAULT_NOTATION;
  const readOnly = base.live === null ? wanted : base.live.session.readOnly === true;
  const { taught } = deps.pinned;
  const { detail } = checked;
  const { programs = [] } = request;
  const setting = { notation, readOnly, policy, pins, taught, detail, programs };
  const prepared = await prepareWaves(source, base, groups, setting);
  const primary = groups[0].entryId;
  const { accounts } = base.seeds;
  const write = { base, prepared, notation, readOnly, primary, intent, accounts };
  const written = await commitContext(deps, caller, write, along);
  if (written !== null) return { base, prepared, written, notation, readOnly };
  // Whatever the store has now is read whole (SESS-34).
  if (base.live !== null) deps.pinned.logs.forget(base.live.session);
  return null;
}

async function attempts(
  deps: SessionDeps,
  caller: Caller,
  request: ContextRequest,
  checked: Checked,
): Promise<ContextUpdate> {
  for (let n = 0; n <= RETRIES; n += 1) {
    const done = await attempt(deps, caller, request, checked);
    if (done !== null) return answerContext(deps, caller, { ...done, request: checked });
  }
  throw fail("plasm-busy", "Other calls keep changing this session. Send the call again.");
}

/** An intent is found again by its words: who binds one must be told from others (SESS-8). */
function refuseUnknownCaller({ anonymous }: Caller, { intent }: ContextRequest): void {
  if (anonymous !== true || intent === undefined) return;
  throw fail(
    "plasm-unauthenticated",
    "An intent is bound to who calls, and this caller does not say. Send an API key as X-API-Key, or a token as Authorization: Bearer.",
  );
}

/**
 * Opens or extends a session: all seeds or none (SESS-16, SESS-17). Expands and federates the
 * live session in place (SESS-18), recovers a lost one (SESS-24), and answers only what the
 * caller has not been sent (SESS-19, SESS-20). What goes `along` is written with the waves, or neither is.
 * Throws Failure.
 */
export async function openContext(
  deps: SessionDeps & AccountDeps,
  caller: Caller,
  request: ContextRequest,
  along?: ExtraWrite,
): Promise<ContextUpdate> {
  refuseUnknownCaller(caller, request);
  const intent = request.intent === undefined ? null : checkIntent(request.intent);
  const asked = checkOptions(request);
  const policy = await deps.policies.policyOf(caller.scope);
  const { registry } = deps;
  const suggest = () => (intent === null ? "" : suggestSeeds(intent, { registry, policy }));
  const hasOther = (request.programs ?? []).length > 0;
  const seeds = readSeeds(request.seeds, registry, policy, suggest, hasOther);
  const accounts = accountsIn(seeds);
  refuseUnknownAccounts(deps, caller, accounts);
  const source = catalogSource(deps, caller, accounts);
  const pins = readPins(request.pins, registry, policy);
  const checked = { ...asked, intent, seeds, source, pins, along };
  const turn = request.session?.sessionId ?? `${caller.scope} ${intent ?? ""}`;
  return deps.contexts.run(turn, () => attempts(deps, caller, request, checked));
}
