import type { WaveRecord } from "../records/wave-record.ts";
import type { SessionView } from "./session-view.ts";

const known = new WeakMap<readonly WaveRecord[], ReadonlySet<string>>();

/**
 * What policy kept from being taught in a session, as `entry_id/capability`: whoever names it is told of
 * nothing (SURF-26, TEACH-24). Found once for a log, which is another one when it grows.
 */
export function untaughtIn({ waves }: Pick<SessionView, "waves">): ReadonlySet<string> {
  const found = known.get(waves) ?? untaughtBy(waves);
  known.set(waves, found);
  return found;
}

const untaughtBy = (waves: readonly WaveRecord[]): ReadonlySet<string> =>
  new Set(
    waves.flatMap(({ entry, untaught }) =>
      untaught
        .filter(({ reason }) => reason === "policy")
        .map(({ capability }) => `${entry.entryId}/${capability}`),
    ),
  );
