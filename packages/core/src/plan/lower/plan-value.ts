import { canonicalJson } from "../../base/canonical-json.ts";
import { compareCodePoints } from "../../base/text.ts";
import type {
  Related,
  Rows,
  TotalValue,
  TypedArgs,
  TypedKey,
  TypedPred,
  TypedValue,
} from "../../check/typed-program.ts";
import { typeText } from "../../check/types.ts";
import { valueParts } from "../../check/values/typed-parts.ts";
import type { Exposure } from "../../symbols/exposure.ts";
import type { PlanValue } from "../ir.ts";
import type { Lowering } from "./lowering.ts";

/** Conditions that all hold, equal ones once and in the order of their text (PLAN-003). */
export function distinctPreds(
  lowering: Lowering,
  preds: readonly TypedPred[],
): readonly TypedPred[] {
  const byText = new Map(preds.map((pred) => [predText(lowering, pred), pred]));
  return [...byText].toSorted(([a], [b]) => compareCodePoints(a, b)).map(([, pred]) => pred);
}

function predText(lowering: Lowering, pred: TypedPred): string {
  switch (pred.kind) {
    case "and":
    case "or":
      return `${pred.kind}(${pred.items.map((item) => predText(lowering, item)).join()})`;
    case "not":
      return `not(${predText(lowering, pred.pred)})`;
    case "exists":
      return canonicalJson({ exists: pred.path });
    case "bad":
      return "bad";
    case "test":
      return canonicalJson({ test: valueText(lowering, pred.value) });
    case "condition": {
      const value = pred.tested ?? [...pred.sendable.values()][0]?.value ?? null;
      return canonicalJson([pred.path, pred.op, valueText(lowering, value)]);
    }
  }
}

function valueText(lowering: Lowering, value: TypedValue | null): string {
  if (value === null || isUnknown(value)) return "";
  return canonicalJson(planValue(lowering, value));
}

/** Turns values of the checked program into plan values; `idOf` lowers the rows a hole refers to. */
export interface ValueLowering {
  readonly exposure: Exposure;
  idOf(rows: Rows): string;
  /** the node that finds out what related rows come to */
  totalOf(related: Related): string;
}

export function planValue(lowering: ValueLowering, value: TypedValue): PlanValue {
  switch (value.kind) {
    case "lit":
      return { lit: value.value };
    case "dec":
      return { dec: value.text };
    case "now":
      return { now: value.text };
    case "hole":
      return {
        from: lowering.idOf(value.rows),
        path: value.path,
        type: typeText(lowering.exposure, value.type),
        many: value.many,
      };
    case "cursor":
      return { row: value.path, type: typeText(lowering.exposure, value.type) };
    case "cell":
      return { cell: value.path, type: typeText(lowering.exposure, value.type) };
    case "total":
      return {
        total: lowering.totalOf(value.related),
        of: totalName(value),
        type: typeText(lowering.exposure, value.type),
      };
    case "computed": {
      const type = typeText(lowering.exposure, value.type);
      const args = value.args.map((arg) => planValue(lowering, arg));
      const { operation: op, on } = value;
      return on === null ? { op, args, type } : { op, args, type, on };
    }
    case "ref":
      return { ref: { entity: value.entity.entity, key: planArgs(lowering, value.key) } };
    case "list":
      return { list: value.items.map((item) => planValue(lowering, item)) };
    case "object":
      return { obj: planArgs(lowering, value.entries) };
    case "placeholder":
      throw new Error("A placeholder is an error and has no plan.");
  }
}

/** What something asked of related rows is called at the node that finds it out. */
export const totalName = ({ fn, path, related }: TotalValue): string =>
  `${fn}(${[related.relation, ...(path ?? [])].join(".")})`;

/** Named values, sorted by name (PLAN-003). */
export function planArgs(
  lowering: ValueLowering,
  args: TypedArgs | TypedKey,
): Readonly<Record<string, PlanValue>> {
  const sorted = [...args].toSorted(([a], [b]) => compareCodePoints(a, b));
  return Object.fromEntries(sorted.map(([name, value]) => [name, planValue(lowering, value)]));
}

/** The ids of nodes a value is filled from, in order of place. */
export function valueInputs(value: PlanValue): readonly string[] {
  if ("from" in value) return [value.from];
  if ("ref" in value) return argInputs(value.ref.key);
  if ("list" in value) return value.list.flatMap(valueInputs);
  if ("args" in value) return value.args.flatMap(valueInputs);
  if ("obj" in value) return argInputs(value.obj);
  return [];
}

export function argInputs(args: Readonly<Record<string, PlanValue>>): readonly string[] {
  return Object.keys(args)
    .toSorted(compareCodePoints)
    .flatMap((name) => {
      const value = args[name];
      return value === undefined ? [] : valueInputs(value);
    });
}

/** Whether some condition has a placeholder for a value: its program is in error. */
export function lacksValue(pred: TypedPred): boolean {
  switch (pred.kind) {
    case "and":
    case "or":
      return pred.items.some(lacksValue);
    case "not":
      return lacksValue(pred.pred);
    case "condition": {
      const values = [pred.tested, ...[...pred.sendable.values()].map(({ value }) => value)];
      return values.some((value) => value !== null && isUnknown(value));
    }
    case "test":
      return isUnknown(pred.value);
    case "exists":
    case "bad":
      return false;
  }
}

/** Whether a value, or a part of it, is a placeholder: its program is in error. */
export const isUnknown = (value: TypedValue): boolean =>
  valueParts(value).some(({ kind }) => kind === "placeholder");
