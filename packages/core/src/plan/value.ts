import type { Json } from "../values/json.ts";

/** A value inside a plan (plan specification, section 2). Holes are filled when the plan runs. */
export type PlanValue =
  | { readonly lit: Json }
  | { readonly dec: string }
  | { readonly now: string }
  | {
      readonly from: string;
      readonly path: readonly string[];
      readonly type: string;
      readonly many: boolean;
    }
  | { readonly row: readonly string[]; readonly type: string }
  | { readonly ref: { readonly entity: string; readonly key: Readonly<Record<string, PlanValue>> } }
  | { readonly list: readonly PlanValue[] }
  | { readonly obj: Readonly<Record<string, PlanValue>> };

export type CompareOp = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~" | "in";

/** A condition tested on rows in hand. Paths are lists of wire names. */
export type Pred =
  | { readonly and: readonly Pred[] }
  | { readonly or: readonly Pred[] }
  | { readonly not: Pred }
  | { readonly exists: readonly string[] }
  | { readonly op: CompareOp; readonly path: readonly string[]; readonly value: PlanValue };
