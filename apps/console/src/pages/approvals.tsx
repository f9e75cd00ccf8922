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
import type { Approval, ApprovalPage, EffectView } from "../records.ts";
import { go, Link } from "../router.tsx";
import { canStillReject, hasExpired, isCut, whyNot } from "./approval-state.ts";

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

const VERBS = /^(create|update|delete)$/;

/** What a plan would do, as a sentence: `delete boat b2, and 3 more`. */
export function sentenceOf(effects: readonly EffectView[]): string {
  const [first] = effects;
  if (first === undefined) return "change nothing";
  const words = first.capability.split(/[._]/);
  const verb = words.findLast((word) => VERBS.test(word));
  const noun = words.filter((word) => word !== verb).join(" ");
  const what = verb === undefined ? `do ${words.join(" ")}` : `${verb} ${noun}`;
  const target = first.target === null ? ` in ${first.catalog}` : ` ${first.target}`;
  const each = first.for_each === null ? "" : ", once for each row";
  const more = effects.length > 1 ? `, and ${effects.length - 1} more` : "";
  return `${what}${target}${each}${more}`;
}

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
            <Effects effects={plan.effects} />
            <Card title="The program">
              <pre tabIndex={0}>{plan.program}</pre>
            </Card>
            <Decide plan={plan} read={read ?? plan} onDone={loaded.reload} />
            <Card title="What would run">
              <pre tabIndex={0}>{plan.plan}</pre>
            </Card>
            <Card title="Where it comes from">
              <Facts
                of={[
                  ["Goal", plan.intent ?? "none was said"],
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

/** Nobody approves what they have not been shown: a part says that it is one. */
function Value({ shown }: { shown: string }) {
  return (
    <>
      {shown}
      {isCut(shown) ? <strong class="cut"> cut: read the whole in the program below</strong> : null}
    </>
  );
}

function Effects({ effects }: { effects: readonly EffectView[] }) {
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
            {/delete/.test(effect.capability) ? (
              <p class="undo">
                Plasm cannot undo this: what is deleted is gone unless the API keeps it.
              </p>
            ) : null}
          </li>
        ))}
      </ol>
    </Card>
  );
}

interface DecideProps {
  readonly plan: Approval;
  /** the plan as it was read first */
  readonly read: Approval;
  readonly onDone: () => void;
}

type Verdict = "approve" | "reject";

function Decide({ plan, read, onDone }: DecideProps) {
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState<Verdict | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [done, setDone] = useState<Verdict | null>(null);
  const hasChanged = plan.commit !== read.commit;
  const now = Date.now();
  const [label, tone]: readonly [string, Tone] = hasExpired(plan, now)
    ? ["expired", "bad"]
    : STATES[plan.state];
  const why = hasChanged
    ? "This is another plan than the one you read. Load this page again to read it."
    : whyNot(plan, now);
  const decide = async (verdict: Verdict) => {
    setBusy(verdict);
    setProblem(null);
    try {
      await call(`/v1/approvals/${encodeURIComponent(plan.commit_uuid)}/${verdict}`, {
        method: "POST",
        body: { commit: read.commit, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) },
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
  const mayApprove = why === null && done === null;
  const mayReject = (mayApprove || canStillReject(plan, now)) && !hasChanged && done !== "reject";
  return (
    <Card title="Your decision" more={<Badge tone={tone}>{label}</Badge>}>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <p role="status" class={why === null ? "unseen" : ""}>
        {why ?? ""}
        {plan.reason === null ? "" : ` Reason: ${plan.reason}`}
      </p>
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
