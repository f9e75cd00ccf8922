import type { Catalog } from "@plasm/core";
import type { Webhook } from "@plasm/core/internal";
import { verifyWebhook, type WebhookRequest } from "@plasm/runtime/internal";
import { named } from "../../errors/arguments.ts";
import { fail } from "../../errors/problem.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";
import type { ScheduleRecord, WakeRecord } from "../../records/schedules.ts";
import type { SessionView } from "../../session/session-view.ts";
import type { Store, Stored, StoreOps } from "../../store-port.ts";
import type { OperationDeps } from "../deps.ts";

/** Deliveries whose names are kept. */
const MOST_SEEN = 200;
/** Between two readings that webhooks ask for, in ms: what is told in between is one reading after that. */
const BETWEEN_MS = 10_000;
/** Until a watch that is asked to read is looked at again, in ms. */
const LOOK_MS = 5_000;
/** Later than any look. */
const NEVER = 8_640_000_000_000_000;
/** How often a delivery is kept that comes at once with others. */
const MOST_TRIES = 5;

const NEVER_TOLD: WakeRecord = { at: null, readAt: 0, toldAt: 0, seen: [] };

/** Which watch a request is for, as its address says. */
export interface WebhookPlace {
  readonly scope: string;
  readonly id: string;
}

/** What a request of an API came to: a text that it wants to get back, under the name by which it sent it. */
export interface ToldWebhook {
  readonly challenge: { readonly name: string; readonly text: string } | null;
}

/** Splits what names a webhook: entry ids may have dots, and names have none. */
function partsOf(text: string): { readonly entryId: string; readonly name: string } {
  const dot = text.lastIndexOf(".");
  return { entryId: text.slice(0, dot), name: text.slice(dot + 1) };
}

/** The webhook that a watch names, of those that the catalogs of its program have. Throws plasm-bad-request. */
export function readWebhook(view: SessionView, given: unknown): string {
  const all = [...view.exposure.catalogs].flatMap(([entryId, { cgs }]) =>
    [...cgs.webhooks.keys()].map((name) => `${entryId}.${name}`),
  );
  if (typeof given === "string" && all.includes(given)) return given;
  const found = typeof given === "string" ? named(given) : typeof given;
  throw fail(
    "plasm-bad-request",
    all.length === 0
      ? `webhook is ${found}, and no catalog of this program has webhooks. Leave it out: the watch reads at its times.`
      : `webhook is ${found}, and must be one of those of this program's catalogs: ${all.join(", ")}.`,
  );
}

/**
 * Takes what an API tells of a watch: one reading as soon as may be, whatever the request says, since what it says is nobody's who may read
 * it. The same delivery twice is one. Throws plasm-unknown-handle for what is no watch with a webhook, plasm-unauthenticated for what does
 * not prove that it is from the API (WATCH-07).
 */
export async function takeWebhook(
  deps: OperationDeps,
  { scope, id }: WebhookPlace,
  request: WebhookRequest,
): Promise<ToldWebhook> {
  const { store } = deps;
  const stored = await store.get("schedule", scope, id);
  const found = stored === null ? null : webhookOf(deps, stored.value);
  if (stored === null || found === null)
    throw fail("plasm-unknown-handle", "No watch is told here.");
  const verdict = await verifyWebhook(
    {
      ...found,
      secrets: deps.ports.secrets,
      tenant: tenantOfScope(scope),
      now: store.now(),
    },
    request,
  );
  if (!verdict.genuine) {
    throw fail(
      "plasm-unauthenticated",
      `This does not prove that it is from ${found.catalog.entryId}: ${verdict.why}.`,
    );
  }
  const { challenge, delivery } = verdict;
  if (challenge !== null) {
    return { challenge: { name: found.webhook.challenge ?? "challenge", text: challenge } };
  }
  if (!stored.value.paused) await wake(deps, { scope, id }, delivery);
  return { challenge: null };
}

function webhookOf(
  { registry }: OperationDeps,
  { watch }: ScheduleRecord,
): { readonly catalog: Catalog; readonly webhook: Webhook } | null {
  if (watch?.webhook === undefined) return null;
  const { entryId, name } = partsOf(watch.webhook);
  const catalog = registry.get(entryId)?.catalog;
  const webhook = catalog?.cgs.webhooks.get(name);
  return catalog === undefined || webhook === undefined ? null : { catalog, webhook };
}

/**
 * Has a watch read soon. The schedule's own record is left as it is, its version and its age: a process may be reading, and would lose what
 * it has read.
 */
async function wake(
  { store }: OperationDeps,
  { scope, id }: WebhookPlace,
  delivery: string,
): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const isKept = await store.transaction(async (tx) => {
      const stored = await tx.get("wake", scope, id);
      const { at, readAt, seen } = stored?.value ?? NEVER_TOLD;
      if (seen.includes(delivery)) return true;
      const now = tx.now();
      const next = {
        at: at ?? now,
        readAt,
        toldAt: now,
        seen: [delivery, ...seen].slice(0, MOST_SEEN),
      };
      if (stored === null) await tx.insert("wake", scope, id, next);
      else if (!(await tx.cas("wake", scope, id, stored.version, next))) return false;
      await tx.ageFrom("wake", scope, id, nextWake(next));
      return true;
    });
    if (isKept) return;
  }
  throw fail("plasm-busy", "Others tell of this watch at the same time. Send it again.");
}

/** When a reading that is asked for may begin. */
const nextWake = ({ at, readAt }: WakeRecord): number => Math.max(at ?? 0, readAt + BETWEEN_MS);

/** The watches that are asked to read now, each as it stands; of those that are reading, or are paused, none. */
export async function wokenWatches(
  store: Store,
  most: number,
): Promise<readonly { readonly scope: string; readonly stored: Stored<ScheduleRecord> }[]> {
  const now = store.now();
  const woken: { scope: string; stored: Stored<ScheduleRecord> }[] = [];
  for (const { scope, id, value } of await store.aged("wake", now, most)) {
    const stored = value.at === null ? null : await store.get("schedule", scope, id);
    if (stored !== null && !stored.value.paused && stored.value.current === null)
      woken.push({ scope, stored });
    // What is not read now is looked at later, and what is comes again if its process dies.
    await store.ageFrom("wake", scope, id, value.at === null ? NEVER : now + LOOK_MS);
  }
  return woken;
}

/** Since when a watch is asked to read; null where it is not. */
export async function wokenSince(
  store: StoreOps,
  scope: string,
  { id, watch, paused }: ScheduleRecord,
  now: number,
): Promise<number | null> {
  if (watch?.webhook === undefined || paused) return null;
  const wake = (await store.get("wake", scope, id))?.value ?? NEVER_TOLD;
  return nextWake(wake) > now ? null : wake.at;
}

/** Notes that a reading begins: it serves what has been asked for until now, and what comes from now on asks again. */
export async function noteRead(
  tx: StoreOps,
  scope: string,
  { id, watch }: ScheduleRecord,
): Promise<void> {
  if (watch?.webhook === undefined) return;
  const stored = await tx.get("wake", scope, id);
  if (stored === null || stored.value.at === null) return;
  const next = { ...stored.value, at: null, readAt: tx.now() };
  if (await tx.cas("wake", scope, id, stored.version, next))
    await tx.ageFrom("wake", scope, id, NEVER);
}
