import { useState } from "preact/hooks";
import type { PageProps } from "../parts/page-props.ts";
import { useLoad } from "../parts/load.ts";
import {
  Badge,
  Card,
  Empty,
  Facts,
  Page,
  Short,
  Shown,
  Table,
  Time,
  type Tone,
} from "../parts/ui.tsx";
import type { SessionEvent, SessionTrace } from "../records.ts";
import { Link } from "../router.tsx";

const LOOK_MS = 5_000;

/** What sessions did: all of them, or one with its events. */
export function Sessions({ place }: PageProps) {
  const [, id] = place.parts;
  return id === undefined ? <List /> : <One key={id} id={id} />;
}

function List() {
  const loaded = useLoad<{ readonly traces: readonly SessionTrace[]; readonly omitted: number }>(
    "/v1/traces",
    LOOK_MS,
  );
  return (
    <Page
      title="Sessions"
      lead="What agents did, session by session: calls, runs and requests, as names, numbers and templates. Values and rows are not kept here."
    >
      <Shown of={loaded}>
        {({ traces, omitted }) =>
          traces.length === 0 ? (
            <Empty title="No session has done anything yet.">
              A session comes here with its first call, over MCP or HTTP alike.
            </Empty>
          ) : (
            <>
              <Card>
                <Table
                  label="Sessions"
                  head={[
                    "Session",
                    "Last used",
                    "Calls",
                    "Refused or failed",
                    "Requests",
                    "Rows",
                    "Long runs",
                    "Began",
                  ]}
                >
                  {traces.map((one) => (
                    <tr key={one.trace_id}>
                      <td>
                        <Link to={`/sessions/${encodeURIComponent(one.trace_id)}`}>
                          <Short id={one.trace_id} />
                        </Link>
                      </td>
                      <td>
                        <Time at={one.updated_at} />
                      </td>
                      <td class="num">{one.totals.calls}</td>
                      <td class="num">
                        {one.totals.failed_calls === 0 ? (
                          0
                        ) : (
                          <Badge tone="bad">{one.totals.failed_calls}</Badge>
                        )}
                      </td>
                      <td class="num">{one.totals.requests}</td>
                      <td class="num">{one.totals.rows}</td>
                      <td class="num">{one.totals.operations}</td>
                      <td>
                        <Time at={one.started_at} />
                      </td>
                    </tr>
                  ))}
                </Table>
              </Card>
              {omitted === 0 ? null : (
                <p class="more dim">{omitted} older sessions are not shown.</p>
              )}
            </>
          )
        }
      </Shown>
    </Page>
  );
}

const KINDS: readonly (readonly [string, string])[] = [
  ["", "All"],
  ["call", "Calls"],
  ["operation", "Runs"],
  ["node", "Steps"],
  ["request", "Requests"],
];

function One({ id }: { id: string }) {
  const [type, setType] = useState("");
  const loaded = useLoad<SessionTrace & { readonly events: readonly SessionEvent[] }>(
    `/v1/traces/${encodeURIComponent(id)}`,
    LOOK_MS,
  );
  return (
    <Page title="Session" lead={<Link to="/sessions">All sessions</Link>}>
      <Shown of={loaded}>
        {(trace) => (
          <>
            <Card>
              <Facts
                of={[
                  ["Session", <code key="i">{trace.trace_id}</code>],
                  ["Began", <Time key="b" at={trace.started_at} />],
                  ["Last used", <Time key="u" at={trace.updated_at} />],
                  [
                    "In all",
                    `calls: ${trace.totals.calls}, of which refused or failed: ${trace.totals.failed_calls} · requests: ${trace.totals.requests} · rows: ${trace.totals.rows}`,
                  ],
                ]}
              />
            </Card>
            <div class="chips" role="group" aria-label="Which events">
              {KINDS.map(([kind, name]) => (
                <button
                  key={kind}
                  type="button"
                  aria-pressed={type === kind}
                  onClick={() => setType(kind)}
                >
                  {name}
                </button>
              ))}
            </div>
            <Events events={trace.events.filter((one) => type === "" || one.type === type)} />
            {trace.dropped === 0 ? null : (
              <p class="more dim">
                {trace.dropped} older events are not kept any more; the totals count them.
              </p>
            )}
          </>
        )}
      </Shown>
    </Page>
  );
}

/** Events of a trace, the newest first, with how long each took. */
export function Events({ events }: { events: readonly SessionEvent[] }) {
  if (events.length === 0) return <Empty title="No such event in this session." />;
  const longest = Math.max(1, ...events.map(({ ms }) => ms ?? 0));
  return (
    <Card>
      <Table
        label="Events of the session"
        head={["No.", "When", "What", "How it ended", "Rows", "Took"]}
      >
        {events.toReversed().map((event) => (
          <tr key={event.n} class={`event ${event.type}`}>
            <td class="num">{event.n}</td>
            <td>
              <Time at={event.at} />
            </td>
            <td>
              <What event={event} />
            </td>
            <td>
              <Ending event={event} />
            </td>
            <td class="num">{event.rows ?? ""}</td>
            <td>
              {event.ms === undefined ? null : (
                <span class="took">
                  <progress max={longest} value={event.ms} aria-hidden="true" /> {event.ms} ms
                </span>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function What({ event }: { event: SessionEvent }) {
  switch (event.type) {
    case "call":
      return (
        <>
          {event.call} <span class="dim">{event.plan_commit_ref}</span>
        </>
      );
    case "node":
      return (
        <span class="dim">
          step {event.node} {event.kind} {event.entry_id}
        </span>
      );
    case "request":
      return (
        <code class="value">
          {event.method} {event.path}
        </code>
      );
    case "operation":
      return (
        <>
          run of {event.plan_commit_ref}
          {event.operation === null || event.operation === undefined
            ? ""
            : `, operation ${event.operation}`}
        </>
      );
    default:
      return (
        <>
          {event.type} {event.graft_id}
        </>
      );
  }
}

/** Words of endings that went well, and of what goes on. */
const WELL = /^(ok|done|succeeded|2\d\d|3\d\d)$/;
const GOES_ON = /^(running|accepted|plasm-(review|approval)-required)$/;

function toneOf(word: string): Tone {
  if (WELL.test(word)) return "good";
  return GOES_ON.test(word) ? "warn" : "bad";
}

function Ending({ event }: { event: SessionEvent }) {
  const word = event.outcome ?? event.state ?? event.status;
  if (word === undefined) return null;
  if (word === null) return <Badge tone="bad">no answer</Badge>;
  const more =
    event.code ??
    (event.attempt === undefined || event.attempt < 2 ? null : `attempt ${event.attempt}`);
  return (
    <>
      <Badge tone={toneOf(String(word))}>{word}</Badge> {more}
    </>
  );
}
