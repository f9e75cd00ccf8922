import type { Cgs } from "@plasm/core";
import type { ColumnTypes } from "../rows/row.ts";
import type { Engine } from "./engine.ts";
import type { Feed } from "./feed.ts";

/** Who asks for a condition, and the entity whose columns it reads. */
export interface PredUse {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly cgs: Cgs | null;
  readonly entity: string | null;
  /** types of the columns of rows of no entity */
  readonly types?: ColumnTypes;
}
