import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, ref, text } from "../testing/made.ts";

const boat = object({ id: integer, name: text, length: integer });
const answered = (status: string, schema: unknown) => ({
  [status]: { description: "", content: { "application/json": { schema } } },
});
const home = { "/boats": { get: answering(list(boat)) }, "/boats/{id}": { get: answering(boat) } };

/** What a POST to `/boats` gives that answers so, as its capability and response. */
async function made201(responses: object, paths: object = home, schemas: object = {}) {
  const { domain, mappings, diagnostics } = await made(
    { ...paths, "/boats": { ...(paths as typeof home)["/boats"], post: { responses } } },
    { components: { schemas } },
  );
  expect(diagnostics).toEqual([]);
  const capability = domain.capabilities["boat_create"];
  return { ...capability, response: mappings["boat_create"]?.["response"], domain };
}

describe("21 a create gives the row that its answer has (docs/adr/0269)", () => {
  it("beside a 202 of another form, which says only that it was taken on", async () => {
    const responses = { ...answered("201", boat), ...answered("202", object({ message: text })) };
    const said = await made201(responses);
    expect(said).toMatchObject({ response: "single" });
    expect(said).not.toHaveProperty("output");
  });

  it("beside work that was begun with it, which is told of elsewhere", async () => {
    const action = object({ id: integer, status: text });
    const said = await made201(
      answered("201", object({ boat, action, next_actions: list(action) })),
    );
    expect(said).toMatchObject({ response: { single: true, items_path: ["boat"] } });
  });

  it("unless a text stands beside it that nothing else tells", async () => {
    const said = await made201(answered("201", object({ boat, root_password: text })));
    expect(said).toMatchObject({ response: "single", output: { type: "custom" } });
  });

  it("with what only the create says of it, as columns", async () => {
    const { domain, ...said } = await made201(
      answered("201", object({ id: integer, upload_url: text, expires_in: integer })),
    );
    expect(said).toMatchObject({ provides: ["id", "expires_in", "upload_url"] });
    expect(said).not.toHaveProperty("output");
    expect(Object.keys(domain.entities["Boat"]?.fields ?? {})).toContain("upload_url");
  });

  it("by a key that the row's own get does not say", async () => {
    const { domain, mappings, diagnostics } = await made({
      "/uploads": { post: answering(object({ uploadId: text, uploadUrl: text })) },
      "/uploads/{upload_id}": { get: answering(object({ size: integer, state: text })) },
    });
    expect(diagnostics).toEqual([]);
    const upload = domain.entities["Upload"];
    expect(upload?.fields["upload_id"]).toMatchObject({ path: ["uploadId"] });
    expect(domain.capabilities["upload_create"]).not.toHaveProperty("output");
    expect(mappings["upload_create"]?.["response"]).toBe("single");
  });

  it("by its key, beside the address of it or what was sent", async () => {
    const said = await made201(answered("201", object({ id: integer, href: text })));
    expect(said).toMatchObject({ provides: ["id"] });
    const echoed = await made201(
      answered("201", object({ id: integer, result: object({ name: text }) })),
    );
    expect(echoed).not.toHaveProperty("output");
  });

  it("by its key under all the words of its name", async () => {
    const scheme = object({ id: text, name: text });
    const { domain, mappings } = await made(
      {
        "/boatschemes": {
          get: answering(list(ref("BoatScheme"))),
          post: answering(object({ boatSchemeId: text })),
        },
        "/boatschemes/{id}": { get: answering(ref("BoatScheme")) },
      },
      { components: { schemas: { BoatScheme: scheme } } },
    );
    expect(domain.capabilities["boatscheme_create"]).toMatchObject({ provides: ["id"] });
    expect(mappings["boatscheme_create"]?.["response"]).toEqual({
      single: true,
      items_path: ["boatSchemeId"],
    });
  });

  it("no row of it, where it is only taken on: the key may be that of the work", async () => {
    const said = await made201(
      answered("202", object({ id: integer, state: text, queue: text, eta: text })),
    );
    expect(said).toMatchObject({ output: { type: "custom" } });
  });

  it("or the row of what its path names, of several keys", async () => {
    const { domain, diagnostics } = await made(
      {
        "/fleets/{fleet}": { get: answering(object({ id: text })) },
        "/fleets/{fleet}/boats/{number}": { get: answering(ref("Boat")) },
        "/fleets/{fleet}/boats/{number}/crew": {
          get: answering(object({ users: list(text) })),
          post: answering(ref("Boat")),
        },
      },
      { components: { schemas: { Boat: object({ number: integer, name: text }) } } },
    );
    expect(diagnostics).toEqual([]);
    const outputs = Object.values(domain.capabilities).flatMap(({ kind, output }) =>
      kind === "create" || kind === "action" ? [output] : [],
    );
    expect(outputs).toEqual([{ type: "entity", entity_type: "Boat" }]);
  });
});

describe("21 names that a person would choose", () => {
  it.each([
    ["/2/lists", "/2/lists/{id}", object({ id: text, title: text }), "List"],
    ["/charts", "/charts/{pk}", ref("ChartRestApi.get_list"), "Chart"],
  ])("%s", async (path, one, row, name) => {
    const { domain } = await made(
      { [path]: { get: answering(list(row)) }, [one]: { get: answering(row) } },
      {
        components: { schemas: { "ChartRestApi.get_list": object({ id: integer, title: text }) } },
      },
    );
    expect(Object.keys(domain.entities)).toEqual([name]);
  });

  it("of a list that is called its result, and of rows beside `includes`", async () => {
    const { domain } = await made({
      "/boats": {
        get: answering(
          object({ count: integer, ids: list(integer), label: object({}), result: list(boat) }),
        ),
      },
      "/boats/{id}": {
        get: answering(
          object({
            data: boat,
            includes: object({ crew: list(object({ id: text })) }),
            errors: list(object({ title: text })),
          }),
        ),
      },
    });
    expect(Object.keys(domain.entities["Boat"]?.fields ?? {})).toEqual(["id", "length", "name"]);
    expect(Object.values(domain.capabilities).map(({ kind }) => kind)).toEqual(["query", "get"]);
  });
});
