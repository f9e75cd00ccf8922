import type { SessionView } from "./session-view.ts";

/**
 * What policy kept from being taught in a session, as `entry_id/capability`: whoever names it is told of
 * nothing (SURF-26, TEACH-24).
 */
export const untaughtIn = ({ waves }: Pick<SessionView, "waves">): ReadonlySet<string> =>
  new Set(
    waves.flatMap(({ entry, untaught }) =>
      untaught
        .filter(({ reason }) => reason === "policy")
        .map(({ capability }) => `${entry.entryId}/${capability}`),
    ),
  );
