import { type Evaluation, fail } from "./evaluation.ts";
import type { MappingError } from "./mapping-error.ts";
import { encodeLiteral, percentEncode } from "./percent-encode.ts";
import { describeValue, scalarText } from "./scalar-text.ts";
import type { PathSegment } from "./template.ts";

type VariableSegment = Extract<PathSegment, { readonly type: "var" }>;

/** Whether a literal is an absolute http(s) URL (MAP-011). */
export function isAbsoluteUrl(literal: string): boolean {
  return /^https?:\/\//i.test(literal);
}

/** The path with its variables as `{name}`, for messages (RUN-142). */
export function pathTemplate(path: readonly PathSegment[]): string {
  const segments = path.map((segment) =>
    segment.type === "literal" ? segment.value : `{${segment.name}}${segment.suffix}`,
  );
  return joined(path, segments);
}

/**
 * The encoded path with a leading slash, or an absolute URL (MAP-010 to MAP-012); undefined after
 * an error.
 */
export function evaluatePath(
  path: readonly PathSegment[],
  place: string,
  evaluation: Evaluation,
): string | undefined {
  const segments = path.map((segment, at) =>
    segment.type === "literal"
      ? encodeLiteral(segment.value)
      : evaluateSegment(segment, `${place}[${at}]`, evaluation),
  );
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
  place: string,
  evaluation: Evaluation,
): string | undefined {
  const { name } = segment;
  const refuse = (code: MappingError["code"], rule: string, message: string): undefined =>
    fail(evaluation, { code, rule, variable: name, place, message });
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
  const encoded = parts.map(percentEncode).join("/") + encodeLiteral(segment.suffix);
  if (encoded.split("/").some((part) => part === "." || part === "..")) {
    return refuse("argument_invalid", "MAP-012", `${name} makes a path segment of . or .. alone.`);
  }
  return encoded;
}
