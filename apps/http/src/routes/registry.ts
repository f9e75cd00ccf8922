import type { Json } from "@plasm/core";
import { jsonResponse } from "../wire/json-response.ts";
import type { Route, RouteCall } from "./route.ts";

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

export const registryEntry: Route = {
  method: "GET",
  path: "/v1/registry/:entry_id",
  name: "list_registry",
  handle: async (call) => {
    const { engine, caller, params } = call;
    return answer(call, await engine.registryEntry(caller, params["entry_id"] ?? ""));
  },
};
