import { discoverBody } from "../contract/bodies.ts";
import { jsonResponse } from "../wire/json-response.ts";
import { readJsonBy } from "../wire/read-by.ts";
import type { Route } from "./route.ts";

export const discover: Route = {
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
