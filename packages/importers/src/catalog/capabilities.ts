import { changeSaidBy, nounsOf, verbInCall } from "@plasm/core/internal";
import { calledOf, listAbove, type Operation } from "../document/operation.ts";
import { areCalls, thingOf, withoutAnswer } from "../names/call-names.ts";
import { clause } from "../names/clause.ts";
import type { CapabilityDraft } from "./capability-draft.ts";
import { effectOf } from "./effects.ts";
import type { EntityDraft } from "./entity-draft.ts";
import type { EntityFields } from "./entity-fields.ts";
import type { Entities } from "./find-entities.ts";
import type { CapabilityScene } from "./capability-scene.ts";
import { listCapability, rowOf } from "./reads.ts";
import { findRelations, type RelationDraft } from "./relations.ts";
import { folded } from "../names/words.ts";
import type { ValueTable } from "./value-table.ts";

export interface Capabilities {
  readonly capabilities: readonly CapabilityDraft[];
  readonly relations: ReadonlyMap<EntityDraft, readonly RelationDraft[]>;
  /** operations left out, and parts of others, one line each */
  readonly left: readonly string[];
}

function readOf(scene: CapabilityScene, operation: Operation): CapabilityDraft | string {
  const { answer } = operation;
  switch (answer.kind) {
    case "none":
      return "it answers nothing that is told";
    case "other":
      return answer.why;
    case "row":
    case "list": {
      const entity = scene.entities.rowsOf(operation);
      if (entity === undefined) return "whose rows it answers is not certain";
      const make = answer.kind === "list" ? listCapability : rowOf;
      return make(scene, operation, answer, entity);
    }
  }
}

/**
 * Whether a read changes something by the words of its document: by its summary as it stands there, too, since what
 * repeats the name of the entity is not in its description.
 */
function isSaidToChange(
  operation: Operation,
  { label, description }: CapabilityDraft,
  nouns: ReadonlySet<string>,
): boolean {
  const end = endOf(operation);
  const said = [description, clause(operation.summary)].map(withoutAnswer);
  return said.some((text) => changeSaidBy({ label, description: text, end }, nouns) !== null);
}

/** The word that a path ends in; nothing where it ends in a variable. */
function endOf({ segments }: Operation): string {
  const last = segments.findLast((one) => one.kind === "variable" || one.value !== "");
  return last?.kind === "literal" ? (/(?<![^:.])[^:.]*$/.exec(last.value)?.[0] ?? "") : "";
}

const deprecated = (made: CapabilityDraft): CapabilityDraft => ({
  ...made,
  description: made.description === "" ? "deprecated" : `deprecated: ${made.description}`,
});

/** Reads of an entity's own paths first, so that they have the plain labels. */
function byHome(entities: Entities, operations: readonly Operation[]): readonly Operation[] {
  const lists = new Set([...entities.homes.keys()].map((home) => listAbove(home)));
  const own = ({ template }: Operation): number =>
    Number(entities.homes.has(template)) + Number(lists.has(template));
  return operations.toSorted(
    (a, b) => Number(a.isDeprecated) - Number(b.isDeprecated) || own(b) - own(a),
  );
}

/** Makes the capabilities of all operations, relations between entities, and tells what is left out. */
export function findCapabilities(
  operations: readonly Operation[],
  entities: Entities,
  fields: ReadonlyMap<EntityDraft, EntityFields>,
  values: ValueTable,
): Capabilities {
  const left: string[] = [];
  const labels = new Map<EntityDraft, Set<string>>();
  const labelsOf = (entity: EntityDraft): Set<string> => {
    const known = labels.get(entity) ?? new Set<string>();
    labels.set(entity, known);
    return known;
  };
  const refs = new Map(
    [...fields].map(([entity, own]) => [
      entity,
      new Map(own.fields.map(({ name, ref }) => [name, ref] as const)),
    ]),
  );
  const names = new Map(
    [...fields].map(([entity, own]) => [
      entity,
      new Map(own.fields.toReversed().map(({ name }) => [folded(name), name] as const)),
    ]),
  );
  const scene: CapabilityScene = {
    entities,
    values,
    updated: new Set(
      operations.flatMap(({ method, template }) =>
        method === "PUT" || method === "PATCH" ? [template] : [],
      ),
    ),
    labelsOf,
    fieldRefs: (entity) => refs.get(entity) ?? new Map(),
    fieldNames: (entity) => names.get(entity) ?? new Map(),
    say: (operation, lines) => {
      for (const line of lines) left.push(`${calledOf(operation)}: ${line}`);
    },
  };
  const made: CapabilityDraft[] = [];
  const make = (
    all: readonly Operation[],
    one: (operation: Operation) => CapabilityDraft | string | null,
  ) => {
    for (const operation of all) {
      const found = one(operation);
      if (found === null) continue;
      if (typeof found === "string") left.push(`${calledOf(operation)}: ${found}`);
      else made.push(operation.isDeprecated ? deprecated(found) : found);
    }
  };
  const spoken = entities.all.filter(({ heldBy }) => heldBy === undefined);
  const nouns = new Set(spoken.flatMap(({ name }) => nounsOf(thingOf(name))));
  const isCalled = areCalls(operations.map(endOf));
  const reads = operations.filter(({ reads: asks }) => asks);
  const changing: Operation[] = [];
  for (const operation of byHome(entities, reads)) {
    make([operation], (one) => {
      const found = readOf(scene, one);
      if (typeof found === "string") return found;
      const isSilent = one.summary === undefined || one.summary === "";
      const verb = verbInCall(endOf(one));
      const isCall = isCalled && isSilent && (verb === "changes" || verb === "either");
      if (!isCall && !isSaidToChange(one, found, nouns)) return found;
      // What it says of itself is a change, whatever its method: it is made below, as an effect.
      labelsOf(found.entity).delete(found.label);
      changing.push(one);
      return null;
    });
  }
  const relations = findRelations(made, entities, fields);
  // An effect is not called like a field or relation of its row (CAT-072).
  for (const entity of entities.all) {
    const own = fields.get(entity);
    const names = [
      ...(own?.fields ?? []),
      ...(own?.held ?? []),
      ...(relations.get(entity) ?? []),
    ].map(({ name }) => name);
    for (const name of names) labelsOf(entity).add(name.toLowerCase());
  }
  const writes = [...changing, ...operations.filter(({ reads: asks }) => !asks)];
  make(byHome(entities, writes), (operation) => effectOf(scene, operation));
  return { capabilities: made, relations, left };
}
