import type { EffectEntry } from "@plasm/runtime";

/** One entry of a run's effect log (PLAN-073, OPS-28); its id is the run's with the sequence number. */
export type EffectRecord = EffectEntry;
