import { slotTarget } from "../../model/input.ts";
import {
  type Capability,
  type PreflightScope,
  type PreflightStep,
  isEffectKind,
  isList,
  oneOfKind,
} from "../../model/model.ts";
import { slotsOf } from "../../model/slots-of.ts";
import type { KeyPath } from "../key-path.ts";
import { boundNames } from "./bound-names.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

/** CAT-140: steps stand on writes and read with fitting capabilities; CAT-005 for unknown ones. */
export const preflightRule: Rule = (context) => {
  for (const capability of context.catalog.cgs.capabilities.values()) {
    if (capability.preflight.length === 0) continue;
    const path = ["capabilities", capability.name, "preflight"];
    if (!isEffectKind(capability.kind)) {
      context.inDomain.atKey(path, "CAT140", "read", { kind: capability.kind });
      continue;
    }
    if (context.inDomain.faulty(path)) continue;
    capability.preflight.forEach((step, at) => {
      checkStep(context, capability, step, [...path, at]);
    });
  }
};

function checkStep(
  context: RuleContext,
  capability: Capability,
  step: PreflightStep,
  path: KeyPath,
): void {
  switch (step.kind) {
    case "hydrate_invoke_target": {
      if (capability.kind === "create") {
        context.inDomain.atValue([...path, "kind"], "CAT140", "create", {});
        return;
      }
      const get = readBy(context, step.get, [...path, "get"], "get");
      if (get === undefined || get.entity === capability.entity) return;
      const params = { found: step.get, other: get.entity, entity: capability.entity };
      context.inDomain.atValue([...path, "get"], "CAT140", "target", params);
      return;
    }
    case "hydrate_entity_ref_param":
      readBy(context, step.get, [...path, "get"], "get");
      return;
    case "query_pick":
      readBy(context, step.query, [...path, "query"], "query");
      return;
    case "label_ids_delta":
      readBy(context, step.lookup, [...path, "lookup"], "lookup");
      return;
    case "function":
  }
}

/** The capability a step reads with, if it exists and fits. */
function readBy(
  { catalog, domain, inDomain }: RuleContext,
  found: string,
  path: KeyPath,
  key: "get" | "query" | "lookup",
): Capability | undefined {
  const capability = catalog.cgs.capabilities.get(found);
  if (capability === undefined) {
    if (inDomain.has(["capabilities", found])) return undefined;
    inDomain.unknown(path, "capability", found, domain.capabilities.keys());
    return undefined;
  }
  const fits = key === "get" ? capability.kind === "get" : isList(capability.kind);
  if (fits) return capability;
  const allowed = key === "get" ? "a get" : "a query or search";
  inDomain.atValue(path, "CAT140", "kind", {
    found,
    kind: oneOfKind(capability.kind),
    key,
    allowed,
  });
  return undefined;
}

/** CAT-142: merged names are there, unique per capability, and not the engine's. */
export const preflightMergeRule: Rule = ({ catalog, inDomain }) => {
  for (const capability of catalog.cgs.capabilities.values()) {
    const seen = new Map<string, string>();
    capability.preflight.forEach((step, at) => {
      const path = ["capabilities", capability.name, "preflight", at, "merge"];
      if (inDomain.faulty(path)) return;
      const merged = mergedNames(step);
      if (merged?.length === 0) inDomain.atValue(path, "CAT142", "empty", {});
      for (const found of merged ?? []) {
        const own: KeyPath = step.kind === "label_ids_delta" ? path : [...path, found];
        const first = seen.get(found);
        if (found.startsWith("plasm")) inDomain.atKey(own, "CAT142", "reserved", { found });
        else if (first !== undefined) inDomain.atKey(own, "CAT142", "again", { found, first });
        else seen.set(found, inDomain.position(own));
      }
    });
  }
};

function mergedNames(step: PreflightStep): readonly string[] | undefined {
  switch (step.kind) {
    case "hydrate_invoke_target":
      return undefined;
    case "hydrate_entity_ref_param":
    case "query_pick":
    case "function":
      return [...step.merge.keys()];
    case "label_ids_delta":
      return [step.merge];
  }
}

/** CAT-141: parameters, fields and prefixes that steps name exist. */
export const preflightNamesRule: Rule = (context) => {
  for (const capability of context.catalog.cgs.capabilities.values()) {
    const path = ["capabilities", capability.name, "preflight"];
    if (context.inDomain.faulty(path)) continue;
    const prefixes: string[] = [];
    capability.preflight.forEach((step, at) => {
      checkStepNames({ context, capability, prefixes }, step, [...path, at]);
      if (step.kind === "hydrate_invoke_target") prefixes.push(step.prefix);
    });
  }
};

interface Site {
  readonly context: RuleContext;
  readonly capability: Capability;
  readonly prefixes: readonly string[];
}

function checkStepNames(site: Site, step: PreflightStep, path: KeyPath): void {
  switch (step.kind) {
    case "hydrate_invoke_target":
      return;
    case "hydrate_entity_ref_param": {
      checkParameter(site, step.param, [...path, "param"]);
      const slot = slotsOf(site.capability).find(({ name }) => name === step.param);
      checkFields(site, slot && slotTarget(slot), step.merge, path);
      return;
    }
    case "query_pick": {
      if (step.when !== undefined) checkParameter(site, step.when, [...path, "when"]);
      checkParameter(site, step.pick.equalsParam, [...path, "pick", "equals_param"]);
      const query = site.context.catalog.cgs.capabilities.get(step.query);
      checkField(site, query?.entity, step.pick.field, [...path, "pick", "field"]);
      checkFields(site, query?.entity, step.merge, path);
      for (const [name, scope] of step.scope) {
        checkScope(site, query, name, scope, [...path, "scope", name]);
      }
      return;
    }
    case "label_ids_delta":
      checkParameter(site, step.addWhen, [...path, "add_when"]);
      checkParameter(site, step.removeWhen, [...path, "remove_when"]);
      checkPrefix(site, step.fromPreflight.prefix, [...path, "from_preflight", "prefix"]);
      return;
    case "function":
      if (step.when !== undefined) checkParameter(site, step.when, [...path, "when"]);
      step.params.forEach((name, at) => checkParameter(site, name, [...path, "params", at]));
  }
}

function checkScope(
  site: Site,
  query: Capability | undefined,
  name: string,
  scope: PreflightScope,
  path: KeyPath,
): void {
  const { inDomain, catalog } = site.context;
  const given = ["from_param", "from_preflight", "literal"].filter((key) =>
    inDomain.has([...path, key]),
  );
  if (given.length !== 1) {
    const found = given.length === 0 ? "none of them" : given.join(" and ");
    inDomain.atKey(path, "CAT141", "one", { name, found });
    return;
  }
  if (query !== undefined) {
    const names = boundNames(catalog, query).arguments;
    if (!names.includes(name)) {
      const params = { capability: query.name, found: name, ...choice(name, names) };
      inDomain.atKey(path, "CAT141", "parameter", params);
    }
  }
  if ("fromParam" in scope) checkParameter(site, scope.fromParam, [...path, "from_param"]);
  if ("fromPreflight" in scope) {
    checkPrefix(site, scope.fromPreflight.prefix, [...path, "from_preflight", "prefix"]);
  }
}

function checkParameter({ context, capability }: Site, found: string, path: KeyPath): void {
  const names = boundNames(context.catalog, capability).arguments;
  if (names.includes(found)) return;
  const params = { capability: capability.name, found, ...choice(found, names) };
  context.inDomain.atValue(path, "CAT141", "parameter", params);
}

function checkFields(
  site: Site,
  entity: string | undefined,
  merge: ReadonlyMap<string, string>,
  path: KeyPath,
): void {
  for (const [name, field] of merge) checkField(site, entity, field, [...path, "merge", name]);
}

function checkField(
  { context }: Site,
  entity: string | undefined,
  found: string,
  path: KeyPath,
): void {
  const doc = entity === undefined ? undefined : context.catalog.cgs.entities.get(entity);
  if (doc === undefined || doc.fields.has(found)) return;
  if (found === doc.idField || doc.keyVars.includes(found)) return;
  const params = { found, entity: doc.name, ...choice(found, doc.fields.keys()) };
  context.inDomain.atValue(path, "CAT141", "field", params);
}

function checkPrefix({ context, prefixes }: Site, found: string, path: KeyPath): void {
  if (prefixes.includes(found)) return;
  context.inDomain.atValue(path, "CAT141", "prefix", { found, ...choice(found, prefixes) });
}
