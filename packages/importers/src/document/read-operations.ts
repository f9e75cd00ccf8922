import { folded } from "../names/words.ts";
import {
  isDocumentObject,
  type DocumentObject,
  listOf,
  memberOf,
  sortedEntries,
  textOf,
} from "../json.ts";
import {
  type DocumentAnswer,
  answerOf,
  freeRows,
  bodySchema,
  isTakenOn,
  xmlAnswer,
} from "./answer.ts";
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
  authorsName,
  type Method,
  METHODS,
  type Operation,
  type Parameter,
  type RequestBody,
  type PathPiece,
  templateOf,
} from "./operation.ts";
import { withNumbers } from "./numbered-query.ts";
import { barePath, type PathMark, withPathQuery } from "./path-query.ts";
import { type CallPlace, placedCall, placeOfKey, queryKey, readPlace } from "./placed-calls.ts";
import { isReadingPost } from "./reading-posts.ts";
import { SENT_PATH } from "../discovery/openapi-from-discovery.ts";
import { foreignDemand, foreignReference, foreignSchema, notRead } from "./references.ts";
import {
  requestBodyOf,
  expanded,
  formatNames,
  parametersByPlace,
  segmentsOf,
} from "./request-parts.ts";
import { type SaidKey, saidKeys, withoutKeys } from "./said-keys.ts";
import { type SaidTokens, saidTokens, withToken } from "./said-tokens.ts";
import { serverAddress } from "./server-address.ts";

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

/** Headers that requests have anyhow, or that mappings have a word for: nothing is lost without them. */
const NOT_SAID =
  /^(?:accept(?:-.*)?|content-type|content-length|authorization|host|user-agent|connection|cache-control|(?:x-)?idempotency-key|if-none-match|if-modified-since|traceparent|tracestate|x-b3-.*|x-amzn-trace-id|x-amz-(?:content-sha256|date|algorithm|credential|security-token|signature|signedheaders)|(?:[a-z0-9.]+-)*(?:request|correlation|trace|track|tracking|transaction|session|interaction)-?(?:id|identifier|span|context)|x-fapi-.*|psu-.*|x-requested-with|origin|referer)$/i;
const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

/** Parameters by which a list is read in pages. */
const PAGE_NAMES = new Set(
  `page pagenumber pageno pageindex pagetoken pagekey cursor nexttoken offset skip start startindex startat marker after
  startingafter sinceid continuation continuationtoken perpage pagesize pageoffset pagecursor pageafter`.split(
    /\s+/,
  ),
);

interface Site {
  readonly method: Method;
  readonly path: string;
  readonly item: DocumentObject;
  readonly operation: DocumentObject;
  readonly segments: readonly PathPiece[];
  readonly places: ReadonlyMap<string, readonly Parameter[]>;
  /** paths by which one row is read, each variable as `{}` */
  readonly items: ReadonlySet<string>;
  /** where answers hold what parameters take to go on, as texts of the document say it */
  readonly tokens: SaidTokens;
  /** what stands behind `#` in its path */
  readonly marks: readonly PathMark[];
  /** how it is sent, where its place is another's */
  readonly sentBy?: Method;
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

/** Parameters that say how many rows a page has. */
const SIZE_NAMES = new Set("perpage pagesize limit size maxresults itemsperpage".split(" "));

const IDEMPOTENCY = /^(?:x-)?idempotency-key$/i;

/** Hosts that stand in a document for one that its author did not say. */
const PLACEHOLDERS = new Set(["example.com", "www.example.com", "example.org"]);

/** The first address that an operation or its path names for itself; its path alone where a host is to be filled in. */
function serverOf(value: DocumentObject): string | null {
  const [server] = listOf(memberOf(value, "servers"));
  if (!isDocumentObject(server)) return null;
  const address = serverAddress(server);
  if (address.startsWith("/")) return address;
  if (!/^https?:/.test(address) || !URL.canParse(address)) return null;
  const { hostname, origin, pathname } = new URL(address);
  const isOpen =
    /^[^/]*\/\/[^/]*\{/.test(textOf(memberOf(server, "url")) ?? "") ||
    !hostname.includes(".") ||
    PLACEHOLDERS.has(hostname);
  const path = pathname.replace(/(?<!\/)\/+$/, "");
  return isOpen ? path || "/" : `${origin}${path}`;
}

function pathParametersOf(site: Site, given: readonly Parameter[]): ReadonlyMap<string, Parameter> {
  const byName = new Map(given.map((one) => [one.name, one]));
  const names = site.segments.flatMap((one) => (one.kind === "variable" ? [one.name] : []));
  return new Map(
    names.map((name) => {
      const none: Parameter = {
        name,
        required: true,
        schema: { type: "string" },
        description: undefined,
        style: ",",
        object: "json",
      };
      return [name, byName.get(name) ?? none];
    }),
  );
}

/** The end of a path that says in which form it answers. */
const FORM = /\.json$/i;

/** An operation called as lists are: `ListBoats`. */
const LISTS = /^(?:get_?)?list_?([A-Za-z]+?)(?:V\d)?$/i;

/** What is answered; a read of which the document does not say what it has answers JSON. */
function answerAt({ method, segments, operation, places, items }: Site): DocumentAnswer {
  const last = segments.findLast((one) => one.kind === "literal" && one.value !== "");
  const listed = LISTS.exec(textOf(memberOf(operation, "operationId")) ?? "")?.[1];
  const ofItem = segments.at(-1)?.kind === "variable" && listed === undefined;
  const word = last?.kind === "literal" ? last.value.replace(FORM, "") : (listed ?? "");
  const asked = (places.get("query") ?? []).map(({ name }) => folded(name));
  const isPaged = asked.some((name) => PAGE_NAMES.has(name));
  const isCollection =
    method === "GET" &&
    isPaged &&
    asked.some((name) => SIZE_NAMES.has(name)) &&
    items.has(`${templateOf(segments)}/{}`);
  const answer = answerOf(memberOf(operation, "responses"), {
    ofItem,
    last: word,
    isPaged,
    isCollection,
  });
  if (method !== "GET" || answer.kind === "row" || answer.kind === "list") return answer;
  if (answer.kind === "other" && answer.has === "markup") return answer;
  return freeRows(answer.kind === "other" && answer.has === "list");
}

/** What of an operation stands in another document, without which it cannot be called or its answer not be read. */
function foreignPart({ item, operation }: Site): string | null {
  const own = foreignReference(operation);
  if (own !== undefined) return `it ${notRead(own)}`;
  const parameters = [item, operation].flatMap((one) => listOf(memberOf(one, "parameters")));
  for (const one of parameters) {
    const isDemanded = memberOf(one, "required") === true && memberOf(one, "in") !== "path";
    const found =
      foreignReference(one) ?? (isDemanded ? foreignSchema(memberOf(one, "schema")) : null);
    if (found !== null) return `a parameter of it ${notRead(found)}`;
  }
  const body = memberOf(operation, "requestBody");
  const sent = sortedEntries(memberOf(body, "content"));
  const demanded = [
    foreignReference(body) ?? null,
    ...sent.map(([, media]) => foreignDemand(memberOf(media, "schema"))),
  ].find((one) => one !== null);
  if (demanded !== undefined) return `its body ${notRead(demanded)}`;
  const answered = sortedEntries(memberOf(operation, "responses"))
    .filter(([status]) => status.startsWith("2"))
    .map(([, response]) => foreignReference(response) ?? foreignSchema(answerSchema(response)))
    .find((one) => one !== null);
  return answered === undefined ? null : `what it answers ${notRead(answered)}`;
}

const answerSchema = (response: unknown): unknown => bodySchema(memberOf(response, "content"));

/** The parameter of the query that is the key of the row which a GET answers; null if it has none, or its document has a path of that row. */
function rowKey(site: Site): string | null {
  const isPlain = /\/[\w-]+$/.test(site.path) && !site.items.has(`${templateOf(site.segments)}/{}`);
  return isPlain ? queryKey(site.places.get("query") ?? [], answerAt(site)) : null;
}

/**
 * One operation in the place that its document says, or in that of the row whose key its query has, else in that of its path; why not, if it
 * is left out.
 */
function placedOperation(site: Site, key: string | null, calls: Calls): Operation | string {
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
function placeByMark(site: Site, { nouns, taken }: Calls): CallPlace | string {
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

/** One operation, or why it is left out. */
function operationOf(site: Site): Operation | string {
  const { method, path, item, operation, segments } = site;
  const { places } = site;
  const foreign = foreignPart(site);
  if (foreign !== null) return foreign;
  const body = requestBodyOf(operation);
  if (typeof body === "string") return body;
  const headers = (places.get("header") ?? []).filter(
    ({ name, required }) =>
      !IGNORED_HEADERS.has(name.toLowerCase()) &&
      (required || !NOT_SAID.test(name) || IDEMPOTENCY.test(name)),
  );
  const answer = answerAt(site);
  const tags = listOf(memberOf(operation, "tags")).filter((tag) => typeof tag === "string");
  return {
    method,
    path,
    segments,
    template: templateOf(segments),
    reads: method === "GET" || isSearch(site, answer, body, tags),
    operationId: calledBy(site),
    summary: textOf(memberOf(operation, "summary")) ?? textOf(memberOf(operation, "description")),
    isDeprecated: memberOf(operation, "deprecated") === true,
    tags,
    pathParameters: pathParametersOf(site, places.get("path") ?? []),
    query: (places.get("query") ?? [])
      .flatMap(flatParameters)
      .map((one) => withToken(one, site.tokens)),
    cookies: (places.get("cookie") ?? []).filter(({ required }) => required),
    headers,
    body: (site.sentBy ?? method) === "GET" ? null : body,
    answer,
    isTakenOn: isTakenOn(memberOf(operation, "responses")),
    xml: xmlAnswer(memberOf(operation, "responses")),
    server: serverOf(operation) ?? serverOf(item),
    leftOut: partsLeft(site),
  };
}

/** What the author of an operation called it. */
function calledBy({ method, path, operation }: Site): string | undefined {
  const operationId = textOf(memberOf(operation, "operationId"));
  return operationId === undefined ? undefined : authorsName(operationId, method, path);
}

/** Whether a POST only searches a list, which it answers (docs/adr/0136). */
function isSearch(
  site: Site,
  answer: DocumentAnswer,
  body: RequestBody | null,
  tags: readonly string[],
): boolean {
  const { method, segments, operation, places } = site;
  if (method !== "POST" || answer.kind !== "list" || body?.format === "multipart") return false;
  const good = sortedEntries(memberOf(operation, "responses")).map(([status]) => status);
  const text = (key: string): string | undefined => textOf(memberOf(operation, key));
  return isReadingPost({
    segments,
    operationId: calledBy(site),
    tags,
    summary: text("summary") ?? text("description"),
    makes: good.some((status) => /^20[12]$/.test(status)) && !good.includes("200"),
    isIdempotent: (places.get("header") ?? []).some(({ name }) => IDEMPOTENCY.test(name)),
  });
}

/** What of an operation is left out, though the rest of it is there. */
function partsLeft({ operation, places }: Site): readonly string[] {
  const cookies = (places.get("cookie") ?? [])
    .filter(({ required }) => !required)
    .map(({ name }) => `the cookie ${name}, which may be left out`);
  const content = memberOf(memberOf(operation, "requestBody"), "content");
  const types = sortedEntries(content).map(([type]) => type);
  const body = requestBodyOf(operation) === null && types.length > 0;
  return [
    ...cookies,
    ...(body ? [`the body of ${types.join(", ")}, which may be left out`] : []),
    ...sortedEntries(memberOf(operation, "callbacks")).map(([name]) => `the callback ${name}`),
  ];
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
function withoutEchoes(places: Site["places"]): Site["places"] {
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

type Written = Pick<Site, "method" | "path" | "item" | "operation">;

/** What a document says of one operation, with what its path says beside where it is sent. */
function siteOf({ items, tokens, keys }: Calls, written: Written): Site | string {
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
  places: Site["places"],
): readonly PathPiece[] | string =>
  expanded(
    segmentsOf(written, formatNames(places.get("path") ?? [])),
    listOf(memberOf(operation, "parameters")),
  );

/** One operation; where its path has a query, it is sent to what stands before that. */
function sentOperation(site: Site, key: string | null, calls: Calls): Operation | string {
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
        isTwin(method, path, item)
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
