import type { Directed } from "./directed.ts";
import type { Spelled } from "./handles.ts";
import type { Told } from "./told.ts";

/** A call of a session that was made. */
export interface ProgramCall extends Directed {
  readonly told: Told;
  /** the page handle that it says */
  readonly handle: Spelled | null;
}
