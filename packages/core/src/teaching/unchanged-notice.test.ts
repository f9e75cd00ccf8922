import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { teach } from "../../test/teach.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { unchangedNotice, type UnchangedNotice } from "./unchanged-notice.ts";

const { exposure } = teach(fixtureCatalogs("orchard"), [
  [["orchard", "Tree"]],
  [["orchard", "Harvest"]],
]);

function notice(of: Exposure, more: Partial<UnchangedNotice> = {}): string {
  const { symbols, catalogs, notation } = of;
  const full = {
    ref: "s0",
    symbols,
    catalogs,
    notation,
    seen: "all",
    notationKept: false,
    ...more,
  } as const;
  return unchangedNotice(full, countTokens);
}

test.each([
  [{}, "s0 unchanged: e1 Tree, e2 Harvest. Symbols stand."],
  [
    { seen: "some" },
    "s0 unchanged: e1 Tree, e2 Harvest. Symbols stand. This connection has not seen the tables; replay:true sends them.",
  ],
  [
    { seen: "unknown" },
    "s0 unchanged: e1 Tree, e2 Harvest. Symbols stand. replay:true sends the tables again.",
  ],
  [
    { notationKept: true },
    "s0 unchanged: e1 Tree, e2 Harvest. Symbols stand. Notation stays symbols.",
  ],
  [{ notation: "names" }, "s0 unchanged: Tree, Harvest. Symbols stand."],
] as const)("the unchanged notice, %j (SESS-19, SESS-15)", (more, text) => {
  expect(notice(exposure, more)).toBe(text);
});

test("whatever a session holds, the notice has at most 60 tokens (SESS-19, TEACH-41, A41)", () => {
  const names = Array.from({ length: 60 }, (_, at) => `SomewhatLongEntityName${at}`);
  const catalog = buildCatalog("shop", {
    entities: Object.fromEntries(names.map((name) => [name, { fields: { id: "str" } }])),
    capabilities: Object.fromEntries(
      names.map((name) => [`${name.toLowerCase()}_get`, { kind: "get", entity: name }]),
    ),
  });
  const many = teach(new Map([["shop", catalog]]), [[["shop", ...names]]]).exposure;
  const text = notice(many, { seen: "some", notationKept: true });
  expect(countTokens(text)).toBeLessThanOrEqual(60);
  expect(text).toMatch(/^s0 unchanged: e1 SomewhatLongEntityName0, .*, \+\d+\. Symbols stand\./);
});
