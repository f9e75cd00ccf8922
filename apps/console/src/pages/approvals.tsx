import { useEffect, useState } from "preact/hooks";
import { ApiProblem, call } from "../api.ts";
import type { PageProps } from "../parts/page-props.ts";
import { useLoad } from "../parts/load.ts";
import {
  Badge,
  Card,
  Empty,
  Facts,
  Page,
  ProblemNote,
  Short,
  Shown,
  Table,
  Time,
  type Tone,
} from "../parts/ui.tsx";
import type { Approval, ApprovalPage } from "../records.ts";
import { go, Link } from "../router.tsx";
import { canStillReject, changedSince, hasExpired, whyNot } from "./approval-state.ts";
import { Explained, figureText, sentenceOf, undoText, Value } from "./planned-effects.tsx";

const LOOK_MS = 2_000;

/** The plans that wait for a decision, or one of them. */
export function Approvals({ place }: PageProps) {
  const [, uuid] = place.parts;
  return uuid === undefined ? (
    <Queue caller={place.query.get("caller")} after={place.query.get("after")} />
  ) : (
    <OnePlan key={uuid} uuid={uuid} />
  );
}

const who = ({ subject, acting_for: other }: Pick<Approval, "subject" | "acting_for">): string => {
  const name = subject ?? "Somebody unknown";
  return other === null ? name : `${name} for ${other}`;
};

function Queue({ caller, after }: { caller: string | null; after: string | null }) {
  const query = new URLSearchParams();
  if (caller !== null) query.set("caller", caller);
  if (after !== null) query.set("after", after);
  const loaded = useLoad<ApprovalPage>(
    `/v1/approvals${query.size === 0 ? "" : `?${query}`}`,
    LOOK_MS,
  );
  return (
    <Page
      title="Approvals"
      lead="Plans that policy does not let run until somebody has looked at them."
    >
      <Shown of={loaded}>
        {({ approvals, total, next, callers }) => (
          <>
            {callers.length > 1 || caller !== null ? (
              <nav class="chips" aria-label="Who asks">
                <Link to="/approvals" current={caller === null}>
                  Everybody
                </Link>
                {callers.map(({ subject, waiting }) => (
                  <Link
                    key={subject}
                    to={`/approvals?caller=${encodeURIComponent(subject ?? "")}`}
                    current={caller === subject}
                  >
                    {subject ?? "unknown"} {waiting}
                  </Link>
                ))}
              </nav>
            ) : null}
            {approvals.length === 0 ? (
              <Empty title="Nothing waits for you.">
                A plan comes here when the policy of its catalog has <code>approval.operator</code>{" "}
                for what it would change. This page shows it within two seconds.
              </Empty>
            ) : (
              <Card>
                <Table
                  label="Plans that wait"
                  head={["Plan", "Who asks", "Goal", "Asked", "Expires"]}
                >
                  {approvals.map((one) => (
                    <tr key={one.commit_uuid}>
                      <td>
                        <Link to={`/approvals/${one.commit_uuid}`}>{sentenceOf(one.effects)}</Link>
                        <span class="dim small"> {one.plan_commit_ref}</span>
                      </td>
                      <td>{who(one)}</td>
                      <td>{one.intent ?? <span class="dim">–</span>}</td>
                      <td>
                        <Time at={one.requested_at} />
                      </td>
                      <td>
                        <Time at={one.expires_at} />
                      </td>
                    </tr>
                  ))}
                </Table>
              </Card>
            )}
            {next === null ? null : (
              <p class="more">
                <Link
                  to={`/approvals?${new URLSearchParams({ ...(caller === null ? {} : { caller }), after: next })}`}
                >
                  Next page of {total}
                </Link>
              </p>
            )}
          </>
        )}
      </Shown>
    </Page>
  );
}

const STATES: Readonly<Record<Approval["state"], readonly [string, Tone]>> = {
  live: ["not asked for", "quiet"],
  waiting: ["waits for a decision", "warn"],
  approved: ["approved", "good"],
  rejected: ["rejected", "bad"],
  consumed: ["has run", "info"],
};

function OnePlan({ uuid }: { uuid: string }) {
  const loaded = useLoad<Approval>(`/v1/approvals/${encodeURIComponent(uuid)}`, LOOK_MS);
  const [read, setRead] = useState<Approval | null>(null);
  const { data } = loaded;
  // What was on the screen first is what somebody reads, and the only plan that is decided here.
  useEffect(() => setRead((before) => before ?? data), [data]);
  return (
    <Page
      title={data === null ? "Plan" : `Plan ${data.plan_commit_ref}`}
      lead={<Link to="/approvals">All plans that wait</Link>}
    >
      <Shown of={loaded}>
        {(plan) => (
          <>
            <p class="sentence">
              <strong>{who(plan)}</strong> asks to <strong>{sentenceOf(plan.effects)}</strong>.
            </p>
            <Effects plan={plan} />
            <Card title="The program">
              <pre tabIndex={0}>{plan.program}</pre>
            </Card>
            <Decide
              plan={plan}
              read={read ?? plan}
              onRead={() => setRead(plan)}
              onDone={loaded.reload}
            />
            <Card title="What would run">
              <pre tabIndex={0}>{plan.plan}</pre>
            </Card>
            <Card title="Where it comes from">
              <Facts
                of={[
                  ["Goal", plan.intent ?? "none was said"],
                  ["Accounts", accountsText(plan.accounts)],
                  ["Cost", billText(plan.bill)],
                  ["Asked", <Time key="a" at={plan.requested_at} />],
                  ["Expires", <Time key="e" at={plan.expires_at} />],
                  ["Hash of the plan", <Short key="h" id={plan.commit} />],
                ]}
              />
            </Card>
          </>
        )}
      </Shown>
    </Page>
  );
}

const accountsText = (accounts: Approval["accounts"]): string => {
  const named = Object.entries(accounts).map(([catalog, account]) => `${account} of ${catalog}`);
  return named.length === 0
    ? "none is named: those that the server has for its caller"
    : named.join(", ");
};

const billText = (bill: Approval["bill"]): string =>
  bill === null
    ? "not noted"
    : `${figureText(bill.requests, "requests")}, ${figureText(bill.rows, "rows")}`;

/** Whether what it finds was read, when, and how much of it stands here. */
function ExplainedNote({ explained }: Pick<Approval, "explained">) {
  if (explained === null) {
    return (
      <p class="dim small">
        The values from before were not read: its caller has not had it explained, and nothing is
        read in an operator's name. Ask for <code>plasm</code> with <code>explain: true</code>; they
        come here then.
      </p>
    );
  }
  const more =
    explained.omitted > 0 ? ` ${explained.omitted} more effects are not shown here.` : "";
  return (
    <p class="dim small">
      Values from before as its caller had them read <Time at={explained.at} />. They may have
      changed since.
      {more}
    </p>
  );
}

function Effects({ plan }: { plan: Approval }) {
  const { effects } = plan;
  return (
    <Card
      title={
        effects.length === 1 ? "What it changes" : `What it changes: ${effects.length} effects`
      }
    >
      <ol class="effects">
        {effects.map((effect) => (
          <li key={effect.node}>
            <p>
              <Badge tone={/delete/.test(effect.capability) ? "bad" : "info"}>
                {effect.capability}
              </Badge>{" "}
              <code>
                <Value shown={effect.target ?? "a new one"} />
              </code>{" "}
              <span class="dim">in {effect.catalog}</span>
            </p>
            {effect.for_each === null ? null : (
              <p class="dim">
                Once for each row of <code>{effect.for_each}</code>: how many there are is known
                when it runs.
              </p>
            )}
            {Object.keys(effect.args).length === 0 ? null : (
              <Table label={`Arguments of ${effect.capability}`} head={["Member", "New value"]}>
                {Object.entries(effect.args).map(([name, value]) => (
                  <tr key={name}>
                    <td>
                      <code>{name}</code>
                    </td>
                    <td class="value">
                      <Value shown={value} />
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            {plan.explained === null ? null : (
              <Explained
                of={effect.capability}
                rows={plan.explained.effects.filter(({ node }) => node === effect.node)}
              />
            )}
            <p class={undoText(effect).startsWith("Plasm cannot") ? "undo" : "dim small"}>
              {undoText(effect)}
            </p>
          </li>
        ))}
      </ol>
      <ExplainedNote explained={plan.explained} />
    </Card>
  );
}

interface DecideProps {
  readonly plan: Approval;
  /** the plan as it was read first */
  readonly read: Approval;
  /** that what changed since has been read, too */
  readonly onRead: () => void;
  readonly onDone: () => void;
}

type Verdict = "approve" | "reject";

function Decide({ plan, read, onRead, onDone }: DecideProps) {
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState<Verdict | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [done, setDone] = useState<Verdict | null>(null);
  const changes = changedSince(read, plan);
  const isOther = plan.commit !== read.commit;
  const now = Date.now();
  const [label, tone]: readonly [string, Tone] = hasExpired(plan, now)
    ? ["expired", "bad"]
    : STATES[plan.state];
  const why = isOther ? (changes[0] ?? "") : whyNot(plan, now);
  const decide = async (verdict: Verdict) => {
    setBusy(verdict);
    setProblem(null);
    try {
      await call(`/v1/approvals/${encodeURIComponent(plan.commit_uuid)}/${verdict}`, {
        method: "POST",
        body: {
          commit: read.commit,
          explained_at: read.explained?.at ?? null,
          ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
        },
      });
      setDone(verdict);
    } catch (thrown) {
      setProblem(
        thrown instanceof ApiProblem ? thrown : new ApiProblem(0, "defect", String(thrown)),
      );
    } finally {
      setBusy(null);
      onDone();
    }
  };
  const isOpen = why === null && done === null;
  const hasNews = isOpen && changes.length > 0;
  const mayApprove = isOpen && !hasNews;
  const mayReject = (isOpen || canStillReject(plan, now)) && !isOther && done !== "reject";
  return (
    <Card title="Your decision" more={<Badge tone={tone}>{label}</Badge>}>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <p role="status" class={why === null ? "unseen" : ""}>
        {why ?? ""}
        {plan.reason === null ? "" : ` Reason: ${plan.reason}`}
      </p>
      {hasNews ? (
        <div role="alert" class="undo">
          <p>It changed while you read it:</p>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
          <button type="button" onClick={onRead}>
            I have read what changed
          </button>
        </div>
      ) : null}
      {mayApprove || mayReject ? (
        <form class="decide" onSubmit={(event) => event.preventDefault()}>
          <label for="reason">
            Reason <span class="dim">(kept in the audit log; may be left out)</span>
          </label>
          <input
            id="reason"
            maxLength={500}
            value={reason}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <div class="row">
            {mayApprove ? (
              <button
                type="button"
                class="primary"
                disabled={busy !== null}
                onClick={() => void decide("approve")}
              >
                {busy === "approve"
                  ? "Approving …"
                  : plan.effects.length > 1
                    ? `Approve all ${plan.effects.length} effects`
                    : "Approve"}
              </button>
            ) : null}
            <button
              type="button"
              class="danger"
              disabled={busy !== null}
              onClick={() => void decide("reject")}
            >
              {busy === "reject" ? "Rejecting …" : "Reject"}
            </button>
          </div>
          <p class="dim small">
            {mayApprove
              ? "Approving lets exactly this plan run once, by whoever asked for it. Rejecting is final."
              : "It has not run yet, so that rejecting still stops it."}
          </p>
        </form>
      ) : (
        <p>
          <button type="button" onClick={() => go("/approvals")}>
            Back to the queue
          </button>
        </p>
      )}
    </Card>
  );
}
