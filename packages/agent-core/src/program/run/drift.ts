import type { Plan } from "@plasm/core";
import type { RunOutcome } from "@plasm/runtime";
import { countDrift } from "../../meter.ts";

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

/** The catalog that a node reads, or that its body does; null for what computes. */
function catalogOf(plan: Plan, id: string): string | null {
  const node = plan.nodes.find((one) => one.id === id);
  if (node === undefined) return null;
  const read = node.kind === "for_each" ? node.body : node;
  return "catalog" in read ? read.catalog.entry_id : null;
}

/**
 * Tells operators, and nobody else, that an API answers otherwise than its catalog says: each sign is counted, and told in the log the first
 * time that this process sees it (OPS-66).
 */
export class DriftWatch {
  readonly #warn: (what: string, cause: unknown) => void;
  readonly #counts: Pick<DriftCounts, "add"> | null;
  readonly #told = new Set<string>();

  constructor(
    warn: (what: string, cause: unknown) => void,
    counts: Pick<DriftCounts, "add"> | null = null,
  ) {
    this.#warn = warn;
    this.#counts = counts;
  }

  /** Looks at how a run ended. */
  note(plan: Plan, { diagnostics, oddities }: Pick<RunOutcome, "diagnostics" | "oddities">): void {
    const words = oddities.map((one) => ({ ...one, code: "option_unknown" }));
    for (const { code, node, count, detail } of [...diagnostics, ...words]) {
      if (code !== "option_unknown" && !SIGNS.has(code)) continue;
      const catalog = catalogOf(plan, node);
      if (catalog === null) continue;
      countDrift(catalog, code, count);
      this.#counts?.add(catalog, code, count, detail);
      this.#tell(`${catalog} answers otherwise than its catalog says: ${detail} (${code})`);
    }
  }

  #tell(sign: string): void {
    if (this.#told.has(sign) || this.#told.size >= MOST_TOLD) return;
    this.#told.add(sign);
    this.#warn(sign, null);
  }
}
