import type { Cgs, Field, PlanNode } from "@plasm/core";
import { editedArguments, isEffect, isPair } from "@plasm/core/internal";
import type { PartialReason } from "../base/diagnostic.ts";

/** How the cells of a column are shown to an agent where they are not shown as they are (RUN-038). */
export type ColumnPresentation =
  | {
      readonly column: string;
      /** `<media size>` stands for the value */
      readonly as: "reference";
      /** a media type, or a word such as `markdown`, where the value itself does not tell */
      readonly media: string;
    }
  /** clipped before any other column is; of what an effect has edited a beginning is enough (LANG-056) */
  | { readonly column: string; readonly as: "lossy" | "edited" }
  /** an aggregate of a part of its rows: what it is at least, at most, of the rows read or of the cells that fit */
  | {
      readonly column: string;
      readonly as: "at_least" | "at_most" | "of_rows_read" | "of_fitting";
    };

/** The field at a path of an entity's rows, behind references too; undefined where there is none. */
function fieldAt(cgs: Cgs, entity: string, path: readonly string[]): Field | undefined {
  const [name, ...rest] = path;
  const owner = cgs.entities.get(entity);
  if (owner === undefined || name === undefined) return undefined;
  const field = owner.fields.get(name);
  if (rest.length === 0) return field;
  const reference = field?.type.kind === "entity_ref" ? field.type.target : undefined;
  const target = reference ?? owner.relations.get(name)?.target;
  return target === undefined ? undefined : fieldAt(cgs, target, rest);
}

function mediaOf({ mimeTypeHint, attachmentMedia, type }: Field): string {
  if (mimeTypeHint !== undefined) return mimeTypeHint;
  if (attachmentMedia !== undefined && attachmentMedia !== "generic") return attachmentMedia;
  if (type.kind !== "string") return "blob";
  return type.semantics === "short" ? "text" : type.semantics;
}

/** A column of rows as it is declared. */
export interface PresentedColumn {
  readonly name: string;
  readonly path: readonly string[];
  /** its type as the teaching table writes it */
  readonly word: string;
}

/**
 * How a column is shown, by what its field declares: blobs by default as references, all else as it is;
 * null for the latter (RUN-038). What a program computes is shown, since it was asked for.
 */
export function presentationOf(
  cgs: Cgs | null,
  entity: string | null,
  { name, path, word }: PresentedColumn,
): ColumnPresentation | null {
  const dotted = path.flatMap((part) => part.split("."));
  const field = cgs === null || entity === null ? undefined : fieldAt(cgs, entity, dotted);
  if (field?.presentation === "lossy") return { column: name, as: "lossy" };
  if (field?.presentation === "reference_only" || word === "blob") {
    return { column: name, as: "reference", media: field === undefined ? "blob" : mediaOf(field) };
  }
  return null;
}

/** The columns of an effect's rows that show what it has edited. */
export const editedColumns = (node: PlanNode): readonly ColumnPresentation[] =>
  isEffect(node) ? editedArguments(node).map((column) => ({ column, as: "edited" })) : [];

type Aggregate = Extract<
  Extract<PlanNode, { kind: "compute" }>["op"],
  { aggregate: unknown }
>["aggregate"][number];

type Bound = "at_least" | "at_most" | "of_rows_read" | "of_fitting";

/** Where cells do not fit, all rows were read, and the aggregate is that of the others (LANG-066). */
function boundOf(fn: Aggregate["fn"], reason: PartialReason): Bound {
  if (reason === "cell_unfit") return "of_fitting";
  // There are rows too many, not too few.
  if (reason === "condition_unmet") return "of_rows_read";
  // Which row is first may show behind the rows that were read, where these were brought in order.
  if (fn === "first" || fn === "last") return "of_rows_read";
  if (fn === "count" || fn === "max") return "at_least";
  return fn === "min" ? "at_most" : "of_rows_read";
}

/**
 * How the aggregates of a node are shown where it was made of a part of its rows: never as bare numbers
 * (LANG-067). Steps that keep columns show those of their source.
 */
export function partialAggregates(
  nodes: readonly PlanNode[],
  node: PlanNode | undefined,
  reason: PartialReason,
): readonly ColumnPresentation[] {
  if (node === undefined) return [];
  const ofSource = (): readonly ColumnPresentation[] =>
    "source" in node
      ? partialAggregates(
          nodes,
          nodes.find(({ id }) => id === node.source),
          reason,
        )
      : [];
  if (node.kind === "join") return ofSource();
  if (isPair(node)) {
    const { as, with: other } = node.op.pair;
    const right = partialAggregates(
      nodes,
      nodes.find(({ id }) => id === other),
      reason,
    );
    return [
      ...ofSource(),
      ...right.map(({ column, ...bound }) => ({ ...bound, column: `${as}.${column}` })),
    ] as readonly ColumnPresentation[];
  }
  if (node.kind !== "compute") return [];
  const { op } = node;
  if ("render" in op) return [];
  const aggregates = "aggregate" in op ? op.aggregate : "group_by" in op ? op.group_by.aggs : null;
  if (aggregates !== null) {
    return aggregates.map(({ as, fn }) => ({ column: as, as: boundOf(fn, reason) }));
  }
  if (!("project" in op)) return ofSource();
  const kept = new Set(op.project.map((path) => path.join(".")));
  return ofSource().filter(({ column }) => kept.has(column));
}
