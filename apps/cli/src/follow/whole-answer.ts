import { BUDGET_NAMES } from "@plasm/core";
import { visible } from "@plasm/core/internal";
import type { CliContext } from "../cli-context.ts";
import { CliError, EXIT, failedError } from "../cli-error.ts";
import type { ServerAnswer } from "../server/server-client.ts";
import { isJsonObject } from "../workspace/json-file.ts";
import type { OutputWriter } from "../workspace/outputs.ts";
import { StoppedError } from "./stopping.ts";

/** An answer as data, its further pages read by handle, and where it goes. */
export interface WholeAnswer {
  readonly format: "json" | "ndjson";
  readonly first: ServerAnswer;
  /** what takes up an operation that the answer may still be of */
  readonly handle: string | null;
  /** rows after which no further page is asked for; null: the program says how many it wants */
  readonly maxRows: number | null;
  /** Answers the program `page(…)` in the same format. */
  page(program: string): Promise<ServerAnswer>;
  readonly output: OutputWriter;
}

interface Meta {
  readonly [member: string]: unknown;
}

/** One answer of either format: its rows by result, and its meta. */
interface Part {
  readonly meta: Meta;
  readonly rows: number;
  /** as ndjson has them, a line each; none for JSON */
  readonly lines: string;
  /** the document of JSON */
  readonly document: Readonly<Record<string, unknown>> | null;
}

/** Whether an answer is of an operation that has not ended (OPS-13). */
const isRunning = ({ op }: Meta): boolean => isJsonObject(op) && !ENDS.includes(op["~"]);

/** A result that has more rows. */
interface Left {
  readonly label: string;
  readonly handle: string;
}

/** `page(h, limit=n)` takes at most so many. */
const PAGE_ROWS = 1_000;
/** Pages without a row that are passed over in a row. */
const EMPTY_PAGES = 10;
/** What cuts a page short of its rows, and is made up for by the next one. */
const ENDS: readonly unknown[] = ["!", "x", "?"];
const BUDGETS: readonly unknown[] = BUDGET_NAMES;

const objects = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function metaOf(value: unknown): Meta {
  const meta = isJsonObject(value) ? value["_meta"] : null;
  const plasm = isJsonObject(meta) ? meta["plasm"] : null;
  return isJsonObject(plasm) ? plasm : {};
}

/** JSON that a server has answered. Throws CliError for what another one sent, or something between. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const found = text === "" ? "nothing" : JSON.stringify(text.slice(0, 60));
    throw failedError(
      `The server answered ${found}, which is no JSON, not as a Plasm server does. Name the right one: plasm init --server URL. What the program may have done there is not known here.`,
      thrown,
    );
  }
}

function partOf(format: WholeAnswer["format"], text: string): Part {
  if (format === "json") {
    const document = parsed(text);
    const all = isJsonObject(document) ? objects(document["results"]) : [];
    const rows = all.reduce((sum, { rows: own }) => sum + objects(own).length, 0);
    return {
      meta: metaOf(document),
      rows,
      lines: "",
      document: isJsonObject(document) ? document : null,
    };
  }
  const end = text.trimEnd();
  const at = end.lastIndexOf("\n") + 1;
  const lines = text.slice(0, at);
  const rows = lines.split("\n").length - 1;
  return { meta: metaOf(parsed(end.slice(at))), rows, lines, document: null };
}

const leftIn = (meta: Meta): readonly Left[] =>
  objects(meta["paging"]).map((one) => ({
    label: textOf(one["return_label"]),
    handle: textOf(one["next_page_handle"]),
  }));

/** Why rows of an answer's results are missing: the code, and what is said of it. */
interface Lack {
  readonly code: string;
  readonly said: string;
}

/** Why rows of an answer's results are missing, by label; a result without a reason is not there. */
const partialIn = (meta: Meta): ReadonlyMap<string, Lack> =>
  new Map(
    objects(meta["steps"]).flatMap((step) => {
      const { partial: code, lacking } = step;
      if (typeof code !== "string") return [];
      const said = typeof lacking === "string" ? lacking : code;
      return [[textOf(step["return_label"]), { code, said }] as const];
    }),
  );

/** What an answer and its further pages came to. */
interface Gathered {
  readonly first: Part;
  /** the pages behind it; of ndjson without their lines, which are out */
  readonly pages: Part[];
  readonly reasons: string[];
  /** where results end that have more rows */
  readonly left: Left[];
  rows: number;
  /** false once nobody takes what is printed (`| head`) */
  read: boolean;
}

const again = ({ handle }: Left): string => `plasm run -e 'page(${handle})'`;

/** Gives the next page of a result, or why there is none. */
async function nextPage(
  answer: WholeAnswer,
  { rows }: Gathered,
  { handle }: Left,
): Promise<Part | string> {
  const most = (answer.maxRows ?? 0) - rows;
  if (most <= 0) return `--max-rows ${answer.maxRows} is reached`;
  try {
    const { text } = await answer.page(`page(${handle}, limit=${Math.min(PAGE_ROWS, most)})`);
    return partOf(answer.format, text);
  } catch (thrown) {
    if (thrown instanceof StoppedError || !(thrown instanceof CliError)) throw thrown;
    return `its next page failed: ${thrown.message.split("\n")[0] ?? ""}`;
  }
}

/** Reads on in one result to its end; what keeps it from there becomes a reason. */
async function readOn(answer: WholeAnswer, gathered: Gathered, result: Left): Promise<void> {
  let at: Left | null = result;
  let empty = 0;
  while (at !== null) {
    if (!gathered.read) return void gathered.left.push({ ...at, label: result.label });
    const part: Part | string =
      empty === EMPTY_PAGES
        ? `${EMPTY_PAGES} pages in a row had no rows`
        : await nextPage(answer, gathered, at);
    if (typeof part === "string") {
      gathered.left.push({ ...at, label: result.label });
      gathered.reasons.push(`${result.label}: ${part}; the rest: ${again(at)}`);
      return;
    }
    gathered.rows += part.rows;
    empty = part.rows === 0 ? empty + 1 : 0;
    const next: Left | null = leftIn(part.meta)[0] ?? null;
    for (const { code, said } of partialIn(part.meta).values()) {
      if (next === null || !BUDGETS.includes(code))
        gathered.reasons.push(`${result.label}: ${said}`);
    }
    at = next;
    gathered.pages.push({ ...part, lines: "" });
    gathered.read = await answer.output.write(part.lines);
  }
}

/** Reads what the results of an answer have left, one result after the other; lines of ndjson go out. */
async function gather(answer: WholeAnswer): Promise<Gathered> {
  const first = partOf(answer.format, answer.first.text);
  const gathered: Gathered = {
    first,
    pages: [],
    reasons: [],
    left: [],
    rows: first.rows,
    read: true,
  };
  gathered.read = await answer.output.write(first.lines);
  const { handle } = answer;
  if (handle !== null && isRunning(first.meta)) {
    gathered.reasons.push(
      `${handle} goes on by itself; its results: plasm run -e 'wait(${handle})'`,
    );
  }
  const partial = partialIn(first.meta);
  for (const result of leftIn(first.meta)) {
    const why = partial.get(result.label);
    if (answer.maxRows === null) gathered.left.push(result);
    // What a budget cut may be answered as a whole by its next page, in place of these rows (PLAN-080).
    else if (why !== undefined && BUDGETS.includes(why.code)) gathered.left.push(result);
    else await readOn(answer, gathered, result);
  }
  for (const [label, { said }] of partial) {
    const rest = gathered.left.find((each) => each.label === label);
    const more = rest === undefined ? "" : `; to read on: ${again(rest)}`;
    gathered.reasons.push(`${label} is partial (${said})${more}`);
  }
  return gathered;
}

/** The meta of the whole: the steps of all pages, and the handles that are left. */
function wholeMeta({ first, pages, left }: Gathered): Meta {
  const steps = [first, ...pages].flatMap(({ meta }) => objects(meta["steps"]));
  const paging = left.map(({ label, handle }) => ({
    return_label: label,
    next_page_handle: handle,
    has_more: true,
  }));
  const { paging: _paging, ...rest } = first.meta;
  return { ...rest, steps, ...("paging" in first.meta ? { paging } : {}) };
}

/** The document of JSON with the rows of all pages in its results. */
function wholeDocument(gathered: Gathered): unknown {
  const { first, pages, left } = gathered;
  const more = pages.flatMap(({ document }) => objects(document?.["results"]));
  const results = objects(first.document?.["results"]).map((result) => {
    const own = more.filter(({ name }) => name === result["name"]);
    const rows = [result, ...own].flatMap((each) => objects(each["rows"]));
    const next = left.find(({ label }) => label === result["name"])?.handle ?? null;
    return { ...result, rows, row_count: rows.length, next };
  });
  const text = results
    .map((result) => `${textOf(Reflect.get(result, "name"))} · ${result.row_count} rows`)
    .join("\n");
  return { ...first.document, results, text, _meta: { plasm: wholeMeta(gathered) } };
}

/**
 * Prints every row of an answer, in a format for programs: pages are read until there are none, and lines of ndjson
 * go out page by page. Where rows are missing all the same it says why, and the command ends with 4 (SURF-22).
 */
export async function printWhole(cli: CliContext, answer: WholeAnswer): Promise<void> {
  const { format, output, first } = answer;
  const gathered = await gather(answer);
  if (format === "ndjson") {
    await output.write(`${visible(JSON.stringify({ _meta: { plasm: wholeMeta(gathered) } }))}\n`);
  } else if (gathered.pages.length === 0) await output.write(first.text);
  else await output.write(visible(JSON.stringify(wholeDocument(gathered))));
  await output.end();
  const isLeft = !gathered.read && gathered.left.length > 0;
  if (gathered.reasons.length === 0 && !isLeft) return;
  for (const why of gathered.reasons) cli.remark(`plasm: rows are missing: ${why}`);
  cli.endWith(EXIT.partial);
}
