import type {
  AskedSlot,
  ConnectionSession,
  LogicalSession,
  SessionAtSlot,
  WaveRecord,
} from "@plasm/agent-core";
import { sql } from "kysely";
import { fixed } from "../queries/fixed.ts";
import { ampleLifetime, decodeSession } from "../queries/sessions.ts";
import type { Db } from "../schema/tables.ts";

/** A logical session, the execute session that it is bound to, and what is read of its waves. */
interface Row {
  readonly logical_id: string;
  readonly version: number;
  readonly logical: string;
  readonly body: string;
  readonly expires_at: number;
  readonly ended_at: number | null;
  readonly waves: readonly string[] | null;
  readonly pinned: readonly string[] | null;
  /** what the connection keeps: a record, if there is one */
  readonly c_id: string | null;
  readonly c_version: number | null;
  readonly c_body: string | null;
}

interface Given extends Pick<AskedSlot, "scope" | "principal" | "slot"> {
  /** the user's name as JSON has it */
  readonly user: string | null;
  readonly now: number;
  /** what lives until then is not renewed */
  readonly until: number;
  /** until when others live from now on */
  readonly later: number;
  readonly known: string;
  readonly after: number;
  readonly connections: string | null;
  readonly prefix: string | null;
}

/**
 * One statement, so that a call waits once. What it needs of a body is found in its text: PostgreSQL cannot take apart JSON
 * that holds a NUL or half a character, and no text within JSON holds a quote that is not escaped. The bodies found are
 * judged whole afterwards.
 */
const looking = fixed((db, of: Given) => {
  const query = sql<Row>`
    with logical as (
      select r.id, r.version, r.body,
        substring(r.body from '"bound":{[^}]*"sessionId":"([^"]*)"') as session_id,
        case when ${of.user}::text is null then position('"subject":"' in r.body) = 0
          else position(('"subject":' || ${of.user}::text) in r.body) > 0 end as is_own
      from plasm.slots as s
      join plasm.records as r on r.kind = 'logical' and r.scope = ${of.scope} and r.id = s.logical_id
      where s.principal = ${of.principal} and s.slot = ${of.slot}
    ), standing as (
      select e.session_id, e.body, e.expires_at, e.ended_at
      from plasm.execute_sessions as e join logical as l on e.session_id = l.session_id
      where l.is_own and e.scope = ${of.scope} and e.expires_at > ${of.now}::bigint
    ), renewed as (
      update plasm.execute_sessions as e set expires_at = ${of.later}::bigint
      from standing as s
      where e.session_id = s.session_id and e.expires_at > ${of.now}::bigint
        and e.expires_at < ${of.until}::bigint
      returning e.expires_at
    )
    select l.id as logical_id, l.version, l.body as logical, s.body, s.ended_at,
      coalesce(r.expires_at, s.expires_at) as expires_at,
      (
        select array_agg(w.body order by w.n) from plasm.waves as w
        where w.session_id = s.session_id
          and w.n > case when s.session_id = ${of.known} then ${of.after}::bigint else 0 end
      ) as waves,
      (
        select array_agg(distinct c.digest) from plasm.waves as w
        join plasm.catalogs as c on c.digest = w.digest
        where w.session_id = s.session_id
      ) as pinned,
      c.id as c_id, c.version as c_version, c.body as c_body
    from logical as l cross join standing as s left join renewed as r on true
    left join plasm.records as c on c.kind = 'connectionSession'
      and c.scope = ${of.connections}::text and c.id = ${of.prefix}::text || l.id`;
  return { compile: () => query.compile(db) };
});

const keptOn = ({ c_id: id, c_version: version, c_body: body }: Row) =>
  id === null || version === null || body === null
    ? null
    : { id, version, value: JSON.parse(body) as ConnectionSession };

/** What the port calls `sessionAtSlot` gives (SESS-11). */
export async function sessionAtSlot(
  db: Db,
  now: number,
  { scope, principal, slot, subject, lifetimeMs, known, connection }: AskedSlot,
): Promise<SessionAtSlot | null> {
  const { rows } = await looking(db, {
    scope,
    principal,
    slot,
    user: subject === null ? null : JSON.stringify(subject),
    now,
    until: now + lifetimeMs,
    later: now + ampleLifetime(lifetimeMs),
    known: known?.sessionId ?? "",
    after: known?.waves ?? 0,
    connections: connection?.scope ?? null,
    prefix: connection?.prefix ?? null,
  });
  const [row] = rows;
  if (row === undefined) return null;
  const value = JSON.parse(row.logical) as LogicalSession;
  const session = decodeSession(row);
  const { bound, subject: user = null } = value;
  if (user !== subject || bound?.promptHash !== session.promptHash) return null;
  // It ended at the same moment.
  if (session.expiresAt < now + lifetimeMs) return null;
  return {
    logical: { id: row.logical_id, version: row.version, value },
    session,
    waves: (row.waves ?? []).map((body) => JSON.parse(body) as WaveRecord),
    pinned: row.pinned ?? [],
    onConnection: keptOn(row),
  };
}
