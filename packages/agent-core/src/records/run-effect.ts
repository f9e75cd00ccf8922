import type { Span } from "@plasm/core";

/** An effect that a plan has, as it is named after the process that ran it died (PLAN-072). */
export interface RunEffect {
  readonly node: string;
  readonly kind: "create" | "update" | "delete" | "action";
  readonly entryId: string;
  readonly entity: string;
  readonly capability: string;
  /** label of the capability, as programs write it */
  readonly label: string;
  /** identity text (RUN-046) where the program holds it whole, else null */
  readonly target: string | null;
  readonly span: Span | null;
}
