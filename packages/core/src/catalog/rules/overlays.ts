import { boundNames } from "./bound-names.ts";
import type { OverlayDoc } from "../format/view-shape.ts";
import type { KeyPath } from "../key-path.ts";
import { isEffectKind, oneOfKind } from "../../model/model.ts";
import { checkTemplate, choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";
import { valueUses } from "./value-uses.ts";

/** CAT-150: where an overlay's schema is read; CAT-152: what it names exists. */
export const overlayRule: Rule = (context) => {
  const overlay = context.domain.schema_overlay;
  if (overlay === undefined || context.inDomain.faulty(["schema_overlay"])) return;
  checkSource(context, overlay.source);
  checkNames(context, overlay);
};

function checkSource(context: RuleContext, source: OverlayDoc["source"]): void {
  const path = ["schema_overlay", "source"];
  const { inDomain } = context;
  const { steps, capability } = source;
  if ((steps === undefined) === (capability === undefined)) {
    const found = steps === undefined ? "neither capability nor steps" : "capability and steps";
    inDomain.atKey(path, "CAT150", "one", { found });
    return;
  }
  if (capability !== undefined) {
    checkRead(context, capability, [...path, "capability"], true);
    checkParameters(context, capability, source.bind.keys(), (name) => [...path, "bind", name]);
  }
  if (steps?.length === 0) inDomain.atValue([...path, "steps"], "CAT150", "empty", {});
  const collected: string[] = [];
  steps?.forEach((step, at) => {
    const own = [...path, "steps", at];
    checkRead(context, step.capability, [...own, "capability"], true);
    checkParameters(context, step.capability, step.bind.keys(), (name) => [...own, "bind", name]);
    const whole =
      step.for_each === undefined
        ? step.collect !== undefined && step.items_path !== undefined && step.merge === undefined
        : step.collect === undefined && step.merge !== undefined;
    if (!whole) {
      const keys = Object.entries(step).flatMap(([key, value]) =>
        value === undefined || (value instanceof Map && value.size === 0) ? [] : [key],
      );
      inDomain.atValue(own, "CAT150", "step", { found: keys.join(", ") });
    } else if (step.for_each !== undefined && !collected.includes(step.for_each)) {
      const params = { found: step.for_each, ...choice(step.for_each, collected) };
      inDomain.atValue([...own, "for_each"], "CAT150", "collect", params);
    }
    if (step.collect !== undefined) collected.push(step.collect);
  });
}

function checkNames(context: RuleContext, overlay: OverlayDoc): void {
  const { domain, inDomain } = context;
  const { from_template: template } = overlay.entity;
  if (!inDomain.has(["entities", template])) {
    const path = ["schema_overlay", "entity", "from_template"];
    const params = { kind: "entity", found: template, ...choice(template, domain.entities.keys()) };
    inDomain.atValue(path, "CAT152", "unknown", params);
  }
  for (const { value, path } of valueUses(domain)) {
    if (path[0] !== "schema_overlay" || inDomain.has(["values", value])) continue;
    const params = { kind: "value", found: value, ...choice(value, domain.values.keys()) };
    inDomain.atValue(path, "CAT152", "unknown", params);
  }
  overlay.decode?.capabilities.forEach((name, at) => {
    const path = ["schema_overlay", "decode"];
    checkRead(context, name, [...path, "capabilities", at], false);
  });
  checkScope(context, overlay);
}

/** CAT-005 for a scope parameter that no decoded capability takes: each takes those it has (RUN-103). */
function checkScope({ catalog, inDomain }: RuleContext, { decode, entity }: OverlayDoc): void {
  const { capabilities } = catalog.cgs;
  const listed = decode?.capabilities ?? [];
  const decoded =
    listed.length > 0
      ? listed.map((name) => capabilities.get(name))
      : [...capabilities.values()].filter(
          (each) => each.entity === entity.from_template && !isEffectKind(each.kind),
        );
  const known = decoded.filter((each) => each !== undefined);
  if (known.length < decoded.length) return;
  if (known.some(({ name }) => inDomain.faulty(["capabilities", name]))) return;
  const names = [...new Set(known.flatMap((each) => boundNames(catalog, each).arguments))];
  (decode?.scope.params ?? []).forEach((found, at) => {
    if (names.includes(found)) return;
    const path = ["schema_overlay", "decode", "scope", "params", at];
    const of = known.map(({ name }) => name).join(", ") || "the overlay's capabilities";
    inDomain.unknown(path, `parameter of ${of}`, found, names);
  });
}

/** CAT-005 for the parameters that the engine binds. */
function checkParameters(
  { catalog, inDomain }: RuleContext,
  name: string,
  given: Iterable<string>,
  place: (parameter: string) => KeyPath,
): void {
  const capability = catalog.cgs.capabilities.get(name);
  if (capability === undefined || inDomain.faulty(["capabilities", name])) return;
  const names = boundNames(catalog, capability).arguments;
  for (const found of given) {
    if (!names.includes(found)) {
      inDomain.unknown(place(found), `parameter of ${name}`, found, names);
    }
  }
}

function checkRead(
  { catalog, domain, inDomain }: RuleContext,
  found: string,
  path: KeyPath,
  reads: boolean,
): void {
  const capability = catalog.cgs.capabilities.get(found);
  if (capability === undefined) {
    if (inDomain.has(["capabilities", found])) return;
    const params = { kind: "capability", found, ...choice(found, domain.capabilities.keys()) };
    inDomain.atValue(path, "CAT152", "unknown", params);
  } else if (reads && isEffectKind(capability.kind)) {
    inDomain.atValue(path, "CAT152", "read", { found, kind: oneOfKind(capability.kind) });
  }
}

/** The names RUN-101 gives an overlay's templates. */
const NAMES = ["row", "parent", "field", "field_key", "ambient"];

/** CAT-153: an overlay's templates keep to RUN-101; there is no `env` in them. */
export const overlayTemplatesRule: Rule = ({ domain, inDomain }) => {
  const overlay = domain.schema_overlay;
  const path = ["schema_overlay"];
  if (overlay === undefined || inDomain.faulty(path)) return;
  for (const { text, at } of overlayTemplates(overlay)) {
    const own = [...path, ...at];
    for (const fault of checkTemplate(text, NAMES).faults) {
      if (fault.kind === "problem") inDomain.atValue(own, "CAT153", "problem", fault);
      else inDomain.atValue(own, "CAT153", "name", fault);
    }
  }
};

interface OverlayTemplate {
  readonly text: string;
  readonly at: KeyPath;
}

/** Every template of an overlay, in the order of section 12. */
function overlayTemplates({ source, entity, decode }: OverlayDoc): readonly OverlayTemplate[] {
  const found: OverlayTemplate[] = [];
  const add = (text: string | undefined, ...at: KeyPath): void => {
    if (text !== undefined) found.push({ text, at });
  };
  for (const [name, text] of source.bind) add(text, "source", "bind", name);
  source.steps?.forEach((step, index) => {
    for (const [name, text] of step.bind) add(text, "source", "steps", index, "bind", name);
  });
  add(entity.name?.template, "entity", "name", "template");
  add(entity.scope_key?.template, "entity", "scope_key", "template");
  entity.expression_aliases.forEach(({ template }, index) => {
    add(template, "entity", "expression_aliases", index, "template");
  });
  for (const [name, { template }] of entity.static_fields) {
    add(template, "entity", "static_fields", name, "template");
  }
  const dynamic = ["entity", "dynamic_fields"];
  add(entity.dynamic_fields?.name.template, ...dynamic, "name", "template");
  const extract = entity.dynamic_fields?.extract;
  if (extract?.kind === "path_segments") {
    extract.segments.forEach((text, index) => add(text, ...dynamic, "extract", "segments", index));
  } else if (extract?.kind === "name_value_array") {
    add(extract.match_equals.template, ...dynamic, "extract", "match_equals", "template");
  }
  add(decode?.scope.key.template, "decode", "scope", "key", "template");
  return found;
}
