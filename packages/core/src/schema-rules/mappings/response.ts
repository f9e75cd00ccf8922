import { oneOfKind } from "../../schema/capability-kind.ts";
import type { TemplateDoc } from "../../load/format/template-shape.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** MAP-031: where a second read may stand, and how it reads; error signs have one test (CAT-003). */
export const responseRule: Rule = (context) => {
  for (const [name, template] of context.mappings) {
    if (template.transport !== "http" && template.transport !== "graphql") continue;
    checkAuxiliary(context, name, template);
    template.response?.error_when?.forEach((sign, at) => {
      const path = [name, "response", "error_when", at];
      if ((sign.eq === undefined) !== (sign.present === undefined)) return;
      const expected = "exactly one of eq and present: true";
      const found = sign.eq === undefined ? "neither eq nor present" : "eq and present";
      context.inMappings.atValue(path, "CAT003", "wrong", { found, expected });
    });
  }
};

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
