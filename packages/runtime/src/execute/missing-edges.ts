import type { EntityRow } from "../decode/entity-row.ts";
import type { Feed } from "./feed.ts";

/**
 * Keeps count of source rows whose answers, the row's get included, say nothing about a relation. They
 * count as having no related row. While no other row of the node says anything about it either, that is
 * told, and the result is partial (RUN-003, RUN-037): once one does, the API leaves out what is empty.
 */
export class MissingEdges {
  readonly #feed: Feed;
  readonly #relation: string;
  #present = false;

  constructor(feed: Feed, relation: string) {
    this.#feed = feed;
    this.#relation = relation;
  }

  /** Notes a row that says what it is related to, be it nothing. */
  found(): void {
    this.#present = true;
    this.#feed.unmark("edge_missing");
  }

  /** Notes a row whose answers do not say. */
  missing({ entity, identity }: EntityRow): void {
    const row = identity?.text ?? entity;
    const detail = `${row} came without ${this.#relation}, so it counts as none`;
    this.#feed.log.add("edge_missing", detail);
    if (!this.#present) this.#feed.mark("edge_missing");
  }
}

const byFeed = new WeakMap<Feed, MissingEdges>();

/** The count of a node, which follows one relation. */
export function missingEdges(feed: Feed, relation: string): MissingEdges {
  const known = byFeed.get(feed) ?? new MissingEdges(feed, relation);
  byFeed.set(feed, known);
  return known;
}
