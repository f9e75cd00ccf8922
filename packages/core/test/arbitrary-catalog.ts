import fc from "fast-check";
import type { CatalogSet } from "../src/catalog/federation.ts";
import type { Catalog } from "../src/mapping/template.ts";
import {
  buildCatalog,
  type CapabilitySpec,
  type CatalogSpec,
  type EntitySpec,
} from "./build-catalog.ts";

/** The entities of every catalog made here. */
export const ENTITIES = ["Ash", "Birch", "Cedar"] as const;
const NAMES = ["id", "no", "state", "note", "when", "size", "plot", "birch"] as const;
const TYPES = [
  "str",
  "int",
  "num",
  "bool",
  "date",
  "datetime",
  "uuid",
  "json",
  "markdown",
  "open|done",
  "open|done|lost",
  "[str]",
  "[open|done]",
  `${Array.from({ length: 12 }, (_, at) => `option-${at}`).join("|")}`,
  "→Ash",
  "→Birch",
  "→Cedar",
  "[→Birch]",
] as const;

const type = fc.constantFrom(...TYPES);
const keyType = fc.constantFrom("str", "int", "uuid");
const text = fc.constantFrom("", "what it is", "Ash", "a\tb\nc", "```", "\u202ex\u200b");

interface DraftEntity {
  readonly compound: boolean;
  readonly keys: readonly [string, string];
  readonly fields: readonly (readonly [string, string, string])[];
  readonly relations: readonly (readonly [string, string, boolean, boolean])[];
  readonly kinds: readonly string[];
  readonly slots: readonly (readonly [string, string, boolean])[];
  readonly more: readonly (readonly [string, string, boolean])[];
  readonly description: string;
}

const slots = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), type, fc.boolean()), {
  selector: ([name]) => name,
  maxLength: 4,
});

const entity: fc.Arbitrary<DraftEntity> = fc.record({
  compound: fc.boolean(),
  keys: fc.tuple(keyType, keyType),
  fields: fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES.slice(2)), type, text), {
    selector: ([name]) => name,
    maxLength: 5,
  }),
  relations: fc.uniqueArray(
    fc.tuple(
      fc.constantFrom("leaf", "root", "state"),
      fc.constantFrom(...ENTITIES),
      fc.boolean(),
      fc.boolean(),
    ),
    { selector: ([name]) => name, maxLength: 3 },
  ),
  kinds: fc.subarray(
    ["query", "query_all", "search", "get", "create", "update", "delete", "prune"],
    {
      minLength: 1,
    },
  ),
  slots,
  more: slots,
  description: text,
});

/** Small, valid catalogs with shared names, clashing types, references, relations and hostile texts. */
export function arbitraryCatalog(entryId: string): fc.Arbitrary<Catalog> {
  return arbitraryCatalogSpec().map((spec) => buildCatalog(entryId, spec));
}

/** What such catalogs are built from. */
export function arbitraryCatalogSpec(): fc.Arbitrary<CatalogSpec> {
  return fc.tuple(entity, entity, entity).map(catalogSpec);
}

/** Two such catalogs, `north` and `south`, each with the entities of {@link ENTITIES}. */
export function arbitraryCatalogSet(): fc.Arbitrary<CatalogSet> {
  return fc.tuple(arbitraryCatalog("north"), arbitraryCatalog("south")).map(
    ([north, south]) =>
      new Map([
        ["north", north],
        ["south", south],
      ]),
  );
}

function catalogSpec(drafts: readonly DraftEntity[]): CatalogSpec {
  const entities: Record<string, EntitySpec> = {};
  const capabilities: Record<string, CapabilitySpec> = {};
  for (const [at, draft] of drafts.entries()) {
    const name = ENTITIES[at] ?? "Ash";
    entities[name] = entitySpec(draft);
    for (const kind of draft.kinds) {
      capabilities[`${name.toLowerCase()}_${kind}`] = capabilitySpec(name, kind, draft);
    }
  }
  return { entities, capabilities };
}

function entitySpec(draft: DraftEntity): EntitySpec {
  const [first, second] = draft.keys;
  const keys = draft.compound ? { no: first, id: second } : { id: first };
  const fields = Object.fromEntries(
    draft.fields.map(([name, kind, note]) => [name, [kind, note] as const]),
  );
  const references = new Set(
    draft.fields.flatMap(([name, kind]) => (kind.includes("→") ? [name] : [])),
  );
  const relations = draft.relations
    .filter(([name]) => !references.has(name))
    .map(([name, target, many, embedded]) => {
      const path = many ? [{ key: name }, { wildcard: true }] : [{ key: name }];
      const materialize = embedded ? { materialize: { kind: "from_parent_get", path } } : {};
      return [name, { target, cardinality: many ? "many" : "one", ...materialize }] as const;
    });
  return {
    description: draft.description,
    key: draft.compound ? ["no", "id"] : ["id"],
    fields: { ...keys, ...fields },
    relations: Object.fromEntries(relations),
  };
}

function capabilitySpec(entityName: string, kind: string, draft: DraftEntity): CapabilitySpec {
  const key = draft.compound ? ["no", "id"] : ["id"];
  const list = kind === "query" || kind === "query_all" || kind === "search";
  const own = kind === "query_all" || kind === "create" ? draft.more : draft.slots;
  const free = own.filter(([name]) => list || !key.includes(name));
  const params = Object.fromEntries(
    free.map(([name, slot, required]) => [
      required ? name : `${name}?`,
      sameReference(draft, name, slot),
    ]),
  );
  const base = { entity: entityName, description: draft.description };
  if (kind === "get" || kind === "delete") return { ...base, kind };
  if (kind === "query" || kind === "query_all") {
    return { ...base, kind: "query", params, paged: true };
  }
  if (kind === "search") {
    return { ...base, kind, params: { q: "str", ...params }, roles: { q: "search" } };
  }
  const output = { output: { type: "side_effect", description: "done" } };
  if (kind === "prune") return { ...base, kind: "action", params, more: () => output };
  return { ...base, kind, params };
}

/** A parameter that shares a reference field's name has its target (CAT-076). */
function sameReference(draft: DraftEntity, name: string, slot: string): string {
  const field = draft.fields.find(([other]) => other === name)?.[1];
  return field?.startsWith("→") === true ? field : slot;
}
