import { negotiate } from "@plasm/host";
import type { GraftIndex } from "@plasm/agent-core";
import { refuseUnknown } from "@plasm/agent-core/internal";
import { CONTEXT_FORMATS, contextAnswer } from "../wire/responses.ts";
import { readJsonObject } from "../wire/read-body.ts";
import { type Route, type RouteCall, SESSION_PATH, sessionPair, sessionPath } from "./route.ts";

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
