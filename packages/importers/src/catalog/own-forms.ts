import type { Operation } from "../document/operation.ts";
import { itemShape, type RecordShape, schemaName, shapeOf } from "../document/schema-shape.ts";
import type { DocumentObject } from "../json.ts";
import { singular, singularWords } from "../names/singular.ts";
import { wordsOf } from "../names/words.ts";
import { sameForm } from "./entity-keys.ts";
import { familyOf } from "./entity-names.ts";

/** What the forms of one thing are called together, of the name of a schema: `spacecraft` of `SpacecraftBase`. */
export type FamilyName = (schemaName: string) => string;

/** Words that other documents tell forms apart by, too: here one thing that has both forms is enough. */
const USUAL = new Set(
  "abridged base header identifier minimum overview preview ref reference resume shallow snippet stub teaser".split(
    " ",
  ),
);

/** How many things have two forms by a word before it is one that the document tells forms apart by. */
const ENOUGH = 2;

/** Of the members of the smaller form this many, at least, are in the larger one. */
const SHARED = 0.9;

/** What names a row. */
const KEYS = ["id", "uid", "uuid", "guid", "_id", "key", "slug", "code", "number", "name"];

/** A schema that may be a form of another: what they have in common, and the word that one has beside it. */
interface Pair {
  readonly family: string;
  readonly stem: string;
  /** the word, and at which end it stands */
  readonly word: string;
  readonly end: "first" | "last";
  readonly fits: boolean;
}

/** Whether one form has nothing, but for a little, that the other has not, and both have the same key. */
function areForms(a: RecordShape, b: RecordShape): boolean {
  const [small, large] = a.properties.size <= b.properties.size ? [a, b] : [b, a];
  if (small.properties.size < 2) return false;
  const has = (name: string, schema: DocumentObject): boolean => {
    const other = large.properties.get(name);
    return other !== undefined && shapeOf(other, name).kind === shapeOf(schema, name).kind;
  };
  const shared = [...small.properties].filter(([name, schema]) => has(name, schema)).length;
  const isKeyed = KEYS.some((name) => {
    const [own, other] = [small.properties.get(name), large.properties.get(name)];
    return own !== undefined && other !== undefined && sameForm(own, other);
  });
  return isKeyed && shared >= SHARED * small.properties.size;
}

/** The objects that a row holds, in lists too, which have a name. */
function heldIn({ properties }: RecordShape): readonly (readonly [string, RecordShape])[] {
  return [...properties].flatMap(([property, schema]) => {
    const shape = shapeOf(schema, property);
    const items = shape.kind === "list" ? shape.items : schema;
    const record = shape.kind === "list" ? itemShape(shape, property) : shape;
    const name = items === null ? undefined : schemaName(items);
    return record.kind === "record" && name !== undefined ? [[name, record] as const] : [];
  });
}

/** The word that a family has beside another's, and at which end. */
function endsOf(family: string): readonly Omit<Pair, "fits">[] {
  const words = family.split(" ");
  if (words.length < 2) return [];
  const [first = "", last = ""] = [words[0], words.at(-1)];
  return [
    { family, stem: singularWords(words.slice(0, -1)).join(" "), word: last, end: "last" },
    { family, stem: words.slice(1).join(" "), word: first, end: "first" },
  ];
}

/**
 * Finds the words by which a document tells forms of one thing apart: at the same end of the names of several things of which nearly
 * all that one form has is in the other, and their key. A word that names a thing itself, in a schema or in a path, is none.
 */
export function ownForms(operations: readonly Operation[]): FamilyName {
  const records = new Map<string, RecordShape>();
  const add = (name: string, record: RecordShape): void => {
    const family = familyOf(name).join(" ");
    const before = records.get(family);
    if (before === undefined || before.properties.size < record.properties.size)
      records.set(family, record);
  };
  const answered = new Set<string>();
  for (const { answer } of operations) {
    if ((answer.kind !== "row" && answer.kind !== "list") || answer.isFree) continue;
    const name = schemaName(answer.schema);
    if (name !== undefined) {
      add(name, answer.record);
      answered.add(familyOf(name).join(" "));
    }
    for (const [held, record] of heldIn(answer.record)) add(held, record);
  }
  const things = new Set(
    operations.flatMap(({ segments }) =>
      segments.flatMap((one) => (one.kind === "literal" ? wordsOf(one.value).map(singular) : [])),
    ),
  );
  const pairs = [...records].flatMap(([family, record]) =>
    endsOf(family).flatMap((one): readonly Pair[] => {
      const stem = answered.has(one.stem) ? records.get(one.stem) : undefined;
      const isThing = records.has(one.word) || things.has(singular(one.word));
      return stem === undefined || isThing ? [] : [{ ...one, fits: areForms(stem, record) }];
    }),
  );
  const forms = new Map<string, string>();
  for (const { family, stem, word, end, fits } of pairs) {
    if (!fits) continue;
    const alike = pairs.filter((one) => one.word === word && one.end === end);
    const fitting = alike.filter((one) => one.fits).length;
    const isOwn = fitting >= ENOUGH && fitting >= SHARED * alike.length;
    if (isOwn || USUAL.has(word)) forms.set(family, stem);
  }
  return (name) => {
    const family = familyOf(name).join(" ");
    return forms.get(family) ?? family;
  };
}
