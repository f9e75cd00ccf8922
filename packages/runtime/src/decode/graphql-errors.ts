import type { Json } from "@plasm/core";
import { hasMember, isArray, isObject } from "../json-kinds.ts";

/** Words by which servers say of an error that they refused what was asked, before they did any of it. */
const REFUSED =
  /^(?:BAD_(?:USER_)?INPUT|BAD_REQUEST|(?:GRAPHQL_)?(?:PARSE|VALIDATION)(?:_FAILED|_ERROR)?|INVALID(?:_\w+)?|\w+_INVALID|(?:UN|NOT_)(?:AUTHENTICATED|AUTHORIZED)|FORBIDDEN|ACCESS_DENIED|PERMISSION_DENIED|INSUFFICIENT_\w+|(?:\w+_)?NOT_FOUND|UNPROCESSABLE(?:_ENTITY|_CONTENT)?|CONFLICT|ALREADY_EXISTS|RATE_LIMITED|THROTTLED|TOO_MANY_REQUESTS|PRECONDITION_FAILED|FAILED_PRECONDITION|PAYMENT_REQUIRED|PERSISTED_QUERY_\w+)$/;

const member = (value: Json | undefined, name: string): Json | undefined =>
  value !== undefined && hasMember(value, name) ? value[name] : undefined;

/** Statuses of HTTP that say so as well; a time that ran out says nothing. */
const isRefusal = (word: Json | undefined): boolean => {
  if (typeof word === "number") return word >= 400 && word < 500 && word !== 408 && word !== 499;
  const plain = typeof word === "string" ? word.replaceAll(/([a-z])([A-Z])|[\s.-]+/g, "$1_$2") : "";
  return REFUSED.test(plain.toUpperCase());
};

/** Whether an error of a mutation's own field says that nothing was done; one from within its answer came after it. */
function saysRefused(error: Json): boolean {
  const path = member(error, "path");
  if (isArray(path) && path.length > 1) return false;
  const more = member(error, "extensions");
  const words = ["code", "type", "errorType", "classification", "category", "status", "statusCode"];
  return [
    ...words.map((name) => member(more, name)),
    member(member(more, "http"), "status"),
    member(error, "type"),
    member(error, "code"),
  ].some(isRefusal);
}

/**
 * Whether what a GraphQL answer with errors reports may have happened all the same (RUN-041): no, where nothing was
 * executed (there is no `data`, or it is null and no error has a path) or each error is a refusal in a word that
 * servers have for that.
 */
export function mayHaveRun(body: Json): boolean {
  const errors = member(body, "errors");
  const all = isArray(errors) ? errors : [];
  const data = member(body, "data");
  const began =
    isObject(data) || (data === null && all.some((one) => isArray(member(one, "path"))));
  return began && !all.every(saysRefused);
}
