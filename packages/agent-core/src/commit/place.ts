import type { Caller } from "../identity/caller.ts";
import type { Located } from "../session/locate.ts";
import type { CommitPlace } from "./mint.ts";

/** Where the records of a located session belong. */
export const placeOf = (caller: Caller, at: Located): CommitPlace => ({
  scope: caller.scope,
  owner: at.owner,
  principal: at.principal,
  session: {
    promptHash: at.view.session.promptHash,
    sessionId: at.view.session.sessionId,
  },
});
