import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import { catalogOf, type EntityKey, entityOf, sameEntity } from "../../catalog/federation.ts";
import type { Nav } from "../../language/grammar/ast.ts";
import { capabilityByLabel } from "../../model/lookups.ts";
import { spanIn } from "../../base/source.ts";
import { accessTo, usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { columnMeaning } from "../columns/row-columns.ts";
import { callForm } from "./call-form.ts";
import {
  type NameMeaning,
  nameMeaning,
  relationNames,
  speakerLike,
  stepNames,
  symbolProblem,
} from "../names/name-formatter.ts";
import { droppedProblem, onlyReadsProblem } from "../names/problems.ts";
import { navigation } from "../relations/relation-reading.ts";
import { entityRows } from "../types.ts";
import type { RelationRows, Rows } from "../typed-program.ts";
import { filterRows } from "./filter.ts";
import { nowhere } from "./receiver.ts";
import { operatorForm } from "./operator-forms.ts";
import { relationProblem } from "../relations/relation-problem.ts";

/** `.x` and `.x{…}`: a relation, else an entity_ref field (LANG-024, LANG-069). Null: reported. */
export function navRows(context: CheckContext, source: Rows, step: Nav): Rows | null {
  const meaning = nameMeaning(context.exposure.symbols, step.name.text);
  const wire = meaning.kind === "name" || meaning.kind === "unallocated" ? meaning.text : null;
  const owner = source.type.entity;
  const dropped =
    wire === null || owner === null
      ? null
      : droppedProblem(context, owner, wire, step.name.span, ["relation", "capability", "field"]);
  if (dropped !== null) {
    context.found.add(dropped);
    return null;
  }
  const to = wire === null || owner === null ? null : navigation(context, owner, wire);
  if (to === null || owner === null) {
    context.found.add(noRelation(context, source, step, meaning));
    return null;
  }
  const problem = relationProblem(context, owner, step.name, to);
  if (problem !== null || to.reading === null) {
    if (problem !== null) context.found.add(problem);
    return null;
  }
  const single = to.cardinality === "one" && source.type.card !== "many";
  const end = step.pred === undefined ? step.span.end : step.name.span.end;
  const rows: RelationRows = {
    kind: "relation",
    stage: context.stage,
    span: spanIn(context.source, step.span.start, end),
    type: entityRows(to.target, single ? "opt" : "many"),
    source,
    owner,
    target: to.target,
    relation: to.name,
    reading: to.reading,
    nameSpan: step.name.span,
  };
  return step.pred === undefined ? rows : filterRows(context, rows, step.pred, step.pred.span);
}

/** Says what a step that is no relation is instead. */
function noRelation(
  context: CheckContext,
  source: Rows,
  step: Nav,
  meaning: NameMeaning,
): Diagnostic {
  const { name } = step;
  if (meaning.kind === "entity") return symbolProblem(context, name, "p");
  const owner = source.type.entity;
  const speaker = speakerLike(context.exposure, name.text);
  const receiver = owner === null ? "these rows" : speaker.entity(owner);
  const call = owner === null ? null : missingCall(context, owner, step, meaning, receiver);
  if (call !== null) return call;
  if (meaning.kind === "method") return symbolProblem(context, name, "p");
  const column = columnMeaning(context.exposure, source.type, meaning.text);
  const field = owner === null ? undefined : fieldNamed(context, owner, meaning.text);
  if (column.kind === "column" || field !== undefined) {
    const relations = owner === null ? [] : relationNames(context, owner);
    const args = {
      name: speaker.code(meaning.text),
      receiver,
      relations: speaker.names(relations, meaning.text),
    };
    return diagnose(nameMessages.notNavigable, name.span, args);
  }
  if (owner === null && source.type.lostBy !== null) return nowhere(context, source.type, name);
  const form = operatorForm(name.text);
  if (form !== undefined) {
    return diagnose(nameMessages.methodIsOperator, name.span, { name: name.text, operator: form });
  }
  if (owner === null) return nowhere(context, source.type, name);
  if (meaning.kind === "unallocated") return symbolProblem(context, name, "p");
  return unknownStep(context, owner, step, receiver);
}

function fieldNamed(context: CheckContext, owner: EntityKey, name: string): unknown {
  return entityOf(context.exposure.catalogs, owner).fields.get(name);
}

/** A label without parentheses (LANG-024). */
function missingCall(
  context: CheckContext,
  owner: EntityKey,
  step: Nav,
  meaning: NameMeaning,
  receiver: string,
): Diagnostic | null {
  if (meaning.kind === "entity") return null;
  const own = meaning.kind === "method" && sameEntity(meaning.key, owner);
  const label = own ? meaning.key.label : meaning.kind === "method" ? null : meaning.text;
  if (label === null) return null;
  const { cgs } = catalogOf(context.exposure.catalogs, owner.entryId);
  const capability = capabilityByLabel(cgs, owner.entity, label);
  if (capability === undefined) return null;
  const access = accessTo(context, owner.entryId, capability);
  if (access === "hidden") return null;
  if (access === "read_only") {
    return onlyReadsProblem(context, owner, capability, step.name.span);
  }
  const call = callForm(context, owner, capability, step.name.text);
  const args = { name: step.name.text, receiver, call: `.${call}` };
  return diagnose(nameMessages.missingCall, step.name.span, args);
}

function unknownStep(
  context: CheckContext,
  owner: EntityKey | null,
  step: Nav,
  receiver: string,
): Diagnostic {
  const speaker = speakerLike(context.exposure, step.name.text);
  const wire = step.name.text;
  if (owner === null) {
    const args = { name: wire, receiver, nearest: "", methods: "Operators: limit, sort, filter" };
    return diagnose(nameMessages.unknownMethod, step.name.span, args);
  }
  return diagnoseLater(nameMessages.unknownMethod, step.name.span, () => {
    const relations = relationNames(context, owner);
    const labels = usableCapabilities(context, owner).map(({ label }) => label);
    const near = nearestName(wire, relations);
    const args = {
      name: wire,
      receiver,
      nearest: speaker.nearest([...relations, ...labels], wire),
      methods: stepNames(context, owner, speaker, wire),
    };
    const edits =
      near === null ? undefined : [{ span: step.name.span, replacement: speaker.code(near) }];
    return diagnose(nameMessages.unknownMethod, step.name.span, args, edits);
  });
}
