import { type Quota, QUOTA_MEASURES, type QuotaMeasure, type Quotas } from "@plasm/core";
import { fail, type Failure } from "../errors/problem.ts";
import { named } from "../errors/arguments.ts";
import type { Caller } from "../identity/caller.ts";
import { tenantOfScope } from "../identity/tenant-scope.ts";
import { KeyedLock } from "../keyed-lock.ts";
import type { QuotaRecord, UsedSince } from "../records/quotas.ts";
import type { Store, StoreOps } from "../store-port.ts";

/** How much of what. */
export type Used = Readonly<Partial<Record<QuotaMeasure, number>>>;

/** Whose quotas are used. */
interface User {
  readonly tenant: string;
  readonly subject: string | null;
}

/** Returns whose quotas a call uses: those of who calls, whomever it is for. */
export const whoUses = ({ scope, subject }: Caller): User => ({
  tenant: tenantOfScope(scope),
  subject,
});

const SECOND_MS = 1_000;
const WINDOW_MS = { minute: 60 * SECOND_MS, day: 86_400 * SECOND_MS } as const;
type Span = keyof typeof WINDOW_MS;
const SPANS: readonly Span[] = ["minute", "day"];

/** How long what was used is kept: longer than any quota counts. */
export const QUOTA_KEPT_MS = 2 * WINDOW_MS.day;

/** How often what a process has counted is added to the store, in ms. */
export const COUNT_EVERY_MS = SECOND_MS;

const startOf = (span: Span, now: number): number => now - (now % WINDOW_MS[span]);

/** One quota of those that a call is under. */
interface Applied {
  /** its record */
  readonly id: string;
  readonly quota: Quota;
  /** where it stands in the policy */
  readonly place: string;
  readonly whose: string;
}

/** Those with a quota alone: nothing is counted for the others. */
function appliedTo(
  { subject }: User,
  { caller, tenant, apis = {} }: Quotas,
  catalogs: readonly string[],
): readonly Applied[] {
  const id = `caller/${subject ?? ""}`;
  return [
    ...(caller === undefined
      ? []
      : [{ id, quota: caller, place: "quotas.caller", whose: "this caller" }]),
    ...(tenant === undefined
      ? []
      : [{ id: "tenant", quota: tenant, place: "quotas.tenant", whose: "this tenant" }]),
    ...catalogs.flatMap((catalog) => {
      const quota = Object.hasOwn(apis, catalog) ? apis[catalog] : undefined;
      const place = `quotas.apis.${catalog}`;
      return quota === undefined
        ? []
        : [{ id: `api/${catalog}`, quota, place, whose: `this tenant on ${catalog}` }];
    }),
  ];
}

function plus(a: Used, b: Used): Used {
  const sum: Partial<Record<QuotaMeasure, number>> = { ...a };
  for (const measure of QUOTA_MEASURES) {
    const more = b[measure] ?? 0;
    if (more !== 0) sum[measure] = Math.max(0, (sum[measure] ?? 0) + more);
  }
  return sum;
}

/** What a window of now has, where `found` may be of an earlier one. */
const usedNow = (found: UsedSince | undefined, start: number): Used =>
  found?.start === start ? found.used : {};

const WORDS: Readonly<Record<QuotaMeasure, string>> = {
  runs: "runs",
  requests: "requests to APIs",
  rows: "rows",
  effects: "effects",
  tokens: "tokens of answers",
};

function usedUp(
  { place, whose }: Applied,
  measure: QuotaMeasure,
  span: Span,
  { most, asked, tenant, now }: { most: number; asked: number; tenant: string; now: number },
): Failure {
  const end = startOf(span, now) + WINDOW_MS[span];
  const retryAfter = Math.ceil((end - now) / SECOND_MS);
  const never = asked > most ? ` This plan alone has ${asked}: make it smaller.` : "";
  return fail(
    "plasm-quota-exceeded",
    [
      "not run: nothing was sent",
      `The quota of ${whose} is used up: ${most} ${WORDS[measure]} a ${span} (${place}.${measure}.${span}).${never}`,
      `It begins again at ${new Date(end).toISOString()}, in ${retryAfter} s. Until then the same call is refused, too; whoever administers this server can raise it in the policy of tenant ${named(tenant)}.`,
    ].join("\n"),
    { retryable: asked <= most, retryAfter },
  );
}

/** What was counted, by the minute in which it was. */
type Counted = ReadonlyMap<number, Used>;

/** The part of it that belongs to a window of now. */
const countedIn = (counted: Counted, span: Span, start: number): Used =>
  [...counted]
    .filter(([minute]) => startOf(span, minute) === start)
    .reduce<Used>((sum, [, used]) => plus(sum, used), {});

function mergeInto(into: Map<string, Counted>, id: string, counted: Counted): void {
  const merged = new Map(into.get(id));
  for (const [minute, used] of counted) merged.set(minute, plus(merged.get(minute) ?? {}, used));
  into.set(id, merged);
}

interface LedgerOptions {
  readonly store: Store;
  readonly everyMs: number;
  readonly warn: (what: string, cause: unknown) => void;
}

/**
 * Counts what is used of quotas, over all processes on a store (OPS-52): each adds what it has counted to the store once a second, so that
 * no call waits for a count. What others have used within the last second is not seen, and what runs under way use is bounded by
 * their budgets: by so much a quota may be passed.
 */
export class QuotaLedger {
  readonly #options: LedgerOptions;
  /** by tenant and record: what the store does not have yet */
  readonly #counted = new Map<string, Map<string, Counted>>();
  /** what is read and what is added of a tenant do not overlap */
  readonly #tenants = new KeyedLock();
  #timer: NodeJS.Timeout | null = null;
  #isWarned = false;
  #isStopped = false;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** Counts what was used, by the quotas that apply; of a catalog where it is of one. */
  note(who: User, quotas: Quotas, catalog: string | null, used: Used): void {
    const applied = appliedTo(who, quotas, catalog === null ? [] : [catalog]);
    if (applied.length === 0) return;
    const counted = this.#counted.get(who.tenant) ?? new Map<string, Counted>();
    this.#counted.set(who.tenant, counted);
    const minute = startOf("minute", this.#options.store.now());
    for (const { id } of applied) mergeInto(counted, id, new Map([[minute, used]]));
    this.#addSoon();
  }

  #addSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#addAll();
    }, this.#options.everyMs).unref();
  }

  /**
   * Counts what is about to begin, its effects aside, which count as they are sent, or refuses it where a quota has no room for it.
   * Throws plasm-quota-exceeded.
   */
  async admit(
    who: User,
    quotas: Quotas,
    catalogs: readonly string[],
    { effects = 0, ...begun }: Used,
  ): Promise<void> {
    const applied = appliedTo(who, quotas, catalogs);
    if (applied.length === 0) return;
    await this.#tenants.run(who.tenant, async () => {
      const now = this.#options.store.now();
      for (const one of applied) {
        const found = await this.#options.store.get("quota", who.tenant, one.id);
        const own = this.#counted.get(who.tenant)?.get(one.id) ?? new Map();
        for (const span of SPANS) {
          const start = startOf(span, now);
          const used = plus(usedNow(found?.value[span], start), countedIn(own, span, start));
          this.#refuse(one, span, used, { ...begun, effects }, who.tenant, now);
        }
      }
      // A catalog's and the tenant's own record each count it once.
      const [first = null, ...rest] = catalogs;
      this.note(who, quotas, first, begun);
      for (const catalog of rest) {
        const { apis = {} } = quotas;
        this.note(who, { apis }, catalog, begun);
      }
    });
  }

  #refuse(one: Applied, span: Span, used: Used, begun: Used, tenant: string, now: number): void {
    for (const measure of QUOTA_MEASURES) {
      const most = one.quota[measure]?.[span];
      const asked = begun[measure] ?? 0;
      if (most === undefined || (measure === "effects" && asked === 0)) continue;
      // Of what is not known before, one more must have room.
      if ((used[measure] ?? 0) + Math.max(1, asked) <= most) continue;
      throw usedUp(one, measure, span, { most, asked, tenant, now });
    }
  }

  /** Adds what is left, and counts no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#addAll();
  }

  async #addAll(): Promise<void> {
    const tenants = [...this.#counted.keys()];
    await Promise.all(tenants.map((tenant) => this.#tenants.run(tenant, () => this.#add(tenant))));
  }

  async #add(tenant: string): Promise<void> {
    const { store, warn } = this.#options;
    const counted = this.#counted.get(tenant);
    if (counted === undefined) return;
    this.#counted.delete(tenant);
    try {
      await store.transaction((tx) => addTo(tx, tenant, counted));
      this.#isWarned = false;
    } catch (cause) {
      if (!this.#isWarned) warn("What is used of quotas could not be kept", cause);
      this.#isWarned = true;
      const since = this.#counted.get(tenant) ?? new Map<string, Counted>();
      for (const [id, each] of counted) mergeInto(since, id, each);
      this.#counted.set(tenant, since);
      if (!this.#isStopped) this.#addSoon();
    }
  }
}

async function addTo(
  tx: StoreOps,
  tenant: string,
  counted: ReadonlyMap<string, Counted>,
): Promise<void> {
  const now = tx.now();
  for (const [id, each] of counted) {
    const found = await tx.get("quota", tenant, id);
    const added = (span: Span): UsedSince => {
      const start = startOf(span, now);
      return {
        start,
        used: plus(usedNow(found?.value[span], start), countedIn(each, span, start)),
      };
    };
    const next: QuotaRecord = { minute: added("minute"), day: added("day") };
    const kept =
      found === null
        ? await tx.insert("quota", tenant, id, next)
        : await tx.cas("quota", tenant, id, found.version, next);
    if (!kept) throw new Error("What is used of a quota changed within a transaction");
  }
}

/** A quota, and how much of it is used in the window that is now. */
export type QuotaUse = {
  /** where it stands in the policy, with measure and window */
  readonly place: string;
  /** whose use is counted, where the quota is each caller's own; null for a caller without a name */
  readonly caller?: string | null;
  readonly measure: QuotaMeasure;
  readonly per: Span;
  readonly most: number;
  readonly used: number;
  /** when it begins again */
  readonly ends_at: string;
};

/** Callers that are shown: those that have used most of what is nearest to its end. */
const SHOWN_CALLERS = 50;

const CALLER = "caller/";

function useOf({ quota, place }: Applied, found: QuotaRecord | undefined, now: number): QuotaUse[] {
  return QUOTA_MEASURES.flatMap((measure) =>
    SPANS.flatMap((per) => {
      const most = quota[measure]?.[per];
      if (most === undefined) return [];
      const start = startOf(per, now);
      const used = usedNow(found?.[per], start)[measure] ?? 0;
      const ends = new Date(start + WINDOW_MS[per]).toISOString();
      return [{ place: `${place}.${measure}.${per}`, measure, per, most, used, ends_at: ends }];
    }),
  );
}

/** How near to its end the fullest of some quotas is. */
const fullest = (uses: readonly QuotaUse[]): number =>
  Math.max(0, ...uses.map(({ used, most }) => used / Math.max(1, most)));

/**
 * Returns the quotas of a tenant with what is used of them now, as the store has it: what processes counted within the last second is
 * missing (OPS-52, SURF-36). Of callers those alone that have used something, the fullest 50.
 */
export async function quotaUse(
  store: StoreOps,
  tenant: string,
  quotas: Quotas,
): Promise<readonly QuotaUse[]> {
  const now = store.now();
  const { caller, ...ofTenant } = quotas;
  const applied = appliedTo({ tenant, subject: null }, ofTenant, Object.keys(quotas.apis ?? {}));
  const shared = await Promise.all(
    applied.map(async (one) => useOf(one, (await store.get("quota", tenant, one.id))?.value, now)),
  );
  if (caller === undefined) return shared.flat();
  const records = await store.list("quota", tenant, CALLER);
  const callers = records
    .map(({ id, value }) => {
      const name = id.slice(CALLER.length);
      const one = { id, quota: caller, place: "quotas.caller", whose: "" };
      const uses = useOf(one, value, now);
      return uses.map((use) => ({ ...use, caller: name === "" ? null : name }));
    })
    .filter((uses) => uses.some(({ used }) => used > 0))
    .toSorted((a, b) => fullest(b) - fullest(a))
    .slice(0, SHOWN_CALLERS);
  return [...shared.flat(), ...callers.flat()];
}
