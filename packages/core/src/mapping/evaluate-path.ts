import { type Evaluation, noteError } from "./evaluation.ts";
import type { MappingError, PathSegment } from "./template.ts";
import { utf8Bytes } from "../base/text.ts";
import type { Json } from "../values/value-type.ts";

type VariableSegment = Extract<PathSegment, { readonly type: "var" }>;

/** Whether a literal is an absolute http(s) URL (MAP-011). */
export function isAbsoluteUrl(literal: string): boolean {
  return /^https?:\/\//i.test(literal);
}

/** What of a path every request has alike. */
interface ReadPath {
  /** with its variables as `{name}` */
  readonly template: string;
  /** its literals, and what follows its variables, percent-encoded */
  readonly encoded: readonly string[];
}

const paths = new WeakMap<readonly PathSegment[], ReadPath>();

/** Templates are frozen, and every request asks: each path is read once. */
function readPath(path: readonly PathSegment[]): ReadPath {
  const known = paths.get(path);
  if (known !== undefined) return known;
  const segments = path.map((segment) =>
    segment.type === "literal" ? segment.value : `{${segment.name}}${segment.suffix}`,
  );
  const encoded = path.map((segment) =>
    encodeLiteral(segment.type === "literal" ? segment.value : segment.suffix),
  );
  const read = { template: joined(path, segments), encoded };
  paths.set(path, read);
  return read;
}

/** The path with its variables as `{name}`, for messages (RUN-142). */
export const pathTemplate = (path: readonly PathSegment[]): string => readPath(path).template;

/**
 * The encoded path with a leading slash, or an absolute URL (MAP-010 to MAP-012); undefined after
 * an error.
 */
export function evaluatePath(
  path: readonly PathSegment[],
  place: string,
  evaluation: Evaluation,
): string | undefined {
  const { encoded } = readPath(path);
  const segments = path.map((segment, at) => {
    const literal = encoded[at] ?? "";
    return segment.type === "literal"
      ? literal
      : evaluateSegment(segment, literal, `${place}[${at}]`, evaluation);
  });
  const known = segments.filter((segment) => segment !== undefined);
  return known.length === segments.length ? joined(path, known) : undefined;
}

function joined(path: readonly PathSegment[], segments: readonly string[]): string {
  const text = segments
    .map((segment, at) => (at === 0 || path[at]?.joined === true ? segment : `/${segment}`))
    .join("");
  return isAbsoluteUrl(segments[0] ?? "") ? text : `/${text}`;
}

function evaluateSegment(
  segment: VariableSegment,
  suffix: string,
  place: string,
  evaluation: Evaluation,
): string | undefined {
  const { name } = segment;
  const refuse = (code: MappingError["code"], rule: string, message: string): undefined =>
    noteError(evaluation, { code, rule, variable: name, place, message });
  const value = evaluation.environment.bindings.get(name);
  if (value === undefined) {
    return refuse("argument_missing", "MAP-012", `${name} is needed for the path.`);
  }
  if (value === null) {
    return refuse("argument_invalid", "MAP-022", `${name} is null, which a path cannot hold.`);
  }
  const text = scalarText(value);
  if (text === undefined) {
    const found = `${name} is ${describeValue(value)}`;
    return refuse(
      "argument_invalid",
      "MAP-012",
      `${found}; a path takes a string, number or boolean.`,
    );
  }
  if (text === "") {
    return refuse("argument_invalid", "MAP-012", `${name} is empty; a path needs text there.`);
  }
  if (/\p{Surrogate}/u.test(text)) {
    return refuse("argument_invalid", "MAP-012", `${name} holds half a surrogate pair.`);
  }
  const parts = segment.encode === "path" ? text.split("/") : [text];
  const encoded = parts.map(percentEncode).join("/") + suffix;
  if (DOTS_ALONE.test(encoded)) {
    return refuse("argument_invalid", "MAP-012", `${name} makes a path segment of . or .. alone.`);
  }
  return encoded;
}

/** A segment that is `.` or `..`. */
const DOTS_ALONE = /(?:^|\/)\.{1,2}(?:\/|$)/;

const RESERVED = /[^A-Za-z0-9._~-]/gu;
/** What an author's literal may not hold as it stands: all but pchar of RFC 3986, `/`, and encoded bytes. */
const NO_LITERAL = /[^A-Za-z0-9._~\-!$&'()*+,;=:@/%]/gu;

const percent = (character: string): string => {
  const bytes = [...utf8Bytes(character)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
};

/** A value percent-encoded completely: only the unreserved characters of RFC 3986 stay (MAP-012). */
function percentEncode(text: string): string {
  return text.replace(RESERVED, percent);
}

/** A literal of a path: what no path may hold is percent-encoded, all else stays as written. */
function encodeLiteral(text: string): string {
  return text.replace(NO_LITERAL, percent);
}

/** A string, number or boolean as text; undefined for anything else. */
export function scalarText(value: Json): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "boolean":
      return String(value);
    default:
      return undefined;
  }
}

/** What a value is, as a message names it. */
export function describeValue(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
