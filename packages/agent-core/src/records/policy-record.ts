import type { Policy } from "@plasm/core";

/** A version of a tenant's policy; every one is kept (SURF-25). Times in ms. */
export interface PolicyRecord {
  readonly tenant: string;
  /** from 1 on */
  readonly version: number;
  readonly policy: Policy;
  /** the administrator who set it */
  readonly by: string;
  readonly at: number;
}
