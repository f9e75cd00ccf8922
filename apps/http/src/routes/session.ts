import { CONTEXT_FORMATS, contextAnswer } from "../wire/context-answer.ts";
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
