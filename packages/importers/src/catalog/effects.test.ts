import { describe, expect, it } from "vitest";
import { answering, list, made, object, taking, text } from "../testing/made.ts";

const boat = object({ id: text, name: text });

describe("what an effect is done to, where its path goes on from a list that has variables", () => {
  const lists = { "/owners/{owner}/boats": { get: answering(list(boat)) } };
  const post = taking(object({ at: text }));

  it.each<[string, string, string, string, object]>([
    ["a POST makes rows", "post", "/owners/{owner}/boats/import", "Boat", { kind: "create" }],
    [
      "what names a row is done to that row",
      "post",
      "/owners/{owner}/boats/{boat}/sail",
      "OwnerBoat",
      { kind: "action" },
    ],
    [
      "what is done to all rows is done to what they belong to",
      "delete",
      "/owners/{owner}/boats",
      "Owner",
      { kind: "action" },
    ],
  ])("%s", async (_, method, path, entity, expected) => {
    const own = Object.entries(lists).find(([one]) => one === path)?.[1];
    const { domain, left, diagnostics } = await made({
      ...lists,
      [path]: { ...own, [method]: post },
    });
    expect(left).toEqual([]);
    expect(diagnostics).toEqual([]);
    const effects = Object.values(domain.capabilities).filter(({ kind }) => kind !== "query");
    expect(effects).toEqual([expect.objectContaining({ ...expected, entity })]);
    expect(Object.keys(domain.entities).toSorted()).toEqual([...new Set(["Boat", entity])]);
  });
});

it("an effect that answers a bare list of no entity's rows answers them", async () => {
  const paths = {
    "/boats/{id}": { get: answering(boat) },
    "/boats/{id}/tags": { put: answering(list(object({ tag: text }))) },
    "/boats/{id}/words": { put: answering(list(text)) },
  };
  const { domain, mappings, diagnostics } = await made(paths);
  expect(diagnostics).toEqual([]);
  for (const name of ["boat_set_tags", "boat_set_words"]) {
    expect(domain.capabilities[name]?.["output"]).toMatchObject({ type: "custom" });
    expect(mappings[name]).toHaveProperty("response");
  }
});
