import { fail, type ArtifactName } from "@plasm/agent-core";
import { SESSION_PATH, sessionPair, type Route, type RouteCall } from "./route.ts";
import { jsonResponse } from "../wire/json-response.ts";

/** What a session has run, with effects and snapshots, whether or not anybody saw the answer (OPS-11). */
export const runs: Route = {
  method: "GET",
  path: `${SESSION_PATH}/runs`,
  query: ["before"],
  handle: async ({ engine, caller, params, query }) =>
    jsonResponse(await engine.runs(caller, sessionPair(params), { before: query.get("before") })),
};

async function snapshot(call: RouteCall, name: ArtifactName): Promise<Response> {
  const { engine, caller, params } = call;
  const text = await engine.artifact(caller, sessionPair(params), name);
  return new Response(text, { headers: { "content-type": "application/json" } });
}

/** A snapshot by its run id. */
export const artifact: Route = {
  method: "GET",
  path: `${SESSION_PATH}/artifacts/:run_id`,
  handle: (call) => snapshot(call, { runId: call.params["run_id"] ?? "" }),
};

const NUMBER = /^[1-9][0-9]{0,8}$/;

/** A snapshot by its number in the session. */
export const numbered: Route = {
  method: "GET",
  path: `${SESSION_PATH}/r/:n`,
  handle: (call) => {
    const { n = "" } = call.params;
    if (NUMBER.test(n)) return snapshot(call, { n: Number(n) });
    throw fail("plasm-unknown-snapshot", "No such snapshot. A run's answer names its snapshots.");
  },
};
