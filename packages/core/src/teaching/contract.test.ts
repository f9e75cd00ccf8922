import { expect, test } from "vitest";
import { buildCatalog, type CapabilitySpec } from "../../test/build-catalog.ts";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { teach } from "../../test/teach.ts";
import { ALL_FEATURES, CURRENT_FEATURES, type Features } from "../policy/policy.ts";
import { CONTRACT_PARTS, contractText } from "./contract.ts";

/** The parts sent for one entity with these fields and capabilities. */
function partsFor(
  fields: Record<string, string>,
  capabilities: Record<string, Omit<CapabilitySpec, "entity">>,
  features: Features = ALL_FEATURES,
) {
  const catalog = buildCatalog("shop", {
    entities: { Item: { fields: { id: "str", ...fields } } },
    capabilities: Object.fromEntries(
      Object.entries(capabilities).map(([name, spec]) => [
        `item_${name}`,
        { ...spec, entity: "Item" },
      ]),
    ),
  });
  const { waves } = teach(new Map([["shop", catalog]]), [[["shop", "Item"]]], { features });
  return waves[0]?.parts;
}

const get = { kind: "get" };

test.each([
  ["a get", {}, { get }, ["core"]],
  ["a search", {}, { search: { kind: "search", params: { q: "str" } } }, ["core", "search"]],
  ["a paged list", {}, { query: { kind: "query", paged: true } }, ["core", "continuations"]],
  ["a list", {}, { query: { kind: "query" } }, ["core"]],
  ["a create", {}, { create: { kind: "create" } }, ["core", "effects", "continuations"]],
  ["a delete", {}, { delete: { kind: "delete" } }, ["core", "effects", "continuations"]],
])("%s calls for these parts (TEACH-32)", (_, fields, capabilities, parts) => {
  expect(partsFor(fields, capabilities)).toEqual(parts);
});

test.each(["markdown", "document", "html", "json_text", "blob", "[markdown]"])(
  "A15: a field of %s brings the heredoc part",
  (type) => {
    expect(partsFor({ body: type }, { get })).toEqual(["core", "text"]);
  },
);

test("A15: without structured text no heredoc part, with a nested one it comes", () => {
  const nested = (type: string) => ({
    create: {
      kind: "create",
      more: (ref: (type: string) => string) => ({
        input_schema: {
          input_type: {
            type: "object",
            fields: [
              {
                name: "box",
                required: true,
                input_type: { type: "object", fields: [{ name: "note", value_ref: ref(type) }] },
              },
            ],
          },
        },
      }),
    },
  });
  // An optional member of what is shown is said by its path, which the part on objects explains.
  const effects = ["effects", "continuations"];
  expect(partsFor({}, nested("str"))).toEqual(["core", "unions", ...effects]);
  expect(partsFor({}, nested("html"))).toEqual(["core", "text", "unions", ...effects]);
});

test("A15: the heredoc part may arrive in wave 2, in the tagged form only", () => {
  const { waves } = teach(fixtureCatalogs("orchard"), [
    [["orchard", "Tree"]],
    [["orchard", "Harvest"]],
  ]);
  expect(waves.map(({ parts }) => parts.includes("text"))).toEqual([false, true]);
  const text = contractText("text", ALL_FEATURES, "symbols");
  expect(text).toContain("p=<<T, newline, text, newline, T");
  expect(text).not.toMatch(/<<<|d<<|<<(?!T)/);
});

test("TEACH-32: the effects part arrives with the first wave that teaches a mutation, once", () => {
  const waves = (...seeds: readonly [string, string][]) =>
    teach(
      fixtureCatalogs("quay"),
      seeds.map((seed) => [seed]),
      { features: CURRENT_FEATURES },
    ).waves;
  const reads = (entity: string): [string, string] => ["quay", entity];
  const [first, second, third, ...more] = waves(
    reads("Person"),
    reads("Visit"),
    reads("Boat"),
    reads("Log"),
  );
  const said = contractText("effects", CURRENT_FEATURES, "symbols");
  expect(said).toContain("E(id).m(p=v)");
  expect([first, second, ...more].map((wave) => wave?.parts.includes("effects"))).toEqual([
    false,
    false,
    false,
  ]);
  expect(third?.parts).toContain("effects");
  expect(third?.text.split(said)).toHaveLength(2);
  for (const wave of [first, second, ...more]) expect(wave?.text).not.toContain(said);
});

test("A28: named slots, and no guessing from numbers", () => {
  const core = contractText("core", ALL_FEATURES, "symbols");
  expect(core).toContain("write slot=value, never guess a slot from its number");
  const { waves } = teach(fixtureCatalogs("orchard"), [[["orchard", "Tree", "Harvest"]]]);
  const argumentLists = [
    ...(waves[0]?.text ?? "").matchAll(/\.m\d+\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g),
  ];
  expect(argumentLists.length).toBeGreaterThan(3);
  for (const [, list = ""] of argumentLists) {
    expect(list).toMatch(/^(?:|\.\.|p\d+=.*)$/);
  }
});

test.each(["symbols", "names"] as const)(
  "the contract names no numbered symbol, in %s (TEACH-32)",
  (notation) => {
    const text = CONTRACT_PARTS.map((part) => contractText(part, ALL_FEATURES, notation)).join(
      "\n",
    );
    expect(text).not.toMatch(/\b[emp][0-9]+\b/);
  },
);

test("in names the line on symbols is left out, and rows are told without the names they leave out (TEACH-13, TEACH-26)", () => {
  const [symbols = [], names = []] = (["symbols", "names"] as const).map((notation) =>
    contractText("core", ALL_FEATURES, notation).split("\n"),
  );
  const [opening, rows, symbolLine, ...others] = symbols;
  expect(symbolLine).toMatch(/^e# entity E, m# method m/);
  expect(names.slice(2)).toEqual(others);
  expect(opening).toMatch(/^Write Plasm programs with the symbols below\. Later tables add rows\./);
  expect(names[0]).toBe("Write Plasm programs with the names below.");
  expect(rows).toContain('), wire name, "opt" optional slots, note. "p / name type" is a slot,');
  expect(names[1]).toBe(
    rows
      ?.replace("), wire name,", "), name unless left has it,")
      .replace("p / name type", "p / type"),
  );
  expect(names.join("\n")).not.toContain("symbol");
});

test.each([
  ["effects", /Methods|\(\) nothing|\{k: v\}/],
  ["longWork", /wait\(|cancel\(/],
  ["templates", /<<T\n|\{%|text from rows/],
  ["derive", /=> \{k/],
  ["aggregate", /aggregate|group_by/],
  ["distinct", /distinct/],
  ["singleton", /singleton/],
  ["holes", /a\.p/],
  ["join", /ref\.p/],
] as const)("without %s the contract does not speak of it", (feature, words) => {
  const said = (features: Features) =>
    CONTRACT_PARTS.filter((part) => part !== "effects" || features.effects)
      .map((part) => contractText(part, features, "symbols"))
      .join("\n");
  expect(said(ALL_FEATURES)).toMatch(words);
  expect(said({ ...ALL_FEATURES, [feature]: false })).not.toMatch(words);
});

test("nothing that cannot run is taught: capabilities and parts (TEACH-24)", () => {
  const everything = {
    get,
    search: { kind: "search", params: { q: "str" } },
    create: { kind: "create", params: { name: "str" } },
  };
  const off = { ...CURRENT_FEATURES, effects: false, search: false };
  expect(partsFor({}, everything, off)).toEqual(["core"]);
  const { waves } = teach(fixtureCatalogs("orchard"), [[["orchard", "Tree"]]], { features: off });
  expect(waves[0]?.untaught).toEqual(
    ["create", "delete", "prune", "search", "update"].map((label) => ({
      capability: `tree_${label}`,
      reason: "not_plannable",
    })),
  );
  expect(waves[0]?.m).toEqual([1, 7]);
});

test.each(["symbols", "names"] as const)(
  "L44 in %s the part continuations introduces page, wait and cancel, each a program of its own",
  (notation) => {
    const text = contractText("continuations", CURRENT_FEATURES, notation);
    for (const said of [/\bpage\(h\)/, /\bpage\(h, limit=n\)/, /\bwait\(h\)/, /\bcancel\(h\)/]) {
      expect(text).toMatch(said);
    }
    expect(text).toMatch(/ stops it\. Each is a program of its own\.$/);
  },
);
