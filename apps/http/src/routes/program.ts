import { negotiate, notePlan } from "@plasm/host";
import type { Answer, SessionAddress, StructuredResult } from "@plasm/agent-core";
import { fail, type ProgramMode, readMode } from "@plasm/agent-core/internal";
import type { Json, JsonObject } from "@plasm/core";
import { visible } from "@plasm/core/internal";
import { type Body, readProgramBody } from "../wire/read-body.ts";
import { type Route, type RouteCall, SESSION_PATH, sessionPair, sessionPath } from "./route.ts";
import { programBody } from "../contract/bodies.ts";
import { readBy } from "../wire/read-by.ts";

/** The formats of a program's answer; the first is the default (SURF-17). */
const PROGRAM_FORMATS = [
  "application/json",
  "text/plain",
  "text/markdown",
  "application/x-ndjson",
] as const;

type ProgramFormat = (typeof PROGRAM_FORMATS)[number];

/** Whether a format holds every row as data, so that text needs no `rest` handle (SURF-30). */
const holdsAllRows = (format: ProgramFormat): boolean =>
  format === "application/json" || format === "application/x-ndjson";

const textsOf = (list: unknown, name: string): readonly string[] =>
  Array.isArray(list)
    ? list.flatMap((one: JsonObject) => (typeof one[name] === "string" ? [one[name]] : []))
    : [];

function headersOf(meta: JsonObject, format: ProgramFormat): Headers {
  const charset = format.startsWith("text/") ? "; charset=utf-8" : "";
  const headers = new Headers({ "content-type": `${format}${charset}`, vary: "Accept" });
  const pages = textsOf(meta["paging"], "next_page_handle");
  const runs = textsOf(meta["steps"], "run_id");
  if (pages.length > 0) headers.set("x-plasm-next-page", pages.join(", "));
  if (runs.length > 0) headers.set("x-plasm-run-id", runs.join(", "));
  const partial = new Set(textsOf(meta["steps"], "partial"));
  if (partial.size > 0) headers.set("x-plasm-partial", [...partial].join(", "));
  return headers;
}

/** A value a line, whatever else than LF its reader takes for the end of one (U+2028, U+0085). */
const lines = (values: readonly unknown[]): string =>
  values.map((value) => `${visible(JSON.stringify(value))}\n`).join("");

function bodyOf(
  { text, meta }: Answer,
  results: readonly StructuredResult[],
  format: ProgramFormat,
): string {
  const _meta = { plasm: meta };
  const { op } = meta;
  switch (format) {
    case "application/json":
      return visible(JSON.stringify({ results, ...(op === undefined ? {} : { op }), text, _meta }));
    case "text/plain":
    case "text/markdown":
      return `${text}\n`;
    case "application/x-ndjson": {
      const rows = results.flatMap(({ name, rows: all }) =>
        all.map((row) => ({ result: name, row })),
      );
      return lines([...rows, { _meta }]);
    }
  }
}

/**
 * A program's answer in the format asked for; a dry run has no results (SURF-17). `accepted` is the path
 * of the operation that goes on by itself (OPS-13).
 */
export const programAnswer = (
  answer: Answer,
  results: readonly StructuredResult[],
  format: ProgramFormat,
  accepted: string | null = null,
): Response => {
  const headers = headersOf(answer.meta, format);
  if (accepted !== null) headers.set("location", accepted);
  return new Response(bodyOf(answer, results, format), {
    status: accepted === null ? 200 : 202,
    headers,
  });
};

/** What a POST of a program, or of a plan's ref, asks for; its values are checked by the engine. */
export interface ProgramArguments {
  readonly program: unknown;
  readonly mode: ProgramMode;
  readonly wait: unknown;
  readonly force: unknown;
  readonly planCommitRef: unknown;
}

/** Arguments that may stand in the query, in the body, or in both alike. */
const PROGRAM_QUERY = ["mode", "wait", "force", "plan_commit_ref"] as const;
type QueryName = (typeof PROGRAM_QUERY)[number];

const OF = "This route";

function bodyArguments(body: Body): JsonObject {
  if (body.kind === "text") return { program: body.text };
  const { value } = body;
  if (typeof value === "string") return { program: value };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw fail(
      "plasm-bad-request",
      'The body must be a program, {"program": …}, or {"plan_commit_ref": "pcN"}.',
    );
  }
  return { ...readBy(programBody, value as JsonObject, OF) } as JsonObject;
}

function queryValue(name: QueryName, text: string): Json {
  if (name !== "wait" && name !== "force") return text;
  if (text === "true" || text === "false") return text === "true";
  throw fail("plasm-bad-request", `${name} is true or false.`);
}

/**
 * Puts the arguments of body and query together. One given in both must agree (OPS-34); an empty text beside
 * a ref is no program (OPS-3). Throws plasm-bad-request.
 */
function programArguments(body: Body, query: ReadonlyMap<string, string>): ProgramArguments {
  const given = bodyArguments(body);
  const argument = (name: QueryName): Json | undefined => {
    const text = query.get(name);
    if (text === undefined) return given[name];
    const value = queryValue(name, text);
    if (given[name] === undefined || given[name] === value) return value;
    throw fail("plasm-bad-request", `${name} is not the same in body and query.`);
  };
  const planCommitRef = argument("plan_commit_ref");
  // A text body cannot be left out, but for its bytes.
  const noText = body.kind === "text" && body.text === "" && planCommitRef !== undefined;
  return {
    program: noText ? undefined : given["program"],
    mode: readMode(argument("mode"), "run"),
    wait: argument("wait"),
    force: argument("force"),
    planCommitRef,
  };
}

/** Plans, explains or runs a program. A response closed by the client cancels the run (OPS-11). */
export const program: Route = {
  method: "POST",
  path: SESSION_PATH,
  name: "plasm_run",
  query: PROGRAM_QUERY,
  handle: async (call) => {
    const { request, params, query, note } = call;
    note.ref = sessionPath(params);
    const format = programFormat(request);
    const given = programArguments(await readProgramBody(request), query);
    return answerProgram(call, { address: sessionPair(params), path: note.ref }, given, format);
  },
};

/** The format that a request asks for; throws plasm-not-acceptable. */
export const programFormat = (request: Request): ProgramFormat =>
  negotiate(request.headers.get("accept"), PROGRAM_FORMATS);

/** The session that a program is of, and its path. */
interface SessionAt {
  readonly address: SessionAddress;
  readonly path: string;
}

/** Plans, explains or runs a program in a session, and answers what that gives. */
export async function answerProgram(
  { engine, caller, request, note }: RouteCall,
  { address, path }: SessionAt,
  { mode, ...given }: ProgramArguments,
  format: ProgramFormat,
): Promise<Response> {
  if (mode === "plan") {
    note.name = "plasm";
    const planned = await engine.plan(caller, address, given.program);
    note.text = planned.text;
    notePlan(note, planned.meta);
    return programAnswer(planned, [], format);
  }
  const { signal } = request;
  const run = { ...given, complete: holdsAllRows(format), signal };
  if (mode === "explain") {
    note.name = "plasm";
    const explained = await engine.explain(caller, address, run);
    note.text = explained.text;
    notePlan(note, explained.meta);
    return programAnswer(explained, explained.results, format);
  }
  const answer = await engine.run(caller, address, run);
  note.text = answer.text;
  notePlan(note, answer.meta);
  const { accepted } = answer;
  const operation = accepted === undefined ? null : `${path}/operations/${accepted}`;
  return programAnswer(answer, answer.results, format, operation);
}
