import { conditionMessages } from "../../diagnostics/condition-messages.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { type EntityKey, entityOf } from "../../catalog/federation.ts";
import type { Span } from "../../base/span.ts";
import { deniedCapability, usableCapabilities } from "../access.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { sendableLists, takingLabels } from "../conditions/name-condition.ts";
import { deniedProblem } from "../names/problems.ts";
import { type NameFormatter, speakerLike } from "../names/name-formatter.ts";
import { slotType, typeText } from "../types.ts";
import { callForm } from "../steps/call-form.ts";
import { clip } from "../../base/text.ts";
import type { TypedCondition, Rows, TypedPred } from "../typed-program.ts";
import { relationForms } from "../relations/relation-problem.ts";
import { sampleReference } from "../values/slot-problems.ts";
import { getsByKey } from "./gets-by-key.ts";
import type { ListChoice } from "./choose-list.ts";
import { isTestable, type ListCandidate, type Unlisted } from "./list-candidates.ts";

/** The entity read, and the name by which the program says so. */
export interface ReadPlace {
  readonly entity: EntityKey;
  readonly nameSpan: Span;
}

/** Why no list serves a read, as errors (RUN-110, RUN-112). */
export function listProblems(
  context: CheckContext,
  place: ReadPlace,
  choice: Exclude<ListChoice, { kind: "chosen" }>,
): readonly Diagnostic[] {
  switch (choice.kind) {
    case "none": {
      const denied = deniedCapability(context, place.entity, ["query", "search"]);
      return [
        denied === null
          ? noList(context, place)
          : deniedProblem(context, place.entity, denied, place.nameSpan),
      ];
    }
    case "denied":
      return [deniedProblem(context, place.entity, choice.capability, place.nameSpan)];
    case "dropped":
      return [droppedDefault(context, place, choice)];
    case "tie":
      return [ambiguous(context, place, choice.lists)];
    case "unsatisfied":
      return [unsatisfied(context, place, choice.lists)];
    case "refused": {
      const [first] = choice.lists;
      return refusedEverywhere(choice.lists).map((pred) =>
        refusedCondition(context, place, pred, first),
      );
    }
  }
}

/** Conditions no list takes; where each list takes some, those the first does not. */
function refusedEverywhere(lists: readonly ListCandidate[]): readonly TypedPred[] {
  const [first, ...others] = lists;
  const refused = first?.refused ?? [];
  const everywhere = refused.filter((pred) => others.every((list) => list.refused.includes(pred)));
  return everywhere.length > 0 ? everywhere : refused.slice(0, 1);
}

function speakerAt(context: CheckContext, place: ReadPlace): NameFormatter {
  return speakerLike(context.exposure, programText(context, place.nameSpan));
}

function noList(context: CheckContext, place: ReadPlace): Diagnostic {
  const { entity, nameSpan } = place;
  const speaker = speakerAt(context, place);
  const written = programText(context, nameSpan);
  const forms = [...keyForms(context, entity, written), ...keylessForms(context, place, speaker)];
  const args = {
    entity: speaker.entity(entity),
    forms: forms.length === 0 ? relationForms(context, entity, speaker) : forms.join(", or "),
  };
  return diagnose(conditionMessages.noList, nameSpan, args);
}

function keyForms(context: CheckContext, entity: EntityKey, written: string): readonly string[] {
  if (getsByKey(context, entity).length === 0) return [];
  const sample = sampleReference(context.exposure, entity.entryId, entity.entity);
  return [`name the row by its key: ${sample.replace(entity.entity, written)}`];
}

/** Gets without identity, by label (RUN-110). */
function keylessForms(
  context: CheckContext,
  place: ReadPlace,
  speaker: NameFormatter,
): readonly string[] {
  const { entity, nameSpan } = place;
  return usableCapabilities(context, entity)
    .filter((capability) => capability.kind === "get" && !capability.needsIdentity)
    .map((capability) => {
      const label = speaker.methodCode(entity, capability.label);
      const form = callForm(context, entity, capability, label);
      return `call ${programText(context, nameSpan)}.${form}`;
    });
}

function ambiguous(
  context: CheckContext,
  place: ReadPlace,
  lists: readonly ListCandidate[],
): Diagnostic {
  const { entity, nameSpan } = place;
  const speaker = speakerAt(context, place);
  const labels = lists.map(({ capability }) => speaker.methodCode(entity, capability.label));
  const written = programText(context, nameSpan);
  const args = {
    labels: labels.join(" and "),
    entity: speaker.entity(entity),
    forms: labels.map((label) => `${written}.${label}(…)`).join(" or "),
  };
  return diagnose(conditionMessages.ambiguousCapability, nameSpan, args);
}

/** What the bare name means was left out of the catalog: other lists are called by their labels. */
function droppedDefault(
  context: CheckContext,
  { entity, nameSpan }: ReadPlace,
  { part, lists }: Extract<ListChoice, { kind: "dropped" }>,
): Diagnostic {
  const speaker = speakerAt(context, { entity, nameSpan });
  const written = programText(context, nameSpan);
  const calls = lists.map(({ capability }) => {
    const label = speaker.methodCode(entity, capability.label);
    return `${written}.${callForm(context, entity, capability, label)}`;
  });
  return diagnose(conditionMessages.defaultDropped, nameSpan, {
    entity: speaker.entity(entity),
    name: part.label ?? part.name,
    why: part.why,
    forms: calls.length === 0 ? "" : `call another list: ${calls.join(", ")}; `,
    catalog: entity.entryId,
  });
}

/** What is missing, per capability, and the gets without identity. */
function unsatisfied(
  context: CheckContext,
  place: ReadPlace,
  lists: readonly ListCandidate[],
): Diagnostic {
  const { entity, nameSpan } = place;
  const speaker = speakerAt(context, place);
  const needs = lists.map(({ capability, missing }) => {
    const slots = missing.map((slot) => {
      const type = { entryId: entity.entryId, type: slotType(slot) };
      return `${speaker.name(slot.name)} ${typeText(context.exposure, type)}`;
    });
    return `${speaker.methodCode(entity, capability.label)} needs ${slots.join(", ")}`;
  });
  const forms = keylessForms(context, place, speaker);
  const example = exampleConditions(context, place, lists[0], speaker);
  const args = {
    entity: speaker.entity(entity),
    missing: [...needs, ...forms, ...example].join("; "),
  };
  return diagnose(conditionMessages.unsatisfied, nameSpan, args);
}

function exampleConditions(
  context: CheckContext,
  place: ReadPlace,
  list: ListCandidate | undefined,
  speaker: NameFormatter,
): readonly string[] {
  if (list === undefined || list.missing.length === 0) return [];
  const { exposure } = context;
  const slots = list.missing.map((slot) => {
    const type = slotType(slot);
    const sample =
      type.kind === "entity_ref"
        ? sampleReference(exposure, place.entity.entryId, type.target)
        : "…";
    return `${speaker.code(slot.name)}=${sample}`;
  });
  return [`as ${programText(context, place.nameSpan)}{${slots.join(", ")}}`];
}

/** A condition on a column of which a list gives the rows with one value alone (RUN-112). */
export function unlistedCondition(
  context: CheckContext,
  { entity, nameSpan }: ReadPlace,
  { capability }: Pick<ListCandidate, "capability">,
  { name, value, ...at }: Unlisted,
): Diagnostic {
  const span = at.span ?? nameSpan;
  const speaker = speakerAt(context, { entity, nameSpan: span });
  const shown = speaker.name(name);
  const labels = takingLabels(context, entity, name, speaker);
  const word = typeof value === "string" ? value : JSON.stringify(value);
  const keep = `leave it out for rows with ${shown}=${word} alone`;
  const args = {
    label: speaker.method(entity, capability.label),
    entity: speaker.entity(entity),
    name: shown,
    value: word,
    forms: labels === "" ? keep : `give ${shown}=…, which is sent to ${labels}, or ${keep}`,
  };
  return diagnose(conditionMessages.unlisted, span, args);
}

/** A condition that can neither be sent nor tested (RUN-112). */
function refusedCondition(
  context: CheckContext,
  place: ReadPlace,
  pred: TypedPred,
  list: ListCandidate | undefined,
): Diagnostic {
  const hidden = list?.beyond.get(pred);
  if (list !== undefined && hidden !== undefined)
    return unlistedCondition(context, place, list, hidden);
  const condition = untestable(pred);
  if (condition === null) throw new Error("A refused condition has a part that cannot be tested.");
  const written = programText(context, condition.nameSpan);
  const speaker = speakerLike(context.exposure, written);
  const [wire = ""] = condition.path;
  const name = speaker.name(wire);
  const value = programText(context, condition.span)
    .slice(written.length)
    .replace(/^\s*(?:!=|>=|<=|[=<>~]|in\b)\s*/, "");
  // The members of `in` are no value of the parameter.
  const form = `${written}=${condition.op === "in" ? "…" : value}`;
  const labels = takingLabels(context, place.entity, wire, speaker);
  const { nameSpan } = condition;
  if (condition.op !== "=") {
    const entity = speaker.entity(place.entity);
    const args = { name, form, labels, entity, op: condition.op };
    return diagnose(conditionMessages.sentOnly, nameSpan, args);
  }
  if (isSearchText(context, place, condition)) {
    const search = `${programText(context, place.nameSpan)}~${value}`;
    return diagnose(conditionMessages.searchText, nameSpan, { name, form: search });
  }
  if (pred.kind !== "condition") {
    const args = { name, group: pred.kind === "not" ? "not{}" : "any{}", form, labels };
    return diagnose(conditionMessages.sentOnlyInside, nameSpan, args);
  }
  if (list !== undefined && pred.sendable.has(list.capability.name)) {
    return diagnose(conditionMessages.sentTwice, nameSpan, { name, labels });
  }
  return diagnose(conditionMessages.sentElsewhere, nameSpan, { name, labels });
}

/** Whether every list takes a name as the text of its search. */
function isSearchText(context: CheckContext, place: ReadPlace, condition: TypedCondition): boolean {
  const name = condition.path[0] ?? "";
  const slots = sendableLists(context, place.entity).flatMap((list) => list.slots.get(name) ?? []);
  return slots.length > 0 && slots.every((slot) => slot.role === "search");
}

/** The first condition of a tree that no row can be tested by. */
function untestable(pred: TypedPred): TypedCondition | null {
  if (isTestable(pred)) return null;
  switch (pred.kind) {
    case "condition":
      return pred;
    case "and":
    case "or":
      return pred.items.map(untestable).find((each) => each !== null) ?? null;
    case "not":
      return untestable(pred.pred);
    case "exists":
    case "test":
    case "bad":
      return null;
  }
}

/** A row that is read by its key though the entity has no get. */
export function noGetProblem(context: CheckContext, place: ReadPlace): Diagnostic {
  const { entity, nameSpan } = place;
  const denied = deniedCapability(context, entity, ["get"]);
  if (denied !== null) return deniedProblem(context, entity, denied, nameSpan);
  const speaker = speakerAt(context, place);
  const written = programText(context, nameSpan);
  const queries = usableCapabilities(context, entity).filter(({ kind }) => kind === "query");
  const lists = queries.length === 0 ? [] : [`read it from a list: ${written}{…}`];
  const forms = [...lists, ...keylessForms(context, place, speaker)];
  const { relations } = entityOf(context.exposure.catalogs, entity);
  const otherwise =
    relations.size > 0 ? "follow its relations instead" : relationForms(context, entity, speaker);
  const args = {
    entity: speaker.entity(entity),
    forms: forms.length === 0 ? otherwise : forms.join(", or "),
  };
  return diagnose(conditionMessages.noGet, nameSpan, args);
}

/** A condition that could only be sent, on rows that are read already (RUN-112). */
export function readTooLate(context: CheckContext, rows: Rows, pred: TypedPred): Diagnostic {
  const entity = rows.type.entity;
  const condition = untestable(pred);
  if (entity === null || condition === null) throw new Error("Only parameters cannot be tested.");
  const place = { entity, nameSpan: condition.nameSpan };
  if (condition.op !== "=") return refusedCondition(context, place, pred, undefined);
  const written = programText(context, condition.nameSpan);
  const speaker = speakerLike(context.exposure, written);
  // Before a filter it would stand behind the same step.
  let step = rows;
  while (step.kind === "filter") step = step.source;
  const [wire = ""] = condition.path;
  const args = {
    name: speaker.name(wire),
    form: programText(context, condition.span),
    labels: takingLabels(context, entity, wire, speaker),
  };
  if (step.kind === "get") {
    const list = `${speaker.entity(entity)}{${args.form}}`;
    return diagnose(conditionMessages.sentOnlyInList, condition.nameSpan, { ...args, list });
  }
  const behind = clip(programText(context, step.span), 40);
  return diagnose(conditionMessages.sentOnlyLater, condition.nameSpan, { ...args, step: behind });
}
