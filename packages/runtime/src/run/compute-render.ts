import type { Json, JsonObject } from "@plasm/core";
import {
  type ComputeNode,
  evaluateInSteps,
  indexLines,
  parseTemplate,
  spanAt,
  type TemplateOutcome,
  type TemplateReads,
  templateReads,
  WORK,
} from "@plasm/core/internal";
import { referenceValue } from "../decode/row-references.ts";
import type { Row } from "../rows/row.ts";
import { LATE_WORK_MS, RunStop } from "../limits/limits.ts";
import { eachOf, type Pausable } from "../base/turns.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { RunEngine } from "./engine.ts";
import { type Feed, type RowReader, SourceEnded } from "./feed.ts";
import { wholeReader, wholeSource, type WholeStep } from "./whole-source.ts";

type Render = Extract<ComputeNode["op"], { render: unknown }>["render"];

/** The limits of a program's templates (LANG-082). */
const LIMITS = Object.freeze({ steps: 1_000_000, output: 1_048_576 });
const MOST_ROWS = 10_000;

const NOTHING: TemplateReads = Object.freeze({ columns: [], whole: false });

/** What one name of a template holds: all rows of a node, or its one row (LANG-080). */
interface Named {
  readonly name: string;
  readonly source: Feed;
  readonly isList: boolean;
}

/** The cells of a row that a template reads by name: null where a cell is not known (LANG-081). */
function rowObject(
  row: Row,
  columns: readonly (readonly [string, (row: Row) => Json | undefined])[],
  whole: boolean,
): JsonObject {
  const named = columns.map(([name, read]): [string, Json] => [name, read(row) ?? null]);
  return Object.fromEntries(whole ? [...allCells(row), ...named] : named);
}

/** Every cell that is known of a row. */
function allCells(row: Row): readonly (readonly [string, Json])[] {
  if (row.cells !== null) return [...row.cells];
  if (row.base === null) return [];
  const references = [...row.base.references].map(([name, reference]): [string, Json] => [
    name,
    referenceValue(reference),
  ]);
  return [...references, ...row.base.fields];
}

/** Reads what a template sees under one name; it is made when asked for. Throws SourceEnded, RunFailure. */
async function readName(
  engine: RunEngine,
  feed: Feed,
  { name, source, isList }: Named,
  { columns, whole }: TemplateReads,
): Promise<Pausable<Json>> {
  const paths = columns.map((column) => column.split("."));
  const { rows, column } = await wholeSource(engine, feed, source, paths);
  if (rows.length > MOST_ROWS) throw tooManyRows(name, rows.length);
  const read = columns.map((each, at) => [each, column(paths[at] ?? []).read] as const);
  // Its one row may be among what was not read.
  if (!isList && rows.length === 0 && source.ending.kind === "cut") throw new SourceEnded(source);
  const pieces = (1 + columns.length) * WORK.cell;
  const made = eachOf(
    isList ? rows : rows.slice(0, 1),
    (row) => rowObject(row, read, whole),
    pieces,
  );
  return isList ? made : firstOf(made);
}

/** An evaluation whose steps are counted as pieces of work. */
function* inPieces(work: ReturnType<typeof evaluateInSteps>): Pausable<TemplateOutcome> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    yield step.value * WORK.step;
  }
}

function* firstOf(made: Pausable<readonly Json[]>): Pausable<Json> {
  const [first] = yield* made;
  return first ?? null;
}

/**
 * Throws RunStop once the run is cancelled or its wall time over; a template over what that cut has a
 * little longer, so that rows in hand still become text (PLAN-051, PLAN-065).
 */
function stopIfOver({ budget, context }: RunEngine, feed: Feed): void {
  if (context.signal?.aborted === true) throw new RunStop("cancelled");
  const late = feed.partialMark === "wall" ? LATE_WORK_MS : 0;
  if (budget.wallLeft() + late <= 0) throw new RunStop("wall");
}

function tooManyRows(name: string, rows: number): RunFailure {
  const what = `The template sees ${rows} rows as ${name}; at most ${MOST_ROWS} are allowed.`;
  return new RunFailure(
    failure("template_failed", what, `make them fewer, like .limit(${MOST_ROWS})`),
  );
}

/**
 * A failure with its line in the template, its code, and the item of the outermost loop (LANG-081), counted
 * from 0 as rows are everywhere in a run's answer. Columns are those of the program: the plan's text has
 * names of its own.
 */
function failed(text: string, { message, limit, start, end, row }: Failed): RunFailure {
  const { line } = spanAt(indexLines(text), start, end);
  const item = row === null ? "" : `, row ${row}`;
  const place = `line ${line} of the template${item}`;
  const code = text.slice(start, Math.min(end, start + 80));
  const correction =
    limit === null
      ? `correct it at ${place}: test with is defined or is none, or add | default("")`
      : BEYOND[limit];
  return new RunFailure(
    failure("template_failed", `${message} At ${place}: ${code}`, correction, {
      within: { start, end },
    }),
  );
}

/** What helps where a template does too much (LANG-082). */
const BEYOND = {
  steps: "give it fewer rows, like .limit(n), or loop over them once, not in another loop",
  output: "give it fewer rows, like .limit(n), or print fewer columns of each",
} as const;

type Failed = Extract<TemplateOutcome, { ok: false }>;

/**
 * One row of text from all rows of its source and of the labels it names, once, be there rows or not
 * (LANG-080 to LANG-082). Made of what is in hand where a budget cuts them (PLAN-051); one template a
 * turn of the event loop, and none once the run is over.
 */
export function renderNode(step: WholeStep, { text, uses }: Render): RowReader {
  const { engine, feed, node, source } = step;
  const used = Object.entries(uses).map(([name, id]): Named => {
    const isList = engine.nodeOf(id).result.card === "many";
    return { name, source: engine.feedOf(id), isList };
  });
  const names: readonly Named[] = [{ name: "rows", source, isList: true }, ...used];
  return wholeReader({
    ...step,
    sources: names.map((each) => each.source),
    async make() {
      const reads = templateReads(text);
      const values = await Promise.all(
        names.map((each) => readName(engine, feed, each, reads.get(each.name) ?? NOTHING)),
      );
      const { template } = parseTemplate(text);
      if (template === null) throw new Error(`a plan holds a template with mistakes: ${node.id}`);
      const outcome = await engine.work(
        (function* (): Pausable<TemplateOutcome> {
          stopIfOver(engine, feed);
          const bindings: Record<string, Json> = {};
          for (const [at, { name }] of names.entries()) {
            const value = values[at];
            bindings[name] = value === undefined ? null : yield* value;
          }
          return yield* inPieces(evaluateInSteps(template, bindings, LIMITS));
        })(),
      );
      if (!outcome.ok) throw failed(text, outcome);
      return [textRow(outcome.text)];
    },
  });
}

const textRow = (text: string): Row => ({
  base: null,
  cells: new Map([["content", text]]),
  joined: new Map(),
  types: new Map([["content", { kind: "string", semantics: "short" }]]),
});
