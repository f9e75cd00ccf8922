import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { nameList, nearestName, nearestNames } from "../../diagnostics/nearest-name.ts";
import type { EntityKey } from "../../federation/entity-key.ts";
import { unexposedEntities } from "../../federation/resolve-entity.ts";
import type { Name } from "../../language/ast-names.ts";
import { quoteText } from "../../language/quote-text.ts";
import { mayUseApi } from "../../policy/may-use.ts";
import { entitiesNamed } from "../../symbols/entities-named.ts";
import { entitySymbol } from "../../symbols/symbol-of.ts";
import type { CheckContext } from "../check-context.ts";
import { cursorProblem } from "./cursor-problem.ts";
import type { Rows } from "../typed-program.ts";
import { headHabit } from "./head-habits.ts";
import { nameMeaning } from "./symbol-name.ts";
import { symbolProblem } from "./symbol-problem.ts";
import { speaker } from "./speaker.ts";

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
    const say = speaker(exposure, symbolic);
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
