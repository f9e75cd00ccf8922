import { negotiate } from "@plasm/host";
import { eventStream, jsonResponse } from "../wire/responses.ts";
import type { Route } from "./route.ts";

/** The traces that the caller may read (SURF-29). */
export const traceList: Route = {
  method: "GET",
  path: "/v1/traces",
  access: "overseen",
  handle: async ({ engine, caller }) => jsonResponse(await engine.traces(caller)),
};

/** A trace with its events. */
export const trace: Route = {
  method: "GET",
  path: "/v1/traces/:id",
  access: "overseen",
  handle: async ({ engine, caller, params }) =>
    jsonResponse(await engine.trace(caller, params["id"] ?? "")),
};

/** A trace as it grows: `snapshot`, then `patch` (SURF-29). */
export const traceStream: Route = {
  method: "GET",
  path: "/v1/traces/:id/stream",
  access: "overseen",
  handle: async ({ engine, caller, request, params }) => {
    negotiate(request.headers.get("accept"), ["text/event-stream"]);
    const gone = new AbortController();
    const signal = AbortSignal.any([request.signal, gone.signal]);
    const messages = await engine.watchTrace(caller, params["id"] ?? "", signal);
    return eventStream(messages, () => gone.abort());
  },
};
