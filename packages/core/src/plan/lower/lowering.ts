import type { CheckContext } from "../../check/check-context.ts";
import { columnsOf } from "../../check/columns/row-columns.ts";
import { type RowType, typeText } from "../../check/types.ts";
import type { Related, Rows } from "../../check/typed-program.ts";
import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import type { Exposure } from "../../symbols/exposure.ts";
import type { NodeCatalog, ResultType } from "../ir.ts";
import type { Drafts } from "./rows-graph.ts";
import type { FilterBlock, Fused } from "./fuse.ts";

/** What the lowering of one program reads and fills. */
export interface Lowering {
  readonly context: CheckContext;
  readonly exposure: Exposure;
  readonly drafts: Drafts;
  readonly fused: ReadonlyMap<Rows, Fused>;
  /** adjacent filters by the last one */
  readonly blocks: ReadonlyMap<Rows, FilterBlock>;
  /** the id of the node that computes some rows; sources are lowered before what is made from them */
  idOf(rows: Rows): string;
  /** Says which node computes rows that no step of the program stands for. */
  put(rows: Rows, id: string): void;
  /** of a sort whose rows come in its order: how many of them are read */
  firstOf(sort: Rows): number | undefined;
  /** Says so. */
  putFirst(sort: Rows, first: number): void;
  /** whether the rows that an aggregate counts are counted by the API */
  isCounted(aggregate: Rows): boolean;
  /** Says so. */
  putCounted(aggregate: Rows): void;
  /** the node that finds out what related rows come to */
  totalOf(related: Related): string;
  /** Says which node that is. */
  putTotal(related: Related, id: string): void;
}

/** The catalog member of a node: which entity of which catalog at which digest. */
export function nodeCatalog(exposure: Exposure, entity: EntityKey): NodeCatalog {
  const { digest } = catalogOf(exposure.catalogs, entity.entryId);
  return { entry_id: entity.entryId, digest, entity: entity.entity };
}

/** The result member of a node (plan specification, section 2). */
export function resultType(exposure: Exposure, type: RowType): ResultType {
  const columns =
    type.columns === null
      ? null
      : columnsOf(exposure, type).map(([name, column]): readonly [string, string] => [
          name,
          typeText(exposure, column),
        ]);
  return { card: type.card, entity: type.entity?.entity ?? null, columns };
}
