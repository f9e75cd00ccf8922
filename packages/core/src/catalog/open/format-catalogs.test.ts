import { expect, test } from "vitest";
import { formatCatalogs } from "../../../test/format-catalogs.ts";
import { formatUse } from "../../../test/format-use.ts";
import { formatCatalogDiagnostic } from "../reporter.ts";
import { openCatalog } from "./open-catalog.ts";

const sources = formatCatalogs();

test.each(sources.map((source) => [source.entryId, source] as const))(
  "%s loads, in strict mode and without a word",
  (entryId, source) => {
    const { catalog, diagnostics, omitted } = openCatalog(source, { strict: true });
    expect(diagnostics.map((each) => formatCatalogDiagnostic(each))).toEqual([]);
    expect([catalog?.entryId, omitted]).toEqual([entryId, 0]);
  },
);

test("together they use every key and every word of both formats", () => {
  const { has, uses } = formatUse(sources);
  const unused = [...has].filter((each) => !uses.has(each));
  // Methods that are words of the format, and that MAP-031 refuses where they stand.
  const refused = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map(
    (method) => `method: ${method} of GET HEAD POST PUT PATCH DELETE OPTIONS`,
  );
  expect(unused).toEqual(refused);
  // What is asked of the readers is there at all.
  for (const known of [
    "schema_overlay among",
    "wire_array_element_key among",
    "body_merge_path among",
    "type: colon_pair_prefer_keys_else_block_refs",
    "type: datetime",
    "operator: custom_function",
    "location: block_range",
    "transport: evm_logs",
    "response: bare_list",
    "key: removed",
    "params among kind, when, params, merge",
    "sets among kind, sets",
  ]) {
    expect([...has].some((each) => each.startsWith(known))).toBe(true);
  }
});

test("a key and a word that no catalog uses are seen", () => {
  const [ferry] = sources.filter(({ entryId }) => entryId === "ferry");
  if (ferry === undefined) throw new Error("no ferry");
  const { has, uses } = formatUse([ferry]);
  const unused = [...has].filter((each) => !uses.has(each));
  expect(unused.some((each) => each.startsWith("transport: evm_call"))).toBe(true);
  expect(unused.some((each) => each.startsWith("prefix among"))).toBe(false);
  expect(unused.some((each) => each.startsWith("mode: augment_base"))).toBe(true);
});
