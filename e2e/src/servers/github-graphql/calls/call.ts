import type { Garden } from "../seed.ts";

/** One call of a capability as an agent writes it. */
export interface CapabilityCall {
  readonly program: (garden: Garden) => string;
  /** rows of the last result, by the members that are said; those of an effect without answer are not */
  readonly rows?: (garden: Garden) => readonly object[];
  /** how many rows there are, where they are too many to say */
  readonly count?: number;
  /** what the server has afterwards */
  readonly after?: (garden: Garden) => unknown;
  readonly leaves?: unknown;
}

/** Calls by the name of the capability. */
export type CapabilityCalls = Readonly<Record<string, CapabilityCall>>;

/** The one that is meant; the test's own mistake if it is not there. */
export function the<T>(found: T | undefined): T {
  if (found === undefined) throw new Error("the garden lacks it");
  return found;
}
