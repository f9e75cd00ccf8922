import { contextBody } from "../contract/bodies.ts";
import { CONTEXT_FORMATS, contextAnswer } from "../wire/context-answer.ts";
import { negotiate } from "../wire/negotiate.ts";
import { readJsonBy } from "../wire/read-by.ts";
import { SESSION_PATH, sessionPath, type Route } from "./route.ts";

/** Extends exactly this session by further seeds or grafts, or sends its tables again. */
export const context: Route = {
  method: "POST",
  path: `${SESSION_PATH}/context`,
  name: "plasm_context",
  handle: async ({ engine, caller, request, params, note }) => {
    const format = negotiate(request.headers.get("accept"), CONTEXT_FORMATS);
    const { prompt_hash: promptHash = "", session_id: sessionId = "" } = params;
    const body = await readJsonBy(contextBody, request, "POST …/context");
    const { seeds, replay, read_only: readOnly, grafts } = body;
    const given = { seeds, replay, readOnly, grafts, session: { promptHash, sessionId } };
    note.ref = sessionPath(params);
    const answer = await engine.context(caller, given);
    note.text = answer.text;
    return contextAnswer(answer, format, ({ text, meta }) => ({ text, _meta: { plasm: meta } }));
  },
};
