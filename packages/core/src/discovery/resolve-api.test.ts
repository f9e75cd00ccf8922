import { actingIn, halfPairsIn, HOSTILE_TEXTS } from "@plasm/testkit";
import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { resolveApi } from "./resolve-api.ts";

const one = (entryId: string, more: object) =>
  buildCatalog(entryId, {
    entities: { Item: { fields: { id: "str" } } },
    capabilities: { item_get: { kind: "get", entity: "Item" } },
    more,
  });

const catalogs = [
  one("orchard", { label: "Fruit Trees", tags: ["sample"], registry_aliases: ["Garden"] }),
  one("depot", { label: "Store", tags: ["sample", "logistics"] }),
  one("store", { label: "Shop" }),
];

test.each([
  ["orchard", "orchard"],
  [" orchard ", "orchard"],
  ["ORCHARD", "orchard"],
  ["fruit trees", "orchard"],
  ["garden", "orchard"],
  ["Logistics", "depot"],
  ["store", "store"],
  ["shop", "store"],
])(
  "%j resolves to %s: exact id, else the only id, label, tag or alias (TEACH-40)",
  (name, entryId) => {
    expect(resolveApi(name, catalogs, {})).toEqual({ ok: true, entryId });
  },
);

test.each([
  ["sample", ["depot", "orchard"], "sample may be depot, orchard: name one of them."],
  ["STORE", ["depot", "store"], "STORE may be depot, store: name one of them."],
])("%s is ambiguous: its candidates are listed (TEACH-40)", (name, entryIds, message) => {
  expect(resolveApi(name, catalogs, {})).toEqual({
    ok: false,
    reason: "ambiguous",
    entryIds,
    message,
  });
});

test.each([
  ["orchad", ["orchard"], "No catalog orchad. Nearest: orchard."],
  ["stor", ["depot", "store"], "No catalog stor. Nearest: depot, store."],
  ["warehouse", [], "No catalog warehouse. Catalogs: depot, orchard, store."],
])("%s is unknown: the nearest within distance 3 (TEACH-40)", (name, entryIds, message) => {
  expect(resolveApi(name, catalogs, {})).toEqual({
    ok: false,
    reason: "unknown",
    entryIds,
    message,
  });
});

test.each(["orchard", "Orchard", "garden", "fruit trees", "orchad"])(
  "a forbidden catalog answers to %s as one that does not exist (TEACH-40, G19)",
  (name) => {
    const policy = { apis: { depot: {}, store: {} } };
    const without = catalogs.filter(({ entryId }) => entryId !== "orchard");
    expect(resolveApi(name, catalogs, policy)).toEqual(resolveApi(name, without, {}));
    expect(resolveApi("sample", catalogs, policy)).toEqual({ ok: true, entryId: "depot" });
  },
);

test("nobody is told of catalogs when there are none", () => {
  expect(resolveApi("x", catalogs, { apis: {} })).toMatchObject({
    message: "No catalog x. There are none.",
  });
});

test.each(HOSTILE_TEXTS)("P24: a name that is $name is repeated on one line", ({ text }) => {
  const found = resolveApi(text, catalogs, {});
  if (found.ok) throw new Error("no catalog has such a name");
  expect([actingIn(found.message), halfPairsIn(found.message)]).toEqual([[], 0]);
  expect(found.message.split("\n")).toHaveLength(1);
});

test("a name of a megabyte is cut", () => {
  const found = resolveApi("a".repeat(1_000_000), catalogs, {});
  if (found.ok) throw new Error("no catalog has such a name");
  expect(found.message).toMatch(/^No catalog a{239}…\. /);
});
