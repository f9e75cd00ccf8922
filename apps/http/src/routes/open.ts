import { fail, type ContextRequest } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import type { z } from "zod";
import { openBody } from "../contract/bodies.ts";
import { CONTEXT_FORMATS, contextAnswer, type ContextFormat } from "../wire/context-answer.ts";
import { negotiate } from "../wire/negotiate.ts";
import { readJsonBy } from "../wire/read-by.ts";
import { textMember } from "../wire/text-member.ts";
import type { Route } from "./route.ts";

type OpenBody = z.output<typeof openBody>;

/** Seeds as such, or as one catalog with its entities; never both. */
function seedsOf({ seeds, entry_id: api, entities }: OpenBody): unknown {
  if (api === undefined && entities === undefined) return seeds;
  if (seeds !== undefined) {
    throw fail("plasm-bad-request", "Send seeds, or entry_id and entities, not both.");
  }
  if (api === undefined || entities === undefined) {
    throw fail("plasm-bad-request", "entry_id is a catalog's id, entities a list of names.");
  }
  return entities.map((entity) => ({ api, entity }));
}

function requestOf(body: OpenBody): ContextRequest {
  const { intent, notation, read_only: readOnly, principal, pins } = body;
  const bound = intent === undefined ? {} : { intent };
  return { ...bound, seeds: seedsOf(body), notation, readOnly, principal, pins };
}

function locationOf(meta: JsonObject): string {
  const binding = meta["execute_binding"] as JsonObject;
  return `/execute/${textMember(binding, "prompt_hash")}/${textMember(binding, "session_id")}`;
}

/** Meta alone is sent as JSON: what stands in the text counts as not shown (GRAFT-10). */
const isSilent = (format: ContextFormat): boolean => format === "application/json";

/** Opens a session, or finds the one there is, and leads to it. */
export const open: Route = {
  method: "POST",
  path: "/execute",
  name: "plasm_context",
  handle: async ({ engine, caller, request, note }) => {
    const format = negotiate(request.headers.get("accept"), CONTEXT_FORMATS);
    const body = await readJsonBy(openBody, request, "POST /execute");
    const asked = requestOf(body);
    const answer = await engine.context(caller, { ...asked, silent: isSilent(format) });
    const location = locationOf(answer.meta);
    note.text = answer.text;
    note.ref = location;
    return contextAnswer(answer, format, ({ meta }) => ({ plasm: meta }), 303, { location });
  },
};
