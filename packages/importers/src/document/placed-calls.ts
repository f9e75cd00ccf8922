import { type DocumentObject, memberOf, textOf } from "../json.ts";
import type { Method, Parameter, PathPiece, PlacedCall, RequestBody } from "./operation.ts";
import { folded } from "../names/words.ts";
import type { DocumentAnswer } from "./answer.ts";
import { shapeOf } from "./schema-shape.ts";

/**
 * Where a call that has only a name belongs, as `METHOD /path`: `DELETE /berths/{berth}` of a POST to `/berths.close`. Its
 * variables are parameters of the query or members of the body; `{at=time}` is sent as `time`.
 */
const PLACE = "x-plasm-place";

/** The place of a call, its method and its path with plain variables; null if it says none, or why it is none. */
export function readPlace(operation: DocumentObject): CallPlace | null | string {
  const said = memberOf(operation, PLACE);
  if (said === undefined) return null;
  const [, method, path = ""] =
    /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(textOf(said) ?? "") ?? [];
  if (method === undefined) return `${PLACE} is no method and path`;
  const sentAs = new Map<string, string>();
  const plain = path.replaceAll(/\{([^{}=]+)=([^{}]+)\}/g, (_, name: string, wire: string) => {
    sentAs.set(name, wire);
    return `{${name}}`;
  });
  return { method: method as Method, path: plain, sentAs };
}

export interface CallPlace {
  readonly method: Method;
  readonly path: string;
  /** variables that are sent under another name */
  readonly sentAs: ReadonlyMap<string, string>;
  /** the place alone says what the call is named; true unless said */
  readonly isNamed?: boolean;
}

/** What the key of a row is called where it is asked for in a query. */
const KEYS = new Set("id uid uuid guid key slug code".split(" "));

/** The required parameter of a query by which a GET asks for one row, which says it under the same name: `GET /boats?uid=b1`; null if it asks for anything else. */
export function queryKey(query: readonly Parameter[], answer: DocumentAnswer): string | null {
  const [key, second] = query.filter(({ required }) => required);
  if (answer.kind !== "row" || key === undefined || second !== undefined) return null;
  const own = answer.record.properties.get(key.name);
  const isKey = KEYS.has(folded(key.name)) && own !== undefined && shapeOf(own).kind === "scalar";
  return isKey ? key.name : null;
}

/** Where a call belongs that names one row in its query: `DELETE /boats?uid=b1` is that of `/boats/{uid}`. */
export function placeOfKey(
  { method, path, query }: Pick<Sent, "method" | "query"> & { readonly path: string },
  key: string,
): CallPlace | null {
  const isAsked = query.some(({ name, required }) => required && name === key);
  return isAsked ? { method, path: `${path}/{${key}}`, sentAs: new Map() } : null;
}

/** What is known of a call before it is placed. */
interface Sent {
  readonly method: Method;
  readonly segments: readonly PathPiece[];
  readonly query: readonly Parameter[];
  readonly body: RequestBody | null;
}

/** Finds where each variable of a place is sent, and what it may be; why not, if one is sent nowhere. */
export function placedCall(
  { sentAs }: CallPlace,
  segments: readonly PathPiece[],
  { method, segments: own, query, body }: Sent,
): { readonly call: PlacedCall; readonly parameters: readonly Parameter[] } | string {
  const inPath = new Set(own.flatMap((one) => (one.kind === "variable" ? [one.name] : [])));
  const shape = shapeOf(body?.schema ?? {});
  const members = shape.kind === "record" ? shape.properties : new Map<string, DocumentObject>();
  const inQuery = new Map<string, string>();
  const inBody = new Map<string, string>();
  const parameters: Parameter[] = [];
  const variables = segments.flatMap((one) => (one.kind === "variable" ? [one.name] : []));
  const lacking = [...inPath].find((name) => !variables.includes(name));
  if (lacking !== undefined) return `${PLACE} lacks {${lacking}}, which is in the path of the call`;
  for (const segment of segments) {
    if (segment.kind === "literal" || inPath.has(segment.name)) continue;
    const wire = sentAs.get(segment.name) ?? segment.name;
    const other = inQuery.get(wire) ?? inBody.get(wire);
    if (other !== undefined)
      return `${PLACE} has {${other}} and {${segment.name}}, which are one value, ${wire}`;
    const asked = query.find(({ name }) => name === wire);
    const member = members.get(wire);
    if (asked !== undefined) inQuery.set(wire, segment.name);
    else if (member !== undefined) inBody.set(wire, segment.name);
    else
      return `${PLACE} has {${segment.name}}, which is no parameter of it and no member of its body`;
    parameters.push({
      name: segment.name,
      required: true,
      schema: asked?.schema ?? member ?? {},
      description: asked?.description ?? textOf(memberOf(member, "description")),
      style: ",",
      object: "json",
    });
  }
  return { call: { method, segments: own, inQuery, inBody }, parameters };
}
