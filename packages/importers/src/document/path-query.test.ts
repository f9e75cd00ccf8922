import { describe, expect, it } from "vitest";
import { answering, list, made, object, query, text } from "../testing/made.ts";

const photo = object({ id: text, title: text });
const inPath = (name: string, more: object = {}) => ({
  name,
  in: "path",
  required: true,
  schema: text,
  ...more,
});

describe("21 a path that is written with a query or a mark is called as it stands", () => {
  it("what it always has is sent, and what it leaves open is a parameter", async () => {
    const { domain, mappings, left, diagnostics } = await made({
      "/rest?do=photos.search&text={text}": {
        get: answering(list(photo), {
          parameters: [inPath("text", { description: "what is looked for" })],
        }),
      },
      "/rest?do=photos.getSizes": { get: answering(object({ width: text })) },
      "/photos#title": { get: answering(list(photo), { parameters: [query("title")] }) },
      "/uploads?convert={convert}": { post: answering(object({ url: text })) },
    });

    expect(diagnostics).toEqual([]);
    expect(left).toEqual([]);
    const sent = Object.values(mappings).map(({ method, path, query: asked }) => [
      method,
      path,
      asked,
    ]);
    const rest = [{ type: "literal", value: "rest" }];
    const always = (value: string) => ["do", { type: "const", value }];
    const given = (name: string, variable = name) => [name, { type: "var", name: variable }];
    const fields = (...all: unknown[]) => ({ type: "object", fields: all });
    expect(sent).toHaveLength(4);
    expect(sent).toEqual(
      expect.arrayContaining([
        ["GET", rest, fields(always("photos.search"), given("text"))],
        ["GET", rest, fields(always("photos.getSizes"))],
        ["GET", [{ type: "literal", value: "photos" }], fields(given("title"))],
        ["POST", [{ type: "literal", value: "uploads" }], fields(given("convert"))],
      ]),
    );
    const search = Object.values(domain.capabilities).find(({ parameters }) =>
      JSON.stringify(parameters ?? []).includes("looked for"),
    );
    expect(search).toMatchObject({ kind: expect.stringMatching(/query|search/) });
  });

  it.each(["/send/#env/v1/{id}", "/a?{name}=1", "/a?x=<b>"])(
    "%s says more than that",
    async (path) => {
      const { left } = await made({
        "/photos": { get: answering(list(photo)) },
        [path]: { get: answering(photo) },
      });
      expect(left).toEqual([`GET ${path}: its path has signs that no path may have`]);
    },
  );
});

it("21 a parameter of several forms takes the one that is a value, or a list of values", async () => {
  const forms = [
    { type: "array", items: object({ id: text }) },
    { type: "array", items: text },
  ];
  const parameters = [
    query("ids", { oneOf: forms }),
    query("when", { anyOf: [object({}), { type: "integer" }, list(object({ at: text }))] }),
    query("words", { type: "array", items: {} }),
    query("filter", { type: "object" }),
  ];
  const { domain, left, diagnostics } = await made({
    "/photos": { get: answering(list(photo), { parameters }) },
  });
  expect(diagnostics).toEqual([]);
  const [said] = Object.values(domain.capabilities);
  expect(said?.["parameters"]).toMatchObject([
    { name: "ids" },
    { name: "when" },
    { name: "words" },
  ]);
  expect(left).toEqual([
    "GET /photos: the parameter filter: it takes an object whose members the document does not name, nor how a query writes them",
  ]);
});
