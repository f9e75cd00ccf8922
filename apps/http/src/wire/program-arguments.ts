import { fail, readMode, type ProgramMode } from "@plasm/agent-core";
import type { Json, JsonObject } from "@plasm/core";
import { programBody } from "../contract/bodies.ts";
import { readBy } from "./read-by.ts";
import type { Body } from "./read-body.ts";

/** What a POST of a program, or of a plan's ref, asks for; its values are checked by the engine. */
export interface ProgramArguments {
  readonly program: unknown;
  readonly mode: ProgramMode;
  readonly wait: unknown;
  readonly force: unknown;
  readonly planCommitRef: unknown;
}

/** Arguments that may stand in the query, in the body, or in both alike. */
export const PROGRAM_QUERY = ["mode", "wait", "force", "plan_commit_ref"] as const;
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
export function programArguments(body: Body, query: ReadonlyMap<string, string>): ProgramArguments {
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
