import type { Json } from "@plasm/core";
import { describe, expect, test } from "vitest";
import { catalogOf } from "../testing/fixture-run.ts";
import { createDiagnosticLog } from "../base/diagnostic.ts";
import { decodeRow } from "./decode-row.ts";
import { contextEntity, type RowOrigin } from "./row-references.ts";
import { makeIdentity } from "./entity-row.ts";

const catalog = catalogOf(
  "depot",
  `
version: 1
http_backend: https://depot.example
values:
  text: { type: string, string_semantics: short }
  number: { type: number }
  count: { type: integer }
  flag: { type: boolean }
  stage: { type: select, allowed_values: [packed, sent, on hold, a_b, a-b] }
  stages: { type: multi_select, allowed_values: [packed, sent] }
  free: { type: json }
  code: { type: uuid }
  tag: { type: string, string_semantics: short }
  tags: { type: array, items: { value_ref: tag } }
  depot: { type: entity_ref, target: Depot }
  crate: { type: entity_ref, target: Crate }
  crates: { type: array, items: { value_ref: crate } }
entities:
  Crate:
    id_field: id
    fields:
      id: { value_ref: text }
      kg: { value_ref: number }
      size: { value_ref: count }
      sealed: { value_ref: flag }
      stage: { value_ref: stage }
      stages: { value_ref: stages }
      code: { value_ref: code }
      tags: { value_ref: tags }
      free: { value_ref: free }
      city: { value_ref: text, path: to.address.city }
      all: { value_ref: free, path: [] }
      depot: { value_ref: depot }
      parts: { value_ref: crates }
    relations:
      lot: { target: Lot, cardinality: one }
      scans: { target: Scan, cardinality: many, materialize: { kind: from_parent_get, path: [{ key: scans }, { wildcard: true }] } }
  Depot: { id_field: code, fields: { code: { value_ref: text, path: meta.code }, name: { value_ref: text } } }
  Lot: { key_vars: [depot, no], id_field: no, fields: { depot: { value_ref: text }, no: { value_ref: count } } }
  Scan: { key_vars: [crate, at], id_field: at, fields: { crate: { value_ref: crate }, at: { value_ref: count } } }
  Thing: { id_field: name, fields: { name: { value_ref: text } } }
  Deep: { id_from: a.b, fields: { c: { value_ref: text } } }
capabilities:
  crate_get: { kind: get, entity: Crate }
  depot_get: { kind: get, entity: Depot }
  lot_get: { kind: get, entity: Lot }
  scan_get: { kind: get, entity: Scan }
  thing_get: { kind: get, entity: Thing }
  deep_get: { kind: get, entity: Deep }
`,
  ["crate", "depot", "lot", "scan", "thing", "deep"]
    .map((name) => {
      const path = { lot: ["depot", "no"], scan: ["crate", "at"] }[name] ?? ["id"];
      const segments = path.map((variable) => `{ type: var, name: ${variable} }`).join(", ");
      return `${name}_get: { method: GET, path: [${segments}], response: single }`;
    })
    .join("\n"),
);

function decode(entity: string, wire: Json, over: Partial<RowOrigin> = {}) {
  const log = createDiagnosticLog("n1");
  const context = { catalog, log };
  const row = decodeRow(context, wire, {
    entity: contextEntity(context, entity),
    provides: null,
    ambient: {},
    requested: null,
    index: 0,
    ...over,
  });
  return { row, codes: log.entries().map(({ code }) => code) };
}

test("21 an empty text beside options is no word that the catalog lacks (RUN-033)", () => {
  const { codes, row } = decode("Crate", { id: "c1", stage: "" });
  expect(row?.fields.get("stage")).toBe("");
  expect(codes).toEqual([]);
});

const field = (wire: Json, name: string) => {
  const { row, codes } = decode("Crate", wire);
  return [row.fields.get(name), codes];
};

describe("RUN-033: values keep their wire form but for these", () => {
  const bad = ["value_unconverted"];
  test.each<[string, Json, Json, readonly string[]]>([
    ["kg", "18.40", 18.4, []],
    ["kg", "12.345678901234567890", "12.34567890123456789", []],
    ["kg", "heavy", "heavy", bad],
    ["kg", 3, 3, []],
    ["size", "7", 7, []],
    ["sealed", "true", true, []],
    ["kg", " ", null, []],
    ["sealed", "yes", "yes", bad],
    ["sealed", 1, true, []],
    ["sealed", "0", false, []],
    ["sealed", 2, 2, bad],
    ["sealed", "", null, []],
    ["stage", 4, "4", []],
    ["stage", "PACKED", "packed", []],
    ["stage", "on_hold", "on hold", []],
    ["stage", "On-Hold", "on hold", []],
    ["stage", "lost", "lost", []],
    ["stage", "a_b", "a_b", []],
    ["stage", "A B", "A B", []],
    ["stages", ["SENT", "lost", "packed"], ["sent", "lost", "packed"], []],
    ["code", 42, "42", []],
    ["id", 17, "17", []],
    ["tags", ["a", 2], ["a", "2"], []],
    ["tags", "a", "a", bad],
    ["free", { a: [1, "2"] }, { a: [1, "2"] }, []],
    ["free", "bell\u0007\tand\nline", "bell\tand\nline", []],
    ["id", null, null, []],
  ])("%s %j is %j", (name, wire, expected, codes) => {
    expect(field({ [name]: wire }, name)).toEqual([expected, codes]);
  });
});

describe("RUN-032, RUN-035: paths; value, null and unknown", () => {
  test.each<[string, Json, Json | undefined, readonly string[]]>([
    ["a path", { to: { address: { city: "Kiel" } } }, "Kiel", []],
    ["a missing key", { to: {} }, undefined, []],
    ["a null on the way", { to: null }, null, []],
    ["a wrong type on the way", { to: "Kiel" }, undefined, ["path_type"]],
    ["a list on the way", { to: [{ address: {} }] }, undefined, ["path_type"]],
  ])("%s", (_name, wire, expected, codes) => {
    expect(field(wire, "city")).toEqual([expected, codes]);
  });

  test("an empty path is the whole row", () => {
    expect(field({ id: "c1", x: 1 }, "all")[0]).toEqual({ id: "c1", x: 1 });
  });

  test("absent is null only if provides lists it", () => {
    const { row } = decode("Crate", { id: "c1" }, { provides: new Set(["id", "kg", "lot"]) });
    expect([row.fields.get("kg"), row.fields.has("size")]).toEqual([null, false]);
    expect([row.references.get("lot"), row.references.has("depot")]).toEqual([null, false]);
  });
});

describe("RUN-043 to RUN-047: identity", () => {
  test.each<[string, string, Json, string | null]>([
    ["the id_field", "Crate", { id: 1 }, "Crate:1"],
    ["the id_field by its path", "Depot", { meta: { code: "k" }, id: "x" }, "Depot:k"],
    ["never another key where the id_field has a path", "Depot", { id: "x" }, null],
    ["id_from", "Deep", { a: { b: "z" } }, "Deep:z"],
    ["the usual keys, in their order", "Thing", { key: "k", _id: "i" }, "Thing:i"],
    ["the first of them that is a scalar", "Thing", { id: {}, uuid: "u" }, "Thing:u"],
    ["a scalar row itself", "Crate", "c9", "Crate:c9"],
    ["nothing", "Crate", { kg: 1 }, null],
    [
      "parts of a compound key, sorted and escaped",
      "Lot",
      { no: 3, depot: "a,b=c%" },
      "Lot:depot=a%2Cb%3Dc%25,no=3",
    ],
    ["a part missing", "Lot", { no: 3 }, null],
  ])("%s", (_name, entity, wire, expected) => {
    expect(decode(entity, wire).row.identity?.text ?? null).toBe(expected);
  });

  test("a part from ambient (RUN-045); missing key fields are filled (RUN-046)", () => {
    const { row } = decode("Lot", { no: "3" }, { ambient: { depot: "d1", state: "x" } });
    expect(row.identity?.text).toBe("Lot:depot=d1,no=3");
    expect(row.fields.get("depot")).toBe("d1");
    expect(row.ambient).toEqual({ depot: "d1", state: "x", no: 3 });
  });

  test("the request's identity where the row has none", () => {
    const crate = contextEntity({ catalog, log: createDiagnosticLog("n1") }, "Crate");
    const requested = makeIdentity(crate, { id: "c1" });
    expect(decode("Crate", { kg: 1 }, { requested }).row.identity?.text).toBe("Crate:c1");
    expect(decode("Crate", { id: "c2" }, { requested }).row.identity?.text).toBe("Crate:c2");
  });
});

describe("RUN-036, RUN-037: references and embedded rows", () => {
  test("a reference as object, honouring the target's id path, and as scalar", () => {
    const { row } = decode("Crate", { id: "c1", depot: { meta: { code: "k" }, name: "Kiel" } });
    expect(row.fields.get("depot")).toBe("k");
    expect(row.references.get("depot")?.embedded?.fields.get("name")).toBe("Kiel");
    expect(decode("Crate", { depot: 7 }).row.fields.get("depot")).toBe("7");
  });

  test("a compound one-relation as object", () => {
    const { row } = decode("Crate", { lot: { depot: "d1", no: 3 } });
    expect(row.references.get("lot")?.identity.text).toBe("Lot:depot=d1,no=3");
  });

  test("what is no identity stays, with a diagnostic", () => {
    expect(field({ depot: ["k"] }, "depot")).toEqual([["k"], ["value_unconverted"]]);
  });

  test("elements that are rows are narrowed to their key", () => {
    expect(field({ parts: [{ id: "c2", kg: 1 }, "c3"] }, "parts")[0]).toEqual(["c2", "c3"]);
  });

  test("embedded rows take a missing key part from their parent", () => {
    const { row } = decode("Crate", { id: "c1", scans: [{ at: 1 }, { at: 2 }] });
    const scans = row.edges.get("scans");
    expect(scans?.map(({ identity }) => identity?.text)).toEqual([
      "Scan:at=1,crate=c1",
      "Scan:at=2,crate=c1",
    ]);
  });

  test("an absent path leaves the edge unknown, an empty list clears it", () => {
    expect(decode("Crate", { id: "c1" }).row.edges.has("scans")).toBe(false);
    expect(decode("Crate", { id: "c1", scans: [] }).row.edges.get("scans")).toEqual([]);
  });
});
