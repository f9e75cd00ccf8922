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

export function drawContainer(choices: Choices, paging: Paging): Container {
  const path = choices.pick([["items"], ["data", "list"], ["results"]]);
  const rootTaken = ["cursor", "body_cursor", "next_url", "undeclared"].includes(paging.kind);
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

const fieldParam = (field: Field, place: Param["place"]): Param => ({
  name: field.name,
  type: field.type,
  target: field.target,
  options: field.options,
  required: false,
  role: "filter",
  place,
  keeps: { kind: "field", field: field.name },
});

/** Filters that no field shows, called as key parts of other entities are (RUN-044 must not fill them). */
function drawHidden(choices: Choices, of: Shape, all: readonly Shape[], place: Param["place"]) {
  const names = all.flatMap(({ key }) => key).filter((name) => FREE.includes(name));
  const free = [...new Set([...names, "near"])].filter(
    (name) => !of.fields.some((field) => field.name === name),
  );
  return choices.some(free, 1).map((name): Param => {
    for (const row of of.rows) row.hidden[name] = choices.pick(["north", "south", "ann"]);
    const shown = { name, type: "text", target: null, options: [] } as const;
    return { ...shown, required: false, role: "filter", place, keeps: { kind: "hidden" } };
  });
}

const FREE = ["id", "name", "code", "number", "slug", "zone"];

const simpleTarget = (all: readonly Shape[], { target }: Field): boolean =>
  all.find(({ name }) => name === target)?.key.length === 1;

function drawOpenList(choices: Choices, of: Shape, all: readonly Shape[]): ListCapability {
  const post = choices.chance(15);
  const place = post ? "body" : "query";
  const filtered = of.fields.filter(
    (field) => FILTERED.includes(field.type) || (field.type === "ref" && simpleTarget(all, field)),
  );
  const fields = choices.some(filtered, 2).map((field) => fieldParam(field, place));
  const hidden = choices.chance(40) ? drawHidden(choices, of, all, place) : [];
  const paging = drawPaging(choices, post);
  return {
    name: `${of.name.toLowerCase()}_query`,
    label: "query",
    entity: of.name,
    kind: "query",
    method: post ? "POST" : "GET",
    path: [{ literal: collectionOf(of) }, ...(post ? [{ literal: "list" }] : [])],
    params: [...fields, ...hidden],
    paging,
    container: drawContainer(choices, paging),
    provides: choices.chance(60),
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
    container: drawContainer(choices, paging),
    provides: choices.chance(60),
  };
}

/** The lists of an entity that need no row of another: all of its rows, and a search among them. */
export function drawLists(
  choices: Choices,
  of: Shape,
  all: readonly Shape[],
): readonly ListCapability[] {
  const open = choices.chance(10) ? [] : [drawOpenList(choices, of, all)];
  const search = drawSearch(choices, of);
  return search === null ? open : [...open, search];
}
