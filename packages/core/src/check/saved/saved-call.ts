import { type Diagnostic, DiagnosticCollector } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import { savedMessages } from "../../diagnostics/saved-messages.ts";
import type { Span } from "../../base/span.ts";
import { clip } from "../../base/text.ts";
import type { Binding, Call, Chain, Program, Statement } from "../../language/grammar/ast.ts";
import type { Arg, Value, WordValue } from "../../language/grammar/ast-values.ts";
import type { ProgramDefinition } from "../../language/definitions.ts";
import { parse } from "../../language/grammar/parse.ts";
import { entitiesNamed } from "../../symbols/exposure.ts";
import { foldWaves, orderSeeds, type WaveEntry } from "../../symbols/waves.ts";
import { isRelativeDate } from "../../values/relative-date.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { Labels } from "../labels.ts";
import type { Rows, TypedRoot } from "../typed-program.ts";
import { valueForm, formText, type ValueForm, valueFormsOf } from "./value-forms.ts";

/** What calls of saved programs begin with: no program has another meaning for it where it is neither a label nor an entity. */
const SAVED = "s";

/** So deep may programs call each other, and so much may all that a program calls be. */
const MOST_DEPTH = 8;
const MOST_CALLS = 64;
const MOST_CHARACTERS = 65_536;

/** Code points of a value that a message repeats. */
const MOST_SHOWN = 60;

/** The call that a chain begins with, or null if it begins otherwise (SAV-13). */
export function savedCallOf(context: CheckContext, { source, steps }: Chain): Call | null {
  const [first] = steps;
  if (source.kind !== "NameSource" || source.name.text !== SAVED || first?.kind !== "Call")
    return null;
  if (context.labels.lineOf(SAVED) > 0 || entitiesNamed(context.exposure, SAVED).length > 0)
    return null;
  return first;
}

/** What stands in the place of a parameter's value: a value of the call, or the rows of a label of the caller. */
type Given = { readonly value: Value } | { readonly rows: Rows } | { readonly word: WordValue };

/**
 * The results of a saved program in the place of its call: its text is checked with labels of its own, in names, as the session does
 * that it was saved from, so that no name of the caller means anything in it (SAV-13). Null: in error, reported.
 */
export function checkSavedCall(
  context: CheckContext,
  chain: Chain,
  call: Call,
): readonly TypedRoot[] | null {
  const { saved, found } = context;
  const { name } = call;
  const place = { ...chain.source.span, end: call.span.end };
  const definition = saved.definitions.get(name.text);
  if (definition === undefined) {
    const names = [...saved.definitions.keys()].join(", ") || "none";
    found.add(diagnose(savedMessages.unknown, name.span, { name: name.text, names }));
    return null;
  }
  if (isBeyond(context, definition, place)) return null;
  const { program, diagnostics } = parse(definition.program);
  const given = readArguments(context, definition, program, call);
  const inner = contextOf(context, definition, program, place);
  if (given === null || inner === null) return null;
  const statements = program.statements.flatMap((one) => withGiven(one, given));
  const placed = respan({ ...program, statements }, place);
  const rows = new Map(
    [...given].flatMap(([label, one]) => ("rows" in one ? [[label, one.rows]] : [])),
  );
  const checked = context.checkStatements(inner, placed, rows);
  context.stage = inner.stage;
  const [problem] = [...diagnostics, ...inner.found.sorted()];
  if (problem === undefined) return checked.roots;
  found.add(insideOf(definition, problem, place));
  return null;
}

function insideOf({ name }: ProgramDefinition, problem: Diagnostic, place: Span): Diagnostic {
  const { message, correction } = problem;
  const wrapped = diagnose(savedMessages.inside, place, { program: name, message, correction });
  return { ...wrapped, code: problem.code, message: wrapped.message, correction };
}

function isBeyond(
  { saved: { within, spent }, found }: CheckContext,
  { program }: ProgramDefinition,
  place: Span,
): boolean {
  spent.calls += 1;
  spent.characters += program.length;
  const tooMuch =
    within.length >= MOST_DEPTH
      ? { limit: `${MOST_DEPTH} within each other`, actual: within.length + 1 }
      : spent.calls > MOST_CALLS
        ? { limit: `${MOST_CALLS} in a program`, actual: spent.calls }
        : spent.characters > MOST_CHARACTERS
          ? { limit: `${MOST_CHARACTERS} characters of them`, actual: spent.characters }
          : null;
  if (tooMuch !== null) found.add(diagnose(savedMessages.deep, place, tooMuch));
  return tooMuch !== null;
}

/** The context of its statements; null where a catalog of it is not in the session. */
function contextOf(
  context: CheckContext,
  { name, seeds }: ProgramDefinition,
  program: Program,
  place: Span,
): CheckContext | null {
  const { exposure, saved } = context;
  const { catalogs } = exposure;
  const groups = orderSeeds(seeds.map(({ api, entity }) => ({ entryId: api, entity })));
  const log: WaveEntry[] = [];
  for (const { entryId, entities } of groups) {
    const catalog = catalogs.get(entryId);
    const lost = entities.find((one) => catalog?.cgs.entities.has(one) !== true);
    if (catalog === undefined || lost !== undefined) {
      const message = `${catalog === undefined ? entryId : `${entryId}.${lost}`} is not in this session.`;
      const correction = `seed s.${name} first, with plasm_context`;
      const args = { program: name, message, correction };
      context.found.add(diagnose(savedMessages.inside, place, args));
      return null;
    }
    log.push({ entryId, entities, digest: catalog.digest });
  }
  const lines = new Map<string, number>();
  for (const one of program.statements)
    if (one.kind === "Binding") lines.set(one.label.text, one.label.span.line);
  return {
    ...context,
    exposure: { ...exposure, log, symbols: foldWaves(log, catalogs), notation: "names" },
    labels: new Labels(lines),
    found: new DiagnosticCollector(),
    forms: valueFormsOf(program),
    saved: { ...saved, within: [...saved.within, name] },
    cursor: null,
    columns: null,
    edits: false,
  };
}

/** A parameter as its program binds it. */
interface Parameter {
  readonly name: string;
  readonly form: ValueForm;
  readonly value: Value;
  readonly written: string;
}

function parametersOf({ parameters, program: text }: ProgramDefinition, { statements }: Program) {
  const found = new Map<string, Parameter>();
  for (const one of statements) {
    if (one.kind !== "Binding" || one.node.kind !== "Data") continue;
    const name = one.label.text;
    const { value } = one.node;
    const form = valueForm(value);
    if (!parameters.includes(name) || form === null) continue;
    found.set(name, { name, form, value, written: text.slice(value.span.start, value.span.end) });
  }
  return found;
}

/** The values of a call by parameter; null where one is in error, reported. */
function readArguments(
  context: CheckContext,
  definition: ProgramDefinition,
  program: Program,
  { args }: Call,
): ReadonlyMap<string, Given> | null {
  const known = parametersOf(definition, program);
  const names = [...known.keys()].join(", ") || "none";
  const given = new Map<string, Given>();
  const before = context.found.size;
  for (const arg of args) {
    const shared = { program: definition.name, names };
    if (arg.name === undefined) {
      if (arg.value.kind === "PlaceholderValue" && arg.value.raw === "..") {
        const [first] = known.values();
        if (first !== undefined) context.found.add(placeholder(first, arg.value.raw, arg.span));
      } else context.found.add(diagnose(savedMessages.unnamed, arg.span, shared));
      continue;
    }
    const name = arg.name.text;
    const parameter = known.get(name);
    if (parameter === undefined) {
      const near = nearestName(name, [...known.keys()]);
      const nearest = near === null ? "" : `use ${near}. `;
      const edits = near === null ? undefined : [{ span: arg.name.span, replacement: near }];
      const words = { ...shared, name, nearest };
      context.found.add(diagnose(savedMessages.argument, arg.name.span, words, edits));
    } else if (given.has(name)) {
      context.found.add(diagnose(savedMessages.twice, arg.name.span, { ...shared, name }));
    } else {
      const one = readArgument(context, definition, program, parameter, arg);
      if (one !== null) given.set(name, one);
    }
  }
  return context.found.size > before ? null : given;
}

function placeholder({ name, form, written }: Parameter, found: string, span: Span): Diagnostic {
  const args = { name, found, form: formText(form), default: clip(written, MOST_SHOWN) };
  return diagnose(savedMessages.placeholder, span, args);
}

function readArgument(
  context: CheckContext,
  { name: program }: ProgramDefinition,
  tree: Program,
  parameter: Parameter,
  { value }: Arg,
): Given | null {
  const { form, name } = parameter;
  if (value.kind === "PlaceholderValue") {
    context.found.add(placeholder(parameter, value.raw, value.span));
    return null;
  }
  if (value.kind === "WordValue") {
    const rows = context.labels.peek(value.raw);
    if (rows !== null) {
      // The label is used, whatever it turns out to be.
      context.labels.meaning(value.raw);
      if (fitsRows(context, value.raw, form)) return { rows };
    } else if (form.type === "text" && !form.list) {
      return { value: { kind: "StringValue", text: value.raw, span: value.span } };
    } else if (form.type === "date" && !form.list && isRelativeDate(value.raw)) {
      if (isReplaceable(tree, name)) return { word: value };
      const args = { program, name, found: value.raw };
      context.found.add(diagnose(savedMessages.relative, value.span, args));
      return null;
    }
  } else {
    const own = valueForm(value);
    const fits = own !== null && own.type === form.type && own.list === form.list;
    const isEmpty = value.kind === "ListValue" && value.items.length === 0 && form.list;
    if (fits || isEmpty) return { value };
  }
  const args = {
    program,
    name,
    found: clip(programText(context, value.span), MOST_SHOWN),
    form: formText(form),
    default: clip(parameter.written, MOST_SHOWN),
  };
  context.found.add(diagnose(savedMessages.value, value.span, args));
  return null;
}

/** Whether a label of the caller is bound to a value of a parameter's form: what it is bound to further on is no matter. */
function fitsRows({ forms }: CheckContext, label: string, { type, list }: ValueForm): boolean {
  const form = forms.get(label);
  return form !== undefined && form !== null && form.type === type && form.list === list;
}

/** A statement with the values of the call: a relative date stands wherever its label is compared with, since no data is one. */
function withGiven(statement: Statement, given: ReadonlyMap<string, Given>): readonly Statement[] {
  const words = new Map(
    [...given].flatMap(([name, one]) => ("word" in one ? [[name, one.word]] : [])),
  );
  if (statement.kind === "Binding" && statement.node.kind === "Data") {
    const one = given.get(statement.label.text);
    if (one !== undefined && "word" in one) return [];
    if (one !== undefined && "value" in one) return [bound(statement, one.value)];
  }
  return [words.size === 0 ? statement : replaceWords(statement, words)];
}

const bound = (statement: Binding, value: Value): Binding => ({
  ...statement,
  node: { kind: "Data", value, span: value.span },
});

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

/** The same tree with what `change` gives for a node in its place, where it gives something. */
function mapTree<T>(node: T, change: (tree: Tree) => unknown): T {
  if (Array.isArray(node)) return node.map((one: unknown) => mapTree(one, change)) as T;
  if (!isTree(node)) return node;
  const changed = change(node);
  if (changed !== undefined) return changed as T;
  return Object.fromEntries(
    Object.entries(node).map(([key, child]) => [
      key,
      key === "span" ? child : mapTree(child, change),
    ]),
  ) as T;
}

const replaceWords = <T>(node: T, words: ReadonlyMap<string, WordValue>): T =>
  mapTree(node, (tree) =>
    tree["kind"] === "WordValue" ? words.get(String(tree["raw"])) : undefined,
  );

/** All of it at one place: mistakes that show later are told where the call is. */
const respan = <T>(node: T, place: Span): T =>
  mapTree(node, (tree) => {
    if (!("span" in tree)) return undefined;
    const others = Object.entries(tree).map(([key, child]) => [
      key,
      key === "span" ? place : respan(child, place),
    ]);
    return Object.fromEntries(others) as unknown;
  });

/** Whether a label is only compared with: nothing else reads what it is bound to. */
function isReplaceable({ statements }: Program, label: string): boolean {
  let isOnly = true;
  const look = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(look);
    if (!isTree(node) || Array.isArray(node)) return;
    const { kind, raw, body } = node;
    const word = typeof raw === "string" ? raw : "";
    const inText = typeof body === "string" && body.includes(label);
    if (kind === "Template" && inText) isOnly = false;
    if (kind === "WordValue" && word.startsWith(`${label}.`)) isOnly = false;
    if (SOURCES.has(kind) && isTree(node["name"]) && node["name"]["text"] === label) isOnly = false;
    for (const [key, child] of Object.entries(node)) if (key !== "span") look(child);
  };
  look(statements.filter((one) => one.kind !== "Binding" || one.label.text !== label));
  return isOnly;
}

const SOURCES: ReadonlySet<unknown> = new Set([
  "NameSource",
  "KeySource",
  "BraceSource",
  "SearchSource",
]);
