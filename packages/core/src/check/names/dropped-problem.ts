import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { EntityKey } from "../../federation/entity-key.ts";
import { catalogOf } from "../../federation/entity-of.ts";
import type { DroppedPart } from "../../mapping/dropped-part.ts";
import { shownDropped } from "../../policy/may-use.ts";
import type { Span } from "../../source/span.ts";
import { type CheckContext, textOf } from "../check-context.ts";
import { speakerLike } from "./speaker.ts";

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
  const entity = speakerLike(context.exposure, textOf(context, span)).entity(key);
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
