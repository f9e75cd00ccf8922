import type { Catalog } from "../src/mapping/template.ts";
import { buildCatalog } from "./build-catalog.ts";

/** Fifty entities, each with nine fields, a reference, two relations and eight capabilities. */
export function wideCatalog(): Catalog {
  const names = Array.from(
    { length: 50 },
    (_, at) => `Entity${String.fromCharCode(65 + (at % 26))}${at}`,
  );
  const entities = names.map((name, at) => {
    const next = names[(at + 1) % names.length] ?? name;
    const relation = { target: next, cardinality: "one" };
    const fields = { id: "int", name: "str", state: "open|done", note: "markdown", when: "date" };
    const own = {
      [`size_${at}`]: "num",
      [`kind_${at}`]: "a|b|c",
      parent: `→${next}`,
      flags: "[str]",
    };
    return [
      name,
      {
        description: `what ${name} is`,
        fields: { ...fields, ...own },
        relations: { next_one: relation, other_one: relation },
      },
    ] as const;
  });
  const capabilities = names.flatMap((entity) => {
    const prefix = entity.toLowerCase();
    const params = { name: "str", "state?": "open|done", "when?": "date" };
    const kinds = {
      query: "query",
      search: "search",
      get: "get",
      create: "create",
      update: "update",
      delete: "delete",
      close: "action",
      open: "action",
    };
    return Object.entries(kinds).map(([label, kind]) => {
      const taken =
        kind === "get" || kind === "delete"
          ? {}
          : kind === "search"
            ? { q: "str", ...params }
            : params;
      const more =
        kind === "action"
          ? { more: () => ({ output: { type: "side_effect", description: "done" } }) }
          : {};
      return [`${prefix}_${label}`, { kind, entity, params: taken, ...more }] as const;
    });
  });
  return buildCatalog("wide", {
    entities: Object.fromEntries(entities),
    capabilities: Object.fromEntries(capabilities),
  });
}
