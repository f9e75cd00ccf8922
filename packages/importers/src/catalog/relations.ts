import { catalogName, reserveName } from "../names/free-name.ts";
import { wordsOf } from "../names/words.ts";
import { type CapabilityDraft, capabilityName } from "./capability-draft.ts";
import type { EntityDraft } from "./entity-draft.ts";
import type { EntityFields } from "./entity-fields.ts";
import type { Entities } from "./find-entities.ts";

/** Rows of another entity that a row leads to. */
export interface RelationDraft {
  readonly name: string;
  readonly target: EntityDraft;
  readonly cardinality: "one" | "many";
  readonly materialize: Readonly<Record<string, unknown>>;
  readonly description: string;
}

/** The last word of a path, which says what is there. */
function wordOf({ operation }: CapabilityDraft): string {
  const last = operation.segments.findLast((one) => one.kind === "literal" && one.value !== "");
  return last?.kind === "literal" ? wordsOf(last.value.replace(/\.json$/i, "")).join("_") : "";
}

/** The rows whose key is all that a read needs, and which of its parameters take which part of it. */
function parentOf(capability: CapabilityDraft, entities: Entities) {
  const { entity, kind, slots, operation, request } = capability;
  const needed = slots.filter(({ required }) => required);
  const own = kind === "get";
  const bound = own ? entity.key : needed;
  if (own ? needed.length > 0 : needed.length !== request.path.length) return null;
  const [only, second] = bound;
  if (only !== undefined && second === undefined) {
    const [part] = only.ref?.key ?? [];
    return only.ref === null || part === undefined || only.ref.key.length !== 1
      ? null
      : { parent: only.ref, bindings: new Map([[only.name, part.name]]) };
  }
  const { template } = operation;
  const parent = entities.homes.get(template.slice(0, template.lastIndexOf("/")));
  if (parent === undefined || parent.key.length < 2) return null;
  if (parent.key.length !== request.path.length) return null;
  const bindings = request.path.map((name, at) => [name, parent.key[at]?.name ?? name] as const);
  return { parent, bindings: new Map(bindings) };
}

function materializeOf(capability: CapabilityDraft, bindings: ReadonlyMap<string, string>) {
  const name = capabilityName(capability);
  const [param] = bindings.keys();
  const list = capability.kind === "query" || capability.kind === "search";
  if (list && bindings.size === 1) return { kind: "query_scoped", capability: name, param };
  const kind = list ? "query_scoped_bindings" : "get_scoped_bindings";
  return { kind, capability: name, bindings: Object.fromEntries(bindings) };
}

/** Relations by which rows lead to those of others: reads whose path goes on from a row's, and need no more. */
export function findRelations(
  reads: readonly CapabilityDraft[],
  entities: Entities,
  fields: ReadonlyMap<EntityDraft, EntityFields>,
): ReadonlyMap<EntityDraft, readonly RelationDraft[]> {
  const found = new Map<EntityDraft, RelationDraft[]>();
  const taken = new Map<EntityDraft, Set<string>>();
  for (const capability of reads) {
    const { entity, kind, description } = capability;
    const from = parentOf(capability, entities);
    if (from === null || (kind === "get" && !entity.implicit)) continue;
    // JSON of which nothing is known is asked for by its name; a step would take the name of a method.
    if (capability.properties?.size === 0) continue;
    const { parent, bindings } = from;
    const own = fields.get(parent);
    const names =
      taken.get(parent) ??
      // A plain field may share its name with a relation: a step follows that, all else reads the field.
      new Set(
        [...(own?.fields ?? []).filter(({ ref }) => ref !== null), ...(own?.held ?? [])].map(
          ({ name }) => name,
        ),
      );
    taken.set(parent, names);
    const word = catalogName(wordOf(capability), "rows");
    const name = reserveName(names, names.has(word) ? `${word}_rows` : word);
    const all = found.get(parent) ?? [];
    found.set(parent, all);
    all.push({
      name,
      target: entity,
      cardinality: kind === "query" || kind === "search" ? "many" : "one",
      materialize: materializeOf(capability, bindings),
      description,
    });
  }
  return found;
}
