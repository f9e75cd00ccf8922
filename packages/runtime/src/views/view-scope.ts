import type { Catalog, Capability, Json, JsonObject } from "@plasm/core";
import { coerceValue, identityNames, scopeBindings, type View } from "@plasm/core/internal";
import { type CapabilityCall, splat } from "../request/environment.ts";
import { failure, RunFailure } from "../base/run-failure.ts";

/** Where the caller's session is, as far as the host says. */
export interface SessionOrigins {
  /** origin of the pages that people use */
  readonly ui?: string | undefined;
  /** origin at which the session's requests arrive */
  readonly transport?: string | undefined;
}

/** A call of a view, its values in wire form. */
export interface ViewCall {
  readonly catalog: Catalog;
  readonly capability: Capability;
  readonly view: View;
  readonly args: JsonObject;
  readonly identity: CapabilityCall["identity"];
  readonly anchor: JsonObject;
  readonly ambient: JsonObject;
}

/**
 * What is given of a view's scope, in its declared types: arguments and anchor, else the identity of a
 * get, else what the row at hand carries, else what is injected (RUN-010, RUN-100). A parameter that
 * nothing gives is left out; a required one is `argument_missing`. Throws RunFailure.
 */
export function viewScope(
  call: ViewCall,
  origins: SessionOrigins & { readonly backend: string },
): JsonObject {
  const { view } = call;
  const { bound, args } = splat(call, { ...call.anchor, ...call.args });
  // What the row at hand carries is no value of a parameter that its caller may leave out (RUN-044).
  const needed = new Set(view.scope.flatMap(({ name, required }) => (required ? [name] : [])));
  const carried = Object.entries({ ...call.ambient, ...bound }).filter(([name]) =>
    needed.has(name),
  );
  const given = { ...Object.fromEntries(carried), ...args, ...identityScope(call) };
  const scope: Record<string, Json> = {};
  const missing: string[] = [];
  for (const { name, type, required, inject } of view.scope) {
    const named = Object.hasOwn(given, name) ? (given[name] ?? null) : null;
    const value = inject === undefined ? named : withoutSlash(named ?? injected(inject, origins));
    if (value === null) {
      if (required) missing.push(name);
      continue;
    }
    const coerced = coerceValue(value, type);
    if ("takes" in coerced) throw unfit(view, name, coerced.takes);
    scope[name] = coerced.value;
  }
  if (missing.length > 0) throw lacking(view, missing);
  return scope;
}

/** A get binds its identity to the scope. */
function identityScope({ catalog, capability, view, identity }: ViewCall): JsonObject {
  const entity = catalog.cgs.entities.get(capability.entity);
  if (identity === null || entity === undefined) return {};
  const named = identityNames(entity).map((name) => [name, identity.key[name] ?? null] as const);
  const own = Object.fromEntries(named.filter(([, value]) => value !== null));
  const scope: Record<string, Json> = { ...own, id: identity.id };
  for (const { variable, source } of scopeBindings(catalog.cgs, capability, view)) {
    if (source.kind === "identity") scope[variable] = identity.id;
    else if (source.kind === "key") scope[variable] = identity.key[source.field] ?? null;
  }
  return scope;
}

type Inject = NonNullable<View["scope"][number]["inject"]>;

function injected(inject: Inject, { ui, transport, backend }: Origins): string {
  const arriving = transport ?? backend;
  return inject === "session_ui_origin" ? (ui ?? arriving) : arriving;
}

type Origins = Parameters<typeof viewScope>[1];

function withoutSlash(value: Json): Json {
  return typeof value === "string" && value.endsWith("/") ? value.slice(0, -1) : value;
}

function lacking(view: View, names: readonly string[]): RunFailure {
  const list = names.join(", ");
  return new RunFailure(
    failure("argument_missing", `View ${view.key} lacks ${list}.`, `give ${list}`),
  );
}

function unfit(view: View, name: string, takes: string): RunFailure {
  return new RunFailure(
    failure(
      "argument_invalid",
      `${name} of view ${view.key} takes ${takes}.`,
      `give ${name} ${takes}`,
    ),
  );
}
