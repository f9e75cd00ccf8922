import { expect, it } from "vitest";
import { answering, integer, list, made, object, text } from "../testing/made.ts";

const boat = object({ id: text, name: text });

/** The list of boats that answers elements of this form. */
async function listed(element: object) {
  const { domain, mappings, diagnostics } = await made({
    "/boats": { get: answering(object({ items: list(element), total: integer })) },
    "/boats/{id}": { get: answering(object({ boat })) },
  });
  expect(diagnostics).toEqual([]);
  const [name = ""] = Object.keys(mappings).filter((one) => /query/.test(one));
  return [domain.capabilities[name]?.["entity"], mappings[name]?.["response"]];
}

it("CAT-168 rows that are all that each element of a list holds are rows of their kind", async () => {
  expect(await listed(object({ boat }))).toEqual([
    "Boat",
    { items: "items", item_inner_key: "boat" },
  ]);
});

it("CAT-168 not where elements say more than that, nor where what they hold is no row", async () => {
  const [, beside] = await listed(object({ boat, rank: integer }));
  expect(beside).toEqual({ items: "items" });
  const [, plain] = await listed(object({ size: object({ width: integer }) }));
  expect(plain).toEqual({ items: "items" });
});
