import { GraphQLError } from "graphql";
import type { Node, World } from "./model.ts";

export function emptyWorld(): World {
  const counts = new Map<string, number>();
  let ticks = 0;
  const world: World = {
    nodes: new Map(),
    contents: [],
    accounts: [],
    repositories: [],
    projects: [],
    items: [],
    discussions: [],
    viewer: () => {
      const [first] = world.accounts;
      if (first === undefined) throw new Error("nobody is there");
      return first;
    },
    id: (prefix) => {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      return `${prefix}_${count}`;
    },
    now: () => new Date(Date.UTC(2026, 0, 1) + 60_000 * ticks++).toISOString(),
  };
  return world;
}

/** Registers an object under its id. */
export function register<T extends Node>(world: World, node: T): T {
  world.nodes.set(node.id, node);
  return node;
}

export const notFound = (id: string): GraphQLError =>
  new GraphQLError(`Could not resolve to a node with the global id of '${id}'`, {
    extensions: { type: "NOT_FOUND" },
  });

export const refused = (message: string, type = "UNPROCESSABLE"): GraphQLError =>
  new GraphQLError(message, { extensions: { type } });

/** The object of an id; an error as GitHub's if there is none, or one of another type. */
export function nodeOf<T extends Node>(world: World, id: string, ...types: readonly string[]): T {
  const node = world.nodes.get(id);
  if (node === undefined || !types.includes(node.__typename)) throw notFound(id);
  return node as T;
}

/** Takes an object out of the list it is in. */
export function drop<T>(list: T[], gone: T): void {
  const at = list.indexOf(gone);
  if (at >= 0) list.splice(at, 1);
}

/** Changes an object, now. */
export function touch<T extends { updatedAt: string }>(
  world: World,
  target: T,
  changes: object = {},
): T {
  return Object.assign(target, changes, { updatedAt: world.now() });
}
