import type { AnswerRows } from "../document/answer.ts";
import type { Parameter } from "../document/operation.ts";
import { type RecordShape, shapeOf } from "../document/schema-shape.ts";
import { type DocumentObject, memberOf } from "../json.ts";
import { folded } from "../names/words.ts";
import { saysToken } from "./page-counters.ts";

/** Parameters that take a cursor or a token of the answer before. */
export const CURSORS =
  /^(?:start|page|next|list|scroll|pagination|batch|search)?(?:cursor|token|marker|pointer)$|^(?:start|page|next|list|scroll|pagination)?(?:key|id)$|^searchafter$|^(?:page)?(?:after|continuation|continue|bookmark|iterator)(?:token|cursor)?$|^page$/;
/** Members of answers that hold one, the surest first. */
const TOKENS = [
  /^next(?:page)?(?:cursor|token|marker|key|id)$/,
  /^(?:end|after)?cursor$|^(?:page|continuation)?token$|^continu(?:ation|e)$|^(?:page)?after$|^bookmark$|^(?:next)?iterator$|^marker$|^(?:next|page|search)?pointer$|^paginationid$/,
  /^next(?:page)?$/,
];
/** An object that holds what asks for the next page. */
const NEXT_PAGE = /^next(?:page)?$/;
const DEEPEST_TOKEN = 2;

interface Token {
  readonly path: readonly string[];
  readonly key: string;
}

/** The texts and numbers in an answer beside its rows, each with the keys that lead to it. */
function tokensIn({ properties }: RecordShape, before: readonly string[] = []): readonly Token[] {
  return [...properties].flatMap(([name, schema]): readonly Token[] => {
    const shape = shapeOf(schema);
    const path = [...before, name];
    if (shape.kind === "scalar" && memberOf(schema, "format") !== "uri")
      return shape.type === "boolean" ? [] : [{ path, key: folded(name) }];
    return shape.kind === "record" && path.length <= DEEPEST_TOKEN ? tokensIn(shape, path) : [];
  });
}

/** Parameters that take a cursor as often as a key of the rows, or one to the API. */
const MAYBE_CURSORS = /(?:key|id)$|^page$/;

/** The parameter that takes what an answer holds to go on, and where that stands; of several one that is certainly such. */
export function cursorAmong(
  envelope: RecordShape,
  query: readonly Parameter[],
): { readonly parameter: Parameter; readonly path: readonly string[] } | null {
  const all = tokensIn(envelope);
  const find = (among: readonly Parameter[], place: typeof namedToken) => {
    for (const parameter of among) {
      const path = place(all, parameter);
      if (path !== null) return { parameter, path };
    }
    return null;
  };
  const isMaybe = ({ name }: Parameter): boolean => MAYBE_CURSORS.test(folded(name));
  return (
    find(query, namedToken) ??
    find(
      query.filter((one) => !isMaybe(one)),
      cursorIn,
    ) ??
    find(query.filter(isMaybe), cursorIn)
  );
}

/** Where an answer holds what is called as a parameter is: `next_cursor` for `cursor`. */
function namedToken(all: readonly Token[], parameter: Parameter): readonly string[] | null {
  const own = folded(parameter.name);
  const named = all.find(({ key }) => key === `next${own}`);
  if (named !== undefined) return named.path;
  // What the last page ended with is where the next one starts.
  const start = /^exclusivestart(.+)$/.exec(own)?.[1];
  const ended = all.find(({ key }) => start !== undefined && key === `lastevaluated${start}`);
  if (ended !== undefined) return ended.path;
  const within = all.find(
    ({ key, path }) => key === own && NEXT_PAGE.test(folded(path.at(-2) ?? "")),
  );
  if (within !== undefined) return within.path;
  // Where an answer says which is next, what is called as the parameter is the one that was sent.
  const isSame =
    CURSORS.test(own) &&
    /(?:cursor|token|marker|pointer)$/.test(own) &&
    !all.some(({ key }) => TOKENS[0]?.test(key) === true);
  const same = all.filter(({ key }) => isSame && key === own);
  return same.length === 1 ? (same[0]?.path ?? null) : null;
}

/** Where an answer holds what a parameter takes to go on, under another name: `cursors.next` for `after`. */
function cursorIn(all: readonly Token[], parameter: Parameter): readonly string[] | null {
  const own = folded(parameter.name);
  const shape = shapeOf(parameter.schema);
  // What the document's text alone says of its lists holds for those that say nothing against it.
  if (parameter.heldAt !== undefined && all.length === 0 && saysToken(parameter))
    return parameter.heldAt;
  if (!CURSORS.test(own) || shape.kind !== "scalar" || shape.type !== "text") return null;
  for (const form of TOKENS) {
    const found = all.filter(({ key }) => form.test(key));
    const [only, second] = found;
    if (only !== undefined && second === undefined) return only.path;
    const around = found.find(({ path }) => /curs|pag|meta|link/i.test(path[0] ?? ""));
    if (around !== undefined) return around.path;
  }
  return null;
}

const PLACES_OF_LINKS = new Set([
  "links",
  "paging",
  "pagination",
  "meta",
  "metadata",
  "page",
  "pages",
]);
const NEXTS = new Set([
  "next",
  "nexturl",
  "nextlink",
  "nexthref",
  "nexturi",
  "nextpageurl",
  "nextpageuri",
  "nextpagelink",
]);

/** Whether a text is an address: by its form, by what is said of it, or since nothing could take it as a cursor. */
function isAddress(schema: DocumentObject, isLonely: boolean): boolean {
  const shape = shapeOf(schema);
  if (shape.kind !== "scalar" || shape.type !== "text") return false;
  const said = [memberOf(schema, "example"), memberOf(schema, "description")].join(" ");
  return (
    memberOf(schema, "format") === "uri" ||
    isLonely ||
    /https?:|\burls?\b|\buris?\b|\blinks?\b|\/\w+\?/i.test(said)
  );
}

/** The member of an answer that holds the address of the next page, as a mapping names it. */
export function nextAddress({ properties }: RecordShape, isLonely: boolean): string | null {
  for (const [name, schema] of properties) {
    const key = folded(name);
    const isNamed = key !== "next" && NEXTS.has(key);
    if (name === "@odata.nextLink") return name;
    if ((isNamed || key === "next") && isAddress(schema, isNamed || isLonely)) return name;
    if (key === "nextpage" && memberOf(schema, "format") === "uri") return name;
  }
  for (const [name, schema] of properties) {
    const inner = shapeOf(schema);
    if (!PLACES_OF_LINKS.has(folded(name)) || inner.kind !== "record") continue;
    const isLinks = folded(name) === "links";
    for (const [key, link] of inner.properties) {
      if (!NEXTS.has(folded(key))) continue;
      const held = shapeOf(link);
      if (held.kind === "record" && held.properties.has("href")) return `${name}.${key}.href`;
      if (isAddress(link, isLonely || isLinks || folded(key) !== "next")) return `${name}.${key}`;
    }
  }
  return null;
}

/** Whether what stands at a path of an answer is called an address. */
export function holdsAddress(rows: AnswerRows, [name = ""]: readonly string[]): boolean {
  const schema = rows.envelope?.properties.get(name);
  return folded(name) === "next" && schema !== undefined && isAddress(schema, false);
}
