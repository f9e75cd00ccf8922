import type { QuotaMeasure } from "@plasm/core";

/** What was used since a minute or a day began; `start` in ms. */
export interface UsedSince {
  readonly start: number;
  readonly used: Readonly<Partial<Record<QuotaMeasure, number>>>;
}

/** What a caller, a tenant, or a tenant on a catalog has used (OPS-52). */
export interface QuotaRecord {
  readonly minute: UsedSince;
  readonly day: UsedSince;
}
