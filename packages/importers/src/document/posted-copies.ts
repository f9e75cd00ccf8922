import { type DocumentObject, isDocumentObject, memberOf, sortedEntries, textOf } from "../json.ts";
import { bodySchema } from "./answer.ts";
import type { Method } from "./operation.ts";
import { parametersByPlace } from "./request-parts.ts";
import { schemaName, shapeOf } from "./schema-shape.ts";

/** What of an operation's name is its method alone: `getTextUsingPOST`. */
const METHOD_IN_NAME = /(?:_?using)?_?(?:get|post)$/i;
/** So many words say what a call does; fewer, as "Users", may stand on two that do not do the same. */
const FEWEST_WORDS = 4;

/** Whether a document says the same of two operations in so many words, or calls both alike and says nothing. */
function areSaidAlike(get: DocumentObject, post: DocumentObject): boolean {
  const texts = (operation: DocumentObject) =>
    ["summary", "description"].map((key) => (textOf(memberOf(operation, key)) ?? "").trim());
  const said = texts(get);
  if (said.join("\n") !== texts(post).join("\n")) return false;
  if (said.some((text) => text.split(/\s+/).length >= FEWEST_WORDS)) return true;
  const [own, other] = [get, post].map((one) => textOf(memberOf(one, "operationId")) ?? "");
  const isMarked = [own, other].every((one = "") => METHOD_IN_NAME.test(one));
  return isMarked && own?.replace(METHOD_IN_NAME, "") === other?.replace(METHOD_IN_NAME, "");
}

/** The names of what a call takes but the variables of its path: in its query, or as members of its body. Null where it takes a header or anything else. */
function takenBy(item: DocumentObject, operation: DocumentObject): readonly string[] | null {
  const places = parametersByPlace(item, operation);
  if ((places.get("header") ?? []).some(({ required }) => required)) return null;
  const query = (places.get("query") ?? []).map(({ name }) => name);
  const body = memberOf(operation, "requestBody");
  if (body === undefined) return query.toSorted();
  const forms = sortedEntries(memberOf(body, "content")).map(([, media]) => {
    const schema = memberOf(media, "schema");
    const shape = shapeOf(isDocumentObject(schema) ? schema : {});
    return shape.kind === "record" ? [...shape.properties.keys()] : null;
  });
  const [members = null] = forms;
  return members === null || members.length === 0 ? null : [...query, ...members].toSorted();
}

/** What a call answers with success, as far as two can be compared. */
function answerKey(operation: DocumentObject): string | null {
  const good = sortedEntries(memberOf(operation, "responses")).filter(([status]) =>
    /^2(?:\d\d|XX)$/i.test(status),
  );
  const keys = good.map(([status, response]) => {
    if (status === "201") return null;
    const schema = bodySchema(memberOf(response, "content"));
    if (schema === undefined) return `${status} nothing`;
    const shape = shapeOf(schema);
    const names = shape.kind === "record" ? [...shape.properties.keys()].join() : "";
    return `${status} ${schemaName(schema) ?? ""} ${shape.kind} ${names}`;
  });
  return keys.length === 0 || keys.includes(null) ? null : keys.join("\n");
}

/**
 * Whether a POST is the GET of its path once more (CAT-167): it takes what that takes, some of it at least, answers the
 * same, and the same is said of both. No row is made where rows of the path are read.
 */
export function isPostedCopy(
  method: Method,
  path: string,
  item: DocumentObject,
  items: ReadonlySet<string>,
): boolean {
  const [get, post] = [memberOf(item, "get"), memberOf(item, "post")];
  if (method !== "POST" || !isDocumentObject(get) || !isDocumentObject(post)) return false;
  if (items.has(`${path.replaceAll(/\{[^{}]*\}/g, "{}")}/{}`)) return false;
  if (memberOf(get, "requestBody") !== undefined || !areSaidAlike(get, post)) return false;
  const asked = takenBy(item, get);
  const answer = answerKey(get);
  return (
    asked !== null &&
    asked.length > 0 &&
    asked.join() === takenBy(item, post)?.join() &&
    answer !== null &&
    answer === answerKey(post)
  );
}
