import type { DocumentObject } from "../json.ts";
import type { Operation, PathPiece } from "../document/operation.ts";
import { formOf, templateOf } from "../document/operation.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import { singular } from "../names/singular.ts";
import { snake, wordsOf } from "../names/words.ts";
import type { EntityDraft } from "./entity-draft.ts";

/** What a variable of a path is called in the catalog. */
export interface PathName {
  readonly variable: string;
  readonly name: string;
  /** the entity whose whole key it is */
  readonly ref: EntityDraft | null;
  readonly schema: DocumentObject;
}

export type Homes = ReadonlyMap<string, EntityDraft>;

const GENERIC = new Set(["id", "uuid", "key", "name", "slug", "number", "code", "no", "ref"]);

/** Behind a word of a path, the form in which its rows are wanted: `/boats.json`. */
const FORM = /\.(?:jsonl?|xml|atom|rss|csv|txt|php|aspx?|html?)$/i;

/** The word that a segment ends in, without the form of the answer: its own, or that of what its value is made of. */
export function lastWord(segment: PathPiece): string {
  if (segment.kind === "literal") return segment.value.replace(FORM, "");
  return (
    (segment.expands ?? "").split("/").findLast((one) => one !== "" && !one.includes("{")) ?? ""
  );
}

/** The word before a variable, as one thing is called: `boat` of `/boats/{id}`. */
export function nounBefore(segments: readonly PathPiece[], at: number): readonly string[] {
  const own = segments[at];
  const expanded = own === undefined ? "" : lastWord(own);
  const before = segments
    .slice(0, at)
    .map(lastWord)
    .findLast((one) => one !== "");
  const words = wordsOf(expanded === "" || own?.kind === "literal" ? (before ?? "") : expanded);
  return words.map((word, index) => (index === words.length - 1 ? singular(word) : word));
}

/**
 * Names for the variables of a path: those that end the path of an entity's row are its key, one that is
 * a whole key goes by the entity. What only says `id` gets the word before it, and so does what `avoid` has.
 */
export function pathNames(
  operation: Pick<Operation, "segments" | "pathParameters">,
  homes: Homes,
  avoid: ReadonlySet<string> = new Set(),
): readonly PathName[] {
  const { segments, pathParameters } = operation;
  const form = formOf(segments);
  let names: PathName[] = [];
  segments.forEach((segment, at) => {
    if (segment.kind !== "variable") return;
    const schema = pathParameters.get(segment.name)?.schema ?? {};
    const noun = snake(nounBefore(segments, at));
    const own = catalogName(segment.name, "key");
    const plain = GENERIC.has(own.toLowerCase()) || avoid.has(own);
    const wanted = plain && noun !== "" ? catalogName(`${noun}_${own}`, "key") : own;
    const taken = new Set([...avoid, ...names.map(({ name }) => name)]);
    names.push({ variable: segment.name, name: reserveName(taken, wanted), ref: null, schema });
    const home = templateOf(segments.slice(0, at + 1));
    const entity = homes.get(home) ?? homes.get(`${home}${form}`);
    if (entity !== undefined && entity.key.length === names.length)
      names = keyNames(entity, names, avoid);
  });
  return names;
}

function keyNames(
  entity: EntityDraft,
  names: readonly PathName[],
  avoid: ReadonlySet<string>,
): PathName[] {
  if (names.length === 1) {
    const [only] = names;
    const name = reserveName(new Set(avoid), catalogName(entity.snake, "key"));
    return only === undefined ? [] : [{ ...only, name, ref: entity }];
  }
  return names.map((one, at) => {
    const part = entity.key[at];
    // `id` of a row would be the row's own where it is one of several parts.
    const own = at === names.length - 1 && part !== undefined && GENERIC.has(part.name);
    const clash = part === undefined || own || avoid.has(part.name);
    return clash ? one : { ...one, name: part.name, ref: part.ref };
  });
}
