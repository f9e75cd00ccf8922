import type { Catalog } from "./catalog.ts";

/**
 * The session variables that response hooks of a catalog may set (RUN-015, RUN-105): names that its
 * templates read without anybody giving them as arguments.
 */
export function hookVariables({ cml }: Catalog): readonly string[] {
  return [...cml.values()].flatMap((template) => {
    const rule = "response" in template ? template.response.preprocess : undefined;
    return rule?.kind === "function" ? rule.sets : [];
  });
}
