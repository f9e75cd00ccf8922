import { folded } from "../names/words.ts";
import {
  isDocumentObject,
  type DocumentObject,
  listOf,
  memberOf,
  sortedEntries,
  textOf,
} from "../json.ts";
import { type DocumentAnswer, xmlAnswer } from "./answer.ts";
import { flatParameters } from "./flat-parameters.ts";
import {
  calledNouns,
  isTwin,
  placeOfMarked,
  type TakenPlaces,
  takenBy,
  whyUnsent,
  withMarks,
  withoutMembers,
} from "./marked-calls.ts";
import {
  METHODS,
  type Operation,
  type Parameter,
  type PathPiece,
  templateOf,
} from "./operation.ts";
import { answerAt, operationOf, type CallSite } from "./call-site.ts";
import { withNumbers } from "./numbered-query.ts";
import { barePath, withPathQuery } from "./path-query.ts";
import { type CallPlace, placedCall, placeOfKey, queryKey, readPlace } from "./placed-calls.ts";
import { SENT_PATH } from "../discovery/openapi-from-discovery.ts";
import { isPostedCopy } from "./posted-copies.ts";
import { foreignReference, notRead } from "./references.ts";
import {
  requestBodyOf,
  expanded,
  formatNames,
  parametersByPlace,
  segmentsOf,
} from "./request-parts.ts";
import { type SaidKey, saidKeys, withoutKeys } from "./said-keys.ts";
import { type SaidTokens, saidTokens } from "./said-tokens.ts";

const OTHER_METHODS = ["head", "options", "trace"];

/** What a document has, and what of it a catalog cannot have: one line each. */
export interface Operations {
  readonly operations: readonly Operation[];
  /** how many the document has */
  readonly total: number;
  readonly left: readonly string[];
  /** credentials that stand among the parameters of calls, which have them no more */
  readonly keys: readonly SaidKey[];
}

/** What is known of all calls of a document while each is read. */
interface Calls {
  readonly tokens: SaidTokens;
  readonly keys: readonly SaidKey[];
  readonly items: ReadonlySet<string>;
  /** what calls by name read */
  readonly nouns: ReadonlySet<string>;
  readonly taken: TakenPlaces;
}

/** The parameter of the query that is the key of the row which a GET answers; null if it has none, or its document has a path of that row. */
function rowKey(site: CallSite): string | null {
  const isPlain = /\/[\w-]+$/.test(site.path) && !site.items.has(`${templateOf(site.segments)}/{}`);
  return isPlain ? queryKey(site.places.get("query") ?? [], answerAt(site)) : null;
}

/**
 * One operation in the place that its document says, or in that of the row whose key its query has, else in that of its path; why not, if it
 * is left out.
 */
function placedOperation(site: CallSite, key: string | null, calls: Calls): Operation | string {
  const asked = (site.places.get("query") ?? []).flatMap(flatParameters);
  const said = requestBodyOf(site.operation);
  const isMarked = site.marks.length > 0 && typeof said !== "string";
  const query = isMarked ? withoutMembers(asked, said) : asked;
  const place =
    readPlace(site.operation) ??
    (site.marks.length > 0
      ? placeByMark({ ...site, places: new Map(site.places).set("query", query) }, calls)
      : key === null
        ? null
        : placeOfKey({ ...site, query }, key));
  if (typeof place === "string") return place;
  if (place === null) return operationOf(site);
  const { method, path, isNamed = true } = place;
  const segments = segmentsOf(path, new Set());
  if (typeof segments === "string") return segments;
  const body = requestBodyOf(site.operation);
  if (typeof body === "string") return body;
  const placed = placedCall(place, segments, { ...site, query, body });
  if (typeof placed === "string") return placed;
  const { call, parameters } = placed;
  const places = new Map(site.places)
    .set("path", [...(site.places.get("path") ?? []), ...parameters])
    .set(
      "query",
      query.filter(({ name }) => !call.inQuery.has(name)),
    );
  // Its name is that of its path; what it is called belongs to the place.
  const made = operationOf({ ...site, method, segments, places, sentBy: site.method });
  if (typeof made === "string") return made;
  return { ...made, operationId: isNamed ? undefined : made.operationId, sent: call };
}

/** Where a call belongs that is told apart by what stands behind `#`; why it cannot be sent, if it cannot. */
function placeByMark(site: CallSite, { nouns, taken }: Calls): CallPlace | string {
  const { method, path, marks, places, operation } = site;
  const why = whyUnsent(marks, places, operation);
  if (why !== null) return why;
  const body = requestBodyOf(operation);
  if (typeof body === "string") return body;
  const answered = (place: string): DocumentAnswer => {
    const segments = segmentsOf(place, new Set());
    const at = typeof segments === "string" ? site.segments : segments;
    return answerAt({ ...site, method: "GET", segments: at });
  };
  const plain = path.slice(0, path.indexOf("#"));
  return placeOfMarked(
    { method, path: plain, marks, places, body, answerAt: answered },
    nouns,
    taken,
  );
}

/** Whether an operation is asked for: by the beginning of its path, or by a tag. */
function isWanted(only: readonly string[], path: string, operation: DocumentObject): boolean {
  if (only.length === 0) return true;
  const tags = listOf(memberOf(operation, "tags")).map((tag) => String(tag).toLowerCase());
  return only.some((one) =>
    one.startsWith("/")
      ? path === one || path.startsWith(one.endsWith("/") ? one : `${one}/`)
      : tags.includes(one.toLowerCase()),
  );
}

/** Parameters of the query without those that a converter put beside the document's own under another spelling. */
function withoutEchoes(places: CallSite["places"]): CallSite["places"] {
  const query = places.get("query") ?? [];
  const isEcho = ({ name, description }: Parameter): boolean =>
    /^Pagination (?:limit|token)$/.test(description ?? "") &&
    query.some((one) => one.name !== name && folded(one.name) === folded(name));
  return query.some(isEcho)
    ? new Map(places).set(
        "query",
        query.filter((one) => !isEcho(one)),
      )
    : places;
}

type Written = Pick<CallSite, "method" | "path" | "item" | "operation">;

/** What a document says of one operation, with what its path says beside where it is sent. */
function siteOf({ items, tokens, keys }: Calls, written: Written): CallSite | string {
  const { path, item, operation } = written;
  const said = withoutKeys(parametersByPlace(item, operation), keys);
  const sent = textOf(memberOf(operation, SENT_PATH)) ?? path;
  const bare = barePath(sent);
  const marks = bare?.marks ?? [];
  const asked = withoutEchoes(bare === null ? said : withPathQuery(said, bare));
  const marked = marks.length === 0 ? asked : withMarks(asked);
  const query = withNumbers(marked.get("query") ?? [], marks, saysXml(item, operation));
  const places = new Map(marked).set("query", query);
  const segments = segmentsIn(
    (marks.length > 0 ? bare?.path : bare?.place) ?? sent,
    operation,
    places,
  );
  if (typeof segments === "string") return segments;
  return { ...written, segments, places, items, tokens, marks };
}

/** Whether a call answers XML, or takes it by POST where it answers nothing. */
const saysXml = (item: DocumentObject, operation: DocumentObject): boolean => {
  const body = memberOf(memberOf(item, "post"), "requestBody");
  const types = sortedEntries(memberOf(body, "content")).map(([type]) => type);
  const takesXml = types.length > 0 && types.every((type) => /\bxml\b/i.test(type));
  return takesXml || xmlAnswer(memberOf(operation, "responses")) !== null;
};

const segmentsIn = (
  written: string,
  operation: DocumentObject,
  places: CallSite["places"],
): readonly PathPiece[] | string =>
  expanded(
    segmentsOf(written, formatNames(places.get("path") ?? [])),
    listOf(memberOf(operation, "parameters")),
  );

/** One operation; where its path has a query, it is sent to what stands before that. */
function sentOperation(site: CallSite, key: string | null, calls: Calls): Operation | string {
  const { method, path, operation, places } = site;
  const bare = barePath(textOf(memberOf(operation, SENT_PATH)) ?? path);
  const read = placedOperation(site, key, calls);
  if (typeof read === "string" || bare === null || site.marks.length > 0) return read;
  if (bare.place === bare.path) return read;
  const own = segmentsIn(bare.path, operation, places);
  const sent = { method, inQuery: new Map<string, string>(), inBody: new Map<string, string>() };
  return typeof own === "string" ? read : { sent: { ...sent, segments: own }, ...read };
}

/** Every operation of a document in the order of its paths, those that `only` names if it names any. */
export function readOperations(root: DocumentObject, only: readonly string[]): Operations {
  const operations: Operation[] = [];
  const left: string[] = [];
  let total = 0;
  const items = new Set(
    sortedEntries(memberOf(root, "paths")).flatMap(([path, item]) =>
      memberOf(item, "get") === undefined || !path.endsWith("}")
        ? []
        : [path.replaceAll(/\{[^{}]*\}/g, "{}")],
    ),
  );
  const calls: Calls = {
    tokens: saidTokens(root),
    keys: saidKeys(root),
    items,
    nouns: calledNouns(root),
    taken: takenBy(root),
  };
  for (const [path, item] of sortedEntries(memberOf(root, "paths"))) {
    const foreign = foreignReference(item);
    if (foreign !== undefined && isWanted(only, path, {})) {
      // How many operations it has is not known: one at least.
      total += 1;
      left.push(`${path}: it ${notRead(foreign)}`);
    }
    let key: string | null = null;
    for (const method of METHODS) {
      const operation = memberOf(item, method.toLowerCase());
      if (
        !isDocumentObject(item) ||
        !isDocumentObject(operation) ||
        !isWanted(only, path, operation) ||
        isTwin(method, path, item) ||
        isPostedCopy(method, path, item, items)
      )
        continue;
      total += 1;
      const site = siteOf(calls, { method, path, item, operation });
      if (typeof site !== "string" && method === "GET" && site.marks.length === 0)
        key = rowKey(site);
      const read = typeof site === "string" ? site : sentOperation(site, key, calls);
      if (typeof read === "string") left.push(`${method} ${path}: ${read}`);
      else {
        operations.push(read);
        left.push(...read.leftOut.map((part) => `${method} ${path}: ${part}`));
      }
    }
    for (const method of OTHER_METHODS) {
      const operation = memberOf(item, method);
      if (!isDocumentObject(operation) || !isWanted(only, path, operation)) continue;
      total += 1;
      left.push(`${method.toUpperCase()} ${path}: it gives no rows and changes nothing`);
    }
    for (const [method, operation] of [
      ["QUERY", memberOf(item, "query")] as const,
      ...sortedEntries(memberOf(item, "additionalOperations")),
    ]) {
      if (!isDocumentObject(operation) || !isWanted(only, path, operation)) continue;
      total += 1;
      left.push(`${method} ${path}: a mapping has no such method`);
    }
  }
  return { operations, total, left, keys: calls.keys };
}
