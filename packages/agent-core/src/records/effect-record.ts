import type { JsonObject } from "@plasm/core";
import type { EffectEntry } from "@plasm/runtime";

/**
 * One entry of a run's effect log (PLAN-073, OPS-28); its id is the run's with the sequence number.
 * `rows` are those of an effect that is done, as the runtime reads them.
 */
export type EffectRecord = EffectEntry & { readonly rows?: JsonObject | null };
