import type { Catalog, DroppedPart, RequestTemplate } from "../mapping/template.ts";
import { oncePerCapability, wholeCapability } from "../mapping/capability-views.ts";
import type { Capability } from "../model/model.ts";
import type { ApiPolicy, EffectKind, Features, Policy } from "./policy.ts";
import { takesUnion } from "../model/slots-of.ts";

/** Whether a tenant may use a catalog: without `apis` all, else those named (SURF-25). */
export function mayUseApi(policy: Policy, entryId: string): boolean {
  return policy.apis === undefined || Object.hasOwn(policy.apis, entryId);
}

/**
 * Whether a tenant may use a capability: its catalog is permitted, `deny` does not name it, and
 * `effects: false` does not forbid its kind (SURF-25).
 */
export function mayUseCapability(
  policy: Policy,
  entryId: string,
  capability: Pick<Capability, "name" | "kind">,
): boolean {
  if (!mayUseApi(policy, entryId)) return false;
  const api: ApiPolicy = policy.apis?.[entryId] ?? {};
  if (api.deny?.includes(capability.name) === true) return false;
  return api.effects !== false || effectKind(capability.kind) === null;
}

/**
 * Whether a tenant may call a capability: a view only with all reads that it is made of, so that it
 * shows nothing that `deny` hides (SURF-25).
 */
export function mayCall(policy: Policy, catalog: Catalog, capability: Capability): boolean {
  return wholeCapability(catalog, capability).every((each) =>
    mayUseCapability(policy, catalog.entryId, each),
  );
}

/**
 * What was left out of a catalog when it was loaded, as far as a tenant may know of it: a capability whose kind
 * cannot be read counts as an action (SURF-26).
 */
export const shownDropped = (policy: Policy, catalog: Catalog): readonly DroppedPart[] =>
  (catalog.dropped ?? []).filter(
    ({ kind, name, does }) =>
      kind !== "capability" ||
      mayUseCapability(policy, catalog.entryId, { name, kind: does ?? "action" }),
  );

/** Whether a call of a capability changes data: no session that only reads takes it (TEACH-25). */
export function changesData(catalog: Catalog, capability: Capability): boolean {
  return wholeCapability(catalog, capability).some(({ kind }) => effectKind(kind) !== null);
}

/** The effect a kind of capability has, or null for reads (LANG-070). */
export function effectKind(kind: Capability["kind"]): EffectKind | null {
  switch (kind) {
    case "query":
    case "search":
    case "get":
      return null;
    case "create":
    case "update":
    case "delete":
    case "action":
      return kind;
  }
}

type Runs = (catalog: Catalog, capability: Capability) => boolean;

const byFeatures = new WeakMap<Features, Runs>();

/** What an engine with these features runs: as frozen as they are, so that each answer stands. */
function runsWith(features: Features): Runs {
  const known = byFeatures.get(features);
  if (known !== undefined) return known;
  const runs = oncePerCapability((catalog, capability) =>
    wholeCapability(catalog, capability).every((each) => runsAlone(features, catalog, each)),
  );
  byFeatures.set(features, runs);
  return runs;
}

/**
 * Whether an engine with these features can run a capability, by its kind and its transport; a view only
 * with all that it is made of.
 */
export const canRun = (features: Features, catalog: Catalog, capability: Capability): boolean =>
  runsWith(features)(catalog, capability);

function runsAlone(features: Features, catalog: Catalog, capability: Capability): boolean {
  const template = catalog.cml.get(capability.name);
  if (template === undefined || !runsTransport(features, template)) return false;
  if (takesUnion(capability) && !features.unions) return false;
  if (effectKind(capability.kind) !== null) return features.effects;
  return capability.kind !== "search" || features.search;
}

function runsTransport(features: Features, template: RequestTemplate): boolean {
  switch (template.transport) {
    case "http":
      return true;
    case "graphql":
      return features.graphql;
    case "view":
      return features.views;
    case "evm_call":
    case "evm_logs":
      return features.evm;
  }
}

/** Who has to approve an effect: an operator alone, or the person at the client that asks or an operator. */
export type Approver = "operator" | "client";

/**
 * Who must have approved a plan that holds this capability before it runs: its kind of effect or its name stands in `approval.operator`
 * or `approval.client`, or that is `all`; the former before the latter (SURF-25, OPS-36, OPS-65). Null for reads, and for what nobody has to.
 */
export function approverOf(
  policy: Policy,
  entryId: string,
  { kind: of, name }: Pick<Capability, "name" | "kind">,
): Approver | null {
  const kind = effectKind(of);
  const apis = policy.apis ?? {};
  const { operator, client } =
    (Object.hasOwn(apis, entryId) ? apis[entryId] : undefined)?.approval ?? {};
  const isNamed = (names: readonly string[] | "all" = []): boolean =>
    names === "all" || names.some((one) => one === "all" || one === kind || one === name);
  if (kind === null) return null;
  if (isNamed(operator)) return "operator";
  return isNamed(client) ? "client" : null;
}

/** Whether a policy demands an approver of this kind for anything (OPS-36, OPS-65). */
export const namesApprover = (policy: Policy, who: Approver): boolean =>
  Object.values(policy.apis ?? {}).some(({ approval }) => {
    const named = approval?.[who] ?? [];
    return named.length > 0;
  });
