import { readConditions } from "./conditions/read-pred.ts";
import { DiagnosticCollector } from "../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../diagnostics/messages.ts";
import { nameMessages } from "../diagnostics/name-messages.ts";
import { resolveEntity } from "../catalog/federation.ts";
import type { Binding, Chain, Data, Program, ProgramNode, Roots } from "../language/grammar/ast.ts";
import type { Name, Value } from "../language/grammar/ast-values.ts";
import { labelWithoutRoot, noResult } from "../language/recovery/foreign-statements.ts";
import type { SourceText } from "../base/source.ts";
import type { AccessRules } from "./access.ts";
import { readDefinitions } from "../language/definitions.ts";
import { checkChain } from "./check-chain.ts";
import type { CheckContext, CheckedStatements } from "./check-context.ts";
import { checkSavedCall, savedCallOf } from "./saved/saved-call.ts";
import { valueFormsOf } from "./saved/value-forms.ts";
import { freeLabel, Labels } from "./labels.ts";
import { createNameFormatter } from "./names/name-formatter.ts";
import { checkMap } from "./map/check-map.ts";
import type { Rows, TypedBinding, TypedProgram, TypedRoot } from "./typed-program.ts";
import type { Card, Column, ColumnType, RowType } from "./types.ts";
import { reportDuplicates } from "./steps/row-steps.ts";
import { reportNotYet } from "./steps/operator-forms.ts";
import { freeType, readFree } from "./values/free-value.ts";
import { repeatedEntries } from "./values/list-value.ts";
import { canonicalJson } from "../base/canonical-json.ts";

/** A checked program, and the context that later parts of the check go on with. */
export interface CheckedProgram {
  readonly program: TypedProgram;
  readonly context: CheckContext;
}

/**
 * Binds the names of a program and types it: its mistakes are in `context.found`, and what is in
 * error is left out of the program (ERR-004, ERR-005).
 */
export function checkProgram(
  rules: AccessRules,
  source: SourceText,
  program: Program,
): CheckedProgram {
  const context: CheckContext = {
    ...rules,
    source,
    labels: new Labels(labelLines(program)),
    found: new DiagnosticCollector(),
    notes: [],
    readConditions,
    checkStatements,
    saved: {
      definitions: readDefinitions(source.text).definitions,
      within: [],
      spent: { calls: 0, characters: 0 },
      results: new Set(),
    },
    forms: valueFormsOf(program),
    effects: [],
    stage: 0,
    cursor: null,
    columns: null,
    edits: false,
  };
  const { bindings, roots } = checkStatements(context, program, new Map());
  const unreturned = labelWithoutRoot(program);
  if (unreturned !== null && !mayHaveEffect(context, program, bindings)) {
    context.found.add(noResult(source, unreturned));
  }
  const { effects, notes } = context;
  return { program: { bindings, roots, effects, notes }, context };
}

function checkStatements(
  context: CheckContext,
  program: Program,
  given: ReadonlyMap<string, Rows>,
): CheckedStatements {
  const bindings: TypedBinding[] = [];
  const roots: TypedRoot[] = [];
  for (const statement of program.statements) {
    if (statement.kind === "Binding") bindings.push(...checkBinding(context, statement, given));
    else if (statement.kind === "Roots") roots.push(...checkRoots(context, statement));
  }
  return { bindings, roots };
}

/** Whether something is an effect (LANG-012), or would be one if its line were not in error (ERR-005). */
function mayHaveEffect(
  context: CheckContext,
  program: Program,
  bindings: readonly TypedBinding[],
): boolean {
  if (context.effects.length > 0) return true;
  const whole = new Set(bindings.map(({ label }) => label));
  return program.statements.some(
    (statement) =>
      context.features.effects &&
      statement.kind === "Binding" &&
      !whole.has(statement.label.text) &&
      calls(statement.node),
  );
}

function calls(node: Binding["node"]): boolean {
  if (node.kind === "Chain") return node.steps.some((step) => step.kind === "Call");
  return (
    node.kind === "Map" && (calls(node.chain) || (node.body.kind === "Chain" && calls(node.body)))
  );
}

function labelLines(program: Program): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const statement of program.statements) {
    if (statement.kind !== "Binding" || lines.has(statement.label.text)) continue;
    lines.set(statement.label.text, statement.label.span.line);
  }
  return lines;
}

function checkBinding(
  context: CheckContext,
  binding: Binding,
  given: ReadonlyMap<string, Rows>,
): readonly TypedBinding[] {
  const { label, node } = binding;
  checkLabel(context, label);
  context.labels.begin(label.text);
  const own = () => (node.kind === "Data" ? checkData(context, node) : checkNode(context, node));
  const rows = given.get(label.text) ?? own();
  context.labels.bind(rows);
  return rows === null ? [] : [{ label: label.text, rows }];
}

function checkNode(context: CheckContext, node: ProgramNode): Rows | null {
  switch (node.kind) {
    case "Chain":
      return checkChain(context, node);
    case "Map":
      return checkMap(context, node);
    case "Bad":
      return null;
  }
}

function checkRoots(context: CheckContext, statement: Roots): readonly TypedRoot[] {
  return statement.nodes.flatMap((node): readonly TypedRoot[] => {
    const results = node.kind === "Chain" ? savedResults(context, node) : null;
    if (results !== null) return results;
    const rows = checkNode(context, node);
    return rows === null ? [] : [{ rows, label: writtenLabel(context, node) }];
  });
}

/**
 * The results of a saved program whose call is all of a root, each with the name of the program, or of its label behind that; null where it
 * is anything else.
 */
function savedResults(context: CheckContext, chain: Chain): readonly TypedRoot[] | null {
  const call = savedCallOf(context, chain);
  if (call === null || chain.steps.length > 1 || chain.template !== undefined) return null;
  const results = checkSavedCall(context, chain, call) ?? [];
  return results.map(({ rows, label }) => {
    const base = results.length === 1 ? call.name.text : `${call.name.text}_${label ?? "result"}`;
    return { rows, label: freeResult(context, base) };
  });
}

/** A name that no label has, and no result of another call. */
function freeResult({ labels, saved: { results } }: CheckContext, base: string): string {
  let name = base;
  for (let n = 2; results.has(name) || labels.lineOf(name) > 0; n += 1) name = `${base}_${n}`;
  results.add(name);
  return name;
}

/** The label a root consists of, or null if it is more than that (PLAN-005). */
function writtenLabel(context: CheckContext, node: ProgramNode): string | null {
  if (node.kind !== "Chain" || node.steps.length > 0 || node.template !== undefined) return null;
  if (node.source.kind !== "NameSource") return null;
  const name = node.source.name.text;
  return context.labels.meaning(name).kind === "rows" ? name : null;
}

/** A label is new, and no name of an exposed entity (LANG-021). */
function checkLabel(context: CheckContext, label: Name): void {
  const { exposure, source } = context;
  const before = context.labels.meaning(label.text);
  if (before.kind === "rows" || before.kind === "bad") {
    const line = context.labels.lineOf(label.text);
    const found = diagnoseLater(nameMessages.duplicateLabel, label.span, () => {
      const args = { label: label.text, line, free: freeLabel(source.text, label.text) };
      return diagnose(nameMessages.duplicateLabel, label.span, args);
    });
    context.found.add(found);
    return;
  }
  const [key] = resolveEntity(exposure.catalogs, exposure.symbols.entities, label.text);
  if (key === undefined) return;
  const entity = createNameFormatter(exposure, exposure.notation === "symbols").entity(key);
  const isName = key.entity === label.text;
  const entry = isName ? nameMessages.labelIsEntity : nameMessages.labelIsEntityAlias;
  const found = diagnoseLater(entry, label.span, () => {
    const free = freeLabel(source.text, label.text);
    return diagnose(entry, label.span, { label: label.text, entity, free });
  });
  context.found.add(found);
}

const JSON_TYPE: ColumnType = { entryId: null, type: { kind: "json" } };

/** `label = literal`: text, a scalar or an object is one row, a list a row per item (LANG-046). */
function checkData(context: CheckContext, data: Data): Rows | null {
  if (!context.features.derive) return reportNotYet(context, "data", data.span);
  reportDuplicateColumns(context, data.value);
  const value = withColumnsOnce(data.value);
  const reading = readFree(context, value);
  for (const problem of reading.problems) context.found.add(problem);
  if (reading.value === null) return null;
  const type = dataType(context, value);
  return { kind: "data", stage: context.stage, span: data.span, type, value: reading.value };
}

function dataType(context: CheckContext, value: Value): RowType {
  if (value.kind === "StringValue" || value.kind === "HeredocValue") {
    return rowsOf("one", [{ name: "content", type: freeType(context, value) }]);
  }
  if (value.kind !== "ListValue") return rowsOf("one", rowColumns(context, value));
  const columns = new Map<string, ColumnType | null>();
  for (const item of value.items) {
    for (const [name, cell] of rowCells(item)) {
      const known = columns.get(name) ?? null;
      // Null fits every type.
      const type = cell.kind === "NullValue" ? known : freeType(context, cell);
      const isMixed = known !== null && type !== null && !sameType(known, type);
      columns.set(name, isMixed ? JSON_TYPE : type);
    }
  }
  return rowsOf(
    "many",
    [...columns].map(([name, type]) => ({ name, type: type ?? JSON_TYPE })),
  );
}

function rowColumns(context: CheckContext, value: Value): readonly Column[] {
  return rowCells(value).map(([name, cell]) => ({ name, type: freeType(context, cell) }));
}

/** The rows of data: the items of a list, or the value itself. */
const itemsOf = (value: Value): readonly Value[] =>
  value.kind === "ListValue" ? value.items : [value];

/** A column that one row names twice is an error, as in derived rows (LANG-063). */
function reportDuplicateColumns(context: CheckContext, value: Value): void {
  for (const item of itemsOf(value)) {
    if (item.kind !== "ObjectValue") continue;
    const named = item.entries.map(({ key }) => ({ at: key.span, name: key.text }));
    reportDuplicates(context, named);
  }
}

/** Data with the first of columns of one name in each row, so that nothing is reported twice. */
function withColumnsOnce(value: Value): Value {
  if (value.kind === "ListValue") return { ...value, items: value.items.map(rowOnce) };
  return rowOnce(value);
}

function rowOnce(item: Value): Value {
  if (item.kind !== "ObjectValue") return item;
  const repeated = new Set(repeatedEntries(item.entries));
  return { ...item, entries: item.entries.filter((entry) => !repeated.has(entry)) };
}

/** The cells of one item: an object's members, or `value`. */
function rowCells(value: Value): readonly (readonly [name: string, cell: Value])[] {
  if (value.kind !== "ObjectValue") return [["value", value]];
  return value.entries.map((entry) => [entry.key.text, entry.value]);
}

function rowsOf(card: Card, columns: readonly Column[]): RowType {
  return { card, entity: null, columns, open: false, removedBy: null, lostBy: null };
}

/** Whether two types are the same, of the same catalog if they are references. */
function sameType(a: ColumnType, b: ColumnType): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
