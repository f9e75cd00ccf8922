import type { PageProps } from "../parts/page-props.ts";
import { useLoad } from "../parts/load.ts";
import { Badge, Card, Empty, Facts, Page, Short, Shown, Table, Time } from "../parts/ui.tsx";
import type { SessionEvent, SessionTrace } from "../records.ts";
import { Link } from "../router.tsx";
import { TraceEvents } from "./trace-events.tsx";

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

function One({ id }: { id: string }) {
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
            <TraceEvents of={trace.events} />
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
