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
