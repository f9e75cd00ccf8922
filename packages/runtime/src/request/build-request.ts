import type { JsonObject } from "@plasm/core";
import {
  type AuxiliaryMerge,
  evaluateAuxiliary,
  evaluateRequest,
  type ExpressionFunction,
  type HttpTemplate,
  type MappingError,
  type MappingResult,
  pathBindings,
  pathVariables,
  type RequestDescription,
} from "@plasm/core/internal";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { CapabilityCall, CallEnvironment } from "./environment.ts";

/** Registered functions, bound to one run's clock reading and ids (RUN-105). */
export type BoundFunctions = ReadonlyMap<string, ExpressionFunction>;

/** What to do about arguments that no request can be made of; nulls are named apart (MAP-022). */
function correctionOf(errors: readonly MappingError[]): string {
  const named = (of: readonly MappingError[]): string =>
    [...new Set(of.flatMap(({ variable }) => variable ?? []))].join(", ");
  const nulls = errors.filter(({ rule }) => rule === "MAP-022");
  if (nulls.length === errors.length) {
    const needed = nulls.some(({ place }) => place.startsWith("path"));
    return `give ${named(nulls)} a value${needed ? "" : ", or leave it out"}`;
  }
  const names = named(errors);
  return `give ${names === "" ? "other arguments" : names} as the message says`;
}

function mappingFailure(errors: readonly MappingError[]): RunFailure {
  const [first] = errors;
  if (first === undefined) throw new Error("a mapping failed without an error");
  const message = errors.map((error) => error.message).join(" ");
  return new RunFailure(failure(first.code, message, correctionOf(errors)));
}

/** What a mapping came to. Throws RunFailure for what keeps it from being had. */
export function mappedValue<T>(result: MappingResult<T>): T {
  if (!result.ok) throw mappingFailure(result.errors);
  return result.value;
}

const bindings = (names: JsonObject) => new Map(Object.entries(names));

const zones = new WeakMap<HttpTemplate, readonly [path: HttpTemplate, rest: HttpTemplate]>();

/** A template's path alone, and all else of it; it is frozen, and is taken apart once. */
function zonesOf(template: HttpTemplate): readonly [path: HttpTemplate, rest: HttpTemplate] {
  const known = zones.get(template);
  if (known !== undefined) return known;
  const { query: _query, headers: _headers, body: _body, multipart: _parts, ...place } = template;
  const apart = [
    { ...place, bodyFormat: "json" as const },
    { ...template, path: [] },
  ] as const;
  zones.set(template, apart);
  return apart;
}

/** The request of a template: its path sees one set of names, the rest another (RUN-010). */
export function describeRequest(
  template: HttpTemplate,
  environment: CallEnvironment,
  functions: BoundFunctions,
): RequestDescription {
  const { optional } = environment;
  const rest = { bindings: bindings(environment.rest), optional, functions };
  const differs =
    environment.path !== environment.rest &&
    pathVariables(template).some((name) => environment.path[name] !== environment.rest[name]);
  if (!differs) return mappedValue(evaluateRequest(template, rest));
  const path = { ...rest, bindings: bindings(environment.path) };
  const [inPath, outside] = zonesOf(template);
  const place = mappedValue(evaluateRequest(inPath, path));
  const request = mappedValue(evaluateRequest(outside, rest));
  return { ...request, path: place.path, pathTemplate: place.pathTemplate };
}

/** The second read of a get, in the same environment (MAP-032). */
export function describeAuxiliary(
  auxiliary: AuxiliaryMerge,
  environment: CallEnvironment,
  functions: BoundFunctions,
): RequestDescription {
  const { optional } = environment;
  const names = { bindings: bindings(environment.rest), optional, functions };
  return mappedValue(evaluateAuxiliary(auxiliary, names));
}

/**
 * An identity that is itself the address of its row: where the id_field is `url`, it replaces the
 * path up to its segment (RUN-021). Null for every other call.
 */
export function identityAddress(
  call: CapabilityCall,
): { readonly url: string; readonly template: HttpTemplate } | null {
  const entity = call.catalog.cgs.entities.get(call.capability.entity);
  const id = call.identity?.id;
  if (entity?.idField !== "url" || typeof id !== "string" || !/^https?:\/\//i.test(id)) return null;
  if (!URL.canParse(id)) return null;
  const { template } = call;
  const meant = pathBindings(call.catalog, call.capability, template).find(
    ({ source }) => source.kind === "identity",
  );
  const at = template.path.findIndex(
    (segment) => segment.type === "var" && segment.name === meant?.variable,
  );
  return at < 0 ? null : { url: id, template: { ...template, path: template.path.slice(at + 1) } };
}
