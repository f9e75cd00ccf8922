import type { OverlayDoc } from "../../load/format/overlay-shape.ts";
import type { KeyPath } from "../../load/key-path.ts";
import type { Rule } from "../rule.ts";
import { checkTemplate } from "../template-faults.ts";

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
