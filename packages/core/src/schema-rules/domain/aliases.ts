import type { Rule } from "../rule.ts";

/** CAT-023: registry aliases are not blank, unique ignoring case, and not the entry id. */
export const aliasesRule: Rule = ({ domain, entryId, inDomain }) => {
  const seen = new Map<string, string>();
  if (inDomain.faulty(["registry_aliases"])) return;
  domain.registry_aliases.forEach((alias, at) => {
    const path = ["registry_aliases", at];
    const folded = alias.trim().toLowerCase();
    const first = seen.get(folded);
    if (folded === "") inDomain.atValue(path, "CAT023", "blank", {});
    else if (folded === entryId.toLowerCase()) {
      inDomain.atValue(path, "CAT023", "own", { found: alias, entry: entryId });
    } else if (first !== undefined) {
      inDomain.atValue(path, "CAT023", "again", { found: JSON.stringify(alias), first });
    }
    if (first === undefined) seen.set(folded, inDomain.position(path));
  });
};
