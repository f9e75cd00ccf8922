import type { Answer, StructuredResult } from "@plasm/agent-core";
import { type JsonObject, visible } from "@plasm/core";

/** The formats of a program's answer; the first is the default (SURF-17). */
export const PROGRAM_FORMATS = [
  "application/json",
  "text/plain",
  "text/markdown",
  "application/x-ndjson",
] as const;

export type ProgramFormat = (typeof PROGRAM_FORMATS)[number];

/** Whether a format holds every row as data, so that text needs no `rest` handle (SURF-30). */
export const holdsAllRows = (format: ProgramFormat): boolean =>
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
