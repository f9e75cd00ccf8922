import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { rowsOf, teach } from "../../test/teach.ts";

const LONG = Array.from({ length: 8 }, (_, at) => `option-${at}`).join("|");

const catalog = buildCatalog("shop", {
  entities: {
    Item: {
      fields: {
        id: "str",
        a: "int",
        b: "num",
        c: "bool",
        d: "date",
        e: "datetime",
        f: "uuid",
        g: "json",
        h: "blob",
        i: "markdown",
        j: "document",
        k: "html",
        l: "json_text",
        n: "red|two words|true",
        o: "[str]",
        q: "[red|blue]",
        r: "→Item",
        s: "→Box",
        t: "→Part",
        u: "[→Box]",
        v: LONG,
        w: LONG,
        x: `[${LONG}]`,
        y: `[${LONG}]`,
        z: "→Slot",
      },
    },
    Box: { fields: { id: "uuid" } },
    Part: { key: ["maker", "no"], fields: { maker: "→Box", no: "int" } },
    Slot: { fields: { id: "→Box" } },
  },
  capabilities: {
    item_get: { kind: "get", entity: "Item" },
    box_get: { kind: "get", entity: "Box" },
    part_get: { kind: "get", entity: "Part" },
    slot_get: { kind: "get", entity: "Slot" },
  },
});

const rows = rowsOf(teach(new Map([["shop", catalog]]), [[["shop", "Item"]]]).waves[0]);

test.each([
  ["id", "str"],
  ["a", "int"],
  ["b", "num"],
  ["c", "bool"],
  ["d", "date"],
  ["e", "datetime"],
  ["f", "uuid"],
  ["g", "json"],
  ["h", "blob"],
  ["i", "markdown"],
  ["j", "document"],
  ["k", "html"],
  ["l", "json_text"],
  ["n", 'red|"two words"|"true"'],
  ["o", "[str]"],
  ["q", "[red|blue]"],
  ["r", "e1"],
  ["s", "Box(uuid)"],
  ["t", "Part(maker=uuid, no=int)"],
  ["u", "[Box(uuid)]"],
  ["z", "Slot(uuid)"],
  ["v", LONG],
])("the type of %s is written %s (TEACH-21, TEACH-23)", (name, type) => {
  const row = rows.find(([, meaning]) => meaning.startsWith(`${name} `));
  expect(row?.[1]).toBe(`${name} ${type}`);
});

test("a type over 60 code points is written once, later slots say where (TEACH-23)", () => {
  const symbol = (name: string) => rows.find(([, meaning]) => meaning.startsWith(`${name} `));
  const v = symbol("v")?.[0];
  const x = symbol("x")?.[0];
  expect(symbol("w")?.[1]).toBe(`w as ${v}`);
  expect(symbol("x")?.[1]).toBe(`x [as ${v}]`);
  expect(symbol("y")?.[1]).toBe(`y as ${x}`);
});
