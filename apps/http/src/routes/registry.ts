import type { Json } from "@plasm/core";
import { jsonResponse } from "../wire/responses.ts";
import type { Route, RouteCall } from "./route.ts";
import { discoverBody } from "../contract/bodies.ts";
import { readJsonBy } from "../wire/read-by.ts";

function answer({ note }: RouteCall, value: Json): Response {
  note.text = JSON.stringify(value);
  return jsonResponse(value);
}

export const registryList: Route = {
  method: "GET",
  path: "/v1/registry",
  name: "list_registry",
  handle: async (call) => answer(call, [...(await call.engine.registry(call.caller))]),
};

export const registryEntryRoute: Route = {
  method: "GET",
  path: "/v1/registry/:entry_id",
  name: "list_registry",
  handle: async (call) => {
    const { engine, caller, params } = call;
    return answer(call, await engine.registryEntry(caller, params["entry_id"] ?? ""));
  },
};

export const discoverRoute: Route = {
  method: "POST",
  path: "/v1/discover",
  name: "discover_capabilities",
  handle: async ({ engine, caller, request, note }) => {
    const { intent, apis, limit } = await readJsonBy(discoverBody, request, "POST /v1/discover");
    const { text, meta } = await engine.discover(caller, { intent, apis, limit });
    note.text = text;
    return jsonResponse(meta);
  },
};
