/** An effect-bearing capability kind, as policy names them. */
export type EffectKind = "create" | "update" | "delete" | "action";

/** What a tenant may do with one catalog (SURF-25). */
export interface ApiPolicy {
  readonly deny?: readonly string[];
  readonly effects?: boolean;
  /**
   * effects that somebody must approve: their kinds, capability names, or `all`. Those of `operator` wait for an operator (OPS-36);
   * those of `client` alone may be approved by the person at the client that asks, too (OPS-65).
   */
  readonly approval?: {
    readonly operator?: readonly string[] | "all";
    readonly client?: readonly string[] | "all";
  };
}

/**
 * What a tenant may see and do (SURF-25). Catalogs not named in `apis` are forbidden;
 * without `apis` all are allowed.
 */
export interface Policy {
  readonly apis?: Readonly<Record<string, ApiPolicy>>;
  readonly force?: boolean;
  readonly budgets?: Readonly<Partial<Record<BudgetName, number>>>;
  /** what reads may ask for without review; each figure that is left out is the host's (PLAN-054) */
  readonly unreviewed_reads?: Readonly<Partial<ReadBudget>>;
  readonly grafts?: boolean;
  /**
   * how long a plan waits for an operator, 24 hours unless told otherwise (OPS-36); `drifted: false` lets effects run without a person
   * where answers stopped fitting their catalog (OPS-67)
   */
  readonly approval?: { readonly hours?: number; readonly drifted?: boolean };
  /** how much may be used in a minute and in a day, over all processes (OPS-52) */
  readonly quotas?: Quotas;
  /** saved programs that run without review, by name, each in one version and within bounds (SAV-16) */
  readonly programs?: Readonly<Record<string, ProgramApproval>>;
}

/** What one version of a saved program may do without review (SAV-16). */
export interface ProgramApproval {
  /** 64 hex digits: another version is reviewed */
  readonly version: string;
  /** most effects of a run */
  readonly effects: number;
  /** what they may be, as `entry_id/capability`; all that the version has without it */
  readonly capabilities?: readonly string[];
  /** what arguments may be other than their defaults */
  readonly parameters?: Readonly<Record<string, ParameterBound>>;
}

/** What an argument may be: anything, one of these, or a number within bounds; of a list, each item. */
export interface ParameterBound {
  readonly any?: boolean;
  readonly one_of?: readonly (string | number | boolean)[];
  readonly least?: number;
  readonly most?: number;
}

/** What quotas count: runs begun, requests to APIs, rows of steps, effects begun, tokens answered. */
export const QUOTA_MEASURES = ["runs", "requests", "rows", "effects", "tokens"] as const;

/** What a quota counts, by its name. */
export type QuotaMeasure = (typeof QUOTA_MEASURES)[number];

/** How much of each may be used in a minute, and in a day of UTC; what is left out has no limit. */
export type Quota = Readonly<
  Partial<Record<QuotaMeasure, { readonly minute?: number; readonly day?: number }>>
>;

/** The quotas of each caller of a tenant, of the tenant as a whole, and of it on a catalog (OPS-52). */
export interface Quotas {
  readonly caller?: Quota;
  readonly tenant?: Quota;
  readonly apis?: Readonly<Record<string, Quota>>;
}

/** The budgets of a run, in the order in which they are told (RUN-130). */
export const BUDGET_NAMES = [
  "requests",
  "rows",
  "pages",
  "fan_out",
  "bytes",
  "wall",
  "work",
] as const;

/** How much a run may read: requests sent, and rows taken. */
export interface ReadBudget {
  readonly requests: number;
  readonly rows: number;
}

/** A budget of a run, by its name. */
export type BudgetName = (typeof BUDGET_NAMES)[number];

/**
 * What an engine can run beyond plain reads. Contract, table and discovery teach nothing that is
 * off here; a capability that needs it is `untaught` as `not_plannable` (TEACH-24).
 */
export interface Features {
  /** search sources and search capabilities */
  readonly search: boolean;
  /** create, update, delete, action */
  readonly effects: boolean;
  /** `wait` and `cancel` */
  readonly longWork: boolean;
  /** text from rows */
  readonly templates: boolean;
  /** `rows => {…}`, object values outside arguments */
  readonly derive: boolean;
  /** `aggregate` and `group_by` */
  readonly aggregate: boolean;
  readonly distinct: boolean;
  readonly singleton: boolean;
  /** cells of a label as values, `p=a.p` */
  readonly holes: boolean;
  /** inputs told apart by a discriminator */
  readonly unions: boolean;
  /** conditions on and columns of referenced rows, `ref.p` */
  readonly join: boolean;
  /** relations and gets with bindings (RUN-050) */
  readonly boundRelations: boolean;
  readonly views: boolean;
  readonly graphql: boolean;
  readonly evm: boolean;
}

/** Everything the language has. */
export const ALL_FEATURES: Features = Object.freeze({
  search: true,
  effects: true,
  longWork: true,
  templates: true,
  derive: true,
  aggregate: true,
  distinct: true,
  singleton: true,
  holes: true,
  unions: true,
  join: true,
  boundRelations: true,
  views: true,
  graphql: true,
  evm: true,
});

/** What this engine runs today: the one place that says so. */
export const CURRENT_FEATURES: Features = Object.freeze({ ...ALL_FEATURES });
