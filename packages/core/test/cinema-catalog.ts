import type { Exposure } from "../src/symbols/exposure.ts";
import { buildCatalog, type CatalogSpec } from "./build-catalog.ts";
import { exposureOf } from "./exposure-of.ts";

const movie = {
  description: "a film",
  fields: { id: "int", title: "str", region: "str", year: "int", studio: "→Studio" },
  relations: {
    reviews: {
      target: "Review",
      cardinality: "many",
      materialize: { kind: "query_scoped", capability: "review_query", param: "movie" },
    },
  },
};

const entities = {
  Movie: movie,
  Review: { fields: { id: "int", stars: "int", movie: "→Movie" } },
  Studio: { fields: { id: "int", name: "str" } },
};

const capabilities: CatalogSpec["capabilities"] = {
  movie_query: { kind: "query", entity: "Movie", params: { "year?": "int" }, paged: true },
  movie_popular: {
    kind: "query",
    entity: "Movie",
    params: { "region?": "str", "window?": "day|week" },
    paged: true,
  },
  movie_upcoming: { kind: "query", entity: "Movie", paged: true },
  movie_of_studio: { kind: "query", entity: "Movie", params: { studio: "→Studio" } },
  movie_search: { kind: "search", entity: "Movie", params: { q: "str" } },
  movie_fuzzy: { kind: "search", entity: "Movie", params: { q: "str", "year?": "int" } },
  movie_get: { kind: "get", entity: "Movie" },
  studio_get: { kind: "get", entity: "Studio" },
  review_query: { kind: "query", entity: "Review", params: { movie: "→Movie" } },
};

export interface CinemaOptions {
  /** further keys of Movie */
  readonly movie?: object;
  /** capabilities that this cinema lacks */
  readonly without?: readonly string[];
  /** further lists of films by name, each with its parameters, all of them days or weeks */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
}

/** A cinema: films are listed in three ways that need no argument, and searched in two. */
export function cinemaCatalog(options: CinemaOptions = {}) {
  const kept = Object.entries(capabilities).filter(
    ([name]) => !(options.without ?? []).includes(name),
  );
  const lists = Object.entries(options.lists ?? {}).map(([name, parameters]) => {
    const params = Object.fromEntries(parameters.map((each) => [each, "day|week"]));
    return [name, { kind: "query", entity: "Movie", params }] as const;
  });
  return buildCatalog("cinema", {
    entities: { ...entities, Movie: { ...movie, more: options.movie ?? {} } },
    capabilities: Object.fromEntries([...kept, ...lists]),
  });
}

/** All of a cinema. */
export const cinema = (options: CinemaOptions = {}): Exposure =>
  exposureOf([cinemaCatalog(options)]);
