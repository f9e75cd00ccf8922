import type { Edit } from "../../diagnostics/diagnostic.ts";
import type { Call } from "../../language/ast-steps.ts";
import type { Arg } from "../../language/ast-values.ts";
import { type CheckContext, textOf } from "../check-context.ts";

/** Steps that take nothing. */
const PLAIN: Readonly<Record<string, string>> = {
  all: "",
  count: ".aggregate(n=count)",
  first: ".limit(1)",
  one: ".singleton()",
  single: ".singleton()",
  unique: ".distinct()",
  uniq: ".distinct()",
};

/** Steps of other languages with arguments, around the text of their arguments. */
const AROUND: Readonly<
  Record<
    string,
    { readonly takes: "names" | "conditions" | "count"; readonly form: readonly [string, string] }
  >
> = {
  select: { takes: "names", form: ["[", "]"] },
  project: { takes: "names", form: ["[", "]"] },
  columns: { takes: "names", form: ["[", "]"] },
  order: { takes: "names", form: [".sort(", ")"] },
  order_by: { takes: "names", form: [".sort(", ")"] },
  orderby: { takes: "names", form: [".sort(", ")"] },
  sort_by: { takes: "names", form: [".sort(", ")"] },
  where: { takes: "conditions", form: [".filter{", "}"] },
  find: { takes: "conditions", form: [".filter{", "}"] },
  take: { takes: "count", form: [".limit(", ")"] },
  head: { takes: "count", form: [".limit(", ")"] },
};

/** The step of this language that a step of another one is, where its arguments leave no doubt (ERR-008). */
export function operatorEdits(context: CheckContext, step: Call): readonly Edit[] | undefined {
  const name = step.name.text.toLowerCase();
  const plain = step.args.length === 0 && Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  if (plain !== undefined) return [{ span: step.span, replacement: plain }];
  const around = Object.hasOwn(AROUND, name) ? AROUND[name] : undefined;
  const [first] = step.args;
  const last = step.args.at(-1);
  if (around === undefined || first === undefined || last === undefined) return undefined;
  if (!step.args.every((arg) => fits(arg, around.takes))) return undefined;
  if (around.takes === "count" && step.args.length > 1) return undefined;
  const inner = textOf(context, { start: first.span.start, end: last.span.end });
  return [{ span: step.span, replacement: around.form.join(inner) }];
}

function fits({ name, value }: Arg, takes: "names" | "conditions" | "count"): boolean {
  switch (takes) {
    case "names":
      return name === undefined && value.kind === "WordValue";
    case "conditions":
      return name !== undefined && value.kind !== "Bad";
    case "count":
      return name === undefined && value.kind === "NumberValue";
  }
}
