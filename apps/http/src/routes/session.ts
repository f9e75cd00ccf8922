import { negotiate } from "@plasm/host";
import type { ContextRequest } from "@plasm/agent-core";
import { fail } from "@plasm/agent-core/internal";
import type { JsonObject } from "@plasm/core";
import type { z } from "zod";
import { contextBody, openBody } from "../contract/bodies.ts";
import {
  CONTEXT_FORMATS,
  contextAnswer,
  type ContextFormat,
  jsonResponse,
  textMember,
} from "../wire/responses.ts";
import { readJsonBy } from "../wire/read-by.ts";
import { type Route, SESSION_PATH, sessionPair, sessionPath } from "./route.ts";

/** What a session teaches: as text the prompt alone. */
export const session: Route = {
  method: "GET",
  path: SESSION_PATH,
  handle: async ({ engine, caller, request, params }) => {
    const format = negotiate(request.headers.get("accept"), CONTEXT_FORMATS);
    const meta = await engine.describe(caller, sessionPair(params));
    return contextAnswer({ text: textMember(meta, "prompt"), meta }, format, () => meta);
  },
};

/** What the symbols of a session stand for. */
export const symbols: Route = {
  method: "GET",
  path: `${SESSION_PATH}/symbols`,
  handle: async ({ engine, caller, params }) =>
    jsonResponse(await engine.symbols(caller, sessionPair(params))),
};

/** Whether a session lives, and until when. */
export const status: Route = {
  method: "GET",
  path: `${SESSION_PATH}/status`,
  handle: async ({ engine, caller, params }) =>
    jsonResponse(await engine.status(caller, sessionPair(params))),
};

/** Extends exactly this session by further seeds or grafts, or sends its tables again. */
export const context: Route = {
  method: "POST",
  path: `${SESSION_PATH}/context`,
  name: "plasm_context",
  handle: async ({ engine, caller, request, params, note }) => {
    const format = negotiate(request.headers.get("accept"), CONTEXT_FORMATS);
    const { prompt_hash: promptHash = "", session_id: sessionId = "" } = params;
    const body = await readJsonBy(contextBody, request, "POST …/context");
    const { seeds, replay, detail, read_only: readOnly, grafts } = body;
    const given = { seeds, replay, detail, readOnly, grafts, session: { promptHash, sessionId } };
    note.ref = sessionPath(params);
    const answer = await engine.context(caller, given);
    note.text = answer.text;
    return contextAnswer(answer, format, ({ text, meta }) => ({ text, _meta: { plasm: meta } }));
  },
};

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
  const { intent, notation, detail, read_only: readOnly, principal, pins } = body;
  const bound = intent === undefined ? {} : { intent };
  return { ...bound, seeds: seedsOf(body), notation, detail, readOnly, principal, pins };
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
