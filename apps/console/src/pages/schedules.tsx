import { useState } from "preact/hooks";
import { type SignedIn, call } from "../api.ts";
import { useLoad } from "../parts/load.ts";
import { useAskedWork } from "../parts/work.ts";
import type { PageProps } from "../parts/page-props.ts";
import {
  Badge,
  Card,
  Empty,
  Facts,
  Page,
  ProblemNote,
  Shown,
  Table,
  Time,
  type Tone,
} from "../parts/ui.tsx";
import type { DueRun, Schedule } from "../records.ts";
import { Link, go } from "../router.tsx";
import { WatchFindings } from "./watch-findings.tsx";

const LOOK_MS = 3_000;

/** Saved programs that run at times: all that one may see, or one with its runs and what it has found (SURF-61, SURF-62). */
export function SchedulesPage({ who, place }: PageProps) {
  const [, id] = place.parts;
  return id === undefined ? <List who={who} /> : <One key={id} id={id} who={who} />;
}

const pathOf = (id: string): string => `/v1/schedules/${encodeURIComponent(id)}`;

function List({ who }: { who: SignedIn }) {
  const loaded = useLoad<{ readonly schedules: readonly Schedule[] }>("/v1/schedules", LOOK_MS);
  return (
    <Page
      title="Schedules"
      lead="Saved programs that run at times, each with the rights of its owner, and watches, which compare their rows."
    >
      <Shown of={loaded}>
        {({ schedules }) =>
          schedules.length === 0 ? (
            <Empty title="Nothing runs at times.">
              Choose one of the <Link to="/programs">saved programs</Link>, and say when it is to
              run.
            </Empty>
          ) : (
            <Card>
              <ScheduleTable label="Schedules" of={schedules} who={who} />
            </Card>
          )
        }
      </Shown>
    </Page>
  );
}

/** Schedules with what is next of each, what goes on, and how the last run ended. */
export function ScheduleTable({
  label,
  of,
  who,
}: {
  label: string;
  of: readonly Schedule[];
  who: SignedIn;
}) {
  return (
    <Table label={label} head={["Program", "When", "Next", "Now", "Last run", "Owner"]}>
      {of.map((one) => (
        <tr key={one.schedule_uuid}>
          <td>
            <Link to={`/schedules/${encodeURIComponent(one.schedule_uuid)}`}>
              <code class="value">{callOf(one)}</code>
            </Link>{" "}
            {one.watch === null ? null : <Badge tone="info">watch</Badge>}
          </td>
          <td>
            <code>{one.cron}</code> <span class="dim">{one.zone}</span>
          </td>
          <td>
            <Next of={one} />
            {one.problem === null ? null : <div class="undo small">{one.problem}</div>}
          </td>
          <td>
            {one.current === null ? (
              <span class="dim">–</span>
            ) : (
              <>
                <RunState of={one.current} /> <Where of={one.current} who={who} />
              </>
            )}
          </td>
          <td>
            <Last of={one} />
          </td>
          <td>{ownerOf(one, who)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** A call of its program: `long_boats(long="12")`. */
const callOf = ({ program, arguments: values }: Schedule): string =>
  `${program}(${Object.entries(values)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(", ")})`;

/** Whether it is of the agent of this sign-in, whichever credential the list was asked for with. */
const isMine = ({ own, owner }: Schedule, { auth, roles }: SignedIn): boolean =>
  own || (roles.agent !== undefined && (auth === "off" || owner === roles.agent));

const ownerOf = (one: Schedule, who: SignedIn): string =>
  isMine(one, who) ? "you" : (one.owner ?? "nobody in particular");

function Next({ of: { next_at: at, paused } }: { of: Schedule }) {
  if (paused) return <Badge tone="warn">paused</Badge>;
  return at === null ? <span class="dim">never</span> : <Time at={at} />;
}

function Last({ of: { runs, missed } }: { of: Schedule }) {
  const [last] = runs;
  const [lost] = missed;
  return (
    <>
      {last === undefined ? (
        <span class="dim">none yet</span>
      ) : (
        <>
          <RunState of={last} /> <Time at={last.due_at} />
          <Reason of={last} />
        </>
      )}
      {lost === undefined ? null : <div class="small">{lost.text}</div>}
    </>
  );
}

const TONES: Readonly<Record<DueRun["state"], Tone>> = {
  starting: "info",
  waiting: "warn",
  started: "info",
  succeeded: "good",
  failed: "bad",
  cancelled: "warn",
  refused: "bad",
};

function RunState({ of: { state, late } }: { of: DueRun }) {
  return (
    <>
      <Badge tone={TONES[state]}>{state}</Badge>
      {late ? <span class="dim small"> made up for</span> : null}
    </>
  );
}

/** Why a run was refused, or failed; of a reading that went well, what it found. */
function Reason({ of: { state, code, message } }: { of: DueRun }) {
  const text = message ?? code;
  if (text === null) return null;
  return <div class={state === "succeeded" ? "dim small" : "undo small"}>{text}</div>;
}

/** Where a run is gone on with: who decides on its plan, or what it does. */
function Where({ of, who }: { of: DueRun; who: SignedIn }) {
  const { state, commit_uuid: plan, operation_uuid: operation, plan_commit_ref: ref } = of;
  if (operation !== null)
    return <Link to={`/operations/${encodeURIComponent(operation)}`}>its operation</Link>;
  if (state !== "waiting" || plan === null) return null;
  return who.roles.operator === undefined ? (
    <span class="dim">for an operator, as {ref}</span>
  ) : (
    <Link to={`/approvals/${encodeURIComponent(plan)}`}>for your decision</Link>
  );
}

/** A time as clocks show it in a zone. */
export function clockTime(at: string, zone: string): string {
  const form = { dateStyle: "medium", timeStyle: "short" } as const;
  try {
    return `${new Intl.DateTimeFormat("en", { ...form, timeZone: zone }).format(Date.parse(at))} ${zone}`;
  } catch {
    // A zone that the server knows and this browser does not.
    return `${new Intl.DateTimeFormat("en", { ...form, timeZone: "UTC" }).format(Date.parse(at))} UTC`;
  }
}

function One({ id, who }: { id: string; who: SignedIn }) {
  const loaded = useLoad<Schedule>(pathOf(id), LOOK_MS);
  const { data } = loaded;
  const what = data?.watch === null || data === null ? "Schedule" : "Watch";
  return (
    <Page
      title={data === null ? "Schedule" : `${what} of ${data.program}`}
      lead={<Link to="/schedules">All schedules</Link>}
    >
      <Shown of={loaded}>
        {(one) => (
          <>
            {one.problem === null ? null : (
              <div class="note bad">
                <p>
                  <strong>Its next run would be refused: {one.problem}</strong>
                </p>
              </div>
            )}
            <About of={one} who={who} />
            <Controls of={one} who={who} done={loaded.reload} />
            {one.watch === null ? null : <WatchFindings key={id} path={`${pathOf(id)}/events`} />}
            <Runs of={one} who={who} />
            <Missed of={one} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function About({ of: one, who }: { of: Schedule; who: SignedIn }) {
  const { watch, next_at: next } = one;
  return (
    <Card>
      <Facts
        of={[
          [
            "Program",
            <Link key="p" to={`/programs/${encodeURIComponent(one.program)}`}>
              <code class="value">{callOf(one)}</code>
            </Link>,
          ],
          [
            "When",
            <>
              <code>{one.cron}</code> {one.zone}
            </>,
          ],
          [
            "Next",
            <>
              <Next of={one} /> {next === null ? null : clockTime(next, one.zone)}
            </>,
          ],
          [
            "Now",
            one.current === null ? (
              "nothing goes on"
            ) : (
              <>
                <RunState of={one.current} /> <Where of={one.current} who={who} />
                {one.current.waits_until === null ? null : (
                  <>
                    {" "}
                    until <Time at={one.current.waits_until} />
                  </>
                )}
              </>
            ),
          ],
          ...(watch === null
            ? []
            : ([
                ["Rows are known by", watch.key.join(", ")],
                [
                  "Readings",
                  watch.reading === 0
                    ? "none yet"
                    : `${watch.reading}, the last of ${watch.rows} rows`,
                ],
              ] as const)),
          ["Owner, with whose rights it runs", ownerOf(one, who)],
          ["Made", <Time key="m" at={one.created_at} />],
        ]}
      />
    </Card>
  );
}

/** Pauses, resumes or removes it; removing is asked about once more, since what was found goes with it. */
function Controls({ of, who, done }: { of: Schedule; who: SignedIn; done: () => void }) {
  const { isBusy, problem, run } = useAskedWork();
  const [isAsked, setAsked] = useState(false);
  const path = pathOf(of.schedule_uuid);
  const turn = (to: "pause" | "resume") =>
    run(async () => {
      await call(`${path}/${to}`, { method: "POST" });
      done();
    });
  const remove = () =>
    run(async () => {
      await call(path, { method: "DELETE" });
      go("/schedules");
    });
  const mayResume = isMine(of, who);
  return (
    <Card title="Change it">
      {problem === null ? null : <ProblemNote problem={problem} />}
      {isAsked ? (
        <>
          <p>
            It does not run again, and {of.watch === null ? "its runs are" : "what it has found is"}{" "}
            forgotten. What has begun goes on.
          </p>
          <div class="row">
            <button
              type="button"
              class="danger"
              disabled={isBusy}
              onClick={() => {
                setAsked(false);
                void remove();
              }}
            >
              Yes, remove it
            </button>
            <button type="button" onClick={() => setAsked(false)}>
              Keep it
            </button>
          </div>
        </>
      ) : (
        <div class="row">
          {of.paused ? null : (
            <button type="button" disabled={isBusy} onClick={() => void turn("pause")}>
              Pause
            </button>
          )}
          {mayResume && (of.paused || of.problem !== null) ? (
            <button type="button" disabled={isBusy} onClick={() => void turn("resume")}>
              {of.paused ? "Resume" : "Take the program as it is saved now"}
            </button>
          ) : null}
          <button type="button" disabled={isBusy} onClick={() => setAsked(true)}>
            Remove
          </button>
        </div>
      )}
      <p class="dim small">
        {of.paused
          ? mayResume
            ? "It does nothing until it is resumed, with its program as that is saved then."
            : "It does nothing until its owner resumes it."
          : "Paused it does nothing; a run that waits for a decision is given up."}
      </p>
    </Card>
  );
}

function Runs({ of: { runs }, who }: { of: Schedule; who: SignedIn }) {
  if (runs.length === 0) return <Empty title="It has not run yet." />;
  return (
    <Card title="Last runs">
      <Table
        label="Last runs"
        head={["Due", "How it ended", "Rows", "Effects done", "Ended", "Where"]}
      >
        {runs.map((one) => (
          <tr key={one.due_at}>
            <td>
              <Time at={one.due_at} />
            </td>
            <td>
              <RunState of={one} />
              <Reason of={one} />
            </td>
            <td class="num">{one.rows ?? ""}</td>
            <td class="num">
              {one.effects_done ?? ""}
              {one.in_doubt === null || one.in_doubt === 0 ? null : (
                <span class="undo"> {one.in_doubt} in doubt</span>
              )}
            </td>
            <td>
              <Time at={one.ended_at} />
            </td>
            <td>
              <Where of={one} who={who} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function Missed({ of: { missed } }: { of: Schedule }) {
  if (missed.length === 0) return null;
  return (
    <Card title="Times that were missed">
      <ul class="list">
        {missed.map(({ text }) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Card>
  );
}
