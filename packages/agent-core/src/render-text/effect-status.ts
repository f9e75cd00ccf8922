import type { EffectEntry } from "@plasm/runtime";

/** How lines say what became of an effect (OPS-29). */
export const STATUS_WORDS: Readonly<Record<EffectEntry["status"], string>> = {
  started: "in doubt",
  done: "done",
  failed: "failed",
  in_doubt: "in doubt",
  skipped: "not started",
};
