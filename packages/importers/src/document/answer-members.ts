import type { DocumentObject } from "../json.ts";
import { folded, wordsOf } from "../names/words.ts";
import { singular } from "../names/singular.ts";
import { type SchemaShape, shapeOf } from "./schema-shape.ts";

/** Names that lists of rows have in answers. */
export const LIST_KEYS = new Set(
  "items results result data value values entries records list rows content contents hits elements nodes objects resources collection body response".split(
    " ",
  ),
);
/** Names of what holds the row or the list of an answer. */
export const WRAPPERS = new Set([
  "data",
  "result",
  "response",
  "payload",
  "item",
  "content",
  "resource",
]);
const AROUND = new Set(
  `page pages perpage pagesize size limit offset skip start total totalcount totalpages totalitems
  totalresults totalelements count next previous prev nextcursor prevcursor cursor hasmore hasnext
  haspreviousnext hasprevious links meta metadata pagination paging pageinfo nextpagetoken
  nexttoken marker nextmarker istruncated itemsperpage startindex schemas maxresults startat islast self incompleteresults object url kind status success message messages error errors code first last self etag ok
  timestamp requestid included includes jsonapi`.split(/\s+/),
);

/** Lists that stand beside rows, and are none of them. */
export const BESIDE = new Set(
  "messages errors warnings notices links validation validations included facets aggregations".split(
    " ",
  ),
);

/** Members of an answer that tell of pages. */
export const saysPages = (name: string): boolean =>
  /^(?:has(?:more|next(?:page)?)|next(?:page(?:token)?|cursor|token|link|url|uri)?|.*next(?:cursor|token)|(?:end)?cursor|continuationtoken)$/.test(
    folded(name),
  ) || name === "@odata.nextLink";

/** Whether a member of an answer stands beside rows, and tells of pages, links or the call. */
export const isAround = (name: string): boolean => AROUND.has(folded(name)) || name.startsWith("@");

/** Whether a member is called as the end of a path is. */
export const calledAs = (name: string, last: string): boolean => {
  const key = wordsOf(name).map(singular).join("");
  return key !== "" && key === wordsOf(last).map(singular).join("");
};

/** The rows of a list of objects; null for what is none. */
export const recordItems = (shape: SchemaShape): DocumentObject | null =>
  shape.kind === "list" && shape.items !== null && shapeOf(shape.items).kind === "record"
    ? shape.items
    : null;

/** Members that say how a call went. */
export const REPORTS = new Set(
  "success succeeded successful issuccess ok responsestatus statuscode responsecode resultcode httpstatus httpstatuscode httpcode".split(
    " ",
  ),
);

/** Whether a member of an answer says nothing of a row. */
export const tellsOfCall = (name: string): boolean => isAround(name) || REPORTS.has(folded(name));

/** Whether a member of an answer says where a row stands, and nothing of the row itself. */
export const isRowAddress = (name: string): boolean =>
  ["href", "uri", "url", "self", "link", "location"].includes(folded(name));
