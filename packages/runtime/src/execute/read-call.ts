import type { Call } from "../request/environment.ts";

/** A call of a read, whatever serves it. */
export type ReadCall = Omit<Call, "template" | "identity">;
