import type { Rule } from "../rule.ts";

/** CAT-022: version 0 cannot be published. */
export const versionRule: Rule = ({ domain, inDomain }) => {
  if (domain.version !== 0 || inDomain.faulty(["version"])) return;
  inDomain.atValue(["version"], "CAT022", "zero", {});
};
