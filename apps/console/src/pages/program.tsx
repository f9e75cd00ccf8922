import { useEffect, useState } from "preact/hooks";
import { ApiProblem, call, callRaw, type Done, showable } from "../api.ts";
import type { PageProps } from "../parts/page-props.ts";
import { useLoad } from "../parts/load.ts";
import { csvCell, save } from "../parts/save.ts";
import { Card, Empty, Page, ProblemNote, Table } from "../parts/ui.tsx";
import { VirtualRows } from "../parts/virtual-rows.tsx";
import type { CatalogDetail, CatalogEntry, ResultRows } from "../records.ts";
import { AsCurl } from "./as-curl.tsx";

/** What was typed is kept in this tab, whatever happens to the page or the sign-in. */
const KEPT = "plasm-program";

interface Draft {
  readonly api: string;
  readonly entity: string;
  readonly program: string;
}

const NOTHING: Draft = { api: "", entity: "", program: "" };

function kept(): Draft {
  try {
    return { ...NOTHING, ...(JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as Partial<Draft>) };
  } catch {
    return NOTHING;
  }
}

interface Answered {
  readonly results: readonly ResultRows[];
  readonly text: string;
}

type Work =
  | { readonly kind: "idle" }
  | { readonly kind: "busy"; readonly what: string }
  | {
      readonly kind: "planned";
      readonly text: string;
      readonly ref: string | null;
      /** what it is the plan of */
      readonly of: Draft;
    }
  | { readonly kind: "ran"; readonly shown: Answered; readonly raw: Answered }
  | { readonly kind: "failed"; readonly problem: ApiProblem };

interface Planned {
  readonly text: string;
  readonly _meta: { readonly plasm: { readonly plan_commit_ref?: string } };
}

/** A session, and what it was opened on. */
interface Opened {
  readonly api: string;
  readonly entity: string;
  readonly at: string;
}

const isSame = (one: Draft, other: Draft): boolean =>
  one.api === other.api && one.entity === other.entity && one.program === other.program;

/** Opens a session on what was chosen; gives where it is. Throws ApiProblem. */
async function openOn({ api, entity }: Draft): Promise<Opened> {
  const { prompt_hash: hash, session } = await call<{
    readonly prompt_hash: string;
    readonly session: string;
  }>("/execute", {
    method: "POST",
    body: { seeds: [{ api, entity }], notation: "names" },
    isHarmless: true,
  });
  const at = `/execute/${encodeURIComponent(hash)}/${encodeURIComponent(session)}`;
  return { api, entity, at };
}

/** Writes, plans and runs a program as the agent of this sign-in. */
export function Program(_props: PageProps) {
  const [draft, setDraft] = useState(kept);
  const [work, setWork] = useState<Work>({ kind: "idle" });
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => sessionStorage.setItem(KEPT, JSON.stringify(draft)), [draft]);
  const change = (more: Partial<Draft>) => setDraft((before) => ({ ...before, ...more }));
  const attempt = async (what: string, job: (at: string) => Promise<Work>) => {
    setWork({ kind: "busy", what });
    try {
      const { api, entity } = draft;
      const isOfDraft = opened?.api === api && opened.entity === entity;
      const session = isOfDraft ? opened : await openOn(draft);
      setOpened(session);
      setWork(await job(session.at));
    } catch (thrown) {
      const problem =
        thrown instanceof ApiProblem ? thrown : new ApiProblem(0, "defect", String(thrown));
      if (problem.code === "plasm-session-lost" || problem.code === "plasm-unknown-session")
        setOpened(null);
      setWork({ kind: "failed", problem });
    }
  };
  const plan = () =>
    attempt("Planning …", async (at) => {
      const body = { program: draft.program };
      const planned = await call<Planned>(`${at}?mode=plan`, {
        method: "POST",
        body,
        isHarmless: true,
      });
      return {
        kind: "planned",
        text: planned.text,
        ref: planned._meta.plasm.plan_commit_ref ?? null,
        of: draft,
      };
    });
  const run = (ref: string | null) =>
    attempt("Running …", async (at) => {
      const body = { program: draft.program, ...(ref === null ? {} : { plan_commit_ref: ref }) };
      const raw = await callRaw<Answered>(at, { method: "POST", body });
      return { kind: "ran", raw, shown: showable(raw) as Answered };
    });
  const mayRun = work.kind !== "busy" && draft.program.trim() !== "" && draft.entity !== "";
  return (
    <Page
      title="Program"
      lead="Write a program as an agent does, look at its plan, and run it. Reads run at once. What changes something runs from its plan, and where policy asks for it, after an approval."
    >
      <Choose draft={draft} isBusy={work.kind === "busy"} onChange={change} />
      <form
        class="program"
        onSubmit={(event) => {
          event.preventDefault();
          if (mayRun) void run(null);
        }}
      >
        <label for="program">Program</label>
        <textarea
          id="program"
          rows={7}
          spellcheck={false}
          value={draft.program}
          placeholder={draft.entity === "" ? "" : `${draft.entity}.limit(5)`}
          onInput={({ currentTarget }) => change({ program: currentTarget.value })}
        />
        <div class="row">
          <button type="submit" class="primary" disabled={!mayRun}>
            Run
          </button>
          <button type="button" disabled={!mayRun} onClick={() => void plan()}>
            Show the plan
          </button>
          <span role="status" class="dim">
            {work.kind === "busy" ? work.what : ""}
          </span>
        </div>
      </form>
      <Outcome
        // The plan of what was written before is no plan of what stands there now.
        work={work.kind === "planned" && !isSame(work.of, draft) ? { kind: "idle" } : work}
        onRun={(ref) => void run(ref)}
        onUse={(program) => change({ program })}
      />
      <AsCurl {...draft} />
    </Page>
  );
}

interface ChooseProps {
  readonly draft: Draft;
  readonly isBusy: boolean;
  readonly onChange: (more: Partial<Draft>) => void;
}

/** What the program is on: a catalog and the entity to begin with. */
function Choose({ draft, isBusy, onChange }: ChooseProps) {
  const catalogs = useLoad<readonly CatalogEntry[]>("/v1/registry");
  const chosen = useLoad<CatalogDetail>(
    draft.api === "" ? null : `/v1/registry/${encodeURIComponent(draft.api)}`,
  );
  const { data: all } = catalogs;
  const entities = chosen.data?.entities ?? [];
  useEffect(() => {
    if (draft.api === "" && all?.[0] !== undefined) onChange({ api: all[0].entry_id, entity: "" });
  }, [all, draft.api]);
  useEffect(() => {
    const [first] = entities;
    if (draft.entity === "" && first !== undefined) onChange({ entity: first.entity });
  }, [chosen.data, draft.entity]);
  const problem = catalogs.problem ?? chosen.problem;
  if (all?.length === 0)
    return (
      <Empty title="No catalog is on offer.">
        Start the server with <code>--catalogs DIR</code>.
      </Empty>
    );
  return (
    <>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <div class="filter">
        <label>
          Catalog
          <select
            value={draft.api}
            disabled={isBusy}
            onChange={({ currentTarget }) => onChange({ api: currentTarget.value, entity: "" })}
          >
            {(all ?? []).map(({ entry_id: id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Begin with
          <select
            value={draft.entity}
            disabled={isBusy}
            onChange={({ currentTarget }) => onChange({ entity: currentTarget.value })}
          >
            {entities.map(({ entity }) => (
              <option key={entity} value={entity}>
                {entity}
              </option>
            ))}
          </select>
        </label>
      </div>
    </>
  );
}

interface OutcomeProps {
  readonly work: Work;
  readonly onRun: (ref: string) => void;
  readonly onUse: (program: string) => void;
}

function Outcome({ work, onRun, onUse }: OutcomeProps) {
  switch (work.kind) {
    case "idle":
    case "busy":
      return null;
    case "failed":
      return (
        <>
          <ProblemNote problem={work.problem} />
          <DoneBefore done={work.problem.done} />
          {work.problem.suggestion === null ? null : (
            <Card title="This would be right">
              <pre tabIndex={0}>{work.problem.suggestion}</pre>
              <p>
                <button type="button" onClick={() => onUse(work.problem.suggestion ?? "")}>
                  Use it
                </button>
              </p>
            </Card>
          )}
        </>
      );
    case "planned":
      return (
        <Card title="The plan, and what it costs">
          <pre tabIndex={0}>{work.text}</pre>
          {work.ref === null ? null : (
            <p>
              <button type="button" onClick={() => onRun(work.ref ?? "")}>
                Run this plan
              </button>
            </p>
          )}
        </Card>
      );
    case "ran":
      return work.shown.results.length === 0 ? (
        <Card title="Answer">
          <pre tabIndex={0}>{work.shown.text}</pre>
        </Card>
      ) : (
        <>
          {work.shown.results.map((result, index) => (
            <Rows key={result.name} result={result} raw={work.raw.results[index] ?? result} />
          ))}
        </>
      );
  }
}

/** What a run had done before it failed: nobody sends that again without knowing. */
function DoneBefore({ done: { effects, results } }: { done: Done }) {
  return (
    <>
      {effects.length === 0 ? null : (
        <Card title="What became of its effects">
          <Table label="Effects of the run" head={["Effect", "Of", "How it ended"]}>
            {effects.map(({ seq, capability, target, status }) => (
              <tr key={seq}>
                <td>{capability}</td>
                <td>
                  <code>{target ?? "a new one"}</code>
                </td>
                <td>{status}</td>
              </tr>
            ))}
          </Table>
        </Card>
      )}
      {results.map((result) => (
        <Rows key={result.name} result={result} raw={null} />
      ))}
    </>
  );
}

const asCsv = ({ columns, rows }: ResultRows): string =>
  [
    columns.map(csvCell).join(","),
    ...rows.map((row) => columns.map((name) => csvCell(row[name])).join(",")),
  ]
    .join("\n")
    .concat("\n");

/** Rows as they are shown, and as they are saved: never the former as the latter. */
function Rows({ result, raw }: { result: ResultRows; raw: ResultRows | null }) {
  const { name, rows, columns, partial } = result;
  const file = name.replaceAll(/\W+/g, "-");
  return (
    <Card
      title={`${name}: ${rows.length} ${rows.length === 1 ? "row" : "rows"}`}
      more={
        raw === null ? null : (
          <span class="row">
            <button
              type="button"
              onClick={() =>
                save(
                  new Blob([JSON.stringify(raw.rows, null, 2)], { type: "application/json" }),
                  `${file}.json`,
                )
              }
            >
              JSON
            </button>
            <button
              type="button"
              onClick={() => save(new Blob([asCsv(raw)], { type: "text/csv" }), `${file}.csv`)}
            >
              CSV
            </button>
          </span>
        )
      }
    >
      {partial === null ? null : <p class="dim">These are not all rows: {partial}.</p>}
      {rows.length === 0 ? (
        <Empty title="No row is like that." />
      ) : (
        <VirtualRows label={`Rows of ${name}`} columns={columns} rows={rows} />
      )}
    </Card>
  );
}
