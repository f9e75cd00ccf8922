import type { Capability, Cgs, Entity, View } from "../model/model.ts";
import { keyParts } from "../model/lookups.ts";
import { slotTarget } from "../model/input.ts";
import { slotsOf } from "../model/slots-of.ts";
import type { Catalog, RequestTemplate } from "./template.ts";
import { preflightNames } from "./capability-views.ts";
import { pathVariables } from "./variables.ts";

/** What a path variable is bound to when nothing in the row at hand binds it (RUN-010, RUN-011). */
export type PathSource =
  /** the whole identity: the simple key, or `k=v,k=v` */
  | { readonly kind: "identity" }
  /** one part of the identity */
  | { readonly kind: "key"; readonly field: string }
  /** an argument of that name */
  | { readonly kind: "slot"; readonly slot: string }
  /** a key part of a scope argument that is a reference with several (RUN-012) */
  | { readonly kind: "splat"; readonly slot: string; readonly key: string }
  /** an argument that the engine gives (RUN-103) */
  | { readonly kind: "fixed" }
  /** a preflight step, which reads it before the effect (RUN-104) */
  | { readonly kind: "preflight" }
  /** a variable of the session, which its host or a response hook sets (RUN-015) */
  | { readonly kind: "session" }
  /** the row a create is called on */
  | { readonly kind: "receiver"; readonly entity: string }
  /** an undeclared required text argument, unless the row's ambient has a slot of that name */
  | { readonly kind: "argument" };

/** A variable of a path with what fills it. */
export interface PathBinding {
  readonly variable: string;
  readonly source: PathSource;
}

/** How each path variable of a capability is bound, in path order (RUN-011). */
export function pathBindings(
  catalog: Pick<Catalog, "cgs" | "cml">,
  capability: Capability,
  template: RequestTemplate,
): readonly PathBinding[] {
  return bindingsOf(catalog.cgs, capability, pathVariables(template), sessionNames(catalog));
}

/**
 * How each scope parameter of a view that a caller must give is bound: like the path variables of a
 * request, so that a get binds its identity to the scope (RUN-100).
 */
export function scopeBindings(
  cgs: Cgs,
  capability: Capability,
  view: View,
): readonly PathBinding[] {
  const own = view.scope.filter(({ required, inject }) => required && inject === undefined);
  const names = own.map(({ name }) => name);
  const entity = cgs.entities.get(capability.entity);
  const alike = view.scope.flatMap(({ name }) => {
    const source = directSource(cgs, capability, entity, name);
    const isKey = source?.kind === "identity" || source?.kind === "key";
    return isKey && !names.includes(name) ? [{ variable: name, source }] : [];
  });
  return [...bindingsOf(cgs, capability, names), ...alike];
}

function bindingsOf(
  cgs: Cgs,
  capability: Capability,
  names: readonly string[],
  session: ReadonlySet<string> = new Set(),
): readonly PathBinding[] {
  const entity = cgs.entities.get(capability.entity);
  const known = new Map<string, PathSource>();
  for (const name of names) {
    const source =
      directSource(cgs, capability, entity, name) ??
      meantSource(cgs, capability, entity, name) ??
      (session.has(name) ? { kind: "session" as const } : undefined);
    if (source !== undefined) known.set(name, source);
  }
  const open = names.filter((name) => !known.has(name));
  // Where the path already has the identity, one more variable is something else.
  const bound = [...known.values()].some(({ kind }) => kind === "identity");
  const only = open.length === 1 && !bound && meansIdentity(capability, entity);
  const loose: PathSource = { kind: only ? "identity" : "argument" };
  return names.map((variable) => ({ variable, source: known.get(variable) ?? loose }));
}

/** The names identity binds: `id`, the id field and each key variable (RUN-011). */
export function identityNames(entity: Entity): readonly string[] {
  return [...new Set(["id", entity.idField, ...entity.keyVars])];
}

/** The key parts that scope arguments bind beside themselves, by name (RUN-012). */
export function splatParts(
  cgs: Cgs,
  capability: Capability,
): ReadonlyMap<string, { readonly slot: string; readonly key: string }> {
  const parts = new Map<string, { readonly slot: string; readonly key: string }>();
  for (const slot of slotsOf(capability)) {
    if (slot.role !== "scope" || slot.input.kind !== "value") continue;
    const target = cgs.entities.get(slotTarget(slot) ?? "");
    if (target === undefined || target.keyVars.length < 2) continue;
    for (const key of target.keyVars) {
      if (!parts.has(key)) parts.set(key, { slot: slot.name, key });
    }
  }
  return parts;
}

function directSource(
  cgs: Cgs,
  capability: Capability,
  entity: Entity | undefined,
  name: string,
): PathSource | undefined {
  const key = capability.needsIdentity && entity ? identitySource(entity, name) : undefined;
  if (key !== undefined) return key;
  if (Object.hasOwn(capability.fixedArgs ?? {}, name)) return { kind: "fixed" };
  if (slotsOf(capability).some((slot) => slot.name === name)) return { kind: "slot", slot: name };
  const splat = splatParts(cgs, capability).get(name);
  if (splat !== undefined) return { kind: "splat", ...splat };
  return preflightNames(cgs, capability).includes(name) ? { kind: "preflight" } : undefined;
}

function identitySource(entity: Entity, name: string): PathSource | undefined {
  const parts = keyParts(entity);
  if (parts.length > 1 && parts.includes(name)) return { kind: "key", field: name };
  return identityNames(entity).includes(name) ? { kind: "identity" } : undefined;
}

/** What else a name can only mean: the row a create is called on, or the identity (RUN-011). */
function meantSource(
  cgs: Cgs,
  capability: Capability,
  entity: Entity | undefined,
  name: string,
): PathSource | undefined {
  if (capability.kind === "create") {
    const receiver = [...cgs.entities.values()].find(
      (each) => name === `${each.name.toLowerCase()}_id`,
    );
    return receiver && { kind: "receiver", entity: receiver.name };
  }
  if (entity === undefined || !meansIdentity(capability, entity)) return undefined;
  const alike = [`${entity.name}id`, entity.idField].map(folded).includes(folded(name));
  return alike ? { kind: "identity" } : undefined;
}

/** Whether a path variable may stand for the whole identity of a row. */
const meansIdentity = (capability: Capability, entity: Entity | undefined): boolean =>
  capability.kind !== "create" &&
  capability.needsIdentity &&
  entity !== undefined &&
  keyParts(entity).length === 1;

function folded(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

/** What hosts set by agreement, whatever the catalog (RUN-015). */
const OF_HOSTS = ["share_token", "base_token"];

const known = new WeakMap<Catalog["cml"], ReadonlySet<string>>();

/**
 * The names of session variables as far as a catalog says: its response hooks may set them, or hosts do. Its
 * templates read them without anybody giving them as arguments (RUN-015, RUN-105).
 */
export function sessionNames({ cml }: Pick<Catalog, "cml">): ReadonlySet<string> {
  const found = known.get(cml);
  if (found !== undefined) return found;
  const ofHooks = [...cml.values()].flatMap((template) => {
    const rule = "response" in template ? template.response.preprocess : undefined;
    return rule?.kind === "function" ? rule.sets : [];
  });
  const names = new Set([...OF_HOSTS, ...ofHooks]);
  known.set(cml, names);
  return names;
}
