import type { Rows } from "../../check/typed-program.ts";
import { canonicalJson } from "../../hash/canonical-json.ts";
import { sha256Hex } from "../../hash/sha256-hex.ts";
import type { PlanNode } from "../node.ts";

/**
 * A node before the plan is numbered: ids are digests of what the node is, inputs included, so that
 * equal pure nodes have one id (PLAN-003). `wanted` and chosen gets are filled in later.
 */
export interface Draft {
  readonly id: string;
  readonly node: PlanNode;
  /** ids in the order of the numbering walk (PLAN-010) */
  readonly inputs: readonly string[];
  /** the step it was made from: its label, text and span are shown */
  readonly rows: Rows;
  readonly read: ReadFacts | null;
}

/** What estimates need to know of a list or relation beyond the node. */
export interface ReadFacts {
  /** a condition, search text or anchor is sent (OPS-6) */
  readonly bounded: boolean;
  /** the parameter that costs a request per value (RUN-111) */
  readonly each: string | null;
  /** parent fields that a relation's bindings read (RUN-052) */
  readonly bindings: readonly string[];
  /** parameters that a relation binds, each to a field of the source row, or to the row itself (null) */
  readonly bound?: ReadonlyMap<string, string | null>;
}

/** Collects drafts; an equal one that is there already is used again. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();

  /** Adds a pure node whose id is still to be given, and returns its id. */
  add(
    node: PlanNode,
    inputs: readonly string[],
    rows: Rows,
    read: ReadFacts | null = null,
  ): string {
    const id = `#${sha256Hex(canonicalJson(node))}`;
    if (!this.#drafts.has(id)) {
      this.#drafts.set(id, { id, node: { ...node, id }, inputs, rows, read });
    }
    return id;
  }

  /** Adds an effect, which is never one with another, however equal (LANG-074), and returns its id. */
  addEffect(node: PlanNode, inputs: readonly string[], rows: Rows): string {
    const id = `#effect${this.#drafts.size}`;
    this.#drafts.set(id, { id, node: { ...node, id }, inputs, rows, read: null });
    return id;
  }

  get(id: string): Draft {
    const draft = this.#drafts.get(id);
    if (draft === undefined) throw new Error(`No draft ${id}.`);
    return draft;
  }
}
