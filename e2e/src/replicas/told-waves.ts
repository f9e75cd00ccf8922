import type { Json, JsonObject } from "@plasm/core";
import type { Answer } from "./recorder.ts";

/** A wave as metas tell of it (SURF-7). */
export interface ToldWave {
  readonly n: number;
  readonly entry_id: string;
  readonly entities: readonly string[];
}

/** The JSON of an answer, which over MCP may come as a stream of messages. */
function jsonOf({ body, type }: Answer): JsonObject {
  const last = body.split("\n").findLast((line) => line.startsWith("data: {"));
  const text = type.startsWith("text/event-stream") ? (last ?? "data: {}").slice(6) : body;
  return text === "" ? {} : (JSON.parse(text) as JsonObject);
}

const member = (of: Json | undefined, name: string): Json | undefined =>
  typeof of === "object" && of !== null && !Array.isArray(of)
    ? (of as JsonObject)[name]
    : undefined;

/** `_meta.plasm` of an answer, wherever its surface has it; an open over HTTP has nothing else. */
function metaOf(answer: Answer): Json | undefined {
  const body = jsonOf(answer);
  const result = member(body, "result") ?? body;
  return member(member(result, "_meta"), "plasm") ?? member(body, "plasm");
}

/** The waves that an answer brought. */
export const wavesTold = (answer: Answer): readonly ToldWave[] =>
  (member(metaOf(answer), "waves") ?? []) as unknown as readonly ToldWave[];

/** What went wrong, or null: an error of the surface, of JSON-RPC or of the tool. */
export function errorOf(answer: Answer): string | null {
  const body = answer.type.includes("json") || answer.type.includes("stream") ? jsonOf(answer) : {};
  const failed =
    answer.status >= 400 ||
    member(body, "error") !== undefined ||
    member(member(body, "result"), "isError") === true;
  return failed ? `${answer.request}: ${answer.status} ${answer.body.slice(0, 500)}` : null;
}
