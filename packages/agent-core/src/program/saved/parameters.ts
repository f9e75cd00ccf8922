import type { Json } from "@plasm/core";
import {
  nameList,
  nearestName,
  parseProgram,
  quoteText,
  relativeDateValue,
} from "@plasm/core/internal";
import { named, refuseUnknown } from "../../errors/arguments.ts";
import { fail } from "../../errors/problem.ts";

type Statement = ReturnType<typeof parseProgram>["program"]["statements"][number];
type Data = Extract<Extract<Statement, { kind: "Binding" }>["node"], { kind: "Data" }>;
type Value = Data["value"];

/** What a parameter takes. A plan checks what its value is used for. */
export type ParameterType = "text" | "number" | "date" | "uuid" | "boolean";

/** A parameter of a saved program: a label that its text binds to a plain value, which is the default (SAV-03). */
export type SavedParameter = {
  readonly name: string;
  readonly type: ParameterType;
  /** whether it takes a list of such values */
  readonly list: boolean;
  readonly default: Json;
};

/** The same with the place of its value in the text. */
interface Slot extends SavedParameter {
  readonly start: number;
  readonly end: number;
}

function plainValue(value: Value): { readonly type: ParameterType; readonly value: Json } | null {
  switch (value.kind) {
    case "StringValue":
    case "HeredocValue":
      return { type: "text", value: value.text };
    case "NumberValue":
      return { type: "number", value: Number(value.raw) };
    case "DateValue":
      return { type: "date", value: value.raw };
    case "UuidValue":
      return { type: "uuid", value: value.raw };
    case "BoolValue":
      return { type: "boolean", value: value.value };
    default:
      return null;
  }
}

function slotOf(name: string, value: Value): Slot | null {
  const { start, end } = value.span;
  const plain = plainValue(value);
  if (plain !== null)
    return { name, type: plain.type, list: false, default: plain.value, start, end };
  if (value.kind !== "ListValue") return null;
  const items = value.items.map(plainValue);
  const [first] = items;
  if (first === undefined || first === null) return null;
  const values = items.flatMap((item) => (item?.type === first.type ? [item.value] : []));
  if (values.length < items.length) return null;
  return { name, type: first.type, list: true, default: values, start, end };
}

/** Every label that a program binds to a plain value, or to a list of values of one type. */
const slotsIn = (program: string): readonly Slot[] =>
  parseProgram(program).program.statements.flatMap((statement) => {
    if (statement.kind !== "Binding" || statement.node.kind !== "Data") return [];
    return slotOf(statement.label.text, statement.node.value) ?? [];
  });

/** The parameters of a saved program, in the order of its text. */
export const parametersOf = (
  program: string,
  names: readonly string[],
): readonly SavedParameter[] =>
  slotsIn(program)
    .filter(({ name }) => names.includes(name))
    .map(({ name, type, list, default: value }) => ({ name, type, list, default: value }));

/** Throws plasm-bad-request for a name that is no parameter, since the program does not bind it to a plain value. */
export function requireParameters(program: string, names: readonly string[]): void {
  const known = slotsIn(program).map(({ name }) => name);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const near = nearestName(wrong, known);
  const help =
    known.length === 0
      ? `Bind one on a line of its own, as in ${wrong} = "…", and use it by that name.`
      : `Labels that are: ${nameList(known, wrong)}.${near === null ? "" : ` Did you mean ${near}?`}`;
  throw fail(
    "plasm-bad-request",
    `parameters: ${named(wrong)} is not a label that the program binds to a plain value. ${help}`,
  );
}

/** What no text of a program may hold. */
const NO_TEXT = /[\0\p{Surrogate}]/u;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/u;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

const FORMS = {
  text: "text",
  number: "a number",
  date: "a date: 2026-01-31, 2026-01-31T12:00:00Z, or a relative one such as today-7d",
  uuid: "a UUID",
  boolean: "true or false",
} as const satisfies Readonly<Record<ParameterType, string>>;

/** A value as the language writes it; null where it is none of the type. */
function literalOf(type: ParameterType, value: unknown, now: number): string | null {
  switch (type) {
    case "text":
      return typeof value === "string" && !NO_TEXT.test(value) ? quoteText(value) : null;
    case "number": {
      const text = typeof value === "number" ? String(value) : value;
      return typeof text === "string" && NUMBER.test(text) ? text : null;
    }
    case "date": {
      if (typeof value !== "string") return null;
      const dated = relativeDateValue(value, now, null) ?? value;
      return typeof dated === "string" && DATE.test(dated) ? dated : null;
    }
    case "uuid":
      return typeof value === "string" && UUID.test(value) ? value : null;
    case "boolean":
      return value === true || value === false || value === "true" || value === "false"
        ? String(value)
        : null;
  }
}

const shownValue = (value: unknown): string =>
  typeof value === "number" ? String(value) : JSON.stringify(value);

/** A list as a caller gives it: as such, or as its JSON where all that can be given is text. */
function itemsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return null;
  try {
    const read: unknown = JSON.parse(value);
    return Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

function written({ type, list, name }: Slot, value: unknown, now: number): string | null {
  const parts = list
    ? itemsOf(value)?.map((one) => literalOf(type, one, now))
    : [literalOf(type, value, now)];
  if (parts === undefined || parts.includes(null)) return null;
  const text = list ? `[${parts.join(", ")}]` : (parts[0] ?? "");
  // The language itself reads the same type again, or nothing of it is put into a program.
  const [read, ...more] = slotsIn(`${name} = ${text}`);
  const fits = read?.type === type && read.list === list && more.length === 0;
  return fits || (list && parts.length === 0) ? text : null;
}

/** A program with other values for some of its parameters, and what was given, as it is shown. */
export interface FilledProgram {
  readonly program: string;
  readonly given: readonly string[];
}

/**
 * Puts the values of a call in the place of the defaults, each as the literal of its type: no text of a caller is ever
 * read as anything else (SAV-04). Throws plasm-bad-request, naming the parameter.
 */
export function fillParameters(
  saved: {
    readonly name: string;
    readonly program: string;
    readonly parameters: readonly string[];
  },
  values: Readonly<Record<string, unknown>>,
  now: number,
): FilledProgram {
  refuseUnknown(Object.keys(values), { of: saved.name, told: saved.parameters });
  const parts: string[] = [];
  const given: string[] = [];
  let at = 0;
  for (const slot of slotsIn(saved.program)) {
    if (!saved.parameters.includes(slot.name) || !Object.hasOwn(values, slot.name)) continue;
    const text = written(slot, values[slot.name], now);
    if (text === null) {
      const form = slot.list ? `a list, each ${FORMS[slot.type]}` : FORMS[slot.type];
      const shown = named(shownValue(values[slot.name]));
      throw fail(
        "plasm-bad-request",
        `${saved.name}: ${slot.name} is ${shown}, and must be ${form}.`,
      );
    }
    parts.push(saved.program.slice(at, slot.start), text);
    given.push(`${slot.name}=${text}`);
    at = slot.end;
  }
  return { program: parts.join("") + saved.program.slice(at), given };
}

/** The values that a text of a saved program binds its parameters to, those left out that are as in the program itself. */
export const slotValues = (
  text: string,
  { program, parameters }: { readonly program: string; readonly parameters: readonly string[] },
): Readonly<Record<string, Json>> => {
  const own = new Map(parametersOf(program, parameters).map((one) => [one.name, one.default]));
  return Object.fromEntries(
    parametersOf(text, parameters)
      .filter((one) => JSON.stringify(own.get(one.name)) !== JSON.stringify(one.default))
      .map((one) => [one.name, one.default]),
  );
};

/**
 * The arguments of a program that is one call of a saved program and nothing else, as plain values; null for any other program, and for
 * arguments that are none.
 */
export function callArguments(
  { statements }: ReturnType<typeof parseProgram>["program"],
  text: string,
  name: string,
): Readonly<Record<string, Json>> | null {
  const [only, ...others] = statements;
  if (only?.kind !== "Roots" || others.length > 0 || only.nodes.length !== 1) return null;
  const [node] = only.nodes;
  if (node?.kind !== "Chain" || node.steps.length !== 1 || node.template !== undefined) return null;
  const [call] = node.steps;
  if (call?.kind !== "Call" || call.name.text !== name) return null;
  const values: Record<string, Json> = {};
  for (const arg of call.args) {
    const { value } = arg;
    const read =
      value.kind === "WordValue"
        ? value.raw
        : slotsIn(`x = ${text.slice(value.span.start, value.span.end)}`)[0]?.default;
    if (arg.name === undefined || read === undefined) return null;
    values[arg.name.text] = read;
  }
  return values;
}
