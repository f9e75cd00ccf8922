import type { DocumentObject } from "../json.ts";
import { folded } from "../names/words.ts";
import {
  BESIDE,
  calledAs,
  isAround,
  LIST_KEYS,
  recordItems,
  saysPages,
  tellsOfCall,
} from "./answer-members.ts";
import { type RecordShape, type SchemaShape, shapeOf } from "./schema-shape.ts";

/** Where a list is in an answer; `items` is null where rows are texts, numbers, or JSON of which nothing is said. */
export interface ListPlace {
  readonly items: DocumentObject | null;
  readonly path: readonly string[];
}

/** What is known of a call whose parameters ask for pages. */
export interface PagedScene {
  /** the path names one thing */
  readonly ofItem: boolean;
  /** the words of the path */
  readonly words: readonly string[];
}

const DEEPEST = 3;

/** Objects that stand beside rows. */
const BESIDE_ROWS =
  /^(?:links?|meta(?:data)?|pag(?:e|es|ing|ination)|pageinfo|errors?|self|first|next|prev|previous|last|included|includes|jsonapi)$/;

/** Members by which an object is a thing of its own, and no envelope. */
const saysThing = (name: string): boolean =>
  /^(?:id|uuid|guid|name|title)$/i.test(name) || /(?:[a-z]I[dD]|_id)$/.test(name);

/** Members that only an answer with a list has beside it. */
const tellsOfList = (name: string): boolean =>
  /^(?:total(?:count|results|items|pages|elements)?|links|meta|paging|pagination)$/.test(
    folded(name),
  ) || saysPages(name);

/** Whether an object is a thing with an id, and tells of no list. */
export function isThing({ properties }: RecordShape): boolean {
  const names = [...properties.keys()];
  const isId = (name: string): boolean =>
    /^(?:id|uuid|guid)$/i.test(name) || /^id_|[a-z]I[dD]$|_id$/.test(name);
  return names.some(isId) && !names.some(tellsOfList);
}

/** Members that count, `recordsFiltered`, or say how long it took. */
const saysCount = (name: string): boolean =>
  /total|count|found|filtered|number|pages?|size|took|time|offset|cursor/.test(folded(name));

/**
 * The list of an answer whose parameters ask for pages, where it is not plain which: it lies in an object of its own
 * (`{albums: {items, next, total}}`), beside others of which none is called by the path, or it is of texts or of
 * anything. Null where it is not certain: then the answer is one row, and its pages are arguments (CAT-161).
 */
export function pagedList(shape: RecordShape, scene: PagedScene, depth = 0): ListPlace | null {
  const here = listAmong(shape, scene, depth);
  const names = [...shape.properties.keys()];
  if (here !== null || depth === DEEPEST || names.some(saysThing)) return here;
  if (scene.ofItem && !names.every((name) => tellsOfCall(name) || holdsList(shape, name)))
    return null;
  const inner = names.flatMap((name) => {
    const held = BESIDE_ROWS.test(folded(name)) ? null : recordIn(shape, name);
    if (held === null || !hasLists(held)) return [];
    return [{ name, found: pagedList(held, scene, depth + 1) }];
  });
  const called = inner.filter(({ name }) => LIST_KEYS.has(folded(name)));
  const [only, second] = inner.length > 1 ? called : inner;
  if (only === undefined || second !== undefined || only.found === null) return null;
  return { ...only.found, path: [only.name, ...only.found.path] };
}

function recordIn({ properties }: RecordShape, name: string): RecordShape | null {
  const held = shapeOf(properties.get(name) ?? {});
  return held.kind === "record" ? held : null;
}

const holdsList = (shape: RecordShape, name: string): boolean => {
  const held = recordIn(shape, name);
  return held !== null && hasLists(held);
};

/** Whether an object holds a list, at any depth that is looked at. */
const hasLists = ({ properties }: RecordShape, depth = 0): boolean =>
  [...properties].some(([name, schema]) => {
    if (BESIDE_ROWS.test(folded(name))) return false;
    const shape = shapeOf(schema);
    return (
      shape.kind === "list" || (shape.kind === "record" && depth < 2 && hasLists(shape, depth + 1))
    );
  });

interface Candidate {
  readonly name: string;
  readonly shape: SchemaShape;
  readonly items: DocumentObject | null;
}

/** The list among the members of an object, if one is sure. */
function listAmong(
  { properties }: RecordShape,
  { ofItem, words }: PagedScene,
  depth: number,
): ListPlace | null {
  const names = [...properties.keys()];
  // What has an id is one thing with a list, unless it tells itself that there is a next page.
  if (properties.has("id") && (ofItem || depth > 0 || !names.some(saysPages))) return null;
  const ofPath = ({ name }: Candidate): boolean => words.some((word) => calledAs(name, word));
  const isCalled = (one: Candidate): boolean => LIST_KEYS.has(folded(one.name)) || ofPath(one);
  const all = [...properties].flatMap(([name, schema]): readonly Candidate[] => {
    const shape = shapeOf(schema);
    return shape.kind === "list" ? [{ name, shape, items: recordItems(shape) }] : [];
  });
  const plain = all.filter((one) => !isBeside(one.name) || ofPath(one));
  const messages = all.filter(({ name }) => folded(name) === "messages");
  const rows = (plain.length > 0 ? plain : messages).filter(({ items }) => items !== null);
  const found = rows.length > 0 ? oneOf(rows, ofPath) : oneOf(plain, ofPath);
  if (found === null) return null;
  const others = names.filter((name) => name !== found.name);
  const isEnvelope = others.every((name) => tellsOfCall(name) || saysCount(name));
  const isSure =
    isEnvelope ||
    (!ofItem &&
      (rows.length > 0 ||
        (isCalled(found) && (!others.some(saysThing) || others.some(tellsOfList)))));
  return isSure ? { items: found.items, path: [found.name] } : null;
}

const isBeside = (name: string): boolean =>
  BESIDE.has(folded(name)) || (isAround(name) && !LIST_KEYS.has(folded(name)));

/** The only one, or the only one that the path or its name makes the list. */
function oneOf(all: readonly Candidate[], ofPath: (one: Candidate) => boolean): Candidate | null {
  for (const some of [
    all,
    all.filter(ofPath),
    all.filter(({ name }) => LIST_KEYS.has(folded(name))),
  ])
    if (some.length === 1) return some[0] ?? null;
  return null;
}
