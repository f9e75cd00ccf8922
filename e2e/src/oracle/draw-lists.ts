import type { Choices } from "./choices.ts";
import { collectionOf, type Shape } from "./draw-shapes.ts";
import type { Container, Field, ListCapability, Paging, Param, UndeclaredSign } from "./model.ts";

const SIGNS: readonly [UndeclaredSign, ...UndeclaredSign[]] = [
  "has_more",
  "next",
  "next_cursor",
  "next_page_token",
  "total",
  "link",
];

export function drawPaging(choices: Choices, post: boolean): Paging {
  const size = 2 + choices.below(3);
  if (post) return choices.chance(60) ? { kind: "body_cursor", size } : { kind: "none" };
  switch (choices.below(9)) {
    case 1:
      return { kind: "page", first: choices.below(2), size };
    case 2:
      return { kind: "offset", size, fixed: choices.pickAny(["limit", "per_page", null]) };
    case 3:
      return { kind: "cursor", size, stop: choices.chance(50), deep: choices.chance(50) };
    case 4:
      return { kind: "link", size };
    case 5:
      return { kind: "next_url", size };
    case 8:
      return { kind: "undeclared", size, sign: choices.pick(SIGNS) };
    default:
      return { kind: "none" };
  }
}

/** The member of a row that its map has the key of; null where rows cannot be told apart by one member. */
function mapKey({ key, fields }: Shape): string | null {
  const [only, ...more] = key;
  const field = fields.find(({ name }) => name === only);
  const [member, ...deeper] = field?.path ?? [];
  if (member === undefined || more.length > 0 || deeper.length > 0 || field?.type === "ref") {
    return null;
  }
  return member;
}

export function drawContainer(choices: Choices, of: Shape, paging: Paging): Container {
  const path = choices.pick([["items"], ["data", "list"], ["results"]]);
  const rootTaken = ["cursor", "body_cursor", "next_url", "undeclared"].includes(paging.kind);
  const into = choices.chance(12) ? mapKey(of) : null;
  if (into !== null) return { kind: "map", path, into };
  switch (choices.below(4)) {
    case 2:
      return { kind: "inner", path, inner: "node" };
    case 3:
      return rootTaken ? { kind: "items", path } : { kind: "bare" };
    default:
      return { kind: "items", path };
  }
}

const FILTERED: readonly Field["type"][] = ["text", "integer", "select", "boolean", "uuid"];

export const fieldParam = (field: Field, place: Param["place"]): Param => ({
  name: field.name,
  type: field.type,
  target: field.target,
  options: field.options,
  required: false,
  role: "filter",
  place,
  keeps: { kind: "field", field: field.name },
});

/** A filter that no field shows: of each row the API alone knows a mark. */
export function hiddenParam(
  choices: Choices,
  of: Shape,
  name: string,
  place: Param["place"],
): Param {
  for (const row of of.rows) row.hidden[name] ??= choices.pick(["north", "south", "ann"]);
  const shown = { name, type: "text", target: null, options: [] } as const;
  return { ...shown, required: false, role: "filter", place, keeps: { kind: "hidden" } };
}

/** Filters that no field shows, called as key parts of other entities are (RUN-044 must not fill them). */
function drawHidden(choices: Choices, of: Shape, all: readonly Shape[], place: Param["place"]) {
  const names = all.flatMap(({ key }) => key).filter((name) => FREE.includes(name));
  const free = [...new Set([...names, "near"])].filter(
    (name) => !of.fields.some((field) => field.name === name),
  );
  return choices.some(free, 1).map((name) => hiddenParam(choices, of, name, place));
}

const FREE = ["id", "name", "code", "number", "slug", "zone"];

const simpleTarget = (all: readonly Shape[], { target }: Field): boolean =>
  all.find(({ name }) => name === target)?.key.length === 1;

/** All rows of an entity, under the label that its catalog gives to that. */
function drawOpenList(
  choices: Choices,
  of: Shape,
  all: readonly Shape[],
  label: string,
): ListCapability {
  const post = choices.chance(15);
  const place = post ? "body" : "query";
  const filtered = of.fields.filter(
    (field) => FILTERED.includes(field.type) || (field.type === "ref" && simpleTarget(all, field)),
  );
  const fields = choices.some(filtered, 2).map((field) => fieldParam(field, place));
  const hidden = choices.chance(40) ? drawHidden(choices, of, all, place) : [];
  const paging = drawPaging(choices, post);
  return {
    name: `${of.name.toLowerCase()}_${label}`,
    label,
    entity: of.name,
    kind: "query",
    method: post ? "POST" : "GET",
    path: [{ literal: collectionOf(of) }, ...(post ? [{ literal: "list" }] : [])],
    params: [...fields, ...hidden],
    paging,
    container: drawContainer(choices, of, paging),
    provides: choices.chance(60),
    shows: null,
    leavesOut: null,
  };
}

function drawSearch(choices: Choices, of: Shape): ListCapability | null {
  const texts = of.fields.filter(({ type }) => type === "text");
  const field = choices.pickAny(texts);
  if (field === null || !choices.chance(30)) return null;
  const paging = drawPaging(choices, false);
  const words: Param = {
    name: choices.pick(["q", "text"]),
    type: "text",
    target: null,
    options: [],
    required: true,
    role: "search",
    place: "query",
    keeps: { kind: "words", field: field.name },
  };
  return {
    name: `${of.name.toLowerCase()}_search`,
    label: "search",
    entity: of.name,
    kind: "search",
    method: "GET",
    path: [{ literal: "search" }, { literal: collectionOf(of) }],
    params: [words],
    paging,
    container: drawContainer(choices, of, paging),
    provides: choices.chance(60),
    shows: null,
    leavesOut: null,
  };
}

/** A further list that needs nothing: some of the rows, filtered by what the list of all may not take. */
function drawNamedList(choices: Choices, of: Shape, label: string): ListCapability {
  const filtered = of.fields.filter((field) => FILTERED.includes(field.type));
  const paging = drawPaging(choices, false);
  return {
    name: `${of.name.toLowerCase()}_${label}`,
    label,
    entity: of.name,
    kind: "query",
    method: "GET",
    path: [{ literal: collectionOf(of) }, { literal: "lists" }, { literal: label }],
    params: choices.some(filtered, 2).map((field) => fieldParam(field, "query")),
    paging,
    container: drawContainer(choices, of, paging),
    provides: choices.chance(60),
    shows: choices.some(of.rows, 4).map(({ at }) => at),
    leavesOut: null,
  };
}

interface Labels {
  readonly label: string;
  readonly others: readonly string[];
  readonly isMarked: boolean;
}

/** How a catalog says which of its lists has all rows: by a mark, a plain label, or the first label. */
const DEFAULTS: readonly [Labels, ...Labels[]] = [
  { label: "query", others: ["popular", "archive"], isMarked: false },
  { label: "list", others: ["archive", "newest"], isMarked: false },
  { label: "all", others: ["popular", "above"], isMarked: false },
  { label: "everything", others: ["popular", "recent"], isMarked: false },
  { label: "everything", others: ["archive", "best"], isMarked: true },
];

interface Lists {
  readonly lists: readonly ListCapability[];
  /** the list that is marked as the default */
  readonly primary: string | null;
}

/** The lists of an entity that need no row of another: all of its rows, some of them by name, and a search. */
export function drawLists(choices: Choices, of: Shape, all: readonly Shape[]): Lists {
  const search = drawSearch(choices, of);
  const found = search === null ? [] : [search];
  if (choices.chance(10)) return { lists: found, primary: null };
  const { label, others, isMarked } = choices.pick(DEFAULTS);
  const open = drawOpenList(choices, of, all, label);
  const named = choices.chance(30)
    ? choices.some(others, 2).map((each) => drawNamedList(choices, of, each))
    : [];
  const lists = choices.shuffled([open, ...named]);
  return { lists: [...lists, ...found], primary: isMarked ? open.name : null };
}
