import { useEffect, useRef, useState } from "preact/hooks";
import { ApiProblem } from "../api.ts";
import type { PageProps } from "../parts/page-props.ts";
import { useLoad } from "../parts/load.ts";
import { save } from "../parts/save.ts";
import { Badge, Card, Empty, Page, ProblemNote, Shown, Table, Time } from "../parts/ui.tsx";
import type { LogLine, LogPage } from "../records.ts";
import { go, Link } from "../router.tsx";
import {
  asAsked,
  type AuditFilter,
  type ChainCheck,
  verifyLog,
  exported,
  type ExportFormat,
} from "./audit-chain.ts";
import { Target, WHAT } from "./audit-words.tsx";

const FILTERS = ["kind", "subject", "entry_id", "since", "until"] as const;
const PAGE = "100";

/** The audit log: what was done, decided and refused. */
export function AuditLog({ place }: PageProps) {
  const filter: AuditFilter = Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = place.query.get(name) ?? "";
      return value === "" ? [] : [[name, value] as const];
    }),
  );
  const after = place.query.get("after");
  const query = new URLSearchParams({
    ...asAsked(filter),
    limit: PAGE,
    ...(after === null ? {} : { after }),
  });
  const loaded = useLoad<LogPage>(`/v1/audit?${query}`);
  return (
    <Page
      title="Audit"
      lead="Every effect, decision, refusal, sign-in and change of keys, policies and catalogs, the newest first. Lines are chained by hashes, so that a change is found."
    >
      <Filter filter={filter} />
      <Files filter={filter} />
      <Shown of={loaded}>
        {(page) => (
          <Lines page={page} filter={filter} isFiltered={Object.keys(filter).length > 0} />
        )}
      </Shown>
    </Page>
  );
}

function Filter({ filter }: { filter: AuditFilter }) {
  return (
    <form
      class="filter"
      key={JSON.stringify(filter)}
      onSubmit={(event) => {
        event.preventDefault();
        const said = [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
          typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [],
        );
        go(`/audit?${new URLSearchParams(said)}`);
      }}
    >
      <label>
        What
        <select name="kind" defaultValue={filter["kind"] ?? ""}>
          <option value="">Everything</option>
          {Object.entries(WHAT).map(([kind, words]) => (
            <option key={kind} value={kind} selected={filter["kind"] === kind}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        Who
        <input name="subject" defaultValue={filter["subject"] ?? ""} placeholder="anybody" />
      </label>
      <label>
        Catalog
        <input name="entry_id" defaultValue={filter["entry_id"] ?? ""} placeholder="any" />
      </label>
      <label>
        From (UTC)
        <input name="since" type="date" defaultValue={filter["since"] ?? ""} />
      </label>
      <label>
        Until (UTC)
        <input name="until" type="date" defaultValue={filter["until"] ?? ""} />
      </label>
      <button type="submit">Filter</button>
      {Object.keys(filter).length === 0 ? null : <Link to="/audit">Clear</Link>}
    </form>
  );
}

type Work =
  | { readonly kind: "idle" }
  | { readonly kind: "busy"; readonly text: string }
  | { readonly kind: "failed"; readonly problem: ApiProblem }
  | { readonly kind: "checked"; readonly check: ChainCheck };

function Files({ filter }: { filter: AuditFilter }) {
  const [work, setWork] = useState<Work>({ kind: "idle" });
  const gone = useRef(new AbortController());
  useEffect(() => () => gone.current.abort(), []);
  const attempt = async (job: (signal: AbortSignal) => Promise<Work>) => {
    try {
      setWork(await job(gone.current.signal));
    } catch (thrown) {
      if (gone.current.signal.aborted) return;
      setWork({
        kind: "failed",
        problem:
          thrown instanceof ApiProblem ? thrown : new ApiProblem(0, "defect", String(thrown)),
      });
    }
  };
  const verify = () =>
    attempt(async (signal) => {
      setWork({ kind: "busy", text: "Checking …" });
      const check = await verifyLog(signal, (count) =>
        setWork({ kind: "busy", text: `Checked ${count} lines …` }),
      );
      return { kind: "checked", check };
    });
  const write = (format: ExportFormat) =>
    attempt(async (signal) => {
      setWork({ kind: "busy", text: "Exporting …" });
      save(await exported(filter, format, signal), `audit.${format}`);
      return { kind: "idle" };
    });
  const isBusy = work.kind === "busy";
  return (
    <>
      <div class="row">
        <button type="button" disabled={isBusy} onClick={() => void verify()}>
          Verify the chain
        </button>
        <button type="button" disabled={isBusy} onClick={() => void write("jsonl")}>
          Export JSON Lines
        </button>
        <button type="button" disabled={isBusy} onClick={() => void write("csv")}>
          Export CSV
        </button>
        <span role="status" class="dim">
          {isBusy ? work.text : ""}
        </span>
      </div>
      {work.kind === "failed" ? <ProblemNote problem={work.problem} /> : null}
      {work.kind === "checked" ? <Checked check={work.check} /> : null}
    </>
  );
}

function Checked({ check }: { check: ChainCheck }) {
  if (check.kind === "broken") {
    return (
      <div class="note bad" role="alert">
        <p>
          <strong>The log was changed: {check.fault}.</strong>
        </p>
        <p>
          Keep what you have, and find out who could write to the store. Lines before this one are
          as they were written.
        </p>
      </div>
    );
  }
  return (
    <div class="note good" role="status">
      <p>
        <strong>The chain is whole: {check.lines} lines.</strong>
      </p>
      <p class="value">
        It ends with line {check.n}: <code>{check.hash}</code>. Keep this somewhere else: whoever
        owns the store could write a whole new chain, but not one with this line.
      </p>
    </div>
  );
}

const TONES: Readonly<Record<string, "good" | "bad" | "warn">> = {
  refused: "bad",
  approval_rejected: "bad",
  approval_given: "good",
  approval_requested: "warn",
};

function Lines({
  page,
  filter,
  isFiltered,
}: {
  page: LogPage;
  filter: AuditFilter;
  isFiltered: boolean;
}) {
  const { lines, next } = page;
  const more =
    next === null ? null : (
      <p class="more">
        <Link to={`/audit?${new URLSearchParams({ ...filter, after: String(next) })}`}>
          Older lines
        </Link>
      </p>
    );
  if (lines.length === 0) {
    return (
      <>
        <Empty
          title={isFiltered ? "No line is like that." : "Nothing has been changed or decided yet."}
        >
          {isFiltered
            ? "Take out a part of the filter, or look at older lines."
            : "Reads leave no line."}
        </Empty>
        {more}
      </>
    );
  }
  return (
    <>
      <Card>
        <Table
          label="Lines of the audit log"
          head={["Line", "When", "What", "Who", "To what", "Plan", "How it ended"]}
        >
          {lines.map((line) => (
            <Line key={line.n} line={line} />
          ))}
        </Table>
      </Card>
      {more}
    </>
  );
}

function Line({ line }: { line: LogLine }) {
  const { subject, acting_for: user } = line;
  return (
    <tr>
      <td class="num">{line.n}</td>
      <td>
        <Time at={line.happened_at} />
      </td>
      <td>
        <Badge tone={TONES[line.kind] ?? "quiet"}>{WHAT[line.kind] ?? line.kind}</Badge>
      </td>
      <td>{user === null ? (subject ?? "unknown") : `${subject ?? "unknown"} for ${user}`}</td>
      <td>
        {line.entry_id === null ? null : <span class="dim">{line.entry_id} </span>}
        {line.capability} <Target line={line} />
      </td>
      <td>{line.kind.startsWith("approval_") ? null : line.plan_commit_ref}</td>
      <td>
        {line.outcome} <span class="dim">{line.detail}</span>
      </td>
    </tr>
  );
}
