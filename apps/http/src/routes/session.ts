import type { ContextRequest, GraftIndex } from "@plasm/agent-core";
import { fail, refuseUnknown } from "@plasm/agent-core/internal";
import type { JsonObject } from "@plasm/core";
import { negotiate } from "@plasm/host";
import type { z } from "zod";
import { contextBody, openBody } from "../contract/bodies.ts";
import { readJsonObject } from "../wire/read-body.ts";
import { readJsonBy } from "../wire/read-by.ts";
import {
  CONTEXT_FORMATS,
  type ContextFormat,
  contextAnswer,
  jsonResponse,
  textMember,
} from "../wire/responses.ts";
import { type Route, type RouteCall, SESSION_PATH, sessionPair, sessionPath } from "./route.ts";

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

const PATH = `${SESSION_PATH}/grafts`;

const TAKEN = {
  of: "POST …/grafts",
  told: ["name", "manifest_path", "created_ts", "guardrails", "items"],
  untold: ["user_id", "grafts"],
};

/** The complete index (GRAFT-9): as JSON with its data, else as text. */
async function indexAnswer({ request, note, params }: RouteCall, index: () => Promise<GraftIndex>) {
  const format = negotiate(request.headers.get("accept"), CONTEXT_FORMATS);
  note.ref = sessionPath(params);
  const { text, grafts, meta } = await index();
  note.text = text;
  const answer = { text, meta: { grafts: meta } };
  return contextAnswer(answer, format, () => ({ text, grafts, _meta: { plasm: answer.meta } }));
}

/** The caller's grafts in a session, a line each. */
export const graftList: Route = {
  method: "GET",
  path: PATH,
  handle: (call) =>
    indexAnswer(call, () => call.engine.grafts(call.caller, sessionPair(call.params))),
};

/** Attaches a set, alone or as the member `grafts` as in plasm_context (GRAFT-2). */
export const graftAttach: Route = {
  method: "POST",
  path: PATH,
  handle: (call) =>
    indexAnswer(call, async () => {
      const { engine, caller, request, params } = call;
      const body = await readJsonObject(request);
      refuseUnknown(Object.keys(body), TAKEN);
      return engine.attachGrafts(caller, sessionPair(params), body["grafts"] ?? body);
    }),
};

/** Bytes that somebody attached are shown as what they are, and act nowhere. */
const INERT = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
};

const typeOf = (mime: string): string =>
  mime.startsWith("text/") && !mime.includes("charset=") ? `${mime}; charset=utf-8` : mime;

/** A graft, byte for byte (GRAFT-11). */
export const graft: Route = {
  method: "GET",
  path: `${PATH}/:graft_id`,
  name: "grafted_context_fetch",
  handle: async ({ engine, caller, params, note }) => {
    note.ref = sessionPath(params);
    const read = await engine.graft(caller, sessionPair(params), params["graft_id"] ?? "");
    const bytes = Buffer.from(read.bytes);
    note.text = bytes.toString("utf8");
    return new Response(bytes, {
      headers: { "content-type": typeOf(read.graft.mime), ...INERT },
    });
  },
};
