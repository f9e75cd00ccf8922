import { inputMessages } from "../../diagnostics/step-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import type { Arg } from "../../language/grammar/ast-values.ts";
import { type Known, LATER, type RuleFault, ruleFaults } from "../../model/rule-faults.ts";
import type { Span } from "../../base/span.ts";
import type { CheckContext } from "../check-context.ts";
import { speakerLike, wireName } from "../names/name-formatter.ts";
import { type ArgPlace, endOf } from "../steps/arg-problems.ts";
import type { TypedArgs, TypedValue } from "../typed-program.ts";

/**
 * Reports the rules of a capability's `validation` that its arguments break, as far as their values are
 * known now (RUN-016); values from other nodes are judged when they are filled in.
 */
export function checkRules(context: CheckContext, place: ArgPlace, args: TypedArgs): void {
  const { capability, call, entity } = place;
  const schema = capability.inputSchema;
  if (schema === undefined) return;
  const known = new Map<string, Known>();
  for (const [name, value] of args) known.set(name, knownValue(value));
  for (const name of place.bound) if (!known.has(name)) known.set(name, LATER);
  const name = speakerLike(context.exposure, call.name.text).method(entity, capability.label);
  for (const fault of ruleFaults(schema, known)) {
    const arg = argOf(context, place, fault);
    const rule = fault.text;
    context.found.add(
      fault.kind === "value" && arg !== undefined
        ? diagnose(inputMessages.brokenRule, arg.value.span, {
            slot: arg.name?.text ?? fault.path,
            name,
            rule,
          })
        : diagnose(inputMessages.brokenRules, spanOf(context, place, arg), { name, rule }),
    );
  }
}

/** The argument a fault is about: the one that breaks a rule, or the last that is too many. */
function argOf(context: CheckContext, place: ArgPlace, fault: RuleFault): Arg | undefined {
  if (fault.kind === "fields" && !fault.surplus) return undefined;
  const paths = fault.kind === "value" ? [fault.path] : fault.fields;
  const names = new Set(paths.map((path) => path.split(".")[0]));
  return place.call.args.findLast((arg) => {
    return arg.name !== undefined && names.has(wireName(context.exposure.symbols, arg.name.text));
  });
}

function spanOf(context: CheckContext, { call }: ArgPlace, arg: Arg | undefined): Span {
  return arg === undefined ? endOf(context, call) : arg.span;
}

function knownValue(value: TypedValue): Known {
  switch (value.kind) {
    case "lit":
      return value.value;
    case "dec":
      return value.text;
    case "list":
      return value.items.map(knownValue);
    case "object":
      return Object.fromEntries([...value.entries].map(([name, each]) => [name, knownValue(each)]));
    case "now":
    case "hole":
    case "cursor":
    case "cell":
    case "total":
    case "computed":
    case "ref":
    case "placeholder":
      return LATER;
  }
}
