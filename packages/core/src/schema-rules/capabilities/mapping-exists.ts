import type { Rule } from "../rule.ts";

/** CAT-070: every capability has a mapping. */
export const mappingExistsRule: Rule = ({ domain, inDomain, inMappings }) => {
  for (const found of domain.capabilities.keys()) {
    if (inMappings.has([found])) continue;
    inDomain.atKey(["capabilities", found], "CAT070", "mapping", { found, file: inMappings.file });
  }
};
