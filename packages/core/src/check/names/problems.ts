import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import type { DroppedPart } from "../../mapping/template.ts";
import { shownDropped } from "../../policy/may-use.ts";
import type { Span } from "../../base/span.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { speakerLike } from "./name-formatter.ts";
import type { Capability } from "../../model/model.ts";

/**
 * Says why a name that the files have is not there (17.13): nothing else is used in its place. Null if it was
 * not left out.
 */
export function droppedProblem(
  context: CheckContext,
  key: EntityKey,
  label: string,
  span: Span,
  kinds: readonly DroppedPart["kind"][],
): Diagnostic | null {
  const { catalogs, policy } = context.exposure;
  const found = shownDropped(policy, catalogOf(catalogs, key.entryId)).find(
    (each) => each.entity === key.entity && each.label === label && kinds.includes(each.kind),
  );
  if (found === undefined) return null;
  const entity = speakerLike(context.exposure, programText(context, span)).entity(key);
  const args = { kind: found.kind, name: label, entity, why: found.why, catalog: key.entryId };
  switch (found.kind) {
    case "relation":
      return diagnose(nameMessages.droppedRelation, span, args);
    case "field":
      return diagnose(nameMessages.droppedField, span, args);
    default:
      return diagnose(nameMessages.droppedMethod, span, args);
  }
}

/** A capability that changes data, in a session that only reads (TEACH-25). */
export function onlyReadsProblem(
  context: CheckContext,
  key: EntityKey,
  { label }: Capability,
  span: Span,
): Diagnostic {
  const speaker = speakerLike(context.exposure, programText(context, span));
  const args = { name: speaker.method(key, label), entity: speaker.entity(key) };
  return diagnose(nameMessages.onlyReads, span, args);
}

/** A capability that was taught and that policy forbids since (SURF-25). */
export function deniedProblem(
  context: CheckContext,
  key: EntityKey,
  capability: Capability,
  span: Span,
): Diagnostic {
  const speaker = speakerLike(context.exposure, programText(context, span));
  const args = {
    name: speaker.method(key, capability.label),
    entity: speaker.entity(key),
    catalog: key.entryId,
  };
  return diagnose(nameMessages.policyDenied, span, args);
}

/** `_` outside the body of a `=>` (LANG-071); `cell` is it with its path. */
export function cursorProblem(span: Span, cell: string): Diagnostic {
  const form = `bind the rows, then write what is made per row: a => {x: ${cell}}`;
  return diagnose(nameMessages.noCursor, span, { form });
}
