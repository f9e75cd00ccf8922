import { conditionMessages } from "../../diagnostics/condition-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import type {
  And,
  Exists,
  In,
  Path,
  Pred,
  Test,
  Value,
} from "../../language/grammar/ast-values.ts";
import { withColumns } from "../columns/read-source.ts";
import { truthProblem } from "../values/expression-parts.ts";
import { readTotal } from "../values/related-total.ts";
import { readExpression } from "../values/expression.ts";
import { readValue } from "../values/read-value.ts";
import type { CheckContext } from "../check-context.ts";
import { speakerLike } from "../names/name-formatter.ts";
import type { RowType } from "../types.ts";
import type { TypedPred } from "../typed-program.ts";
import { conditionName, sendableLists, takingLabels } from "./name-condition.ts";
import { type ConditionReading, readCompare, readIn } from "./read-condition.ts";
import { spanIn } from "../../base/source.ts";

/**
 * Reads the conditions between braces on rows of a type and reports what is wrong with them. A part in
 * error becomes `bad`, so that what depends on all conditions reports nothing more (ERR-005).
 */
export function readConditions(context: CheckContext, rows: RowType, pred: And): TypedPred {
  return withColumns(context, rows, () => readAll(context, rows, pred));
}

function readAll(context: CheckContext, rows: RowType, pred: And): TypedPred {
  return { kind: "and", items: pred.items.map((item) => readPred(context, rows, item)) };
}

const BAD: TypedPred = { kind: "bad" };

function readPred(context: CheckContext, rows: RowType, pred: Pred): TypedPred {
  switch (pred.kind) {
    case "And":
      return readAll(context, rows, pred);
    case "Or":
      return { kind: "or", items: pred.items.map((item) => readPred(context, rows, item)) };
    case "Not":
      return { kind: "not", pred: readAll(context, rows, pred.pred) };
    case "Exists":
      return readExists(context, rows, pred);
    case "Compare":
      return reported(context, readCompare(context, rows, pred));
    case "In":
      return readAmong(context, pred) ?? reported(context, readIn(context, rows, pred));
    case "Test":
      return readTest(context, pred);
    case "Bad":
      return BAD;
  }
}

/** A condition that is computed: true or false, of the cells of the row (LANG-048). */
function readTest(context: CheckContext, pred: Test): TypedPred {
  const read = readExpression(context, pred.value, readValue);
  const problem = truthProblem(context, pred.value, read);
  for (const each of read.problems) context.found.add(each);
  if (problem !== null) context.found.add(problem);
  const isSound = read.problems.length === 0 && problem === null;
  return isSound ? { kind: "test", value: read.value, span: pred.span } : BAD;
}

/**
 * `vip in tags`, where `tags` is a column that holds lists: what is left of `in` may be a word that is no column.
 * Null where the right side is something else.
 */
function readAmong(context: CheckContext, pred: In): TypedPred | null {
  const { word, path } = pred;
  const { columns } = context;
  if (columns === null || word?.kind !== "WordValue") return null;
  if (context.labels.peek(word.raw.split(".", 1)[0] ?? "") !== null) return null;
  const right = readExpression(context, word, readValue);
  const isList = right.word === undefined && (right.kind === "list" || right.kind === "json");
  if (!isList || right.value.kind !== "cell") return null;
  const raw = path.segments.map(({ text }) => text).join(".");
  const left: Value = { kind: "WordValue", raw, span: path.span };
  const value: Value = { kind: "BinaryValue", op: "in", left, right: word, span: pred.span };
  return readTest(context, { kind: "Test", value, span: pred.span });
}

function reported(context: CheckContext, reading: ConditionReading): TypedPred {
  for (const problem of reading.problems) context.found.add(problem);
  return reading.condition ?? BAD;
}

function readExists(context: CheckContext, rows: RowType, exists: Exists): TypedPred {
  const related = readRelatedExists(context, exists);
  if (related !== null) return related;
  const lists = rows.entity === null ? [] : sendableLists(context, rows.entity);
  const name = conditionName(context, rows, exists.path, lists);
  if (name.kind === "problem") {
    context.found.add(name.problem);
    return BAD;
  }
  if (name.column !== null) return { kind: "exists", path: name.path, column: name.column.type };
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

/** `exists(orders)`, where `orders` is a relation to many (LANG-055); null where it is none. */
function readRelatedExists(context: CheckContext, { path, span }: Exists): TypedPred | null {
  const raw = path.segments.map(({ text }) => text).join(".");
  const value: Value = { kind: "WordValue", raw, span: path.span };
  const [first] = path.segments;
  if (first === undefined) return null;
  const total = readTotal(context, {
    kind: "ConstructorValue",
    name: { ...first, text: "exists" },
    args: [{ kind: "Arg", value, span: path.span }],
    span,
  });
  if (total === null) return null;
  for (const problem of total.problems) context.found.add(problem);
  return total.problems.length > 0 ? BAD : { kind: "test", value: total.value, span };
}

/** Conditions that all hold, `all{…}` taken apart (LANG-051). */
export function writtenConjuncts(pred: Pred): readonly Pred[] {
  return pred.kind === "And" ? pred.items.flatMap(writtenConjuncts) : [pred];
}

/** A condition on `ref.x` as one on `x` of the rows the reference leads to. */
export function rebasedPred(context: CheckContext, pred: Pred): Pred {
  switch (pred.kind) {
    case "And":
      return rebasedAll(context, pred);
    case "Or":
      return { ...pred, items: pred.items.map((item) => rebasedPred(context, item)) };
    case "Not":
      return { ...pred, pred: rebasedAll(context, pred.pred) };
    case "Exists":
    case "Compare":
    case "In":
      return { ...pred, path: rebasedPath(context, pred.path) };
    case "Test":
    case "Bad":
      return pred;
  }
}

function rebasedAll(context: CheckContext, pred: And): And {
  return { ...pred, items: pred.items.map((item) => rebasedPred(context, item)) };
}

function rebasedPath(context: CheckContext, path: Path): Path {
  const [, next, ...rest] = path.segments;
  if (next === undefined) throw new Error("A path behind a reference has a second segment.");
  const span = spanIn(context.source, next.span.start, path.span.end);
  return { kind: "Path", segments: [next, ...rest], span };
}
