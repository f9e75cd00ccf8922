import { describe, expect, test } from "vitest";
import { cinema, cinemaCatalog } from "../../../test/cinema-catalog.ts";
import { onlyNode, planOf } from "../../../test/plan-of.ts";
import { rowFaults } from "../../../test/row-faults.ts";
import { saidOf } from "../../../test/said.ts";
import { rowsOf, teach } from "../../../test/teach.ts";
import { renderPlan } from "../../plan/render/render-plan.ts";
import { CURRENT_FEATURES, type Policy } from "../../policy/policy.ts";
import type { Exposure, Notation } from "../../symbols/exposure.ts";

const whole = cinema();
const upcomingFirst = cinema({ movie: { primary_query: "movie_upcoming" } });
const noQuery = cinema({ without: ["movie_query"] });

/** The only list that a program reads: its capability, what is sent and what is tested. */
function readOf(text: string, exposure: Exposure = whole): readonly [string, object, object?] {
  const node = onlyNode(text, exposure);
  if (node.kind !== "query" && node.kind !== "search") throw new Error(`${text} reads no list.`);
  const { capability, args, filter } = node;
  return filter === null ? [capability, args] : [capability, args, filter];
}

const lit = <T>(value: T): { readonly lit: T } => ({ lit: value });
const isUs = { op: "=", path: ["region"], value: lit("US") };

describe("17.15 RUN-110: a bare entity reads its default list, never another in silence", () => {
  test.each<[string, string, Exposure]>([
    ["the one labelled query", "movie_query", whole],
    ["else the first by label", "movie_popular", noQuery],
    ["the one that primary_query marks", "movie_upcoming", upcomingFirst],
  ])("%s", (_, capability, exposure) => {
    expect(readOf("Movie", exposure)).toEqual([capability, {}]);
    expect(readOf("Movie{title=x}", exposure)[0]).toBe(capability);
  });

  test.each<[string, string, ReturnType<typeof readOf>]>([
    ["a parameter of it is sent", "Movie{year=3}", ["movie_query", { year: lit(3) }]],
    // popular could be sent the region, and lists other films: a filter must not change which are meant.
    ["a column it is not sent is tested", "Movie{region=US}", ["movie_query", {}, isUs]],
    [
      "what only another list takes selects that list",
      "Movie{window=day}",
      ["movie_popular", { window: lit("day") }],
    ],
    [
      "and sends it all it takes",
      "Movie{window=day, region=US}",
      ["movie_popular", { window: lit("day"), region: lit("US") }],
    ],
    [
      "a list whose required parameter is given",
      "Movie{studio=7}",
      ["movie_of_studio", { studio: lit(7) }],
    ],
  ])("%s: %s", (_, text, read) => {
    expect(readOf(text)).toEqual(read);
  });

  test("the plan says which list it reads", () => {
    const said = renderPlan(planOf("Movie", upcomingFirst), "pc0");
    expect(said).toContain("n1 query cinema.Movie upcoming");
  });

  test("a condition that several others take and it does not is told apart by label", () => {
    const exposure = cinema({ lists: { movie_trending: ["window?", "by?"] } });
    const [error] = saidOf("Movie{window=day}", exposure);
    expect(error?.code).toBe("capability_ambiguous");
    expect(error?.correction).toBe("say which: Movie.popular(…) or Movie.trending(…)");
  });

  test("the search that is marked, else the one labelled search", () => {
    const text = 'Movie~"x"{year=3}';
    const inYear = { op: "=", path: ["year"], value: lit(3) };
    expect(readOf(text)).toEqual(["movie_search", { q: lit("x") }, inYear]);
    const marked = cinema({ movie: { primary_search: "movie_fuzzy" } });
    expect(readOf(text, marked)).toEqual(["movie_fuzzy", { q: lit("x"), year: lit(3) }]);
  });

  test("SURF-25: a default that policy forbids since is said, and nothing takes its place", () => {
    const policy: Policy = { apis: { cinema: { deny: ["movie_query"] } } };
    const [error, ...more] = saidOf("Movie", { ...whole, policy });
    expect([error?.code, more]).toEqual(["policy_denied", []]);
    expect(readOf("Movie{studio=7}", { ...whole, policy })[0]).toBe("movie_of_studio");
    expect(readOf("Movie.upcoming()", { ...whole, policy })[0]).toBe("movie_upcoming");
  });
});

describe("17.15 TEACH-17: the other lists are named reads, usable like any list", () => {
  test.each<[string, ReturnType<typeof readOf>]>([
    ["Movie.upcoming()", ["movie_upcoming", {}]],
    ["Movie.popular()", ["movie_popular", {}]],
    ["Movie.popular(region=US)", ["movie_popular", { region: lit("US") }]],
    ["Movie.popular().filter{region=US}", ["movie_popular", { region: lit("US") }]],
    ["Movie.upcoming().filter{region=US}", ["movie_upcoming", {}, isUs]],
    ["p = Movie.popular()\np{region=US}", ["movie_popular", { region: lit("US") }]],
    ["Movie.popular(window=day).limit(3)", ["movie_popular", { window: lit("day") }]],
    ["Movie.popular().page_size(5)", ["movie_popular", {}]],
    ['Movie.fuzzy(q="x").filter{year=3}', ["movie_fuzzy", { q: lit("x"), year: lit(3) }]],
  ])("%s", (text, read) => {
    expect(readOf(text)).toEqual(read);
  });

  test.each<[string, readonly string[]]>([
    ["Movie.popular().sort(year).limit(2)[id, title]", ["query", "compute", "compute", "compute"]],
    ["Movie.popular().aggregate(n=count)", ["query", "compute"]],
    ["Movie.upcoming().reviews", ["query", "relation"]],
    ["Movie.upcoming().studio[name]", ["query", "relation", "compute"]],
    ["Movie.upcoming() => {t: _.title}", ["query", "derive"]],
  ])("%s", (text, kinds) => {
    expect(planOf(text, whole).nodes.map(({ kind }) => kind)).toEqual(kinds);
  });

  test.each<Notation>(["symbols", "names"])(
    "TEACH-19: each row plans to the capability it states, in %s",
    (notation) => {
      const all = [whole, upcomingFirst, noQuery];
      const faults = all.flatMap((each) => rowFaults({ ...each, notation }, CURRENT_FEATURES));
      expect(faults).toEqual([]);
    },
  );

  const COLUMNS = "[id,region,studio,title,year]";
  const taught = (options: Parameters<typeof cinemaCatalog>[0]) => {
    const catalogs = new Map([["cinema", cinemaCatalog(options)]]);
    const { waves } = teach(catalogs, [[["cinema", "Movie"]]], { notation: "names" });
    const code = rowsOf(waves[0]).filter(([left]) => left.startsWith("Movie"));
    return code.map(([left, right]) => `${left}  ${right}`);
  };

  test("TEACH-15: the default list heads, the others are called by label", () => {
    expect(taught({})).toEqual([
      `Movie${COLUMNS}  [Movie] · opt year · a film`,
      "Movie($)  Movie",
      "Movie{studio=$}  [Movie] of-studio",
      "Movie.popular(..)  [Movie] · opt region window",
      "Movie.upcoming()  [Movie]",
      "Movie.fuzzy(q=$)  [Movie] · opt year",
      "Movie~$  [Movie] search",
    ]);
  });

  test("a head whose list the label tells from others says that label", () => {
    const [popular] = taught({ without: ["movie_query"] });
    expect(popular).toBe(`Movie${COLUMNS}  [Movie] · opt region window · reads popular · a film`);
    const [upcoming, ...others] = taught({ movie: { primary_query: "movie_upcoming" } });
    expect(upcoming).toBe(`Movie${COLUMNS}  [Movie] · reads upcoming · a film`);
    expect(others).toContain("Movie.query(..)  [Movie] · opt year");
  });
});
