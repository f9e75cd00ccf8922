import type { Json } from "@plasm/core";
import { expect, test } from "vitest";
import { forms, PER_FORM } from "../testing/form-catalog.ts";
import { projectOverlay } from "./project-overlay.ts";

const AUGMENT = `
  source: { capability: form_query }
  projection: { mode: augment_base, items_path: [forms] }
  entity:
    from_template: Entry
    scope_key: { template: "{{ row.id }}" }
    dynamic_fields:
      from: { kind: array, path: [columns] }
      wire_name_path: [key]
      wire_type_path: [type]
      name: { template: "{{ field.key | sanitize_identifier }}" }
      default: text
      extract: { kind: top_level_key }
  decode: { scope: { key: { template: "{{ ambient.form }}" } }, capabilities: [entry_query] }
`;

const column: Json = { key: "k" };
const many = (count: number, item: Json): Json[] => Array.from({ length: count }, () => item);

function project(overlay: string, items: readonly Json[]) {
  const catalog = forms(overlay);
  const rule = catalog.cgs.overlay;
  if (rule === undefined) throw new Error("no overlay");
  return projectOverlay(catalog, rule, [{ forms: [...items] }]);
}

test.each([PER_FORM, AUGMENT])(
  "RUN-103 a schema of many rows is looked at in part, and that is said",
  (overlay) => {
    const row: Json = { id: "f", title: "t", columns: [] };
    const { overlay: found, notes } = project(overlay, many(20_000, row));
    expect(found.scopes.length).toBeLessThanOrEqual(10_000);
    expect(notes).toContain("10000 parts of it not looked at: at most 10000");
  },
);

test.each([PER_FORM, AUGMENT])(
  "RUN-103 a row of many fields is looked at in part, and that is said",
  (overlay) => {
    const row: Json = { id: "f", title: "t", columns: many(150_001, column) };
    const { overlay: found, notes } = project(overlay, [row]);
    expect(found.entities[0]?.fields.map(({ name }) => name)).toContain("k");
    expect(notes).toContain("1 fields not looked at: at most 150000");
  },
);
