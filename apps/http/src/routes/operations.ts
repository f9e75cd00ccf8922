import { eventStream } from "../wire/event-stream.ts";
import { jsonResponse } from "../wire/json-response.ts";
import { negotiate } from "../wire/negotiate.ts";
import { SESSION_PATH, sessionPair, type Route } from "./route.ts";

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
