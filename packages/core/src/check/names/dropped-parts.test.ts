import { describe, expect, test } from "vitest";
import type { CapabilitySpec } from "../../../test/build-catalog.ts";
import { BROKEN, partlyLoaded } from "../../../test/dropping-cinema.ts";
import { onlyNode } from "../../../test/plan-of.ts";
import { saidOf } from "../../../test/said.ts";

const scoped = (capability: string, param: string) => ({
  target: "Review",
  cardinality: "many",
  materialize: { kind: "query_scoped", capability, param },
});

const entities = {
  Movie: {
    fields: { id: "int", title: "str", year: "int" },
    relations: {
      reviews: scoped("review_query", "movie"),
      notes: { target: "Note", cardinality: "many" },
    },
  },
  Review: { fields: { id: "int", movie: "→Movie" } },
  Note: { fields: { id: "int", movie: "→Movie" } },
};

const done = { output: { type: "side_effect", description: "it is done" } };

const capabilities: Readonly<Record<string, CapabilitySpec>> = {
  movie_query: { kind: "query", entity: "Movie" },
  movie_popular: { kind: "query", entity: "Movie" },
  movie_get: { kind: "get", entity: "Movie" },
  movie_rate: { kind: "action", entity: "Movie", params: { stars: "int" }, more: () => done },
  review_query: { kind: "query", entity: "Review", params: { movie: "→Movie" } },
  // A create of another entity with the label of the action, on the same row.
  review_rate: { kind: "create", entity: "Review", path: ["movie_id"] },
  note_of: {
    kind: "query",
    entity: "Note",
    params: { movie: "→Movie" },
    roles: { movie: "scope" },
  },
  note_by: {
    kind: "query",
    entity: "Note",
    params: { movie: "→Movie" },
    roles: { movie: "scope" },
  },
};

/** The cinema with the mappings of some capabilities broken. */
const without = (...broken: readonly string[]) =>
  partlyLoaded({
    entities,
    capabilities: Object.fromEntries(
      Object.entries(capabilities).map(([name, spec]) => [
        name,
        broken.includes(name) ? { ...spec, mapping: BROKEN } : spec,
      ]),
    ),
  });

describe("17.13: what was left out says why when it is asked for, and has no substitute", () => {
  test.each<[string, string, string, string, string]>([
    [
      "a list by its label",
      "movie_popular",
      "Movie.popular()",
      "unknown_method",
      "capability popular",
    ],
    ["an effect", "movie_rate", "Movie(1).rate(stars=2)", "unknown_method", "capability rate"],
    [
      "an effect, though a create of its label is left",
      "movie_rate",
      "Movie(1).rate()",
      "unknown_method",
      "capability rate",
    ],
    [
      "a relation whose list is gone",
      "review_query",
      "Movie(1).reviews",
      "relation_unavailable",
      "relation reviews",
    ],
    [
      "the default list, though another is left",
      "movie_query",
      "Movie",
      "capability_unsatisfied",
      "its list query",
    ],
    [
      "the default list, with a condition",
      "movie_query",
      "Movie{year=3}",
      "capability_unsatisfied",
      "its list query",
    ],
  ])("%s: %s", (_, broken, program, code, what) => {
    const [error, ...more] = saidOf(program, without(broken));
    expect(more).toEqual([]);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(what);
    expect(error?.message).toMatch(/was not loaded: .*MAP010/);
    expect(error?.correction).toContain("cinema");
  });

  test("the correction of a lost default names what is left", () => {
    const [error] = saidOf("Movie", without("movie_query"));
    expect(error?.correction).toContain("Movie.popular()");
  });

  test("what is left is read as ever", () => {
    expect(onlyNode("Movie", without("movie_popular"))).toMatchObject({
      capability: "movie_query",
    });
    expect(onlyNode("Movie.popular()", without("movie_query"))).toMatchObject({
      capability: "movie_popular",
    });
  });

  test("RUN-051: a list does not become the only one because another was left out", () => {
    const [whole] = saidOf("Movie(1).notes", without());
    const [left] = saidOf("Movie(1).notes", without("note_by"));
    expect([whole?.code, left?.code]).toEqual(["relation_unavailable", "relation_unavailable"]);
  });

  test("SURF-26: of what policy hides nothing is said", () => {
    const policy = { apis: { cinema: { deny: ["movie_popular"] } } };
    const [error] = saidOf("Movie.popular()", { ...without("movie_popular"), policy });
    expect(error?.message).not.toContain("MAP010");
  });

  test("a field, as column and as condition", () => {
    const more = { fields: { ...entities.Movie.fields, seen: "[[str]]" } };
    const exposure = partlyLoaded({
      entities: { ...entities, Movie: { ...entities.Movie, ...more } },
      capabilities,
    });
    for (const program of ["Movie[id, seen]", "Movie{seen=x}"]) {
      const [error] = saidOf(program, exposure);
      expect(error?.code).toBe("unknown_column");
      expect(error?.message).toMatch(/field seen of Movie was not loaded: .*CAT035/);
    }
  });
});
