import type { Caller } from "@plasm/agent-core";
import { credentialOf } from "../wire/credential.ts";
import { eventStream } from "../wire/event-stream.ts";
import { jsonResponse } from "../wire/json-response.ts";
import { negotiate } from "../wire/negotiate.ts";
import type { Route, RouteCall } from "./route.ts";

/** Who reads traces: an agent those of its own sessions, an operator all of the tenant (SURF-29). */
async function readerOf({ auth, operators, request }: RouteCall): Promise<Caller> {
  const credential = credentialOf(request);
  const record = credential === null ? null : await operators.keys.recordOf(credential);
  if (record?.role === "operator") {
    const { tenant: scope, subject } = record;
    return { scope, subject, connection: null, oversees: true };
  }
  return (await auth.agentOf(request.headers)).caller;
}

/** The traces that the caller may read (SURF-29). */
export const traceList: Route = {
  method: "GET",
  path: "/v1/traces",
  access: "own",
  handle: async (call) => jsonResponse(await call.engine.traces(await readerOf(call))),
};

/** A trace with its events. */
export const trace: Route = {
  method: "GET",
  path: "/v1/traces/:id",
  access: "own",
  handle: async (call) =>
    jsonResponse(await call.engine.trace(await readerOf(call), call.params["id"] ?? "")),
};

/** A trace as it grows: `snapshot`, then `patch` (SURF-29). */
export const traceStream: Route = {
  method: "GET",
  path: "/v1/traces/:id/stream",
  access: "own",
  handle: async (call) => {
    const { engine, request, params } = call;
    negotiate(request.headers.get("accept"), ["text/event-stream"]);
    const gone = new AbortController();
    const signal = AbortSignal.any([request.signal, gone.signal]);
    const messages = await engine.watchTrace(await readerOf(call), params["id"] ?? "", signal);
    return eventStream(messages, () => gone.abort());
  },
};
