import { negotiate } from "@plasm/host";
import { scheduleBody } from "../contract/bodies.ts";
import { readBy } from "../wire/read-by.ts";
import { readBytes, readJsonObject } from "../wire/read-body.ts";
import { eventStream, jsonResponse } from "../wire/responses.ts";
import type { Route, RouteCall } from "./route.ts";

const SCHEDULES = "/v1/schedules";
const ONE = `${SCHEDULES}/:schedule_uuid`;

const idOf = ({ params }: RouteCall): string => params["schedule_uuid"] ?? "";

/** The caller's schedules, those of one saved program where that is named; an operator's are the tenant's (SAV-17). */
export const scheduleList: Route = {
  method: "GET",
  path: SCHEDULES,
  access: "overseen",
  query: ["program"],
  handle: async ({ engine, caller, query }) =>
    jsonResponse({ schedules: await engine.schedules.list(caller, query.get("program")) }),
};

/** Runs a saved program at times from now on. */
export const scheduleCreate: Route = {
  method: "POST",
  path: SCHEDULES,
  handle: async ({ engine, caller, request }) => {
    const body = readBy(scheduleBody, await readJsonObject(request), `POST ${SCHEDULES}`);
    const made = await engine.schedules.create(caller, body);
    return jsonResponse(made, 201, { location: `${SCHEDULES}/${made.schedule_uuid}` });
  },
};

/** One of them, with what became of its runs. */
export const schedule: Route = {
  method: "GET",
  path: ONE,
  access: "overseen",
  handle: async (call) => jsonResponse(await call.engine.schedules.find(call.caller, idOf(call))),
};

/** What a watch has found after an event; as a stream, also what it finds from then on (WATCH-04). */
export const scheduleEvents: Route = {
  method: "GET",
  path: `${ONE}/events`,
  access: "overseen",
  query: ["after"],
  handle: async (call) => {
    const { engine, caller, request, query } = call;
    const formats = ["application/json", "text/event-stream"] as const;
    const format = negotiate(request.headers.get("accept"), formats);
    const after = request.headers.get("last-event-id") ?? query.get("after") ?? null;
    if (format === "application/json") {
      return jsonResponse(await engine.schedules.events(caller, idOf(call), after));
    }
    const gone = new AbortController();
    const signal = AbortSignal.any([request.signal, gone.signal]);
    const events = await engine.schedules.follow(caller, idOf(call), { after, signal });
    return eventStream(events, () => gone.abort());
  },
};

/** Has one do nothing until it is resumed. */
export const schedulePause: Route = {
  method: "POST",
  path: `${ONE}/pause`,
  access: "overseen",
  handle: async (call) => jsonResponse(await call.engine.schedules.pause(call.caller, idOf(call))),
};

/** Goes on with one, with its program as that is saved now. */
export const scheduleResume: Route = {
  method: "POST",
  path: `${ONE}/resume`,
  handle: async (call) => jsonResponse(await call.engine.schedules.resume(call.caller, idOf(call))),
};

/** Bytes of what an API tells. */
const MOST_TOLD = 1_048_576;

/** Takes what an API tells of a watch (WATCH-07). Who sends it is proved by the request itself. */
export const webhookTold: Route = {
  method: "POST",
  path: "/v1/webhooks/:scope/:schedule_uuid",
  access: "public",
  handle: async ({ engine, request, params }) => {
    const body = await readBytes(request, MOST_TOLD);
    const place = { scope: params["scope"] ?? "", id: params["schedule_uuid"] ?? "" };
    const { headers } = request;
    const { challenge } = await engine.schedules.told(place, { headers, body });
    return challenge === null
      ? jsonResponse({}, 202)
      : jsonResponse({ [challenge.name]: challenge.text });
  },
};

/** Removes one; what has begun goes on. */
export const scheduleRemove: Route = {
  method: "DELETE",
  path: ONE,
  access: "overseen",
  handle: async (call) => jsonResponse(await call.engine.schedules.remove(call.caller, idOf(call))),
};
