import type { Document } from "./document.ts";

type Components = Record<string, Record<string, unknown>>;

/** A document without the components that none of its paths lead to, and without extensions. */
export function reached(document: Document): Document {
  const all = (document.components ?? {}) as Components;
  const kept: Components = {};
  const follow = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, inner] of Object.entries(part)) {
      if (key === "$ref" && typeof inner === "string") keep(inner);
      else follow(inner);
    }
  };
  const keep = (ref: string): void => {
    const [, , kind = "", name = ""] = ref.split("/");
    if (all[kind]?.[name] === undefined || kept[kind]?.[name] !== undefined) return;
    (kept[kind] ??= {})[name] = all[kind][name];
    follow(all[kind][name]);
  };
  follow(document.paths);
  // What no reference names: how to log in.
  const { securitySchemes = {} } = all;
  const plain = Object.entries(document).filter(([name]) => !name.startsWith("x-"));
  const { paths } = document;
  return { ...Object.fromEntries(plain), paths, components: { ...kept, securitySchemes } };
}
