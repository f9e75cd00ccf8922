import type { PageProps } from "../parts/page-props.ts";
import { useLoad } from "../parts/load.ts";
import { Badge, Card, Empty, Page, Shown, Table, Time } from "../parts/ui.tsx";
import type { ApprovalPage, LogLine, LogPage } from "../records.ts";
import { Link } from "../router.tsx";
import { sentenceOf } from "./planned-effects.tsx";
import { Target, WHAT } from "./audit-words.tsx";

const LOOK_MS = 5_000;
const SHOWN = 8;

/** What waits, what failed lately and what happened. */
export function Home({ who }: PageProps) {
  return (
    <Page title="Home" lead="What agents do here, and what waits for you.">
      {who.roles.operator === undefined ? (
        <Empty title="You are signed in with the key of an agent.">
          Plans that wait and the audit log are for operators: sign in with the key of one to see
          them here.
        </Empty>
      ) : (
        <div class="columns">
          <Waiting />
          <Failures />
          <Lately />
        </div>
      )}
    </Page>
  );
}

function Waiting() {
  const loaded = useLoad<ApprovalPage>("/v1/approvals", LOOK_MS);
  return (
    <Card title="Waits for you" more={<Link to="/approvals">All</Link>}>
      <Shown of={loaded}>
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

/** How an effect ends that went well. */
const WELL = ["done", "skipped"];
const hasFailed = ({ kind, outcome }: LogLine): boolean =>
  kind === "refused" || (kind === "effect_ended" && !WELL.includes(outcome ?? ""));

function Failures() {
  const loaded = useLoad<LogPage>("/v1/audit?limit=200", LOOK_MS);
  return (
    <Card title="Failed or refused lately" more={<Link to="/audit">Audit log</Link>}>
      <Shown of={loaded}>
        {({ lines }) => {
          const failed = lines.filter(hasFailed).slice(0, SHOWN);
          if (failed.length === 0)
            return (
              <Empty title="Nothing failed lately.">
                Of the last 200 lines of the audit log none is a refusal or a failed effect.
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

function Lately() {
  const loaded = useLoad<LogPage>("/v1/audit?limit=12", LOOK_MS);
  return (
    <Card title="What happened last" more={<Link to="/audit">All</Link>}>
      <Shown of={loaded}>
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
              {lines.map((line) => (
                <tr key={line.n}>
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
              ))}
            </Table>
          )
        }
      </Shown>
    </Card>
  );
}
