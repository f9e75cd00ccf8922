import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { EntityKey } from "../../federation/entity-key.ts";
import type { Capability } from "../../schema/capability.ts";
import type { Span } from "../../source/span.ts";
import { type CheckContext, textOf } from "../check-context.ts";
import { speakerLike } from "./speaker.ts";

/** A capability that changes data, in a session that only reads (TEACH-25). */
export function onlyReadsProblem(
  context: CheckContext,
  key: EntityKey,
  { label }: Capability,
  span: Span,
): Diagnostic {
  const speaker = speakerLike(context.exposure, textOf(context, span));
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
  const speaker = speakerLike(context.exposure, textOf(context, span));
  const args = {
    name: speaker.method(key, capability.label),
    entity: speaker.entity(key),
    catalog: key.entryId,
  };
  return diagnose(nameMessages.policyDenied, span, args);
}
