import type { Plan, PlanNode, Policy } from "@plasm/core";
import type { RunDiagnostic, RunOutcome } from "@plasm/runtime";
import { countDrift } from "../../meter.ts";
import type { DriftRecord } from "../../records/drift.ts";
import type { Store } from "../../store-port.ts";
import { isoTime } from "../gate/gate-failures.ts";

/** What says that an API answers otherwise than its catalog has it, whoever asked for what. */
const SIGNS: ReadonlySet<string> = new Set<RunOutcome["diagnostics"][number]["code"]>([
  "collection_missing",
  "derive_failed",
  "edge_missing",
  "identity_missing",
  "path_type",
  "row_unfit",
  "value_unconverted",
]);

/** What one kind of sign of a catalog came to, since a process began. */
export interface DriftCount {
  readonly entry_id: string;
  readonly sign: string;
  readonly count: number;
  /** what the last one was: entity, field and sign, without a value */
  readonly last: string;
  readonly last_at: string;
}

/** Keeps how often each sign was seen, for whoever asks a process (SURF-38). */
export class DriftCounts {
  readonly #counts = new Map<string, DriftCount>();
  readonly since: string;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.since = new Date(now()).toISOString();
  }

  add(entryId: string, sign: string, count: number, last: string): void {
    const key = JSON.stringify([entryId, sign]);
    const before = this.#counts.get(key)?.count ?? 0;
    const at = new Date(this.#now()).toISOString();
    this.#counts.set(key, {
      entry_id: entryId,
      sign,
      count: before + count,
      last,
      last_at: at,
    });
  }

  /** Those of a catalog, the most frequent first. */
  of(entryId: string): readonly DriftCount[] {
    return [...this.#counts.values()]
      .filter((one) => one.entry_id === entryId)
      .toSorted((a, b) => b.count - a.count);
  }
}

/** Signs of each process that stand in its log once; what else there is, its figures count. */
const MOST_TOLD = 1_000;

/** What a node asks an API for; null for what computes, and where its rows are in hand. */
interface Asked {
  readonly catalog: string;
  readonly digest: string;
  readonly capability: string | null;
}

function askedBy(node: PlanNode | undefined): Asked | null {
  if (node === undefined) return null;
  const body = node.kind === "for_each" ? node.body : node;
  if (!("catalog" in body)) return null;
  const { entry_id: catalog, digest } = body.catalog;
  return { catalog, digest, capability: body.capability };
}

/** A capability whose answers fitted its catalog, and do not any more. */
export interface Drifted {
  readonly catalog: string;
  readonly capability: string;
  /** entity, field and sign, without a value */
  readonly detail: string;
  /** in ms */
  readonly since: number;
}

/** The same in words, for whoever decides on a plan that rests on it. */
export const driftedLines = (drifted: readonly Drifted[]): readonly string[] =>
  drifted.map(
    ({ catalog, capability, detail, since }) =>
      `${catalog}.${capability} answers otherwise than before, since ${isoTime(since)}: ${detail}`,
  );

/** Capabilities of all tenants whose state a process knows without asking its store. */
const MOST_KNOWN = 10_000;

const idOf = (catalog: string, capability: string): string => `${catalog}/${capability}`;

/**
 * Whether the answers of a node fit: not where at least half of its rows have a sign, or a sign is all there is of them. Null where nothing
 * can be said: no rows and no sign, or a few odd rows among others.
 */
function judge(rows: number, signs: readonly RunDiagnostic[]): "fits" | "drifted" | null {
  const odd = Math.max(0, ...signs.map(({ count }) => count));
  if (odd === 0) return rows > 0 ? "fits" : null;
  return odd * 2 >= rows ? "drifted" : null;
}

/**
 * Tells operators, and nobody else, that an API answers otherwise than its catalog says: each sign is counted, and told in the log the first
 * time that this process sees it (OPS-66). Keeps by tenant which capabilities have answers that fitted once and do not any more: effects
 * that rest on them wait for a person (OPS-67).
 */
export class DriftWatch {
  readonly #store: Store;
  readonly #warn: (what: string, cause: unknown) => void;
  readonly #counts: Pick<DriftCounts, "add"> | null;
  readonly #told = new Set<string>();
  /** digest and state as the store had them last: most answers change nothing, and are not asked about */
  readonly #known = new Map<string, string>();

  constructor(
    store: Store,
    warn: (what: string, cause: unknown) => void,
    counts: Pick<DriftCounts, "add"> | null = null,
  ) {
    this.#store = store;
    this.#warn = warn;
    this.#counts = counts;
  }

  /** Looks at how a run ended. Never fails it: what cannot be kept is told in the log. */
  async note(
    scope: string,
    plan: Plan,
    { diagnostics, oddities, nodes }: Pick<RunOutcome, "diagnostics" | "oddities" | "nodes">,
  ): Promise<void> {
    const asked = new Map(plan.nodes.map((node) => [node.id, askedBy(node)] as const));
    const words = oddities.map((one) => ({ ...one, code: "option_unknown" }));
    for (const { code, node, count, detail } of [...diagnostics, ...words]) {
      if (code !== "option_unknown" && !SIGNS.has(code)) continue;
      const catalog = asked.get(node)?.catalog;
      if (catalog === undefined) continue;
      countDrift(catalog, code, count);
      this.#counts?.add(catalog, code, count, detail);
      this.#tell(`${catalog} answers otherwise than its catalog says: ${detail} (${code})`);
    }
    for (const { id, rows } of nodes) {
      const of = asked.get(id) ?? null;
      const signs = diagnostics.filter(({ node, code }) => node === id && SIGNS.has(code));
      const state = judge(rows, signs);
      if (of === null || of.capability === null || state === null) continue;
      const [first] = signs;
      const detail = first === undefined ? null : `${first.detail} (${first.code})`;
      try {
        await this.#keep(scope, { ...of, capability: of.capability }, state, detail);
      } catch (thrown) {
        this.#warn(`whether ${of.catalog}.${of.capability} fits its catalog was not kept`, thrown);
      }
    }
  }

  /** What a plan rests on that has drifted: none where it changes nothing, or policy does not mind. */
  async under(scope: string, plan: Plan, { approval }: Policy): Promise<readonly Drifted[]> {
    if (plan.summary.effects.length === 0 || approval?.drifted === false) return [];
    const found = new Map<string, Drifted>();
    for (const node of plan.nodes) {
      const of = askedBy(node);
      if (of === null || of.capability === null) continue;
      const { catalog, capability, digest } = of;
      const id = idOf(catalog, capability);
      if (found.has(id)) continue;
      const record = (await this.#store.get("drift", scope, id))?.value;
      if (record === undefined || record.digest !== digest) continue;
      this.#remember(scope, id, record);
      const { state, detail, since } = record;
      if (state === "drifted") found.set(id, { catalog, capability, detail: detail ?? "", since });
    }
    return [...found.values()];
  }

  /** Keeps a state where it is another one than before. What never fitted has not drifted. */
  async #keep(
    scope: string,
    { catalog, capability, digest }: Asked & { readonly capability: string },
    state: DriftRecord["state"],
    detail: string | null,
  ): Promise<void> {
    const id = idOf(catalog, capability);
    if (this.#known.get(`${scope} ${id}`) === `${digest} ${state}`) return;
    const known = await this.#store.get("drift", scope, id);
    // Not remembered: another process may find meanwhile that it fits.
    if (known?.value.digest !== digest && state === "drifted") return;
    await this.#store.transaction(async (tx) => {
      const before = await tx.get("drift", scope, id);
      if (before?.value.digest === digest && before.value.state === state) return;
      const record: DriftRecord = { digest, state, since: tx.now(), detail };
      if (before !== null) await tx.delete("drift", scope, id);
      await tx.insert("drift", scope, id, record);
    });
    this.#remember(scope, id, { digest, state });
  }

  #remember(
    scope: string,
    id: string,
    { digest, state }: Pick<DriftRecord, "digest" | "state">,
  ): void {
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(`${scope} ${id}`, `${digest} ${state}`);
  }

  #tell(sign: string): void {
    if (this.#told.has(sign) || this.#told.size >= MOST_TOLD) return;
    this.#told.add(sign);
    this.#warn(sign, null);
  }
}
