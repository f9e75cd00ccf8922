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
