import { expect, test } from "vitest";
import { buildCatalog, type CapabilitySpec } from "../../test/build-catalog.ts";
import { rowFaults } from "../../test/row-faults.ts";
import { rowsOf, tableLines, teach } from "../../test/teach.ts";
import type { Catalog } from "../mapping/template.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { cutTexts } from "./cut-texts.ts";

const effect = (preconditions: readonly object[], over: Partial<CapabilitySpec> = {}) => ({
  kind: "action",
  entity: "Order",
  more: () => ({ output: { type: "side_effect", description: "done" }, preconditions }),
  ...over,
});

const shop = (capabilities: Readonly<Record<string, CapabilitySpec>>): Catalog =>
  buildCatalog("shop", {
    entities: {
      Order: { fields: { id: "str", status: "pending|paid|sent", owner: "str", secret: "str" } },
      Refund: { fields: { id: "str", order: "→Order" } },
    },
    capabilities: {
      order_query: {
        kind: "query",
        entity: "Order",
        more: () => ({ provides: ["id", "status", "owner"] }),
      },
      refund_query: { kind: "query", entity: "Refund" },
      ...capabilities,
    },
  });

const taught = (catalog: Catalog, notation: "symbols" | "names", entities = ["Order"]) =>
  teach(new Map([["shop", catalog]]), [entities.map((each) => ["shop", each] as const)], {
    notation,
  }).waves[0];

const meaningOf = (catalog: Catalog, notation: "symbols" | "names", call: string): string =>
  rowsOf(taught(catalog, notation)).find(([left]) => left.includes(call))?.[1] ?? "";

test.each<[string, readonly object[], string]>([
  ["one value", [{ field: "status", eq: "pending" }], "needs status=pending"],
  [
    "one of some",
    [{ field: "status", in: ["pending", "paid"] }],
    "needs status in [pending, paid]",
  ],
  ["none of some", [{ field: "status", not_in: ["sent"] }], "needs not{status in [sent]}"],
  ["there", [{ field: "owner", exists: true }], "needs exists(owner)"],
  ["not there", [{ field: "owner", exists: false }], "needs not{exists(owner)}"],
  ["quoted", [{ field: "owner", eq: "ann lee" }], 'needs owner="ann lee"'],
  [
    "two",
    [
      { field: "status", eq: "paid" },
      { field: "owner", exists: true },
    ],
    "needs status=paid, exists(owner)",
  ],
])("17.17 the row of an effect says what must hold before it: %s", (_what, preconditions, says) => {
  const catalog = shop({ order_cancel: effect(preconditions, { description: "call it off" }) });
  expect(meaningOf(catalog, "names", ".cancel(")).toBe(`() · ${says} · call it off`);
});

test("17.17 in symbols it names columns by theirs, and the table says what they are (TEACH-20)", () => {
  const catalog = shop({ order_cancel: effect([{ field: "status", eq: "pending" }]) });
  expect(tableLines(taught(catalog, "symbols"))).toEqual([
    "p1  id str",
    "p2  owner str",
    "p4  status pending|paid|sent",
    "e1[p1,p2,p4]  [e1] Order",
    "e1($).m1()  () cancel · needs p4=pending",
  ]);
});

test("17.17 a field that no read gives is taught where an effect needs it", () => {
  const catalog = shop({ order_cancel: effect([{ field: "secret", exists: true }]) });
  const lines = tableLines(taught(catalog, "symbols"));
  expect(lines).toContain("p3  secret str");
  expect(lines.at(-1)).toBe("e1($).m1()  () cancel · needs exists(p3)");
});

test("17.17 a create says what must hold of the row that an argument refers to", () => {
  const refund = (entities: readonly string[], notation: "symbols" | "names") => {
    const catalog = shop({
      refund_create: {
        kind: "create",
        entity: "Refund",
        params: { order: "→Order" },
        more: () => ({ preconditions: [{ param: "order", field: "status", eq: "paid" }] }),
      },
    });
    return tableLines(taught(catalog, notation, [...entities])).findLast((line) =>
      /needs/.test(line),
    );
  };
  expect(refund(["Refund", "Order"], "symbols")).toBe(
    "e2.m2(p2=e1($))  e2 create · needs p2.p5=paid",
  );
  expect(refund(["Refund"], "symbols")).toBe("e1.m1(p2=$)  e1 create · needs p2.status=paid");
  expect(refund(["Refund", "Order"], "names")).toBe(
    "Refund.create(order=Order($))  Refund · needs order.status=paid",
  );
});

test("17.17 a long list and many preconditions keep within the budget of a cell", () => {
  const values = Array.from({ length: 40 }, (_none, at) => `value_${at}`);
  const long = shop({ order_cancel: effect([{ field: "owner", in: values }]) });
  const [, needs = ""] = / needs (.*)$/.exec(meaningOf(long, "names", ".cancel(")) ?? [];
  expect(needs).toMatch(/^owner in \[value_0, .*, … \+\d+\]$/);
  expect(needs.length).toBeLessThanOrEqual(70);
  const many = shop({
    order_cancel: effect(values.slice(0, 12).map((value) => ({ field: "owner", not_in: [value] }))),
  });
  expect(meaningOf(many, "names", ".cancel(")).toMatch(/, … \+\d+$/);
  expect(meaningOf(many, "names", ".cancel(").length).toBeLessThan(160);
  // What the budget cuts is reported by `catalog validate --strict`.
  const cut = { kind: "needs", of: "Order.cancel" };
  expect(cutTexts(long, ["Order"])).toEqual([{ ...cut, length: 399, limit: 60 }]);
  expect(cutTexts(many, ["Order"])).toEqual([{ ...cut, length: 278, limit: 100 }]);
});

test("17.17 every row still plans, in both notations (TEACH-19)", () => {
  const catalog = shop({
    order_cancel: effect([{ field: "status", in: ["pending", "paid"] }]),
    order_rename: effect([{ field: "secret", exists: false }], {
      kind: "update",
      params: { owner: "str" },
    }),
  });
  for (const notation of ["symbols", "names"] as const) {
    const { exposure } = teach(new Map([["shop", catalog]]), [[["shop", "Order", "Refund"]]], {
      notation,
    });
    expect(rowFaults(exposure, ALL_FEATURES)).toEqual([]);
  }
});
