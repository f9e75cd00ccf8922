import { patchedCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { diagnose } from "./testing/diagnose-patch.ts";

test("section 4's example, synonyms and {temporal} are clean", () => {
  const { domain, mappings } = patchedCatalog({
    values: `note: {type: string, string_semantics: markdown}
depots: {type: array, items: {value_ref: depot}}
f: {type: float}
i: {type: int}
b: {type: bool}
e: {type: enum, allowed_values: [a, 2, true]}
d: {type: datetime, value_format: {temporal: unix_ms}}
raw: {type: string, string_semantics: blob}`,
    fields: ["note", "depots", "f", "i", "b", "e", "d", "raw"]
      .map((name) => `${name}: {value_ref: ${name}}`)
      .join("\n"),
  });
  expect(diagnose(domain, mappings)).toEqual([]);
});
