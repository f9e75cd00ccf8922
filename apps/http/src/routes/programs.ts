import { negotiate } from "@plasm/host";
import type { SessionAddress } from "@plasm/agent-core";
import { fail, readMode } from "@plasm/agent-core/internal";
import { callBody, saveBody } from "../contract/bodies.ts";
import { jsonResponse } from "../wire/responses.ts";
import { readBy } from "../wire/read-by.ts";
import { readJsonObject, readOptionalJsonObject } from "../wire/read-body.ts";
import { answerProgram, programFormat } from "./program.ts";
import type { Route } from "./route.ts";

const PROGRAMS = "/v1/programs";

/** The saved programs that the caller may run (SAV-05). */
export const savedList: Route = {
  method: "GET",
  path: PROGRAMS,
  access: "overseen",
  handle: async ({ engine, caller }) =>
    jsonResponse({ programs: await engine.programs.list(caller) }),
};

const SESSION = /^\/execute\/([^/]+)\/([^/]+)$/u;

/** A session as a body names it: by the path that opening it gave, or by its ref. */
function addressOf(session: string | undefined): SessionAddress {
  if (session === undefined) {
    throw fail(
      "plasm-bad-request",
      "session is missing: the path or ref of the session whose plan is to be saved; or send text alone, that of a saved program.",
    );
  }
  const [, promptHash, sessionId] = SESSION.exec(session) ?? [];
  return promptHash === undefined || sessionId === undefined
    ? { kind: "ref", ref: session }
    : { kind: "pair", promptHash, sessionId };
}

/** Saves a plan by name, or what the text of a saved program says (SAV-01, SAV-07). */
export const savedSave: Route = {
  method: "POST",
  path: PROGRAMS,
  handle: async ({ engine, caller, request }) => {
    const body = readBy(saveBody, await readJsonObject(request), `POST ${PROGRAMS}`);
    const { text, session, plan_commit_ref: planCommitRef, ...rest } = body;
    if (text !== undefined && Object.keys(body).length > 1) {
      throw fail(
        "plasm-bad-request",
        "text comes alone: it says name, parameters and the rest itself.",
      );
    }
    const saved =
      text === undefined
        ? await engine.programs.save(caller, addressOf(session), {
            name: undefined,
            ...rest,
            planCommitRef,
          })
        : await engine.programs.import(caller, text);
    const headers = { location: `${PROGRAMS}/${saved.name}` };
    return jsonResponse(saved, 201, headers);
  },
};

/** One of them; as text what an import takes. */
export const savedProgram: Route = {
  method: "GET",
  path: `${PROGRAMS}/:name`,
  access: "overseen",
  handle: async ({ engine, caller, request, params }) => {
    const formats = ["application/json", "text/plain", "text/markdown"] as const;
    const format = negotiate(request.headers.get("accept"), formats);
    const saved = await engine.programs.find(caller, params["name"] ?? "");
    if (format === "application/json") return jsonResponse(saved);
    const headers = { "content-type": `${format}; charset=utf-8`, vary: "Accept" };
    return new Response(saved.text, { headers });
  },
};

/** Removes one. */
export const savedRemove: Route = {
  method: "DELETE",
  path: `${PROGRAMS}/:name`,
  access: "overseen",
  handle: async ({ engine, caller, params }) =>
    jsonResponse(await engine.programs.remove(caller, params["name"] ?? "")),
};

const RUN = `${PROGRAMS}/:name/run`;

/** Plans one with arguments, or explains or runs it, as any program (SAV-04). */
export const savedRun: Route = {
  method: "POST",
  path: RUN,
  name: "plasm_run",
  handle: async (call) => {
    const { engine, caller, request, params, note } = call;
    const format = programFormat(request);
    const sent = await readOptionalJsonObject(request);
    const body = sent === null ? {} : readBy(callBody, sent, `POST ${RUN}`);
    const { arguments: values, plan_commit_ref: planCommitRef, wait, force } = body;
    const mode = readMode(body.mode, "plan");
    const { session, program } = await engine.programs.open(caller, params["name"] ?? "", values);
    const path = `/execute/${session.promptHash}/${session.sessionId}`;
    note.ref = path;
    const given = { program, mode, wait, force, planCommitRef };
    const answer = await answerProgram(
      call,
      { address: { kind: "pair", ...session }, path },
      given,
      format,
    );
    answer.headers.set("x-plasm-session", path);
    return answer;
  },
};
