/** An effect-bearing capability kind, as policy names them. */
export type EffectKind = "create" | "update" | "delete" | "action";

/** What a tenant may do with one catalog (SURF-25). */
export interface ApiPolicy {
  readonly deny?: readonly string[];
  readonly effects?: boolean;
  /** effects that an operator must approve: their kinds, capability names, or `all` (OPS-36) */
  readonly approval?: { readonly operator: readonly string[] | "all" };
}

/**
 * What a tenant may see and do (SURF-25). Catalogs not named in `apis` are forbidden;
 * without `apis` all are allowed.
 */
export interface Policy {
  readonly apis?: Readonly<Record<string, ApiPolicy>>;
  readonly force?: boolean;
  readonly budgets?: Readonly<Partial<Record<BudgetName, number>>>;
  readonly grafts?: boolean;
  /** how long a plan waits for an operator, 24 hours unless told otherwise (OPS-36) */
  readonly approval?: { readonly hours: number };
}

/** What a run is limited in (RUN-130). */
export const BUDGET_NAMES = [
  "requests",
  "rows",
  "pages",
  "fan_out",
  "bytes",
  "wall",
  "work",
] as const;

export type BudgetName = (typeof BUDGET_NAMES)[number];
