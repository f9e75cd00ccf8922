import type { SignedIn } from "../api.ts";
import type { PageProps } from "../parts/page-props.ts";
import { type Loaded, useLoad } from "../parts/load.ts";
import { Badge, Card, Empty, Page, Short, Shown, Table, Time } from "../parts/ui.tsx";
import type { ApprovalPage, LogLine, LogPage, LongRun, SessionTrace } from "../records.ts";
import { Link } from "../router.tsx";
import { activities, hasFailed } from "./activity.ts";
import { Target, WHAT } from "./audit-words.tsx";
import { FirstSteps, isOfSetup } from "./first-steps.tsx";
import { sentenceOf } from "./planned-effects.tsx";

const LOOK_MS = 5_000;
const SHOWN = 8;
/** lines of the audit log that are looked at */
const LINES = 200;
const LAST = 12;

/** What runs, what waits, what failed lately, and of which catalogs and callers (SURF-34). */
export function Home({ who }: PageProps) {
  const { operator, agent } = who.roles;
  return (
    <Page title="Home" lead="What agents do here, and what waits for you.">
      {operator !== undefined ? (
        <OfOperator who={who} />
      ) : agent !== undefined ? (
        <OfAgent who={who} />
      ) : (
        <Empty title="You are signed in with the key of an administrator.">
          It sets policies and imports catalogs, by HTTP alone. The key of an operator shows what
          agents do.
        </Empty>
      )}
    </Page>
  );
}

interface Listed {
  readonly operations: readonly LongRun[];
  /** null where these are all */
  readonly next: string | null;
}

/** A count as it is known: of what has more pages than were looked at, at least so many. */
const counted = (n: number, isAll: boolean): string => (isAll ? `${n}` : `at least ${n}`);

/** What leads to all of it, with how many there are. */
const allText = (n: number, isAll: boolean): string => `All (${counted(n, isAll)})`;

const useOperations = (state: "unfinished" | "failed"): Loaded<Listed> =>
  useLoad<Listed>(`/v1/operations?state=${state}`, LOOK_MS);

interface OfProps {
  readonly who: SignedIn;
}

function OfOperator({ who }: OfProps) {
  const waiting = useLoad<ApprovalPage>("/v1/approvals", LOOK_MS);
  const running = useOperations("unfinished");
  const failed = useOperations("failed");
  const log = useLoad<LogPage>(`/v1/audit?limit=${LINES}`, LOOK_MS);
  const isNew =
    waiting.data?.total === 0 &&
    running.data?.operations.length === 0 &&
    failed.data?.operations.length === 0 &&
    log.data?.lines.every(isOfSetup) === true;
  return (
    <div class="columns">
      {isNew ? <FirstSteps who={who} /> : null}
      <Waiting of={waiting} />
      <Running of={running} />
      <FailedOperations of={failed} />
      <Refused of={log} />
      <div class="wide">
        <By
          who={who}
          running={running.data}
          failed={failed.data}
          approvals={waiting.data}
          log={log.data}
          isLoading={running.isLoading || failed.isLoading || log.isLoading}
        />
        <Lately of={log} />
      </div>
    </div>
  );
}

/** An agent sees what its own sessions did. */
function OfAgent({ who }: OfProps) {
  const running = useOperations("unfinished");
  const failed = useOperations("failed");
  return (
    <div class="columns">
      <Running of={running} />
      <FailedOperations of={failed} />
      <div class="wide">
        <By
          who={who}
          running={running.data}
          failed={failed.data}
          approvals={null}
          log={null}
          isLoading={running.isLoading || failed.isLoading}
        />
        <OwnSessions />
        <p class="dim">
          These are the sessions and operations of your own key. Plans that wait and the audit log
          are for operators: sign in with the key of one to see them here.
        </p>
      </div>
    </div>
  );
}

function Waiting({ of }: { of: Loaded<ApprovalPage> }) {
  return (
    <Card
      title="Waits for you"
      more={<Link to="/approvals">{of.data === null ? "All" : allText(of.data.total, true)}</Link>}
    >
      <Shown of={of}>
        {({ approvals, total }) =>
          total === 0 ? (
            <Empty title="Nothing waits.">
              Plans that need an operator come here by themselves.
            </Empty>
          ) : (
            <ul class="list">
              {approvals.slice(0, SHOWN).map((one) => (
                <li key={one.commit_uuid}>
                  <Link to={`/approvals/${one.commit_uuid}`}>{sentenceOf(one.effects)}</Link>
                  <span class="dim">
                    {one.subject ?? "unknown"} · <Time at={one.requested_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Card>
  );
}

function Running({ of }: { of: Loaded<Listed> }) {
  return (
    <Card title="Runs now" more={<AllOperations of={of} />}>
      <Shown of={of}>
        {({ operations }) =>
          operations.length === 0 ? (
            <Empty title="Nothing runs.">
              Runs that change something, and those that nobody waits for, come here.
            </Empty>
          ) : (
            <OperationList of={operations} />
          )
        }
      </Shown>
    </Card>
  );
}

function AllOperations({ of: { data } }: { of: Loaded<Listed> }) {
  return (
    <Link to="/operations">
      {data === null ? "All operations" : allText(data.operations.length, data.next === null)}
    </Link>
  );
}

function FailedOperations({ of }: { of: Loaded<Listed> }) {
  return (
    <Card title="Failed lately" more={<AllOperations of={of} />}>
      <Shown of={of}>
        {({ operations }) =>
          operations.length === 0 ? (
            <Empty title="No operation failed." />
          ) : (
            <OperationList of={operations} />
          )
        }
      </Shown>
    </Card>
  );
}

function OperationList({ of }: { of: readonly LongRun[] }) {
  return (
    <ul class="list">
      {of.slice(0, SHOWN).map((one) => (
        <li key={one.operation_uuid}>
          <Link to={`/operations/${encodeURIComponent(one.operation_uuid)}`}>
            <code class="value">{one.program}</code>
          </Link>
          <span class="dim">
            {one.line} · {one.subject ?? "unknown"} · <Time at={one.ended_at ?? one.started_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Refused({ of }: { of: Loaded<LogPage> }) {
  return (
    <Card title="Refused, or effects that failed" more={<Link to="/audit">Audit log</Link>}>
      <Shown of={of}>
        {({ lines }) => {
          const failed = lines.filter(hasFailed).slice(0, SHOWN);
          if (failed.length === 0)
            return (
              <Empty title="Nothing was refused lately.">
                Of the last {LINES} lines of the audit log none is a refusal or a failed effect.
              </Empty>
            );
          return (
            <ul class="list">
              {failed.map((line) => (
                <li key={line.n}>
                  <span>
                    <Badge tone="bad">{line.outcome ?? "refused"}</Badge>{" "}
                    {line.capability ?? line.detail ?? WHAT[line.kind] ?? line.kind}
                    {line.target === null ? null : <code> {line.target}</code>}
                  </span>
                  <span class="dim">
                    {line.subject ?? "unknown"} · <Time at={line.happened_at} />
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
    </Card>
  );
}

interface ByProps extends OfProps {
  readonly running: Listed | null;
  readonly failed: Listed | null;
  readonly approvals: ApprovalPage | null;
  readonly log: LogPage | null;
  readonly isLoading: boolean;
}

/** The same in numbers: who does what on which API. */
function By({ who, running, failed, approvals, log, isLoading }: ByProps) {
  const all = activities({
    operations: [...(running?.operations ?? []), ...(failed?.operations ?? [])],
    approvals: approvals?.approvals ?? [],
    lines: log?.lines ?? [],
  });
  const isOperator = who.roles.operator !== undefined;
  const has = {
    runs: (running?.next ?? null) === null,
    waits: (approvals?.next ?? null) === null,
    failed: (failed?.next ?? null) === null && (log?.next ?? null) === null,
  };
  const hasAll = has.runs && has.waits && has.failed;
  return (
    <Card title="By catalog and caller">
      {all.length > 0 ? (
        <Table
          label="What runs, waits and failed lately, by catalog and caller"
          head={["Catalog", "Caller", "Run now", ...(isOperator ? ["Wait"] : []), "Failed lately"]}
        >
          {all.map(({ catalog, caller, runs, waits, failed: failures }) => (
            <tr key={JSON.stringify([catalog, caller])}>
              <td>
                {catalog === null ? (
                  <span class="dim">none</span>
                ) : who.roles.agent === undefined ? (
                  catalog
                ) : (
                  <Link to={`/catalogs/${encodeURIComponent(catalog)}`}>{catalog}</Link>
                )}
              </td>
              <td>{caller ?? <span class="dim">unknown</span>}</td>
              <td class="num">{counted(runs, has.runs)}</td>
              {isOperator ? <td class="num">{counted(waits, has.waits)}</td> : null}
              <td class="num">
                {failures === 0 ? (
                  counted(0, has.failed)
                ) : (
                  <Badge tone="bad">{counted(failures, has.failed)}</Badge>
                )}
              </td>
            </tr>
          ))}
        </Table>
      ) : isLoading ? (
        <p class="dim loading">Loading …</p>
      ) : (
        <Empty title="Nothing runs, waits or failed lately." />
      )}
      {hasAll || all.length === 0 ? null : (
        <p class="more dim small">
          There is more than is counted here: of plans and operations the newest pages are, of
          failures those of the last {LINES} lines of the audit log, too. The pages behind the links
          have all.
        </p>
      )}
    </Card>
  );
}

function Lately({ of }: { of: Loaded<LogPage> }) {
  return (
    <Card title="What happened last" more={<Link to="/audit">All</Link>}>
      <Shown of={of}>
        {({ lines }) =>
          lines.length === 0 ? (
            <Empty title="Nothing has been changed or decided yet.">
              Effects, decisions, refusals and changes of keys come here. Reads leave no line.
            </Empty>
          ) : (
            <Table
              label="The last lines of the audit log"
              head={["What", "To what", "Who", "When"]}
            >
              {lines.slice(0, LAST).map((line) => (
                <LastLine key={line.n} line={line} />
              ))}
            </Table>
          )
        }
      </Shown>
    </Card>
  );
}

function LastLine({ line }: { line: LogLine }) {
  return (
    <tr>
      <td>{WHAT[line.kind] ?? line.kind}</td>
      <td>
        {line.capability === null ? null : <span class="dim">{line.capability} </span>}
        <Target line={line} />
      </td>
      <td>{line.subject ?? <span class="dim">unknown</span>}</td>
      <td>
        <Time at={line.happened_at} />
      </td>
    </tr>
  );
}

function OwnSessions() {
  const loaded = useLoad<{ readonly traces: readonly SessionTrace[] }>("/v1/traces", LOOK_MS);
  return (
    <Card title="Your sessions" more={<Link to="/sessions">All sessions</Link>}>
      <Shown of={loaded}>
        {({ traces }) =>
          traces.length === 0 ? (
            <Empty title="No session has done anything yet.">
              A session comes here with its first call, over MCP or HTTP alike.
            </Empty>
          ) : (
            <Table
              label="Your sessions"
              head={["Session", "Last used", "Calls", "Refused or failed"]}
            >
              {traces.slice(0, SHOWN).map((one) => (
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
                  <td class="num">{one.totals.failed_calls}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Shown>
    </Card>
  );
}
