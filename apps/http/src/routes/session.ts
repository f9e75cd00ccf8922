import { CONTEXT_FORMATS, contextAnswer } from "../wire/context-answer.ts";
import { jsonResponse } from "../wire/json-response.ts";
import { negotiate } from "../wire/negotiate.ts";
import { textMember } from "../wire/text-member.ts";
import { SESSION_PATH, sessionPair, type Route } from "./route.ts";

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
