import { useMemo, useState } from "preact/hooks";
import { call } from "../api.ts";
import { Card, ProblemNote } from "../parts/ui.tsx";
import { useAskedWork } from "../parts/work.ts";
import type { SavedProgram, Schedule } from "../records.ts";
import { go } from "../router.tsx";

/** What somebody writes of a schedule, as text. */
export interface ScheduleDraft {
  readonly cron: string;
  readonly zone: string;
  /** by parameter; what is empty has its default */
  readonly values: Readonly<Record<string, string>>;
  readonly watch: boolean;
  /** names of columns, with commas */
  readonly key: string;
}

/** What is sent to have a program run at times: the server reads the texts, and says what is wrong with them (SURF-61). */
export function scheduleBody(program: string, draft: ScheduleDraft): object {
  const { cron, zone, values, watch } = draft;
  const key = draft.key
    .split(",")
    .map((column) => column.trim())
    .filter((column) => column !== "");
  const given = Object.entries(values).filter(([, value]) => value !== "");
  return {
    program,
    cron: cron.trim(),
    ...(zone.trim() === "" ? {} : { zone: zone.trim() }),
    ...(given.length === 0 ? {} : { arguments: Object.fromEntries(given) }),
    ...(watch ? { watch } : {}),
    ...(watch && key.length > 0 ? { key } : {}),
  };
}

const zoneHere = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Has a saved program run at times from now on, with the rights of whoever asks for it. */
export function ScheduleForm({ of: { name, parameters } }: { of: SavedProgram }) {
  const { isBusy, problem, run } = useAskedWork();
  const zones = useMemo(() => ["UTC", ...Intl.supportedValuesOf("timeZone")], []);
  const [draft, setDraft] = useState<ScheduleDraft>(() => ({
    cron: "",
    zone: zoneHere(),
    values: {},
    watch: false,
    key: "",
  }));
  const change = (more: Partial<ScheduleDraft>) => setDraft((before) => ({ ...before, ...more }));
  const submit = () =>
    run(async () => {
      const made = await call<Schedule>("/v1/schedules", {
        method: "POST",
        body: scheduleBody(name, draft),
      });
      go(`/schedules/${encodeURIComponent(made.schedule_uuid)}`);
    });
  return (
    <Card title="Run it at times">
      {problem === null ? null : <ProblemNote problem={problem} />}
      <form
        class="decide"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div class="filter">
          <label>
            When (cron)
            <input
              required
              value={draft.cron}
              autocomplete="off"
              placeholder="0 7 * * 1"
              aria-describedby="about-cron"
              onInput={({ currentTarget }) => change({ cron: currentTarget.value })}
            />
          </label>
          <label>
            Time zone
            <input
              value={draft.zone}
              list="zones"
              autocomplete="off"
              onInput={({ currentTarget }) => change({ zone: currentTarget.value })}
            />
          </label>
          {parameters.map(({ name: one, type, list, default: value }) => (
            <label key={one}>
              {`${one}, ${list ? `list of ${type}` : type}`}
              <input
                value={draft.values[one] ?? ""}
                autocomplete="off"
                placeholder={typeof value === "string" ? value : JSON.stringify(value)}
                onInput={({ currentTarget }) =>
                  change({ values: { ...draft.values, [one]: currentTarget.value } })
                }
              />
            </label>
          ))}
          <datalist id="zones">
            {zones.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </div>
        <p id="about-cron" class="dim small">
          Five fields: minute, hour, day of the month, month, day of the week.{" "}
          <code>0 7 * * 1</code> is each Monday at seven. A parameter that is left empty has its
          default; dates may be relative, such as <code>today-7d</code>, and are dated at each run;
          a list is written as JSON.
        </p>
        <label class="row">
          <input
            type="checkbox"
            checked={draft.watch}
            onChange={({ currentTarget }) => change({ watch: currentTarget.checked })}
          />
          Watch: compare its rows with those of the time before
        </label>
        {draft.watch ? (
          <div class="filter">
            <label>
              Key columns
              <input
                value={draft.key}
                autocomplete="off"
                placeholder="that of the entity"
                onInput={({ currentTarget }) => change({ key: currentTarget.value })}
              />
            </label>
          </div>
        ) : null}
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy}>
            Run it at these times
          </button>
          <span role="status" class="dim">
            {isBusy ? "Planning it …" : ""}
          </span>
        </div>
        <p class="dim small">
          It runs with your rights, and is planned once now. What changes something waits for an
          operator each time, unless policy lets this version run.
        </p>
      </form>
    </Card>
  );
}
