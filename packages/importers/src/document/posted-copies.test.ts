import { describe, expect, it } from "vitest";
import { answering, list, made, object, query, text } from "../testing/made.ts";

const boat = object({ id: text, name: text });
const asked = { parameters: [query("state")] };
const form = {
  requestBody: {
    content: { "application/x-www-form-urlencoded": { schema: object({ state: text }) } },
  },
};
const said = { summary: "Searches the boats of a state" };

/** The methods that a path with this GET and this POST is called by. */
async function methods(get: object, post: object, path = "/boats", answer: object = list(boat)) {
  const { mappings } = await made({
    [path]: { get: answering(list(boat), get), post: answering(answer, post) },
  });
  return Object.values(mappings)
    .map(({ method }) => String(method))
    .toSorted();
}

describe("CAT-167 a POST that is the GET of its path once more is left out", () => {
  it.each<[string, object, object]>([
    ["that takes the same in its query", { ...asked, ...said }, { ...asked, ...said }],
    ["that takes it as a form", { ...asked, ...said }, { ...form, ...said }],
    [
      "that only its name tells apart",
      { ...asked, operationId: "getTextUsingGET" },
      { ...asked, operationId: "getTextUsingPOST" },
    ],
  ])("one %s", async (_, get, post) => expect(await methods(get, post)).toEqual(["GET"]));

  it.each<[string, object, object, (object | undefined)?]>([
    ["that takes nothing", said, said],
    ["that takes something else", { ...asked, ...said }, { parameters: [query("name")], ...said }],
    [
      "of which something else is said",
      { ...asked, ...said },
      { ...asked, summary: "Adds a boat of a state" },
    ],
    [
      "of which hardly anything is said",
      { ...asked, summary: "Boats" },
      { ...asked, summary: "Boats" },
    ],
    [
      "of which nothing is said",
      { ...asked, operationId: "getBoats" },
      { ...asked, operationId: "postBoats" },
    ],
    [
      "that answers something else",
      { ...asked, ...said },
      { ...asked, ...said },
      object({ ok: text }),
    ],
  ])("not one %s", async (_, get, post, answer = list(boat)) =>
    expect(await methods(get, post, "/boats", answer)).toEqual(["GET", "POST"]),
  );

  it("nor one that may make a row: others of the path are read", async () => {
    const { mappings } = await made({
      "/boats": {
        get: answering(list(boat), { ...asked, ...said }),
        post: answering(list(boat), { ...asked, ...said }),
      },
      "/boats/{id}": { get: answering(boat) },
    });
    expect(Object.values(mappings).map(({ method }) => method)).toContain("POST");
  });
});
