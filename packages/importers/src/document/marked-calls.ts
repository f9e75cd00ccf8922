import { onlyValue } from "../catalog/sent-values.ts";
import { type DocumentObject, isDocumentObject, memberOf, sortedEntries } from "../json.ts";
import { singular, singularWords } from "../names/singular.ts";
import { folded, wordsOf } from "../names/words.ts";
import type { DocumentAnswer } from "./answer.ts";
import type { Method, Parameter, RequestBody } from "./operation.ts";
import { requestBodyOf } from "./request-parts.ts";
import { barePath, type PathMark, placeWord } from "./path-query.ts";
import type { CallPlace } from "./placed-calls.ts";
import { itemShape, shapeOf } from "./schema-shape.ts";

/*
 * Calls that a document tells apart by what stands behind `#` in their paths (ADR 0263). That is never sent: parameters of one
 * value say the same. What a call is named by, `ListBoats`, says where among rows it belongs: `/boats`.
 */

type Places = ReadonlyMap<string, readonly Parameter[]>;

/** What a document says of the call that a mark tells apart. */
export interface MarkedCall {
  readonly method: Method;
  /** where it is sent, as the document writes it */
  readonly path: string;
  readonly marks: readonly PathMark[];
  readonly places: Places;
  readonly body: RequestBody | null;
  /** what it answers, were it at that place */
  readonly answerAt: (place: string) => DocumentAnswer;
}

/** The parameter that a mark speaks of. */
const parameterOf = (places: Places, { name }: PathMark): Parameter | undefined =>
  ["query", "header"]
    .flatMap((where) => places.get(where) ?? [])
    .find((one) => one.name.toLowerCase() === name.toLowerCase());

/** Parameters with what is sent of those of one value, by which a call is told apart from others of its path. */
export function withMarks(places: Places): Places {
  const query = (places.get("query") ?? []).map((one): Parameter => {
    const only = one.required ? onlyValue(one.schema) : undefined;
    if (only === undefined) return one;
    return { ...one, always: only === true && one.mayBeEmpty === true ? "" : String(only) };
  });
  return new Map(places).set("query", query);
}

/** Parameters of the query without those that are members of the body, too: what takes a body takes them there. */
export function withoutMembers(query: readonly Parameter[], body: RequestBody | null) {
  const shape = shapeOf(body?.schema ?? {});
  const members = shape.kind === "record" ? shape.properties : new Map<string, DocumentObject>();
  return query.filter(({ name, required }) => required || !members.has(name));
}

/**
 * Why a call cannot be sent: no parameter of it takes what its path says, or its body cannot be written, without which it says
 * nothing but its name.
 */
export function whyUnsent(
  marks: readonly PathMark[],
  places: Places,
  operation: DocumentObject,
): string | null {
  const lost = marks.find((one) => one.value !== null && parameterOf(places, one) === undefined);
  const types = sortedEntries(memberOf(memberOf(operation, "requestBody"), "content"));
  const isNamed = marks.some(({ value }) => value !== null);
  if (isNamed && types.length > 0 && requestBodyOf(operation) === null)
    return `it takes ${types.map(([type]) => type).join(", ")}`;
  return lost === undefined
    ? null
    : `its path says ${lost.name}=${lost.value ?? ""} behind "#", and no parameter of it takes that`;
}

/** What a mark calls the place: a call's name without its service, a switch by its own name; null for what a caller gives. */
function saidBy(places: Places, mark: PathMark): string | null {
  if (mark.value !== null) {
    const word = placeWord(mark.name, mark.value);
    return word === mark.value ? (word.split(".").at(-1) ?? word) : word;
  }
  const parameter = parameterOf(places, mark);
  const isAsked = places.get("query")?.some((one) => one === parameter) === true;
  const isOpen = isAsked && onlyValue(parameter?.schema ?? {}) === undefined;
  return isOpen ? null : mark.name;
}

const READS = new Set(["list", "describe", "get", "search", "query", "scan", "find", "lookup"]);
const VERBS: Readonly<Record<string, Method>> = {
  create: "POST",
  delete: "DELETE",
  update: "PATCH",
  modify: "PATCH",
};

/** The name of a call, `ListBoats`, in its words; null for what is no verb with a noun. */
function callWords(said: readonly string[]): readonly [string, ...string[]] | null {
  const [name, second] = said;
  if (name === undefined || second !== undefined || !/^[A-Z][a-z]\w*$/.test(name)) return null;
  const [verb, ...nouns] = wordsOf(name);
  const isCall = verb !== undefined && (nouns.length > 0 || READS.has(verb));
  return isCall ? [verb, ...nouns] : null;
}

/** Words before a verb that say how or by whom: `AdminGetUser`, `BatchGetBoats`. */
const BEFORE_VERBS = new Set(["admin", "batch", "transact"]);

/** The place of the verb in the words of a call. */
const verbAt = ([first = "", , third]: readonly string[]): number =>
  BEFORE_VERBS.has(first) && third !== undefined ? 1 : 0;

const isRead = (words: readonly string[]): boolean => READS.has(words[verbAt(words)] ?? "");

const join = (words: readonly string[]): string => words.join("_");

/** What calls of a document read by name: the nouns of `ListBoats` and `GetBoat`, as one thing is called. */
export function calledNouns(root: DocumentObject): ReadonlySet<string> {
  const nouns = sortedEntries(memberOf(root, "paths")).flatMap(([path, item]) => {
    const marks = isDocumentObject(item) ? (barePath(path)?.marks ?? []) : [];
    const said = marks.flatMap(({ value }) =>
      value === null ? [] : [value.split(".").at(-1) ?? ""],
    );
    const words = callWords(said) ?? [];
    return isRead(words) ? [join(singularWords(words.slice(verbAt(words) + 1)))] : [];
  });
  return new Set(nouns);
}

/** A word as several are called, which `singular` takes back. */
function plural(word: string): string {
  if (singular(word) !== word) return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  const many = /(?:ss|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
  return singular(many) === word ? many : word;
}

const pluralOf = (words: readonly string[]): string =>
  join(words.map((word, at) => (at === words.length - 1 ? plural(word) : word)));

const KEY_ENDS = ["name", "id", "identifier", "arn", "url", ""];

/** What a caller gives a call by name: parameters and members of its body that hold one value. */
function givenTo({ places, body }: MarkedCall): ReadonlyMap<string, boolean> {
  const shape = shapeOf(body?.schema ?? {});
  const members = shape.kind === "record" ? [...shape.properties] : [];
  const isPlain = (schema: DocumentObject): boolean => {
    const { kind } = shapeOf(schema);
    return kind === "scalar";
  };
  return new Map([
    ...(places.get("query") ?? [])
      .filter(({ schema, always }) => always === undefined && isPlain(schema))
      .map(({ name, required }) => [name, required] as const),
    ...members
      .filter(([, schema]) => isPlain(schema))
      .map(([name]) => [name, shape.kind === "record" && shape.required.has(name)] as const),
  ]);
}

/** What holds the key of the row that a call is about: `BoatName` of a boat, or a plain `Name` of what it gets or changes. */
function keyOf(given: ReadonlyMap<string, boolean>, noun: readonly string[], isOwn: boolean) {
  const [whole, last] = [noun.join(""), noun.at(-1) ?? ""];
  const wanted = [
    ...KEY_ENDS.map((end) => `${whole}${end}`),
    ...(isOwn ? [...KEY_ENDS.map((end) => `${last}${end}`), ...KEY_ENDS.slice(0, 4)] : []),
  ];
  const names = [...given.keys()];
  const found = wanted.flatMap((one) => names.find((name) => folded(name) === one) ?? []);
  // What has to be given goes before what may be.
  return found.find((name) => given.get(name) === true) ?? found[0];
}

/** The longest beginning of words that is a noun which is read. */
function ownerOf(words: readonly string[], nouns: ReadonlySet<string>): readonly string[] | null {
  for (let length = words.length - 1; length > 0; length -= 1) {
    const begun = words.slice(0, length);
    if (nouns.has(join(begun))) return begun;
  }
  return null;
}

/** The only list of values in what a call answers: `BoatNames` of `ListBoats`. */
function namedList(answer: DocumentAnswer): string | undefined {
  const all = answer.kind === "row" ? [...answer.record.properties] : [];
  const lists = all.filter(([, schema]) => {
    const shape = shapeOf(schema);
    return shape.kind === "list" && itemShape(shape).kind !== "record";
  });
  return lists.length === 1 ? lists[0]?.[0] : undefined;
}

/** Where a call by name belongs: `GetBoat` with `BoatId` is GET `/boats/{BoatId}`, as far as names and what it takes tell. */
function placeOfName(
  call: MarkedCall,
  base: string,
  said: readonly string[],
  nouns: ReadonlySet<string>,
): { readonly method: Method; readonly path: string } {
  const at = verbAt(said);
  const verb = join(said.slice(0, at + 1));
  const words = said.slice(at + 1);
  const noun = singularWords(words);
  const many = `${base}/${pluralOf(noun)}`;
  const given = givenTo(call);
  const key = keyOf(given, noun, true);
  const one = key === undefined ? null : `${many}/{${key}}`;
  if (isRead(said)) {
    if (at > 0 || words.length === 0) return { method: "GET", path: `${base}/${join(said)}` };
    const answer = call.answerAt(many);
    const names = join(noun) === join(words) && verb !== "list";
    if (answer.kind === "list" && !(names && one !== null)) return { method: "GET", path: many };
    const list = verb === "list" ? namedList(answer) : undefined;
    if (list !== undefined) return { method: "GET", path: `${base}/${join(wordsOf(list))}` };
    const others = [...given].some(([name, required]) => required && name !== key);
    const isOne = join(noun) === join(words) && !others;
    return { method: "GET", path: one !== null && isOne ? one : `${base}/${join(words)}` };
  }
  if (nouns.has(join(noun))) {
    const method = VERBS[verb];
    if (method === "POST") return { method, path: many };
    if (one === null) return { method: "POST", path: `${many}/${verb}` };
    return method === undefined
      ? { method: "POST", path: `${one}/${verb}` }
      : { method, path: one };
  }
  const owner = ownerOf(words, nouns);
  if (owner === null) return { method: "POST", path: `${many}/${verb}` };
  const held = keyOf(given, owner, false);
  const above = `${base}/${pluralOf(owner)}`;
  const rest = join([verb, ...words.slice(owner.length)]);
  return { method: "POST", path: `${above}${held === undefined ? "" : `/{${held}}`}/${rest}` };
}

const templateOf = (method: Method, path: string): string =>
  `${method} ${path.replaceAll(/\{[^{}]*\}/g, "{}")}`;

/** Places that calls have by now, which no other gets. */
export type TakenPlaces = Set<string>;

export const takenBy = (root: DocumentObject): TakenPlaces =>
  new Set(
    sortedEntries(memberOf(root, "paths")).flatMap(([path, item]) =>
      path.includes("#")
        ? []
        : sortedEntries(item).map(([method]) => templateOf(method.toUpperCase() as Method, path)),
    ),
  );

/** Where a call that a mark tells apart belongs among others, and whether it is named by that alone; no two belong at one place. */
export function placeOfMarked(
  call: MarkedCall,
  nouns: ReadonlySet<string>,
  taken: TakenPlaces,
): CallPlace & { readonly isNamed: boolean } {
  const { method, path, marks, places } = call;
  const base = path.replace(/\/$/, "");
  const said = marks.flatMap((one) => saidBy(places, one) ?? []);
  const words = callWords(said);
  const below = (parts: readonly string[]): string =>
    [base, ...parts.map((one) => one.replaceAll(":", "_"))].join("/");
  const asked = marks.filter((one) => saidBy(places, one) === null).map(({ name }) => name);
  const [key, second] = asked;
  const read =
    words !== null && READS.has(words[0])
      ? "GET"
      : method === "GET" && words !== null
        ? "POST"
        : method;
  const wanted = [
    ...(words === null
      ? [
          ...(key !== undefined && second === undefined && said.length > 0
            ? [{ method, path: `${below(said)}/{${key}}` }]
            : []),
          { method, path: said.length === 0 && asked.length > 0 ? path : below(said) },
        ]
      : base.includes("{")
        ? []
        : [placeOfName(call, base, words, nouns)]),
    { method: read, path: below(words === null ? marks.map(({ name }) => name) : [join(words)]) },
  ];
  const free = wanted.find((one) => !taken.has(templateOf(one.method, one.path)));
  const place = free ?? {
    method: read,
    path: below(marks.map(({ name, value }) => value ?? name)),
  };
  taken.add(templateOf(place.method, place.path));
  return { ...place, sentAs: new Map(), isNamed: words !== null && place === wanted[0] };
}

/**
 * Whether a path has the same call by another method, too, by which it is kept: a GET, unless what changes something can be
 * sent whole by POST.
 */
export function isTwin(method: Method, path: string, item: DocumentObject): boolean {
  const [get, post] = [memberOf(item, "get"), memberOf(item, "post")];
  if (!isDocumentObject(get) || !isDocumentObject(post)) return false;
  const said = (barePath(path)?.marks ?? []).flatMap(({ value }) => value ?? []);
  const words = callWords(said.map((one) => one.split(".").at(-1) ?? one));
  if (words === null) return false;
  const body = requestBodyOf(post);
  const isWhole = body !== null && typeof body !== "string" && body.isText !== true;
  const kept = !isRead(words) && isWhole ? "POST" : "GET";
  return (method === "GET" || method === "POST") && method !== kept;
}
