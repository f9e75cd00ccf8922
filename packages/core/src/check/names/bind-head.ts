import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { nameList, nearestName, nearestNames } from "../../diagnostics/nearest-name.ts";
import { type EntityKey, resolveEntity, unexposedEntities } from "../../catalog/federation.ts";
import type { Name } from "../../language/grammar/ast-values.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import { mayUseApi } from "../../policy/may-use.ts";
import { entitiesNamed } from "../../symbols/exposure.ts";
import { entitySymbol } from "../../symbols/symbols.ts";
import type { CheckContext } from "../check-context.ts";
import { cursorProblem } from "./problems.ts";
import type { Rows } from "../typed-program.ts";
import { nameMeaning, createNameFormatter, symbolProblem } from "./name-formatter.ts";
import { usableCapabilities } from "../access.ts";

/** What the name at the head of a chain means (LANG-020). `bad` is in error and has been reported. */
export type Head =
  | { readonly kind: "entity"; readonly key: EntityKey }
  | { readonly kind: "label"; readonly label: string; readonly rows: Rows }
  /** `_`, the row a `=>` is at */
  | { readonly kind: "cursor"; readonly rows: Rows }
  | { readonly kind: "bad" };

/** Binds a head: a label bound on an earlier line, else an exposed entity; reports what is neither. */
export function bindHead(context: CheckContext, name: Name): Head {
  if (name.text === "_") {
    if (context.cursor !== null) return { kind: "cursor", rows: context.cursor.rows };
    context.found.add(cursorProblem(name.span, "_"));
    return { kind: "bad" };
  }
  const label = context.labels.meaning(name.text);
  switch (label.kind) {
    case "rows":
      return { kind: "label", label: name.text, rows: label.rows };
    case "bad":
      return { kind: "bad" };
    case "own":
    case "later":
    case "none":
      break;
  }
  const entity = bindEntityName(context, name);
  if (entity.kind === "entity") return entity;
  context.found.add(label.kind === "none" ? entity.problem : labelProblem(name, label));
  return { kind: "bad" };
}

/** What a name at an entity position means; nothing is reported. */
export type BoundEntity =
  | { readonly kind: "entity"; readonly key: EntityKey }
  | { readonly kind: "problem"; readonly problem: Diagnostic };

/** Binds a name that can only be an entity (LANG-020). */
export function bindEntityName(context: CheckContext, name: Name): BoundEntity {
  const { exposure } = context;
  const { catalogs, symbols } = exposure;
  const meaning = nameMeaning(symbols, name.text);
  if (meaning.kind === "entity") return { kind: "entity", key: meaning.key };
  if (meaning.kind === "method" || (meaning.kind === "name" && meaning.symbolic)) {
    return { kind: "problem", problem: symbolProblem(context, name, "e") };
  }
  const exposed = entitiesNamed(exposure, name.text);
  const [only] = exposed;
  if (exposed.length === 1 && only !== undefined) return { kind: "entity", key: only };
  if (exposed.length > 1) return { kind: "problem", problem: ambiguous(context, name, exposed) };
  if (meaning.kind === "unallocated") {
    return { kind: "problem", problem: symbolProblem(context, name, "e") };
  }
  const [missing] = unexposedEntities(catalogs, symbols.entities, name.text).filter((key) =>
    mayUseApi(exposure.policy, key.entryId),
  );
  if (missing !== undefined) {
    const args = { name: name.text, catalog: missing.entryId, entity: missing.entity };
    return { kind: "problem", problem: diagnose(nameMessages.notExposed, name.span, args) };
  }
  return { kind: "problem", problem: unknownName(context, name) };
}

function labelProblem(
  name: Name,
  label: { readonly kind: "own" | "later"; readonly line: number },
): Diagnostic {
  const args = { label: name.text, line: label.line };
  return label.kind === "own"
    ? diagnose(nameMessages.ownLabel, name.span, args)
    : diagnose(nameMessages.unboundLabel, name.span, { ...args, quoted: quoteText(name.text) });
}

function ambiguous(context: CheckContext, name: Name, keys: readonly EntityKey[]): Diagnostic {
  const entities = keys
    .map((key) => `${entitySymbol(context.exposure.symbols, key) ?? key.entity} (${key.entryId})`)
    .join(" or ");
  return diagnose(nameMessages.ambiguousEntity, name.span, { name: name.text, entities });
}

const HANDLE = /^(?:s[0-9]+_)?(pc|pg|o)[0-9]+$|^(s)[0-9]+$/;

function unknownName(context: CheckContext, name: Name): Diagnostic {
  const handle = HANDLE.exec(name.text);
  if (handle !== null) {
    const args = { name: name.text, place: handlePlace(handle[1] ?? "s", name.text) };
    return diagnose(nameMessages.misplacedHandle, name.span, args);
  }
  const habit = headHabit(context, name);
  if (habit !== null) {
    const args = { name: name.text, form: habit.form };
    return diagnose(nameMessages.foreignHead, name.span, args, habit.edits);
  }
  const labelsHere = context.labels.namesHere();
  return diagnoseLater(nameMessages.unknownName, name.span, () => {
    const { exposure } = context;
    const labels = labelsHere();
    const symbolic = exposure.notation === "symbols";
    const say = createNameFormatter(exposure, symbolic);
    const wires = exposure.symbols.entities.map((key) => key.entity);
    const near = nearestNames(name.text, [...labels, ...wires])[0];
    const entities = exposure.symbols.entities.map((key) => say.entity(key));
    const args = {
      name: name.text,
      nearest: near === undefined ? "" : `use ${near}. `,
      labels: labels.length === 0 ? "none yet" : nameList(labels, name.text),
      entities: nameList(entities, name.text),
    };
    const only = nearestName(name.text, [...new Set([...labels, ...wires])]);
    const edits = only === null ? undefined : [{ span: name.span, replacement: only }];
    return diagnose(nameMessages.unknownName, name.span, args, edits);
  });
}

function handlePlace(family: string, handle: string): string {
  switch (family) {
    case "pc":
      return `a plan's ref is an argument of its run, plan_commit_ref=${handle}, not part of a program`;
    case "pg":
      return `more rows come by page(${handle}), a program of its own`;
    case "o":
      return `a long run is asked by wait(${handle}) or cancel(${handle}), a program of its own`;
    default:
      return `a session is named by the argument logical_session_ref, not in a program`;
  }
}

/** What a head of another language is here: what to write, and the edits where they leave no doubt. */
interface HeadHabit {
  readonly form: string;
  readonly edits?: readonly Edit[];
}

/** Functions around rows, and the step that does the same. */
const AROUND: Readonly<Record<string, string>> = {
  len: ".aggregate(n=count)",
  count: ".aggregate(n=count)",
  print: "",
  show: "",
  list: "",
};

const ARGUMENT = /^[ \t]*\([ \t]*([A-Za-z_]\w*)[ \t]*\)/;
const MEMBER = /^\.([A-Za-z_]\w*)/;
const CALL = /^[ \t]*\(/;

/** Reads an unknown head as what other languages mean by it, or null. */
function headHabit(context: CheckContext, name: Name): HeadHabit | null {
  const behind = context.source.text.slice(name.span.end, name.span.end + 200);
  return (
    aroundRows(name, behind) ??
    catalogPrefix(context, name, behind) ??
    bareMethod(context, name, behind)
  );
}

/** `len(Boat)`, `print(boats)`. */
function aroundRows({ text, span }: Name, behind: string): HeadHabit | null {
  const step = Object.hasOwn(AROUND, text) ? AROUND[text] : undefined;
  const found = ARGUMENT.exec(behind);
  const rows = found?.[1];
  if (step === undefined || rows === undefined) return null;
  const end = span.end + (found?.[0].length ?? 0);
  const edits = [{ span: { start: span.start, end }, replacement: `${rows}${step}` }];
  return { form: `write ${rows}${step}`, edits };
}

/** `quay.Boat`: entities stand without their catalog, or as their symbol where two catalogs have one. */
function catalogPrefix(
  context: CheckContext,
  { text, span }: Name,
  behind: string,
): HeadHabit | null {
  const { catalogs, symbols } = context.exposure;
  const member = MEMBER.exec(behind)?.[1];
  if (member === undefined || !catalogs.has(text)) return null;
  const keys = resolveEntity(catalogs, symbols.entities, member);
  const key = keys.find(({ entryId }) => entryId === text);
  if (key === undefined) return null;
  const meant = entitiesNamed(context.exposure, member);
  const plain =
    meant.length === 1 && meant[0] === key ? member : (entitySymbol(symbols, key) ?? member);
  const edits = [
    { span: { start: span.start, end: span.end + 1 + member.length }, replacement: plain },
  ];
  return { form: `write ${plain}: entities stand without their catalog`, edits };
}

/** `rows => ping()`: the method is called on the row at hand. */
function bareMethod(context: CheckContext, { text, span }: Name, behind: string): HeadHabit | null {
  const key = context.cursor?.rows.type.entity ?? null;
  if (key === null || !CALL.test(behind)) return null;
  if (!usableCapabilities(context, key).some(({ label }) => label === text)) return null;
  const edits = [{ span: { start: span.start, end: span.start }, replacement: "_." }];
  return { form: `call it on the row: _.${text}(…)`, edits };
}
