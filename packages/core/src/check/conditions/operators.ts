import type { ValueType } from "../../values/value-type.ts";
import type { ConditionOp } from "../typed-program.ts";

const ORDERED: readonly ConditionOp[] = ["=", "!=", "<", "<=", ">", ">=", "in"];
const TEXT: readonly ConditionOp[] = [...ORDERED, "~"];
const CHOICE: readonly ConditionOp[] = ["=", "!=", "in"];
const LIST: readonly ConditionOp[] = ["=", "!=", "~", "in"];

/** The operators that compare a column of a type (LANG-050); every type also has exists and null. */
export function operatorsOf(type: ValueType): readonly ConditionOp[] {
  switch (type.kind) {
    case "string":
    case "json":
      return TEXT;
    case "number":
    case "integer":
    case "date":
    case "uuid":
    case "blob":
      return ORDERED;
    case "boolean":
    case "select":
    case "entity_ref":
      return CHOICE;
    case "array":
    case "multi_select":
      return LIST;
  }
}
