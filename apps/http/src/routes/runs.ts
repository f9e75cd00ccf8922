import type { ArtifactName } from "@plasm/agent-core";
import { OPERATION_STATES, fail } from "@plasm/agent-core/internal";
import { negotiate } from "@plasm/host";
import { eventStream, jsonResponse } from "../wire/responses.ts";
import { refuseArguments } from "./approvals.ts";
import { wordIn } from "./audit.ts";
import { type Route, type RouteCall, SESSION_PATH, sessionPair } from "./route.ts";

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
export const numberedSnapshot: Route = {
  method: "GET",
  path: `${SESSION_PATH}/r/:n`,
  handle: (call) => {
    const { n = "" } = call.params;
    if (NUMBER.test(n)) return snapshot(call, { n: Number(n) });
    throw fail("plasm-unknown-snapshot", "No such snapshot. A run's answer names its snapshots.");
  },
};

const OPERATION_PATH = `${SESSION_PATH}/operations/:handle`;

/** How an operation stands, without waiting. */
export const operation: Route = {
  method: "GET",
  path: OPERATION_PATH,
  handle: async ({ engine, caller, params }) => {
    const { handle = "" } = params;
    return jsonResponse(await engine.operation(caller, sessionPair(params), handle));
  },
};

/** The number of the last event that a reader had before it lost its connection. */
function lastEvent(request: Request): number | null {
  const given = request.headers.get("last-event-id");
  return given !== null && /^[0-9]{1,9}$/.test(given) ? Number(given) : null;
}

/** An operation as it goes on, to its end (OPS-22). */
export const operationStream: Route = {
  method: "GET",
  path: `${OPERATION_PATH}/stream`,
  handle: async ({ engine, caller, request, params }) => {
    negotiate(request.headers.get("accept"), ["text/event-stream"]);
    const { handle = "" } = params;
    const gone = new AbortController();
    const signal = AbortSignal.any([request.signal, gone.signal]);
    const reader = { after: lastEvent(request), signal };
    const events = await engine.watchOperation(caller, sessionPair(params), handle, reader);
    return eventStream(events, () => gone.abort());
  },
};

/** Operations of the caller's sessions; to an operator those of all its tenant (OPS-61). */
export const operationList: Route = {
  method: "GET",
  path: "/v1/operations",
  query: ["state", "before"],
  access: "overseen",
  handle: async ({ engine, caller, query }) =>
    jsonResponse(
      await engine.operations(caller, {
        state: wordIn(query, "state", OPERATION_STATES),
        before: query.get("before") ?? null,
      }),
    ),
};

/** One of them. */
export const operationOfTenant: Route = {
  method: "GET",
  path: "/v1/operations/:operation_uuid",
  access: "overseen",
  handle: async ({ engine, caller, params }) =>
    jsonResponse(await engine.operationOf(caller, params["operation_uuid"] ?? "")),
};

const CANCEL = "/v1/operations/:operation_uuid/cancel";

/** Cancels one of them, whichever process runs it (OPS-62). */
export const operationCancel: Route = {
  method: "POST",
  path: CANCEL,
  access: "overseen",
  handle: async ({ engine, caller, request, params }) => {
    await refuseArguments(request, `POST ${CANCEL}`);
    return jsonResponse(await engine.cancelOperation(caller, params["operation_uuid"] ?? ""));
  },
};
