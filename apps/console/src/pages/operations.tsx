import { useState } from "preact/hooks";
import { ApiProblem, call, type SignedIn } from "../api.ts";
import type { PageProps } from "../parts/page-props.ts";
import { useLoad } from "../parts/load.ts";
import {
  Badge,
  Card,
  Chips,
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
import type { LongRun, SessionEvent } from "../records.ts";
import { Link } from "../router.tsx";
import { TraceEvents } from "./trace-events.tsx";
import { UndoOffer } from "./undo-offer.tsx";

const LOOK_MS = 3_000;

const TONES: Readonly<Record<LongRun["state"], Tone>> = {
  accepted: "info",
  running: "info",
  succeeded: "good",
  failed: "bad",
  cancelled: "warn",
};

const goesOn = ({ state }: LongRun): boolean => state === "accepted" || state === "running";

/** What runs in the sessions that one may see: all of them, or one with its steps (SURF-33). */
export function Operations({ who, place }: PageProps) {
  const [, id] = place.parts;
  return id === undefined ? <List /> : <One key={id} id={id} who={who} />;
}

interface Listed {
  readonly operations: readonly LongRun[];
  readonly next: string | null;
}

const FILTERS: readonly (readonly [string, string])[] = [
  ["", "All"],
  ["unfinished", "Under way"],
  ["succeeded", "Succeeded"],
  ["failed", "Failed"],
  ["cancelled", "Cancelled"],
];

function List() {
  const [state, setState] = useState("");
  const [before, setBefore] = useState<string | null>(null);
  const query = new URLSearchParams({
    ...(state === "" ? {} : { state }),
    ...(before === null ? {} : { before }),
  }).toString();
  const loaded = useLoad<Listed>(`/v1/operations${query === "" ? "" : `?${query}`}`, LOOK_MS);
  return (
    <Page
      title="Operations"
      lead="Work that goes on by itself or changes something, whichever process runs it, the newest first."
    >
      <Chips
        label="Which operations"
        of={FILTERS}
        chosen={state}
        onChoose={(one) => {
          setState(one);
          setBefore(null);
        }}
      />
      <Shown of={loaded}>
        {({ operations, next }) =>
          operations.length === 0 && next === null && before === null ? (
            <Empty title={state === "" ? "No operation yet." : "No operation is in this state."}>
              Runs that change something, and those that nobody waits for, come here by themselves.
            </Empty>
          ) : (
            <>
              <Card>
                <Table
                  label="Operations"
                  head={["Program", "State", "How it stands", "Requests", "Caller", "Began"]}
                >
                  {operations.map((one) => (
                    <tr key={one.operation_uuid}>
                      <td>
                        <Link to={`/operations/${encodeURIComponent(one.operation_uuid)}`}>
                          <code class="value">{one.program}</code>
                        </Link>
                      </td>
                      <td>
                        <State of={one} />
                      </td>
                      <td>{one.line}</td>
                      <td class="num">{one.requests ?? ""}</td>
                      <td>{one.subject ?? <span class="dim">unknown</span>}</td>
                      <td>
                        <Time at={one.started_at} />
                      </td>
                    </tr>
                  ))}
                </Table>
              </Card>
              {before === null ? null : (
                <button type="button" class="plain" onClick={() => setBefore(null)}>
                  The newest
                </button>
              )}
              {next === null ? null : (
                <button type="button" class="plain" onClick={() => setBefore(next)}>
                  Older ones
                </button>
              )}
            </>
          )
        }
      </Shown>
    </Page>
  );
}

function State({ of }: { of: LongRun }) {
  return (
    <>
      <Badge tone={TONES[of.state]}>{of.state}</Badge>
      {goesOn(of) && of.cancel_requested ? <span class="dim"> is being cancelled</span> : null}
      {of.set_aside ? <span class="dim"> set aside</span> : null}
    </>
  );
}

function One({ id, who }: { id: string; who: SignedIn }) {
  const loaded = useLoad<LongRun>(`/v1/operations/${encodeURIComponent(id)}`, LOOK_MS);
  const { data } = loaded;
  return (
    <Page title="Operation" lead={<Link to="/operations">All operations</Link>}>
      <Shown of={loaded}>
        {(one) => (
          <>
            <Card>
              <Facts
                of={[
                  [
                    "Program",
                    <code key="p" class="value">
                      {one.program}
                    </code>,
                  ],
                  ["State", <State key="s" of={one} />],
                  ["How it stands", one.line],
                  ["Step", `${one.step.k} of ${one.step.of}, rows of it: ${one.step.rows}`],
                  ["Requests so far", one.requests ?? "not known"],
                  ["What it came to", endOf(one)],
                  ["Effects of its plan", one.effects],
                  ["Catalogs", one.catalogs.join(", ")],
                  ["Plan", one.plan_commit_ref],
                  ["Caller", one.subject ?? "unknown"],
                  ["Operation", <code key="i">{one.operation_uuid}</code>],
                  [
                    "Session",
                    <Link key="t" to={`/sessions/${encodeURIComponent(one.trace_id)}`}>
                      <Short id={one.trace_id} />
                    </Link>,
                  ],
                  ["Began", <Time key="b" at={one.started_at} />],
                  ["Ended", <Time key="e" at={one.ended_at} />],
                ]}
              />
            </Card>
            {goesOn(one) ? (
              <Cancel of={one} done={loaded.reload} />
            ) : (
              <UndoOffer of={one} who={who} done={loaded.reload} />
            )}
          </>
        )}
      </Shown>
      {data === null ? null : <Timeline of={data} />}
    </Page>
  );
}

function endOf({ outcome }: LongRun): string {
  if (outcome === null) return "not known yet";
  const parts = [
    `rows: ${outcome.rows}`,
    `effects done: ${outcome.effects_done}`,
    ...(outcome.in_doubt === 0 ? [] : [`effects in doubt: ${outcome.in_doubt}`]),
    ...(outcome.code === null ? [] : [outcome.code]),
  ];
  return parts.join(" · ");
}

/** Asked about once more: what is cancelled does not go on. */
function Cancel({ of, done }: { of: LongRun; done: () => void }) {
  const [step, setStep] = useState<"idle" | "asked" | "sent">("idle");
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const cancel = async () => {
    setStep("sent");
    setProblem(null);
    try {
      await call(`/v1/operations/${encodeURIComponent(of.operation_uuid)}/cancel`, {
        method: "POST",
        body: {},
      });
    } catch (thrown) {
      setProblem(
        thrown instanceof ApiProblem ? thrown : new ApiProblem(0, "defect", String(thrown)),
      );
    }
    setStep("idle");
    done();
  };
  return (
    <Card title="Cancel">
      {problem === null ? null : <ProblemNote problem={problem} />}
      {of.cancel_requested ? (
        <p>It is being cancelled: what is under way is awaited, and written down.</p>
      ) : step === "asked" ? (
        <>
          <p>
            It does not go on after this. Effects that are under way are awaited and written down;
            what is done stays done.
          </p>
          <div class="tools">
            <button type="button" class="danger" onClick={() => void cancel()}>
              Yes, cancel it
            </button>
            <button type="button" class="plain" onClick={() => setStep("idle")}>
              Let it go on
            </button>
          </div>
        </>
      ) : (
        <button
          type="button"
          class="plain"
          disabled={step === "sent"}
          onClick={() => setStep("asked")}
        >
          {step === "sent" ? "Cancelling …" : "Cancel this operation"}
        </button>
      )}
    </Card>
  );
}

/** Its steps and requests, as the trace of its session has them. */
function Timeline({ of }: { of: LongRun }) {
  const loaded = useLoad<{ readonly events: readonly SessionEvent[] }>(
    `/v1/traces/${encodeURIComponent(of.trace_id)}`,
    goesOn(of) ? LOOK_MS : undefined,
  );
  return (
    <Shown of={loaded}>
      {({ events }) => <TraceEvents of={events.filter(({ run }) => run === of.run)} />}
    </Shown>
  );
}
