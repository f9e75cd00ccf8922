import type { Expression } from "../../mapping/expression.ts";
import type { HttpTemplate } from "../../mapping/template.ts";
import { isEffect, oneOfKind } from "../../schema/capability-kind.ts";
import type { Capability } from "../../schema/capability.ts";
import type { Rule, RuleContext } from "../rule.ts";
import { changeInName, changeInText, readsAsRead, signsOfRead, wordsOf } from "./change-words.ts";

/**
 * CAT-081 and MAP-018: a read that looks like a change by its words or by how it is sent. A read needs no
 * review and may be sent again (RUN-025), so what changes data must be declared as an effect.
 */
export const changingReadsRule: Rule = (context) => {
  const nouns = new Set([...context.catalog.cgs.entities.keys()].flatMap(nounsOf));
  for (const capability of context.catalog.cgs.capabilities.values()) {
    const path = ["capabilities", capability.name];
    if (isEffect(capability.kind) || context.inDomain.faulty(path)) continue;
    const template = context.catalog.cml.get(capability.name);
    const http =
      template?.transport === "http" || template?.transport === "graphql" ? template : null;
    const words = changeIn(capability, http, nouns);
    if (words !== null) {
      const params = { found: capability.name, kind: oneOfKind(capability.kind), words };
      context.inDomain.atValue([...path, "kind"], "CAT081", "words", params);
    } else if (http !== null) checkMethod(context, capability, http);
  }
};

/** The words of an entity's name, which are nouns in its catalog, as one and as several. */
export const nounsOf = (entity: string): readonly string[] =>
  wordsOf(entity).flatMap((word) => [word, `${word}s`, word.replace(/s$/, "")]);

/** What reads like a change, as the message says it, or null. */
const changeIn = (
  { label, description }: Capability,
  template: HttpTemplate | null,
  nouns: ReadonlySet<string>,
): string | null =>
  changeSaidBy({ label, description, end: template === null ? "" : endOf(template) }, nouns);

/** What is said of a read: its label, its description, and the word that its path ends in. */
export interface SaidOfRead {
  readonly label: string;
  readonly description: string;
  readonly end: string;
}

/**
 * The words by which a read looks like a change, with their place, or null (CAT-081). `nouns` are words that
 * name entities of the catalog.
 */
export function changeSaidBy(
  { label, description, end }: SaidOfRead,
  nouns: ReadonlySet<string>,
): string | null {
  const told = changeInText(description, nouns);
  if (told !== null) return `"${told}" in its description`;
  if (readsAsRead(description)) return null;
  const named = changeInName(label, nouns);
  if (named !== null) return `"${named}" in its name`;
  const last = changeInName(end, nouns);
  return last === null ? null : `"${last}" at the end of its path`;
}

/** The last segment of a path as a name: what stands behind `/`, or behind `:` or the last dot of it. */
function endOf({ path }: HttpTemplate): string {
  const last = path.findLast((segment) => segment.type === "var" || segment.value !== "");
  const text = last?.type === "literal" ? last.value : (last?.suffix ?? "");
  const end = text.replace(/\/$/, "").split(/[/:.]/).at(-1) ?? "";
  // What follows a variable without `:` is part of a value: `{id}.json`.
  return last?.type === "var" && !text.includes(":") ? "" : end;
}

function checkMethod(
  { inMappings }: RuleContext,
  { name, label, description, kind, parameters }: Capability,
  template: HttpTemplate,
): void {
  const { method, path, body, query } = template;
  const params = { found: name, kind: oneOfKind(kind) };
  const texts = [body, query].flatMap((each) => (each === undefined ? [] : textsIn(each)));
  if (texts.some((text) => /(?<=(?:^|[\n}])\s*)mutation\b\s*[\w({@]/.test(text))) {
    inMappings.atKey([name], "MAP018", "mutation", params);
    return;
  }
  if (inMappings.faulty([name]) || ["GET", "HEAD", "OPTIONS"].includes(method)) return;
  const literals = path.flatMap((segment) =>
    segment.type === "literal" ? segment.value : segment.suffix,
  );
  const ownLabel = ["query", "get"].includes(label) ? [] : [label];
  const words = [...literals, ...texts, ...ownLabel, ...parameters.map((each) => each.name)];
  const searches =
    kind === "search" || template.transport === "graphql" || readsAsRead(description);
  const paged = template.pagination?.location === "body";
  if (method !== "DELETE" && (searches || paged || signsOfRead(words.flatMap(wordsOf)))) return;
  inMappings.atValue([name, "method"], "MAP018", "method", { ...params, method });
}

/** Keys and constant texts of an expression: what a body says besides values. */
function textsIn(expression: Expression): readonly string[] {
  switch (expression.type) {
    case "const":
      return typeof expression.value === "string" ? [expression.value] : [];
    case "object":
      return expression.fields.flatMap(([key, value]) => [key, ...textsIn(value)]);
    case "array":
      return expression.elements.flatMap(textsIn);
    case "if":
      return [...textsIn(expression.thenExpr), ...textsIn(expression.elseExpr)];
    case "join":
      return textsIn(expression.expr);
    case "format":
      return [expression.template, ...[...expression.vars.values()].flatMap(textsIn)];
    case "var":
    case "call":
      return [];
  }
}
