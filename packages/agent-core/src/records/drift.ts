/** Whether the answers to a capability fit its catalog, as they were last: kept where that changes alone (OPS-67). */
export interface DriftRecord {
  /** of the catalog that the answers were held against: another one begins anew */
  readonly digest: string;
  readonly state: "fits" | "drifted";
  /** in ms */
  readonly since: number;
  /** entity, field and sign of what did not fit, without a value; null where all fit */
  readonly detail: string | null;
}

/** How often answers to a tenant's calls of a catalog had each sign of OPS-66, over all processes; its id is the catalog's. */
export interface DriftSignsRecord {
  /** by the day of UTC, then by sign */
  readonly days: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** by sign: entity, field and sign of the last one, without a value, and when, in ms */
  readonly last: Readonly<Record<string, { readonly detail: string; readonly at: number }>>;
}
