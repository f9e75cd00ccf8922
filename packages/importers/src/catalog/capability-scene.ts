import type { Operation } from "../document/operation.ts";
import type { EntityDraft } from "./entity-draft.ts";
import type { Entities } from "./find-entities.ts";
import type { ValueTable } from "./value-table.ts";

/** What capabilities are made with. */
export interface CapabilityScene {
  readonly entities: Entities;
  readonly values: ValueTable;
  /** the paths that have a PUT or a PATCH */
  readonly updated: ReadonlySet<string>;
  readonly labelsOf: (entity: EntityDraft) => Set<string>;
  readonly fieldRefs: (entity: EntityDraft) => ReadonlyMap<string, EntityDraft | null>;
  /** the words of a name → the field of its rows that has them */
  readonly fieldNames: (entity: EntityDraft) => ReadonlyMap<string, string>;
  /** Tells what of an operation is left out, though the rest of it is there. */
  readonly say: (operation: Operation, left: readonly string[]) => void;
}
