import { type Operation, templateOf } from "../document/operation.ts";
import { type SchemaShape, shapeOf } from "../document/schema-shape.ts";
import type { DocumentObject } from "../json.ts";
import { folded } from "../names/words.ts";
import type { EntityDraft } from "./entity-draft.ts";
import { nounBefore } from "./path-names.ts";

/** Entities by the beginnings of paths that go on from one of their rows, though no call gets that row there. */
export type ListedHomes = ReadonlyMap<string, EntityDraft>;

const IDS = new Set(["id", "uuid", "guid"]);

/** Whether a variable is called like a key: by the row, by the property, or by both: `{boat}`, `{id}`, `{boat_id}`. */
function isCalled(variable: string, noun: string, property: string): boolean {
  const [whole, key] = [folded(variable), folded(property)];
  const rest = noun !== "" && whole.startsWith(noun) ? whole.slice(noun.length) : whole;
  return rest === "" || rest === key || (rest === "id" && IDS.has(key));
}

const typeOf = (shape: SchemaShape): string => (shape.kind === "scalar" ? shape.type : shape.kind);

/** Whether a variable takes what a key is: the same, or any text. */
function takes(variable: DocumentObject, key: DocumentObject, property: string): boolean {
  const [taken, given] = [typeOf(shapeOf(variable)), typeOf(shapeOf(key, property))];
  return taken === given || taken === "text" || taken === "free";
}

/** A path without what says but which version of an API it is of, at its beginning. */
const plain = (template: string): string =>
  template.replace(/^(?:\/(?:api|rest|latest|v?\d[\w.]*)(?=\/))+/i, "");

/**
 * Whether a path is where rows of an entity stand: by its word alone, where they are got elsewhere, or below the only list
 * of them. What is done at `/blocked/boats/{}` is not done to the boat.
 */
const isPlace = (template: string, { home }: EntityDraft, lists: readonly string[]): boolean =>
  /^\/[^/]+\/\{\}$/.test(plain(template)) ||
  (home === null
    ? lists.length === 1 && plain(template) === `${plain(lists[0] ?? "")}/{}`
    : plain(template) === plain(home));

/**
 * Finds the paths that go on from the row of a list, which no call gets by that path: `/projects/{project_id}/files` where
 * `/teams/{team_id}/projects` lists projects. The path names the entity, and its variable the key of its rows.
 */
export function listedHomes(
  operations: readonly Operation[],
  homes: ReadonlyMap<string, EntityDraft>,
  collections: ReadonlyMap<string, EntityDraft>,
): ListedHomes {
  const byName = new Map<string, EntityDraft>();
  for (const entity of [...homes.values(), ...collections.values()]) {
    const [part, second] = entity.key;
    const isKnown = !entity.implicit && part !== undefined && second === undefined;
    if (isKnown && part.property !== null) byName.set(entity.snake, entity);
  }
  const found = new Map<string, EntityDraft>();
  for (const { segments, pathParameters } of operations) {
    const at = segments.findIndex(({ kind }) => kind === "variable");
    const segment = segments[at];
    if (segment?.kind !== "variable" || segment.expands !== undefined) continue;
    const template = templateOf(segments.slice(0, at + 1));
    if (homes.has(template) || found.has(template)) continue;
    const noun = nounBefore(segments, at);
    const entity = byName.get(noun.join("_"));
    const [part] = entity?.key ?? [];
    if (entity === undefined || part === undefined || part.property === null) continue;
    const lists = [...collections].flatMap(([list, one]) => (one === entity ? [list] : []));
    if (!isPlace(template, entity, lists)) continue;
    const schema = pathParameters.get(segment.name)?.schema ?? {};
    const fits = isCalled(segment.name, noun.join(""), part.property);
    if (fits && takes(schema, part.schema, part.property)) found.set(template, entity);
  }
  return found;
}
