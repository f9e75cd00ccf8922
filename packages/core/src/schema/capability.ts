import type { Json, JsonObject } from "../values/json.ts";
import type { InputSchema, Slot } from "./input.ts";
import type { Precondition } from "./precondition.ts";
import type { PreflightStep } from "./preflight.ts";

export type CapabilityKind = "query" | "search" | "get" | "create" | "update" | "delete" | "action";

/** What a write answers with (RUN-040). */
export interface Output {
  readonly shape:
    | { readonly type: "side_effect"; readonly description: string }
    | { readonly type: "entity"; readonly entityType: string }
    | { readonly type: "collection"; readonly entityType: string; readonly maxCount?: number }
    | { readonly type: "status"; readonly successIndicators: readonly Json[] }
    | { readonly type: "custom"; readonly schema: Json };
  readonly decoder?: string;
  readonly idempotent?: boolean;
}

/**
 * One thing an API can do, on one entity. `label` is the name programs use (catalog format,
 * section 7); `needsIdentity` is false for a `singleton`, which is a get without identity, and for a get
 * whose request has no part of the key in it.
 */
export interface Capability {
  readonly name: string;
  readonly label: string;
  readonly kind: CapabilityKind;
  readonly needsIdentity: boolean;
  readonly entity: string;
  readonly description: string;
  readonly operationTerms: readonly string[];
  readonly targetTerms: readonly string[];
  readonly parameters: readonly Slot[];
  readonly inputSchema?: InputSchema;
  /** Absent when the file declares none: all fields for reads, none for writes. */
  readonly provides?: readonly string[];
  readonly output?: Output;
  /** arguments that the engine gives: nothing else may, and they are no parameters (RUN-103) */
  readonly fixedArgs?: JsonObject;
  readonly preflight: readonly PreflightStep[];
  /** what the API demands of a row before the effect; none for reads (CAT-143) */
  readonly preconditions: readonly Precondition[];
  readonly scopeAggregateKeyPolicy: "retain" | "omit_when_redundant";
}
