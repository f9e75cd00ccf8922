import { conditionMessages } from "../../diagnostics/condition-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import type { And, Exists, Pred } from "../../language/ast-predicates.ts";
import type { CheckContext } from "../check-context.ts";
import { speakerLike } from "../names/speaker.ts";
import type { RowType } from "../row-type.ts";
import type { TypedPred } from "../typed-program.ts";
import { listSlots, takingLabels } from "./condition-names.ts";
import { conditionName } from "./name-condition.ts";
import { readCompare, readIn, type ConditionReading } from "./read-condition.ts";

/**
 * Reads the conditions between braces on rows of a type and reports what is wrong with them. A part in
 * error becomes `bad`, so that what depends on all conditions reports nothing more (ERR-005).
 */
export function readConditions(context: CheckContext, rows: RowType, pred: And): TypedPred {
  return { kind: "and", items: pred.items.map((item) => readPred(context, rows, item)) };
}

const BAD: TypedPred = { kind: "bad" };

function readPred(context: CheckContext, rows: RowType, pred: Pred): TypedPred {
  switch (pred.kind) {
    case "And":
      return readConditions(context, rows, pred);
    case "Or":
      return { kind: "or", items: pred.items.map((item) => readPred(context, rows, item)) };
    case "Not":
      return { kind: "not", pred: readConditions(context, rows, pred.pred) };
    case "Exists":
      return readExists(context, rows, pred);
    case "Compare":
      return reported(context, readCompare(context, rows, pred));
    case "In":
      return reported(context, readIn(context, rows, pred));
    case "Bad":
      return BAD;
  }
}

function reported(context: CheckContext, reading: ConditionReading): TypedPred {
  for (const problem of reading.problems) context.found.add(problem);
  return reading.condition ?? BAD;
}

function readExists(context: CheckContext, rows: RowType, exists: Exists): TypedPred {
  const lists = rows.entity === null ? [] : listSlots(context, rows.entity);
  const name = conditionName(context, rows, exists.path, lists);
  if (name.kind === "problem") {
    context.found.add(name.problem);
    return BAD;
  }
  if (name.column !== null) return { kind: "exists", path: name.path };
  const speaker = speakerLike(context.exposure, name.shown);
  const [wire = name.shown] = name.path;
  const args = {
    name: speaker.name(wire),
    op: "exists()",
    form: `${name.shown}=…`,
    labels: rows.entity === null ? "" : takingLabels(context, rows.entity, wire, speaker),
    entity: rows.entity === null ? "these rows" : speaker.entity(rows.entity),
  };
  context.found.add(diagnose(conditionMessages.sentOnly, exists.path.span, args));
  return BAD;
}
