import { nearestName } from "@plasm/core";
import { fail } from "./failure.ts";
import { named } from "./named.ts";

/** What a call takes: names that are told, and names that are taken but not advertised (SURF-4). */
export interface KnownArguments {
  /** what is called, for the message: `plasm_run`, `POST /execute` */
  readonly of: string;
  readonly told: readonly string[];
  readonly untold?: readonly string[];
}

/** Throws plasm-bad-request for the first argument that is not known, naming the nearest one (SURF-4). */
export function refuseUnknown(given: readonly string[], known: KnownArguments): void {
  const names = [...known.told, ...(known.untold ?? [])];
  const unknown = given.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const near = nearestName(unknown, names);
  const guess = near === null ? "" : ` Did you mean ${near}?`;
  const list = known.told.length === 0 ? "It takes none." : `It takes: ${known.told.join(", ")}.`;
  throw fail(
    "plasm-bad-request",
    `${known.of} takes no argument ${named(unknown)}.${guess} ${list}`,
  );
}
