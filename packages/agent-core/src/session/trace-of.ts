import type { StoreOps } from "../ports.ts";
import type { ExecuteSession, SessionKey } from "../records/execute-session.ts";
import type { TracePlace } from "../records/trace-record.ts";
import type { Located } from "./locate.ts";

/** Whose trace a session's is: the logical session's, else its own (SURF-29). */
const traceOfSession = (session: ExecuteSession): TracePlace => ({
  scope: session.scope,
  owner: session.logicalId ?? session.sessionId,
  kind: session.logicalId === null ? "execute" : "logical",
  subject: session.subject,
  ...(session.opener === undefined ? {} : { opener: session.opener }),
});

export const traceOf = ({ view }: Located): TracePlace => traceOfSession(view.session);

/** The same by the key of a session; null if it is kept no longer. */
export async function traceOfKey(
  store: StoreOps,
  scope: string,
  key: SessionKey,
): Promise<TracePlace | null> {
  const session = await store.session(scope, key);
  return session === null ? null : traceOfSession(session);
}
