import type { Slot } from "../../schema/input.ts";
import { takesList } from "../slot-type.ts";
import type { ConditionOp, Sendable } from "../typed-program.ts";

/** How a parameter sends an operator: `=` as it is, `in` where RUN-111 allows it; else null. */
export function sentBy(op: ConditionOp, slot: Slot): Sendable["by"] | null {
  if (op === "=") return "one";
  if (op !== "in") return null;
  if (takesList(slot)) return "one";
  return slot.required ? "each" : null;
}
