import type { Choices } from "./choices.ts";
import { collectionOf, type Shape } from "./draw-shapes.ts";
import { drawContainer, drawPaging, fieldParam, hiddenParam } from "./draw-lists.ts";
import {
  type Capability,
  type Edges,
  type GetCapability,
  isList,
  type ListCapability,
  type Param,
  type Related,
  type Relation,
  type Segment,
} from "./model.ts";

export type RelationsOf = Map<string, Relation[]>;

interface World {
  readonly shapes: readonly Shape[];
  readonly capabilities: Capability[];
  readonly relations: RelationsOf;
}

const MOST_CHILDREN = 4;

function drawEdges(choices: Choices, parent: Shape, child: Shape, most: number): Edges {
  return parent.rows.flatMap((row) =>
    choices.some(child.rows, most).map(({ at }) => [row.at, at] as const),
  );
}

const scopeParam = (name: string, parent: Shape, keeps: Param["keeps"], place: Param["place"]) =>
  ({
    name,
    type: "ref",
    target: parent.name,
    options: [],
    required: true,
    role: "scope",
    place,
    keeps,
  }) as const satisfies Param;

/** The path of a list of a row's own: with the key of the row, or with the row's name in the query. */
function scopedPath(param: Param, parent: Shape, child: Shape): readonly Segment[] {
  if (param.place !== "path") return [{ literal: `${param.name}-${collectionOf(child)}` }];
  const names = parent.key.length === 1 ? [param.name] : parent.key;
  const keys = names.map((name) => ({ name }));
  return [
    { literal: collectionOf(parent) },
    ...keys,
    { literal: `${param.name}-${collectionOf(child)}` },
  ];
}

/**
 * Optional filters of a row's own list that are called like a part of its key: the row at hand has such a value,
 * and nobody asked for it (RUN-044).
 */
function drawNamesakes(choices: Choices, parent: Shape, child: Shape, taken: readonly string[]) {
  const free = parent.key.filter((name) => !taken.includes(name));
  return choices.some(free, 1).flatMap((name): readonly Param[] => {
    const field = child.fields.find((each) => each.name === name);
    if (field !== undefined) {
      return ["text", "integer"].includes(field.type) ? [fieldParam(field, "query")] : [];
    }
    return [hiddenParam(choices, child, name, "query")];
  });
}

function scopedList(choices: Choices, param: Param, parent: Shape, child: Shape): ListCapability {
  const paging = drawPaging(choices, false);
  const inPath = param.place === "path" ? [...parent.key, param.name] : [param.name];
  const namesakes = choices.chance(40) ? drawNamesakes(choices, parent, child, inPath) : [];
  return {
    name: `${child.name.toLowerCase()}_query_${param.name}`,
    label: `query-${param.name.replaceAll("_", "-")}`,
    entity: child.name,
    kind: "query",
    method: "GET",
    path: scopedPath(param, parent, child),
    params: [param, ...namesakes],
    paging,
    container: drawContainer(choices, child, paging),
    provides: choices.chance(60),
    shows: null,
    leavesOut: param.keeps.kind === "field" && choices.chance(40) ? param.keeps.field : null,
  };
}

/** A list of the rows of one parent: those that refer to it, or those that the API says are its own. */
function drawScoped(choices: Choices, parent: Shape, child: Shape, name: string, world: World) {
  const of = child.name;
  const taken = world.capabilities.flatMap(({ entity, params }) =>
    entity === of ? params.map((param) => param.name) : [],
  );
  const free = (param: string): boolean => !taken.includes(param);
  const referring = child.fields.find(
    ({ type, target, name: field }) => type === "ref" && target === parent.name && free(field),
  );
  const place = parent.key.length > 1 || choices.chance(60) ? "path" : "query";
  if (referring !== undefined && choices.chance(60)) {
    const keeps = { kind: "field", field: referring.name } as const;
    const related: Related = { by: "reference", child: referring.name };
    return { param: scopeParam(referring.name, parent, keeps, place), related };
  }
  const wanted = [`of_${parent.name.toLowerCase()}`, `within_${name}`].find(free);
  if (wanted === undefined || child.fields.some((field) => field.name === wanted)) return null;
  const edges = drawEdges(choices, parent, child, MOST_CHILDREN);
  const keeps = { kind: "related", entity: parent.name, relation: name } as const;
  return {
    param: scopeParam(wanted, parent, keeps, place),
    related: { by: "pairs", edges } as const,
  };
}

function drawQueryScoped(
  choices: Choices,
  parent: Shape,
  child: Shape,
  name: string,
  world: World,
): Relation | null {
  const scoped = drawScoped(choices, parent, child, name, world);
  if (scoped === null) return null;
  const { param, related } = scoped;
  const list = scopedList(choices, param, parent, child);
  world.capabilities.push(list);
  const via = { kind: "query_scoped", capability: list.name, param: param.name } as const;
  return { name, target: child.name, many: true, related, via };
}

/** A list's own filter, bound to a field of the parent that has values of its type. */
function drawBound(
  choices: Choices,
  parent: Shape,
  child: Shape,
  name: string,
  world: World,
): Relation | null {
  const list = world.capabilities.find(
    (each) =>
      each.entity === child.name &&
      each.kind === "query" &&
      each.shows === null &&
      each.params.every(({ required }) => !required),
  );
  const pairs = (list?.params ?? []).flatMap(({ name: param, keeps, type, target }) =>
    keeps.kind !== "field" || type === "select"
      ? []
      : parent.fields
          .filter((field) => field.type === type && field.target === target)
          .map((field) => ({ param, child: keeps.field, parent: field.name })),
  );
  const pair = choices.pickAny(pairs);
  if (pair === null || list === undefined || !isList(list)) return null;
  if (list.method === "GET" && choices.chance(50)) {
    const taken = list.params.map((param) => param.name);
    const params = [...list.params, ...drawNamesakes(choices, parent, child, taken)];
    world.capabilities.splice(world.capabilities.indexOf(list), 1, { ...list, params });
  }
  const related = { by: "fields", parent: pair.parent, child: pair.child } as const;
  const bound = { capability: list.name, param: pair.param, field: pair.parent };
  const via = { kind: "query_scoped_bindings", ...bound } as const;
  return { name, target: child.name, many: true, related, via };
}

/** What rows that stand in another have of it: a reference to it, or a part of the key that both have. */
function drawInherited(
  choices: Choices,
  parent: Shape,
  child: Shape,
  world: World,
): { readonly related: Related; readonly omits: readonly string[] } | null {
  const own = parent.name.toLowerCase();
  const reads = world.capabilities.filter(({ entity }) => entity === child.name);
  // An entity that nothing reads is given a get.
  const isRead =
    reads.length === 0 || reads.some((each) => each.kind === "get" && each.answers === "key");
  const part = child.key.length > 1 ? child.key : [];
  const fields = child.fields.filter(
    ({ type, target, name }) =>
      type === "ref" &&
      target === parent.name &&
      (part.includes(name) || (name === own && !isRead && child !== parent)),
  );
  const field = choices.pickAny(fields);
  if (field !== null) {
    return { related: { by: "reference", child: field.name }, omits: [field.name] };
  }
  const shared = part.find((each) => each === "zone" && parent.key.includes(each));
  if (shared === undefined) return null;
  return { related: { by: "fields", parent: shared, child: shared }, omits: [shared] };
}

function drawEmbedded(choices: Choices, parent: Shape, child: Shape, name: string, world: World) {
  const many = choices.chance(70);
  const edges = drawEdges(choices, parent, child, many ? MOST_CHILDREN : 1);
  const reads = world.capabilities.some(
    ({ entity, label }) => entity === parent.name && label === "get",
  );
  const path = choices.pick([[name], ["embedded", name]]);
  const inLists = !reads || choices.chance(40);
  const inherited =
    many && choices.chance(80) ? drawInherited(choices, parent, child, world) : null;
  const { related, omits } = inherited ?? { related: { by: "pairs", edges } as const, omits: [] };
  const via = { kind: "from_parent_get", path, inLists, omits } as const;
  return { name, target: child.name, many, related, via } as const;
}

function drawBoundGet(
  choices: Choices,
  parent: Shape,
  child: Shape,
  name: string,
  world: World,
): Relation | null {
  const [field] = parent.key;
  const key = parent.fields.find((each) => each.name === field);
  if (parent.key.length > 1 || key === undefined || key.type === "ref") return null;
  const path = [{ literal: collectionOf(parent) }, { name: "of" }, { literal: `its-${name}` }];
  const get: GetCapability = {
    name: `${child.name.toLowerCase()}_get_${parent.name.toLowerCase()}_${name}`,
    label: `get-${parent.name.toLowerCase()}-${name.replaceAll("_", "-")}`,
    entity: child.name,
    kind: "get",
    method: "GET",
    path,
    params: [scopeParam("of", parent, { kind: "hidden" }, "path")],
    wrapped: false,
    declared: "singleton",
    answers: { entity: parent.name, relation: name },
  };
  world.capabilities.push(get);
  const edges = drawEdges(choices, parent, child, 1);
  const via = {
    kind: "get_scoped_bindings",
    capability: get.name,
    param: "of",
    field: key.name,
  } as const;
  return { name, target: child.name, many: false, related: { by: "pairs", edges }, via };
}

function drawRelation(
  choices: Choices,
  parent: Shape,
  child: Shape,
  name: string,
  world: World,
): Relation | null {
  switch (choices.below(6)) {
    case 0:
    case 1:
      return drawQueryScoped(choices, parent, child, name, world);
    case 2:
      return drawBound(choices, parent, child, name, world);
    case 3:
      return drawEmbedded(choices, parent, child, name, world);
    case 4:
      return drawBoundGet(choices, parent, child, name, world);
    default: {
      const edges = drawEdges(choices, parent, child, 1);
      const related = { by: "pairs", edges } as const;
      return { name, target: child.name, many: false, related, via: { kind: "none" } };
    }
  }
}

const RELATION_NAMES = ["parts", "visits", "twin", "latest", "members"] as const;

/** Draws up to three relations of an entity, with the capabilities that they are read by. */
export function drawRelations(choices: Choices, parent: Shape, world: World): void {
  const names = choices.some(RELATION_NAMES, 3);
  for (const name of names) {
    const referring = world.shapes.filter(({ fields }) =>
      fields.some(({ target }) => target === parent.name),
    );
    const known = choices.chance(35) ? choices.pickAny(referring) : null;
    const child = known ?? choices.pickAny(world.shapes);
    if (child === null) continue;
    // Rows that refer to a parent by its name often stand in it (RUN-037).
    const standsInIt = child.fields.some(
      (field) => field.name === parent.name.toLowerCase() && field.target === parent.name,
    );
    const relation =
      standsInIt && choices.chance(50)
        ? drawEmbedded(choices, parent, child, name, world)
        : drawRelation(choices, parent, child, name, world);
    if (relation !== null) world.relations.get(parent.name)?.push(relation);
  }
}
