import type { EntityKey } from "../../federation/entity-key.ts";
import { usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { navigableNames } from "../relations/relation-reading.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";
import type { Speaker } from "./speaker.ts";

/** What may follow a dot on rows of an entity, for corrections: methods by kind, then relations. */
export function stepNames(
  context: CheckContext,
  key: EntityKey,
  speaker: Speaker,
  wanted: string,
): string {
  const usable = usableCapabilities(context, key);
  const kinds = [...new Set(usable.map(({ kind }) => kind))].toSorted(compareCodePoints);
  const methods = kinds.map((kind) => {
    const labels = usable.filter((each) => each.kind === kind).map(({ label }) => label);
    return `${kind}: ${speaker.methods(key, labels, wanted)}`;
  });
  const relations = speaker.names(relationNames(context, key), wanted);
  return [...methods, `Relations: ${relations}`].join(". ");
}

/** Names of the relations and references of an entity that can be followed, sorted. */
export function relationNames(context: CheckContext, key: EntityKey): readonly string[] {
  return navigableNames(context, key).toSorted(compareCodePoints);
}
