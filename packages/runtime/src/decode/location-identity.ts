import type { Capability, Catalog, Entity, JsonObject, ValueType } from "@plasm/core";
import {
  capabilitiesOf,
  compareCodePoints,
  type HttpTemplate,
  keyParts,
  pathBindings,
  type PathSegment,
} from "@plasm/core/internal";
import { convertValue } from "./convert-value.ts";
import { type Identity, makeIdentity } from "./entity-row.ts";

const TEXT: ValueType = Object.freeze({ kind: "string", semantics: "short" });

interface Get {
  readonly capability: Capability;
  readonly template: HttpTemplate;
}

/** The gets of an entity, the one that is used by default first (RUN-042). */
function getsOf(catalog: Catalog, entity: Entity): readonly Get[] {
  const usual = [entity.primaryRead, `${entity.name.toLowerCase()}_get`];
  const rank = ({ name }: Capability): number => {
    const at = usual.indexOf(name);
    return at < 0 ? usual.length : at;
  };
  return capabilitiesOf(catalog.cgs, entity.name)
    .filter((capability) => capability.kind === "get" && capability.needsIdentity)
    .toSorted((a, b) => rank(a) - rank(b) || compareCodePoints(a.name, b.name))
    .flatMap((capability) => {
      const template = catalog.cml.get(capability.name);
      const http = template?.transport === "http" || template?.transport === "graphql";
      return http ? [{ capability, template }] : [];
    });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

function segmentPattern(segment: PathSegment): string {
  if (segment.type === "literal") return escaped(segment.value);
  const variable = segment.encode === "path" ? "(.+)" : "([^/]+)";
  return variable + escaped(segment.suffix);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The variables of a path template that give this path, or null if it is none of its paths. */
function matchPath(segments: readonly PathSegment[], path: string): JsonObject | null {
  const parts = segments.map((one, at) => {
    const slash = at === 0 || one.joined === true ? "" : "/";
    return `${slash}${segmentPattern(one)}`;
  });
  const pattern = new RegExp(`^/${parts.join("")}/?$`, "u");
  const found = pattern.exec(path);
  if (found === null) return null;
  const names = segments.flatMap((segment) => (segment.type === "var" ? [segment.name] : []));
  const values = names.map((name, at) => [name, decoded(found[at + 1] ?? "")] as const);
  return values.some(([, value]) => value === null) ? null : Object.fromEntries(values);
}

function identityOf(
  catalog: Catalog,
  entity: Entity,
  get: Get,
  variables: JsonObject,
  ambient: JsonObject,
): Identity | null {
  const parts: Record<string, JsonObject[string]> = { ...ambient };
  const [only] = keyParts(entity);
  let names = false;
  for (const { variable, source } of pathBindings(catalog, get.capability, get.template)) {
    const part =
      source.kind === "identity" ? only : source.kind === "key" ? source.field : undefined;
    const value = variables[variable];
    if (part === undefined || value === undefined) continue;
    parts[part] = convertValue(value, entity.fields.get(part)?.type ?? TEXT).value;
    names = true;
  }
  return names ? makeIdentity(entity, parts) : null;
}

/**
 * The identity of a created row by the address it got: matched against the paths of its entity's gets
 * (RUN-048). `path` is below the backend's base; null if it fits none of them.
 */
export function locationIdentity(
  catalog: Catalog,
  entity: Entity,
  path: string,
  ambient: JsonObject,
): Identity | null {
  for (const get of getsOf(catalog, entity)) {
    const variables = matchPath(get.template.path, path);
    const identity =
      variables === null ? null : identityOf(catalog, entity, get, variables, ambient);
    if (identity !== null) return identity;
  }
  return null;
}
