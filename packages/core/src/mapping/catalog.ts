import type { Cgs } from "../schema/cgs.ts";
import type { ProjectedOverlay } from "../schema/projected-overlay.ts";
import type { DroppedPart } from "./dropped-part.ts";
import type { Cml } from "./template.ts";

/**
 * One loaded catalog: graph, mappings and the digest of both (RUN-170).
 * `digest` is the effective digest where an overlay or a backend override applies (RUN-171).
 */
export interface Catalog {
  readonly entryId: string;
  readonly digest: string;
  /** the digest of the files alone, where `digest` is an effective one (RUN-172) */
  readonly base?: string;
  readonly cgs: Cgs;
  readonly cml: Cml;
  /** what the files have and `cgs` and `cml` have not; absent if nothing was left out */
  readonly dropped?: readonly DroppedPart[];
  /** the tenant's own schema, which `cgs` and `cml` include already (RUN-103) */
  readonly overlay?: ProjectedOverlay;
}
