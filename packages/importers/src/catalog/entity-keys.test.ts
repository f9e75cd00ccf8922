import { describe, expect, it } from "vitest";
import { answering, integer, made, object, ref, text } from "../testing/made.ts";

describe("21 what a row is called, and what it is told apart by", () => {
  it.each([
    ["store-data-website-interface", "Website"],
    ["quote-data-cart-item-interface", "CartItem"],
    ["NetworkInterface", "NetworkInterface"],
    ["data-interface", "DataInterface"],
  ])(
    "21 %s is called %s: what a program calls its type is no name of a row",
    async (schema, name) => {
      const { domain } = await made(
        { "/v1/things/{id}": { get: answering(ref(schema)) } },
        { components: { schemas: { [schema]: object({ id: integer, name: text }) } } },
      );
      expect(Object.keys(domain.entities)).toEqual([name]);
    },
  );

  it.each<[string, string, object, string]>([
    ["the last word for the thing", "/setup_intents/{intent}", { id: text, name: text }, "id"],
    [
      "the word for it, of what has no id",
      "/branches/{branch}",
      { name: text, size: integer },
      "name",
    ],
    [
      "what the row calls so, behind the word for the file",
      "/blobs/{file_sha}",
      { sha: text },
      "sha",
    ],
    ["another word for an id", "/hooks/{uid}", { uuid: text, url: text }, "uuid"],
    ["what a database calls so", "/charts/{pk}", { id: integer, title: text }, "id"],
    [
      "the place in a list, of what has a number",
      "/tickets/{index}",
      { id: integer, number: integer },
      "number",
    ],
    ["the name that one signs in by", "/people/{username}", { id: integer, login: text }, "login"],
    [
      "an id that the row calls by its own name",
      "/slides/{id}",
      { slideId: integer, title: text },
      "slideId",
    ],
  ])("21 the key of a row is %s", async (_, path, properties, key) => {
    const {
      domain,
      text: written,
      diagnostics,
    } = await made({
      [path]: { get: answering(object(properties)) },
    });
    expect(diagnostics).toEqual([]);
    expect(Object.values(domain.entities).map((entity) => entity["id_field"])).toEqual([key]);
    expect(written).not.toContain("No property of a row is certainly this");
  });

  it("21 a row that two paths lead to is told apart by what the shorter names", async () => {
    const row = answering(ref("Boat"));
    const { domain } = await made(
      { "/boat/{boatId}": { get: row }, "/boat/version/{versionId}": { get: row } },
      { components: { schemas: { Boat: object({ id: text, versionId: text, day: text }) } } },
    );
    expect(domain.entities["Boat"]).toMatchObject({ id_field: "id" });
    expect(Object.values(domain.capabilities).map(({ kind }) => kind)).toEqual([
      "get",
      "singleton",
    ]);
  });
});
