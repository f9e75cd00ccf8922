import { singular } from "../names/singular.ts";
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
  authorsName,
  type Method,
  type Operation,
  type Parameter,
  type RequestBody,
  type PathPiece,
  templateOf,
} from "./operation.ts";
import type { PathMark } from "./path-query.ts";
import { isReadingPost } from "./reading-posts.ts";
import { foreignDemand, foreignReference, foreignSchema, notRead } from "./references.ts";
import { requestBodyOf } from "./request-parts.ts";
import { type SaidTokens, withToken } from "./said-tokens.ts";
import { serverAddress } from "./server-address.ts";

/** Headers that requests have anyhow, or that mappings have a word for: nothing is lost without them. */
const NOT_SAID =
  /^(?:accept(?:-.*)?|content-type|content-length|authorization|host|user-agent|connection|cache-control|(?:x-)?idempotency-key|if-none-match|if-modified-since|traceparent|tracestate|x-b3-.*|x-amzn-trace-id|x-amz-(?:content-sha256|date|algorithm|credential|security-token|signature|signedheaders)|(?:[a-z0-9.]+-)*(?:request|correlation|trace|track|tracking|transaction|session|interaction)-?(?:id|identifier|span|context)|x-fapi-.*|psu-.*|x-requested-with|origin|referer)$/i;
const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

/** Parameters by which a list is read in pages. */
const PAGE_NAMES = new Set(
  `page pagenumber pageno pageindex pagetoken pagekey cursor nexttoken offset skip start startindex startat marker after
  startingafter sinceid continuation continuationtoken perpage pagesize pageoffset pagecursor pageafter nextcursor
  nextpagetoken nextmarker pagemarker pagepointer paginationid paginationtoken batchtoken searchafter skiprecords`.split(
    /\s+/,
  ),
);

/** What a document says of one operation, with what its path says beside where it is sent. */
export interface CallSite {
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

function pathParametersOf(
  site: CallSite,
  given: readonly Parameter[],
): ReadonlyMap<string, Parameter> {
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

/** Words by which a call is said to give a list. */
const SAYS_LIST =
  /^(?:(?:get|gets|returns?|retrieves?|fetch(?:es)?) )?(?:an? |the )?(?:paginated )?lists?\b/i;

/** Whether a call gives several things: by the end of its path, or by what is said of it. */
const saysMany = (word: string, operation: DocumentObject): boolean =>
  singular(word) !== word ||
  ["summary", "description"].some((key) => SAYS_LIST.test(textOf(memberOf(operation, key)) ?? ""));

/** Whether a parameter takes a day or a time: what starts there is no page. */
const isTime = (schema: DocumentObject): boolean =>
  /^date(?:-time)?$/.test(textOf(memberOf(schema, "format")) ?? "");

/** What is answered; a read of which the document does not say what it has answers JSON. */
export function answerAt({ method, segments, operation, places, items }: CallSite): DocumentAnswer {
  const last = segments.findLast((one) => one.kind === "literal" && one.value !== "");
  const listed = LISTS.exec(textOf(memberOf(operation, "operationId")) ?? "")?.[1];
  const ofItem = segments.at(-1)?.kind === "variable" && listed === undefined;
  const word = last?.kind === "literal" ? last.value.replace(FORM, "") : (listed ?? "");
  const query = places.get("query") ?? [];
  const asked = query.map(({ name }) => folded(name));
  const isPaged = asked.some((name) => PAGE_NAMES.has(name));
  const isSized = method === "GET" && isPaged && asked.some((name) => SIZE_NAMES.has(name));
  const answer = answerOf(memberOf(operation, "responses"), {
    ofItem,
    last: word,
    isPaged,
    asksPages: query.some(({ name, schema }) => PAGE_NAMES.has(folded(name)) && !isTime(schema)),
    isCollection: isSized && items.has(`${templateOf(segments)}/{}`),
    saysMany: isSized && segments.at(-1)?.kind !== "variable" && saysMany(word, operation),
    words: segments.flatMap((one) => (one.kind === "literal" ? [one.value.replace(FORM, "")] : [])),
  });
  if (method !== "GET" || answer.kind === "row" || answer.kind === "list") return answer;
  if (answer.kind === "other" && answer.has === "markup") return answer;
  return freeRows(answer.kind === "other" && answer.has === "list");
}

/** What of an operation stands in another document, without which it cannot be called or its answer not be read. */
function foreignPart({ item, operation }: CallSite): string | null {
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

/** One operation, or why it is left out. */
export function operationOf(site: CallSite): Operation | string {
  const { method, path, item, operation, segments } = site;
  const { places } = site;
  const foreign = foreignPart(site);
  if (foreign !== null) return foreign;
  const body = requestBodyOf(operation) ?? unsaidBody(site);
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

/** Words that a PUT is described by which writes what it is given. */
const WRITES = /\b(?:updat|edit|modif|replac|chang|creat|sav|patch|stor)/i;

/**
 * What a call may take that makes or changes something, where its document does not say that it takes anything: JSON,
 * which may be left out (CAT-163). Null for what needs nothing more than its path.
 */
function unsaidBody({
  method,
  operation,
  segments,
  places,
  items,
  sentBy,
}: CallSite): RequestBody | null {
  if (sentBy !== undefined || memberOf(operation, "requestBody") !== undefined) return null;
  if ((places.get("query") ?? []).length > 0) return null;
  const template = templateOf(segments);
  const said = ["summary", "description", "operationId"].map((key) => memberOf(operation, key));
  const takes =
    (method === "PATCH" && segments.at(-1)?.kind === "variable") ||
    (method === "POST" && items.has(`${template}/{}`)) ||
    (method === "PUT" && items.has(template) && said.some((one) => WRITES.test(textOf(one) ?? "")));
  return takes
    ? {
        format: "json",
        required: false,
        mayBeLeftOut: true,
        schema: {},
        lists: new Map(),
        isUnsaid: true,
      }
    : null;
}

/** What the author of an operation called it. */
function calledBy({ method, path, operation }: CallSite): string | undefined {
  const operationId = textOf(memberOf(operation, "operationId"));
  return operationId === undefined ? undefined : authorsName(operationId, method, path);
}

/** Whether a POST only searches a list, which it answers (docs/adr/0136). */
function isSearch(
  site: CallSite,
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
function partsLeft({ operation, places }: CallSite): readonly string[] {
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
