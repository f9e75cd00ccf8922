import { jsonResponse } from "../wire/json-response.ts";
import type { Route } from "./route.ts";

export const registryList: Route = {
  method: "GET",
  path: "/v1/registry",
  handle: async ({ engine, caller }) => jsonResponse(engine.registry(caller)),
};

export const registryEntry: Route = {
  method: "GET",
  path: "/v1/registry/:entry_id",
  handle: async ({ engine, caller, params }) =>
    jsonResponse(engine.registryEntry(caller, params["entry_id"] ?? "")),
};
