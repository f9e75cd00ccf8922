import { patchedCatalog } from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import { openText } from "./testing/open-text.ts";

const { domain, mappings } = patchedCatalog({});

describe("files (CAT-010 to CAT-016)", () => {
  test.each<[string, string, string, string, readonly string[]]>([
    ["CAT012", "a custom tag", "a: !vault x\n", "1:4", ["!vault"]],
    [
      "CAT012",
      "a merge key",
      "a: &a {}\nb: {<<: *a}\n",
      "2:5",
      ["merge key <<", "repeat the keys"],
    ],
    ["CAT012", "two documents", "a: 1\n---\nb: 2\n", "2:1", ["multiple documents"]],
    ["CAT012", "another boolean", "a: True\n", "1:4", ["True", "write true"]],
    ["CAT012", "an undefined alias", "a: *b\n", "1:4", ["*b", "anchor"]],
    ["CAT012", "an alias inside its anchor", "a: &a [*a]\n", "1:8", ["*a inside its own anchor"]],
    ["CAT012", "half a pair", 'a: "\\ud83d"\n', "1:4", ["surrogate", "the character itself"]],
    ["CAT012", "half a pair in a key", '"\\ude00": 1\n', "1:1", ["surrogate"]],
    ["CAT012", "no YAML", "a: [1\n", "2:1", ["]"]],
    ["CAT012", "infinity", "a: .inf\n", "1:4", [".inf", "decimal number"]],
    ["CAT012", "a map as key", "? {a: 1}\n: b\n", "1:3", ["map key", "name"]],
    ["CAT013", "depth 101", `a: ${"[".repeat(100)}${"]".repeat(100)}\n`, "1:103", ["depth 100"]],
    ["CAT013", "depth far beyond", `${"[".repeat(50_000)}\n`, "1:101", ["depth 100"]],
    ["CAT013", "lists in lists in one line", `${"- ".repeat(50_000)}\n`, "1:201", ["depth 100"]],
    ["CAT012", "as many faults as characters", `a: b\n${"]".repeat(50_000)}`, "2:1", ["]"]],
    ["CAT012", "warnings without end", "[!a x],".repeat(5_000), "1:2", ["!a"]],
    [
      "CAT013",
      "aliases that multiply",
      `a: &a [${"1,".repeat(99)}1]\nb: &b [${"*a,".repeat(99)}*a]\nc: &c [${"*b,".repeat(99)}*b]\n`,
      "3:7",
      ["1000000 nodes"],
    ],
    ["CAT003", "an empty file", "# nothing\n", "1:1", ["empty file", "a map"]],
    ["CAT003", "a list", "- a\n", "1:1", ["a list of 1", "a map"]],
  ])("%s: %s", (code, _name, text, place, says) => {
    const { catalog, found } = openText(text, mappings);
    expect(catalog).toBeNull();
    const first = found.find((each) => each.file === "domain.yaml");
    expect([first?.code, `${first?.line}:${first?.column}`]).toEqual([code, place]);
    for (const part of says) expect(first?.message).toContain(part);
  });

  test("CAT-010: mappings are missing, or there twice", () => {
    expect(openText(domain, undefined).found.map(({ code }) => code)).toEqual(["CAT010"]);
    const { found } = openText(`${domain}mappings: {}\n`, mappings);
    expect(found.map(({ code, keyPath }) => [code, keyPath])).toEqual([["CAT010", "mappings"]]);
    expect(found[0]?.message).toContain("domain.yaml and mappings.yaml");
  });

  test("CAT-010: one file may hold both parts", () => {
    const inner = mappings.replaceAll(/^/gm, "  ");
    const single = openText(`${domain}mappings:\n${inner}`, undefined);
    expect(single.found).toEqual([]);
    expect(single.catalog?.digest).toBe(openText(domain, mappings).catalog?.digest);
    const broken = openText(`${domain}mappings:\n${inner.replace("GET", "GIT")}`, undefined);
    expect(broken.found.map(({ code, keyPath }) => [code, keyPath])).toEqual([
      ["CAT002", "mappings.parcel_query.method"],
    ]);
  });

  test("CAT-011: at most 50 MiB", () => {
    const { found, catalog } = openText(`#${" ".repeat(50 * 1024 * 1024)}`, mappings);
    expect(catalog).toBeNull();
    expect(found.map(({ code }) => code)).toEqual(["CAT011"]);
    expect(found[0]?.message).toContain("52428801 bytes");
    expect(found[0]?.message).toContain("at most 52428800");
  });

  test("CAT-011: a BOM is tolerated, columns do not count it", () => {
    expect(openText(`\ufeff${domain}`, mappings).found).toEqual([]);
    const { found } = openText(`\ufeff${domain.replace("version", "versoin")}`, mappings);
    expect(found.map(({ code, line, column }) => [code, line, column])).toContainEqual([
      "CAT001",
      1,
      1,
    ]);
  });

  test("CAT-016: the entry id", () => {
    for (const id of ["Parcels", "", "-a", "a b", "x".repeat(65)]) {
      const { found, catalog } = openText(domain, mappings, id);
      expect([id, found.map(({ code }) => code), catalog]).toEqual([id, ["CAT016"], null]);
    }
    expect(openText(domain, mappings, "a_b-c.9").found).toEqual([]);
  });

  test("columns count code points (1-based)", () => {
    const text = domain.replace("{type: string,", "{description: 😀é, typ: string,");
    const { found } = openText(text, mappings);
    expect(found.map(({ code, line, column }) => [code, line, column])).toEqual([
      ["CAT003", 4, 3],
      ["CAT001", 4, 27],
    ]);
  });
});

test("CAT-014: numbers that a double cannot hold stay exact, as decimal text", () => {
  const body =
    "{type: object, fields: [[a, {type: const, value: 9007199254740993}], [b, {type: const, value: 0x1FFFFFFFFFFFFFFF}], [c, {type: const, value: 1.50}], [d, {type: const, value: '9007199254740993'}]]}";
  const more = patchedCatalog({
    capabilities: "parcel_new: {kind: create, entity: Parcel}",
    mappings: `parcel_new: {method: POST, path: [], body: ${body}}`,
  });
  const { catalog } = openText(more.domain, more.mappings);
  const template = catalog?.cml.get("parcel_new");
  const fields =
    template?.transport === "http" && template.body?.type === "object" ? template.body.fields : [];
  expect(fields.map(([, value]) => (value.type === "const" ? value.value : null))).toEqual([
    "9007199254740993",
    "2305843009213693951",
    1.5,
    "9007199254740993",
  ]);
});

test("CAT-012: anchors and aliases, dates and yes are text", () => {
  const more = patchedCatalog({
    values: "odd: {type: select, allowed_values: [yes, 2026-01-31, 0123, 1e3, null_]}",
    mappings: "x-a: &a {anything: [goes]}\nx-b: *a",
    fields: "odd: {value_ref: odd}",
  });
  const { catalog, found } = openText(more.domain, more.mappings);
  expect(found).toEqual([]);
  expect(catalog?.cgs.entities.get("Parcel")?.fields.get("odd")?.type).toEqual({
    kind: "select",
    options: ["yes", "2026-01-31", "0123", "1e3", "null_"],
  });
});
