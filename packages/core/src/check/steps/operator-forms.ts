import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import { type EntityKey, sameEntity } from "../../catalog/federation.ts";
import type { Call } from "../../language/grammar/ast.ts";
import { usableCapabilities } from "../access.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { nameMeaning, speakerLike, stepNames, symbolProblem } from "../names/name-formatter.ts";
import { navigation } from "../relations/relation-reading.ts";
import type { Arg } from "../../language/grammar/ast-values.ts";
import type { Span } from "../../base/span.ts";
/** What a step of another language is here, and what its arguments must be for it to be written so. */
export interface OperatorHabit {
  /** the form that a correction shows */
  readonly form: string;
  /** what arguments leave no doubt of the whole step; none for a form that is only shown */
  readonly takes?: "nothing" | "name" | "names" | "conditions" | "count";
  /** what stands before and behind the arguments; with `nothing` the step is both together */
  readonly around?: readonly [string, string];
}

const shown = (form: string): OperatorHabit => ({ form });
const plain = (step: string, form = step): OperatorHabit => ({
  form,
  takes: "nothing",
  around: [step, ""],
});
const measured = (fn: string): OperatorHabit => ({
  form: `.aggregate(n=${fn}(column))`,
  takes: "name",
  around: [`.aggregate(n=${fn}(`, "))"],
});
const COLUMNS: OperatorHabit = { form: "[column, column]", takes: "names", around: ["[", "]"] };
const SORT: OperatorHabit = {
  form: ".sort(column, desc)",
  takes: "names",
  around: [".sort(", ")"],
};
const FILTER: OperatorHabit = {
  form: ".filter{column=value}",
  takes: "conditions",
  around: [".filter{", "}"],
};
const LIMIT: OperatorHabit = { form: ".limit(10)", takes: "count", around: [".limit(", ")"] };
const UNIQUE: OperatorHabit = {
  form: ".distinct(column)",
  takes: "nothing",
  around: [".distinct()", ""],
};

/** What operators of other languages are called here (errors specification, `unknown_method`). */
const HABITS: ReadonlyMap<string, OperatorHabit> = new Map([
  ["all", plain("", "the rows without this step")],
  ["count", plain(".aggregate(n=count)")],
  ["first", plain(".limit(1)")],
  ["take", LIMIT],
  ["head", LIMIT],
  ["select", COLUMNS],
  ["project", COLUMNS],
  ["columns", COLUMNS],
  ["where", FILTER],
  ["find", FILTER],
  ["map", shown("=> {name: _.column} after the rows")],
  ["foreach", shown("=> after the rows")],
  ["each", shown("=> after the rows")],
  ["order", SORT],
  ["order_by", SORT],
  ["orderby", SORT],
  ["sort_by", SORT],
  ["unique", UNIQUE],
  ["uniq", UNIQUE],
  ["group", shown(".group_by(column, n=count)")],
  ["groupby", shown(".group_by(column, n=count)")],
  ["sum", measured("sum")],
  ["avg", measured("avg")],
  ["mean", measured("avg")],
  ["min", measured("min")],
  ["max", measured("max")],
  ["page", shown(".page_size(20)")],
  ["one", plain(".singleton()")],
  ["single", plain(".singleton()")],
]);

/** What a word of another language is as a step; undefined if it is none that is known. */
function operatorHabit(name: string): OperatorHabit | undefined {
  return HABITS.get(name.toLowerCase());
}

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["limit", ".limit(10)"],
  ["page_size", ".page_size(20)"],
  ["singleton", ".singleton()"],
  ["sort", ".sort(column, desc)"],
  ["aggregate", ".aggregate(n=count)"],
  ["group_by", ".group_by(column, n=count)"],
  ["distinct", ".distinct(column)"],
  ["filter", ".filter{column=value}"],
]);

/** The form of an operator that was misspelled, or misses its brackets; undefined if none is meant. */
export function operatorForm(name: string): string | undefined {
  return OPERATORS.get(name) ?? operatorHabit(name)?.form;
}

/** The label a call names on an entity, or null if it can name none: another entity's symbol, a field. */
export function methodLabel(context: CheckContext, key: EntityKey, step: Call): string | null {
  const meaning = nameMeaning(context.exposure.symbols, step.name.text);
  switch (meaning.kind) {
    case "name":
      return meaning.symbolic ? null : meaning.text;
    case "unallocated":
      return meaning.text;
    case "method":
      return sameEntity(meaning.key, key) ? meaning.key.label : null;
    case "entity":
      return null;
  }
}

/** Says what a called name is, if it is no method of the entity (LANG-024). */
export function unknownMethod(context: CheckContext, key: EntityKey, step: Call): Diagnostic {
  const { name } = step;
  const { symbols } = context.exposure;
  const meaning = nameMeaning(symbols, name.text);
  if (meaning.kind === "entity" || meaning.kind === "unallocated") {
    return symbolProblem(context, name, "m");
  }
  const speaker = speakerLike(context.exposure, name.text);
  const receiver = speaker.entity(key);
  const wire = meaning.kind === "name" ? meaning.text : name.text;
  const relation = meaning.kind === "name" && navigation(context, key, wire) !== null;
  if (relation) {
    const edits =
      step.args.length > 0 ? undefined : [{ span: step.span, replacement: `.${name.text}` }];
    const args = { name: name.text, receiver };
    return diagnose(nameMessages.methodIsRelation, name.span, args, edits);
  }
  const form = operatorForm(name.text);
  if (form !== undefined) {
    const args = { name: name.text, operator: form };
    return diagnose(nameMessages.methodIsOperator, name.span, args, operatorEdits(context, step));
  }
  return diagnoseLater(nameMessages.unknownMethod, name.span, () => {
    const labels = usableCapabilities(context, key).map(({ label }) => label);
    const near = nearestName(wire, labels);
    const args = {
      name: name.text,
      receiver,
      nearest: near === null ? "" : `use ${speaker.methodCode(key, near)}. `,
      methods: stepNames(context, key, speaker, wire),
    };
    const edits =
      near === null ? undefined : [{ span: name.span, replacement: speaker.methodCode(key, near) }];
    return diagnose(nameMessages.unknownMethod, name.span, args, edits);
  });
}

/** The step of this language that a step of another one is, where its arguments leave no doubt (ERR-008). */
function operatorEdits(context: CheckContext, step: Call): readonly Edit[] | undefined {
  const { takes, around } = operatorHabit(step.name.text) ?? {};
  if (takes === undefined || around === undefined) return undefined;
  const [first] = step.args;
  const last = step.args.at(-1);
  if (first === undefined || last === undefined) {
    return takes === "nothing" ? [{ span: step.span, replacement: around.join("") }] : undefined;
  }
  if (!step.args.every((arg) => fits(arg, takes))) return undefined;
  const isAlone = takes === "count" || takes === "name";
  if (isAlone && step.args.length > 1) return undefined;
  const inner = programText(context, { start: first.span.start, end: last.span.end });
  return [{ span: step.span, replacement: around.join(inner) }];
}

function fits({ name, value }: Arg, takes: NonNullable<OperatorHabit["takes"]>): boolean {
  switch (takes) {
    case "nothing":
      return false;
    case "name":
    case "names":
      return name === undefined && value.kind === "WordValue";
    case "conditions":
      return name !== undefined && value.kind !== "Bad";
    case "count":
      return name === undefined && value.kind === "NumberValue";
  }
}

/** Constructs of the language that this engine cannot plan yet, with what serves meanwhile. */
const INSTEAD = {
  singleton: ["singleton()", "write .limit(1), or name the row by its key"],
  aggregate: ["aggregate(…)", "return the rows with the columns needed, like [id], and count them"],
  group_by: ["group_by(…)", "return the rows sorted by that column, like .sort(state)"],
  distinct: ["distinct(…)", "return the rows sorted by that column, like .sort(state)"],
  derive: ["=>", "write a projection, like [id, name]"],
  template: ["A template", "return the rows as they are, with a projection like [id, name]"],
  data: ["A binding to a value", "write the value where it is used"],
} as const;

type NotYet = keyof typeof INSTEAD;

/** Reports a construct that cannot be planned yet; what is built on it reports nothing more. */
export function reportNotYet(context: CheckContext, construct: NotYet, span: Span): null {
  const [what, instead] = INSTEAD[construct];
  context.found.add(diagnose(nameMessages.notYet, span, { what, instead }));
  return null;
}
