import type { Operation } from "../document/operation.ts";
import type { EntityDraft } from "./entity-draft.ts";
import type { Entities } from "./find-entities.ts";
import type { ValueTable } from "./value-table.ts";

/** What capabilities are made with. */
export interface CapabilityScene {
  readonly entities: Entities;
  readonly values: ValueTable;
  /** the list of each entity that needs nothing, of which there may be one (CAT-073) */
  readonly openLists: Map<EntityDraft, Operation>;
  readonly labelsOf: (entity: EntityDraft) => Set<string>;
  readonly fieldRefs: (entity: EntityDraft) => ReadonlyMap<string, EntityDraft | null>;
  /** Tells what of an operation is left out, though the rest of it is there. */
  readonly say: (operation: Operation, left: readonly string[]) => void;
}
