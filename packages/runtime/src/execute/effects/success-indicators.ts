import type { Json } from "@plasm/core";
import type { ResponseBody } from "../../decode/response-body.ts";
import { followDotted } from "../../decode/wire-path.ts";
import { hasMember, isArray, isObject, isScalar } from "../../json-kinds.ts";

const sameText = (a: Json, b: Json): boolean =>
  isScalar(a) && isScalar(b) && String(a).trim().toLowerCase() === String(b).trim().toLowerCase();

function equal(a: Json | undefined, b: Json): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** `{path, eq}` and `{path, present: true}`, as in `error_when`; any other object is a part of the body. */
function hasMembers(sign: { readonly [key: string]: Json }, body: Json): boolean {
  const { path, eq, present } = sign;
  if (typeof path === "string" || isArray(path)) {
    const name = isArray(path) ? path.map(String).join(".") : path;
    const value = followDotted(body, name);
    if (eq !== undefined) return equal(value, eq);
    if (present === true) return value !== undefined && value !== null;
  }
  return Object.entries(sign).every(([key, value]) => equal(followDotted(body, key), value));
}

function indicates(sign: Json, status: number, body: Json): boolean {
  if (isObject(sign)) return hasMembers(sign, body);
  if (typeof sign === "number" && sign === status) return true;
  if (sameText(sign, body)) return true;
  if (!isScalar(sign) || !isObject(body)) return false;
  if (hasMember(body, String(sign)) && body[String(sign)] === true) return true;
  return Object.values(body).some((value) => sameText(sign, value));
}

/**
 * Whether a 2xx has one of the declared signs of success: its status; the body or one of its members as text
 * or value; a member of that name that is true; or an object's members. True where none are declared, or the
 * answer has no body to say anything.
 */
export function indicatesSuccess(
  signs: readonly Json[],
  status: number,
  body: ResponseBody,
): boolean {
  if (signs.length === 0) return true;
  const content = contentOf(body);
  if (content === null) return true;
  return signs.some((sign) => indicates(sign, status, content));
}

function contentOf(body: ResponseBody): Json {
  switch (body.kind) {
    case "json":
      return body.value;
    case "markup":
    case "broken":
      return body.text;
    case "other":
      return body.mediaType.startsWith("text/") ? new TextDecoder().decode(body.bytes) : {};
  }
}
