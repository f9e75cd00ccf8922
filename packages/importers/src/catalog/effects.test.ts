import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, ref, taking, text } from "../testing/made.ts";

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

describe("21 a create gives its row, in whatever form its answer has it", () => {
  const read = object({ id: integer, name: text, size: integer });
  const components = {
    schemas: {
      Boat: read,
      BoatCreated: object({ id: text, name: text }),
      BoatTicket: object({ id: text }),
      ImportJob: object({ id: text, name: text }),
      Result: object({ itemId: object({}), message: text }),
    },
  };
  const create = async (answer: unknown, path = "/boats") => {
    const paths = {
      "/boats": { get: answering(list(ref("Boat"))) },
      "/boats/{id}": { get: answering(ref("Boat")) },
    };
    const { domain, mappings, diagnostics } = await made(
      { ...paths, [path]: { ...Object(paths)[path], post: answering(answer) } },
      { components },
    );
    expect(diagnostics).toEqual([]);
    const [name, said] =
      Object.entries(domain.capabilities).find(([, { kind }]) => kind === "create") ?? [];
    return { ...said, response: mappings[name ?? ""]?.["response"] };
  };

  it.each<[string, unknown, object]>([
    [
      "another schema with its key and columns",
      ref("BoatCreated"),
      { response: "single", provides: ["id", "name"] },
    ],
    ["its key alone", ref("BoatTicket"), { response: "single", provides: ["id"] }],
    [
      "a key that one answer writes as text, another as a number",
      object({ id: text, name: text }),
      { response: "single", provides: ["id", "name"] },
    ],
    [
      "a version and messages around it",
      object({
        version: object({ resource: text }),
        messages: list(object({ code: integer })),
        content: read,
      }),
      { response: { single: true, items_path: ["content"] } },
    ],
    [
      "what stands beside it in a document of resources",
      object({ data: ref("Boat"), included: list(object({ id: text })), links: object({}) }),
      { response: { single: true, items_path: ["data"] } },
    ],
    [
      "its new key under a name of its own",
      ref("Result"),
      { response: { single: true, items_path: ["itemId"] }, provides: ["id"] },
    ],
    [
      "its key as the whole answer",
      integer,
      { response: { single: true, wrap_root_scalar: true }, provides: ["id"] },
    ],
  ])("%s", async (_, answer, expected) => {
    const said = await create(answer);
    expect(said).toMatchObject(expected);
    expect(said).not.toHaveProperty("output");
  });

  it("the address of what was made, in a header", async () => {
    const headers = { Location: { schema: text } };
    const { domain, diagnostics } = await made({
      "/boats": { post: { responses: { "201": { description: "", headers } } } },
      "/boats/{id}": { get: answering(read) },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.capabilities["boat_create"]).toMatchObject({ kind: "create", provides: ["id"] });
    expect(domain.capabilities["boat_create"]).not.toHaveProperty("output");
  });

  it("a list of its rows", async () => {
    expect(await create(list(ref("Boat")))).toMatchObject({
      response: "bare_list",
      output: { type: "collection", entity_type: "Boat" },
    });
  });

  it.each<[string, unknown]>([
    ["what was begun, which has a key of its own", ref("ImportJob")],
    ["what has another key, and little of the row", object({ token: text, url: text })],
    ["how it went", object({ success: { type: "boolean" } })],
    ["any text", text],
  ])("%s is no row of it", async (_, answer) => {
    expect(await create(answer)).toMatchObject({ output: { type: "custom" } });
  });

  it("an object that is called as the rows of what it is made among", async () => {
    const action = object({ id: integer, command: text, status: text });
    const { domain, mappings, diagnostics } = await made({
      "/servers/{id}": { get: answering(object({ id: integer })) },
      "/servers/{id}/actions": { get: answering(object({ actions: list(action) })) },
      "/servers/{id}/actions/{action_id}": { get: answering(object({ action })) },
      "/servers/{id}/actions/reboot": { post: answering(object({ action })) },
    });
    expect(diagnostics).toEqual([]);
    const [name] =
      Object.entries(domain.capabilities).find(([, { kind }]) => kind === "create") ?? [];
    expect(domain.capabilities[name ?? ""]).not.toHaveProperty("output");
    expect(mappings[name ?? ""]?.["response"]).toEqual({ single: true, items_path: ["action"] });
  });
});

it("21 what is done at no row belongs to the entity that is called so", async () => {
  const { domain, diagnostics } = await made({
    "/owners/{owner}/boats": { get: answering(list(boat)) },
    "/harbour/sweep": { post: taking(object({ at: text }), { tags: ["Boats"] }) },
  });
  expect(diagnostics).toEqual([]);
  expect(Object.keys(domain.entities)).toEqual(["Boat"]);
  const effects = Object.values(domain.capabilities).filter(({ kind }) => kind === "action");
  expect(effects).toMatchObject([{ entity: "Boat" }]);
});
