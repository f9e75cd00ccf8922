import { describe, expect, it } from "vitest";
import { answering, made, object, query, text } from "../testing/made.ts";

const boat = object({ id: text, name: text });
const id = { ...query("id"), in: "path", required: true };
const done = (summary: string, more: object = {}): object => ({
  summary,
  responses: { "200": { description: "" } },
  ...more,
});

/** The arguments and the body of each call that changes something at the paths of boats. */
async function bodies(paths: {
  readonly all?: object;
  readonly one?: object;
  readonly under?: object;
}) {
  const { domain, mappings, diagnostics } = await made({
    "/boats": { ...paths.all },
    "/boats/{id}": { parameters: [id], get: answering(boat), ...paths.one },
    "/boats/{id}/start": { parameters: [id], ...paths.under },
  });
  expect(diagnostics).toEqual([]);
  const effects = Object.entries(domain.capabilities).filter(([, { kind }]) => kind !== "get");
  return effects.map(([name, { parameters = [] }]) => ({
    parameters,
    body: mappings[name]?.["body"],
  }));
}

const taken = {
  parameters: [
    {
      name: "input",
      value_ref: "free",
      description: "the body, of which the document says nothing",
    },
  ],
  body: { type: "var", name: "input" },
};

describe("CAT-163 a body of which a document says nothing", () => {
  it.each<[string, Parameters<typeof bodies>[0]]>([
    ["what makes a row", { all: { post: done("Creates a boat") } }],
    ["what updates one", { one: { put: done("Updates an existing boat") } }],
    ["a patch", { one: { patch: done("The boat") } }],
  ])("%s takes JSON, which may be left out", async (_, paths) => {
    expect(await bodies(paths)).toEqual([taken]);
  });

  it.each<[string, Parameters<typeof bodies>[0]]>([
    ["what is done with a row", { under: { post: done("Starts the boat") } }],
    ["a patch that is done with a row", { under: { patch: done("Starts the boat") } }],
    ["a PUT that only says which", { one: { put: done("Follow a boat") } }],
    ["a removal", { one: { delete: done("Deletes a boat") } }],
  ])("%s takes nothing", async (_, paths) => {
    expect(await bodies(paths)).toEqual([{ parameters: [], body: undefined }]);
  });

  it("what takes its values in the query takes no body", async () => {
    const [effect] = await bodies({
      all: { post: done("Creates a boat", { parameters: [query("name")] }) },
    });
    expect(effect?.body).toBeUndefined();
  });
});
