import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import type { Name } from "../../language/grammar/ast-values.ts";
import type { Capability } from "../../model/model.ts";
import type { Span } from "../../base/span.ts";
import { entitySymbol } from "../../symbols/symbols.ts";
import { type AccessRules, accessTo, deniedCapability } from "../access.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { type NameFormatter, speakerLike } from "../names/name-formatter.ts";
import { deniedProblem } from "../names/problems.ts";
import { navigableNames, navigation, type Navigation, scopedLists } from "./relation-reading.ts";

/** A relation that cannot be followed here: its target is not exposed, or nothing reads it. */
export function relationProblem(
  context: CheckContext,
  owner: EntityKey,
  name: Name,
  to: Navigation,
): Diagnostic | null {
  const { exposure } = context;
  if (entitySymbol(exposure.symbols, to.target) === null) {
    const { entryId, entity } = to.target;
    const args = { name: entity, catalog: entryId, entity };
    return diagnose(nameMessages.notExposed, name.span, args);
  }
  if (to.reading !== null) return null;
  const denied = deniedReading(context, owner, to);
  if (denied !== null) return deniedProblem(context, to.target, denied, name.span);
  return unavailableRelation(context, owner, to, name.span);
}

/** A relation that nothing reads, with the lists that are asked in its place (RUN-051). */
export function unavailableRelation(
  context: CheckContext,
  owner: EntityKey,
  to: Pick<Navigation, "name" | "target">,
  nameSpan: Span,
): Diagnostic {
  const speaker = speakerLike(context.exposure, programText(context, nameSpan));
  const lists = scopedLists(context, owner, to.target).map(
    ([capability, param]) =>
      `${speaker.entity(to.target)}.${speaker.methodCode(to.target, capability.label)}(${speaker.code(param)}=…)`,
  );
  const args = {
    name: speaker.name(to.name),
    receiver: speaker.entity(owner),
    queries:
      lists.length === 0
        ? `no list of ${speaker.entity(to.target)} takes a reference to ${speaker.entity(owner)}`
        : `ask the list: ${lists.join(", ")}`,
  };
  return diagnose(nameMessages.relationUnavailable, nameSpan, args);
}

/** How rows are reached that nothing else reads, in words: by a relation of an entity of the session, if one leads there. */
export function relationForms(
  rules: AccessRules,
  target: EntityKey,
  speaker: NameFormatter,
): string {
  const forms = rules.exposure.symbols.entities.flatMap((owner) =>
    relationsTo(rules, owner, target).map(
      (name) => `${speaker.entity(owner)}.${speaker.code(name)}`,
    ),
  );
  return forms.length === 0
    ? "reach it by a relation of another entity"
    : `reach it by ${forms.slice(0, 3).join(" or ")}`;
}

function relationsTo(rules: AccessRules, owner: EntityKey, target: EntityKey): readonly string[] {
  if (owner.entryId !== target.entryId) return [];
  return navigableNames(rules, owner).filter(
    (name) => navigation(rules, owner, name)?.target.entity === target.entity,
  );
}

/** The capability that would read a relation, if policy forbids it since it was taught. */
function deniedReading(context: CheckContext, owner: EntityKey, to: Navigation): Capability | null {
  const { cgs } = catalogOf(context.exposure.catalogs, owner.entryId);
  const how = cgs.entities.get(owner.entity)?.relations.get(to.name)?.materialize;
  if (how === undefined) return deniedCapability(context, to.target, ["get", "query", "search"]);
  if (!("capability" in how)) return null;
  const capability = cgs.capabilities.get(how.capability);
  if (capability === undefined) return null;
  return accessTo(context, owner.entryId, capability) === "denied" ? capability : null;
}
