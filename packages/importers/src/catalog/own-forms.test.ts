import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, ref, text } from "../testing/made.ts";

/** A document of these schemas: rows of each are listed where the path says so, one of them got by `/ROW/{id}`. */
const documentOf = (schemas: Record<string, object>, lists: Record<string, string>) => {
  const paths = Object.entries(lists).map(([path, name]) => [
    path,
    { get: answering(path.endsWith("}") ? ref(name) : list(ref(name))) },
  ]);
  return [Object.fromEntries(paths) as object, { components: { schemas } }] as const;
};
const named = { id: text, name: text };
const entitiesOf = async (...document: ReturnType<typeof documentOf>) => {
  const { domain, diagnostics } = await made(...document);
  expect(diagnostics).toEqual([]);
  return domain.entities;
};

describe("21 forms of one thing by words of the document's own", () => {
  it("are one entity where several things have two forms by a word, with the same key and nothing of their own", async () => {
    const entities = await entitiesOf(
      ...documentOf(
        {
          Boat: object({ ...named, length: integer, crew: list(ref("SailorCard")) }),
          BoatCard: object(named),
          Sailor: object({ ...named, age: integer }),
          SailorCard: object(named),
        },
        {
          "/boats/{id}": "Boat",
          "/search/fleet": "BoatCard",
          "/sailors/{id}": "Sailor",
          "/search/people": "SailorCard",
        },
      ),
    );
    expect(Object.keys(entities)).toEqual(["Boat", "Sailor"]);
    // What stands in rows of others refers to them, too.
    expect(entities["Boat"]?.["relations"]).toMatchObject({ crew: { target: "Sailor" } });
  });

  it("are one entity by a usual word where but one thing has it", async () => {
    const schemas = { Boat: object({ ...named, length: integer }), BoatHeader: object(named) };
    const lists = { "/boats/{id}": "Boat", "/search/fleet": "BoatHeader" };
    expect(Object.keys(await entitiesOf(...documentOf(schemas, lists)))).toEqual(["Boat"]);
  });

  it.each<[string, Record<string, object>]>([
    [
      "one thing alone has the word",
      { Boat: object({ ...named, length: integer }), BoatCard: object(named) },
    ],
    [
      "a form has what the other has not",
      {
        Boat: object(named),
        BoatHeader: object({ id: text, colour: text, mast: text }),
      },
    ],
    [
      "the keys differ",
      {
        Boat: object({ id: integer, name: text, length: integer }),
        BoatHeader: object({ id: text, length: integer }),
        BoatCard: object({}),
      },
    ],
    [
      "the word is a thing of its own",
      {
        Boat: object({ ...named, length: integer }),
        Card: object(named),
        BoatCard: object(named),
        Sailor: object({ ...named, age: integer }),
        SailorCard: object(named),
      },
    ],
  ])("are none where %s", async (_, schemas) => {
    const others = Object.keys(schemas).filter((name) => name !== "Boat");
    const lists = others.map((name) => [`/listed/${name.toLowerCase()}`, name]);
    const entities = await entitiesOf(
      ...documentOf(schemas, { "/boats/{id}": "Boat", ...Object.fromEntries(lists) }),
    );
    const first = others[0] === "Card" ? "BoatCard" : (others[0] ?? "");
    expect(Object.keys(entities)).toContain(first);
  });

  it("a word that a path ends in is no sign of a form", async () => {
    const schemas = { SkyObject: object(named) };
    const entities = await entitiesOf(...documentOf(schemas, { "/sky-objects/{id}": "SkyObject" }));
    expect(Object.keys(entities)).toEqual(["SkyObject"]);
  });
});
