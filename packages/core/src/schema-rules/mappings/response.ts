import { oneOfKind } from "../../schema/capability-kind.ts";
import type { ResponseDoc } from "../../load/format/response-shape.ts";
import type { TemplateDoc } from "../../load/format/template-shape.ts";
import type { KeyPath } from "../../load/key-path.ts";
import type { PartView } from "../part-view.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** MAP-031, MAP-034: where a second read may stand, and how it reads; error signs have one test (CAT-003). */
export const responseRule: Rule = (context) => {
  for (const [name, template] of context.mappings) {
    if (template.transport !== "http" && template.transport !== "graphql") continue;
    checkAuxiliary(context, name, template);
    checkMap(context, name, template.response ?? {});
    checkSigns(template.response?.error_when, [name, "response"], context.inMappings);
  }
  checkSigns(context.domain.response_defaults?.error_when, ["response_defaults"], context.inDomain);
};

function checkSigns(signs: ResponseDoc["error_when"], at: KeyPath, part: PartView): void {
  for (const [index, sign] of (signs ?? []).entries()) {
    if ((sign.eq === undefined) !== (sign.present === undefined)) continue;
    const expected = "exactly one of eq and present: true";
    const found = sign.eq === undefined ? "neither eq nor present" : "eq and present";
    part.atValue([...at, "error_when", index], "CAT003", "wrong", { found, expected });
  }
}

/** MAP-034: a collection that is a map is no single row, and only such a one has values to put somewhere. */
function checkMap(
  { inMappings }: RuleContext,
  name: string,
  response: Partial<Pick<ResponseDoc, "key_into" | "value_into" | "single">>,
): void {
  const { key_into: key, value_into: value, single } = response;
  const path = [name, "response"];
  if (key !== undefined && single === true) {
    inMappings.atKey([...path, "key_into"], "MAP034", "single", {});
  }
  if (value === undefined) return;
  if (key === undefined) inMappings.atKey([...path, "value_into"], "MAP034", "alone", {});
  else if (key === value) {
    inMappings.atValue([...path, "value_into"], "MAP034", "same", { found: value });
  }
}

function checkAuxiliary(
  { catalog, inMappings }: RuleContext,
  name: string,
  template: Extract<TemplateDoc, { readonly transport: "http" | "graphql" }>,
): void {
  const second = template.response?.auxiliary_merge;
  if (second === undefined) return;
  const path = [name, "response", "auxiliary_merge"];
  const kind = catalog.cgs.capabilities.get(name)?.kind;
  if (kind !== undefined && (kind !== "get" || template.transport !== "http")) {
    const found = `${oneOfKind(kind)} with transport ${template.transport}`;
    inMappings.atKey(path, "MAP031", "place", { found });
  }
  if (second.method !== "GET" && second.method !== "HEAD") {
    inMappings.atValue([...path, "method"], "MAP031", "method", { found: second.method });
  }
}
