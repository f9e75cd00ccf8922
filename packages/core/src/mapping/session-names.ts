import type { Catalog } from "./catalog.ts";

/** What hosts set by agreement, whatever the catalog (RUN-015). */
const OF_HOSTS = ["share_token", "base_token"];

const known = new WeakMap<Catalog["cml"], ReadonlySet<string>>();

/**
 * The names of session variables as far as a catalog says: its response hooks may set them, or hosts do. Its
 * templates read them without anybody giving them as arguments (RUN-015, RUN-105).
 */
export function sessionNames({ cml }: Pick<Catalog, "cml">): ReadonlySet<string> {
  const found = known.get(cml);
  if (found !== undefined) return found;
  const ofHooks = [...cml.values()].flatMap((template) => {
    const rule = "response" in template ? template.response.preprocess : undefined;
    return rule?.kind === "function" ? rule.sets : [];
  });
  const names = new Set([...OF_HOSTS, ...ofHooks]);
  known.set(cml, names);
  return names;
}
