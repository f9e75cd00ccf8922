import type { Parameter } from "./operation.ts";

/** A path without what stands behind `?` or `#` in it, and what a request has because of that. */
export interface BarePath {
  /** what stands behind `#`: it is sent nowhere, and tells operations of one path apart */
  readonly marks: readonly PathMark[];
  /** where it is sent */
  readonly path: string;
  /** where it stands among other paths: what is always sent tells it apart, `/photos/search` of `/photos?do=search` */
  readonly place: string;
  readonly query: readonly Parameter[];
}

/** A piece of a mark: `Action=ListBoats`, `analytics`; null where it has no value. */
export interface PathMark {
  readonly name: string;
  readonly value: string | null;
}

const MARK = /^[\w.~-]+!?(?:=[\w.~:,+-]+)?$/;

const parameter = (name: string, always: string | null): Parameter => ({
  name,
  required: false,
  schema: { type: "string" },
  description: undefined,
  style: "repeat",
  object: "json",
  ...(always === null ? {} : { always }),
});

/** What a value says of the place: itself, or its name where it is but a switch or a number. */
export const placeWord = (name: string, value: string): string =>
  /^(?:true|false|yes|no|on|off|\d*)$/i.test(value) ? name : value;

/**
 * Takes the query and the mark off a path that a document writes with them: `/photos?do=search&text={text}`. Null
 * where they say more than that.
 */
export function barePath(written: string): BarePath | null {
  const [, path = "", asked, mark = ""] =
    /^([^?#]*)(?:\?([^?#]*))?(?:#([^?#]*))?$/.exec(written) ?? [];
  const marks = mark === "" ? [] : mark.split("&");
  if (path === "" || marks.some((one) => !MARK.test(one))) return null;
  const query: Parameter[] = [];
  const words: string[] = [];
  for (const pair of (asked ?? "").split("&").filter((one) => one !== "")) {
    const [name = "", ...rest] = pair.split("=");
    const value = rest.join("=");
    if (!/^[\w.~[\]-]+$/.test(name)) return null;
    if (/^\{[^{}]+\}$/.test(value)) {
      query.push(parameter(name, null));
      continue;
    }
    if (!/^[\w.~:,+-]*$/.test(value)) return null;
    query.push(parameter(name, value));
    words.push(placeWord(name, value));
  }
  const place = [
    path.replace(/(?<!^)\/$/, ""),
    ...words.map((word) => word.replaceAll(":", "_")),
  ].join("/");
  return {
    path,
    place,
    query,
    marks: marks.map((one) => {
      const [name = "", value = null] = one.split("=");
      return { name: name.replace(/!$/, ""), value };
    }),
  };
}

/** The parameters of a query with those that the path says; what the document says of a parameter of that name holds. */
export function withPathQuery(
  places: ReadonlyMap<string, readonly Parameter[]>,
  { query }: BarePath,
): ReadonlyMap<string, readonly Parameter[]> {
  const [asked, inPath] = [places.get("query") ?? [], places.get("path") ?? []];
  const fixed = new Set(query.flatMap(({ name, always }) => (always === undefined ? [] : [name])));
  const own = asked.filter(({ name }) => !fixed.has(name));
  const news = query
    .filter(({ name }) => !own.some((one) => one.name === name))
    .map((one) => {
      const said = one.always === undefined ? inPath.find(({ name }) => name === one.name) : null;
      return said === null || said === undefined ? one : { ...said, style: one.style };
    });
  return news.length === 0 ? places : new Map(places).set("query", [...own, ...news]);
}
