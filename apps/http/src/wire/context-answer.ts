import type { Answer } from "@plasm/agent-core";
import { jsonResponse, textResponse } from "./json-response.ts";

/** The formats of what opens, extends or shows a session. */
export const CONTEXT_FORMATS = ["application/json", "text/plain", "text/markdown"] as const;

export type ContextFormat = (typeof CONTEXT_FORMATS)[number];

/** An answer with SURF-7's meta: as JSON what `json` makes of it, else its text. */
export function contextAnswer(
  answer: Answer,
  format: ContextFormat,
  json: (answer: Answer) => unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const all = { vary: "Accept", ...headers };
  return format === "application/json"
    ? jsonResponse(json(answer), status, all)
    : textResponse(answer.text, format, status, all);
}
