import { refuseUnknown } from "@plasm/agent-core";
import { jsonResponse } from "../wire/json-response.ts";
import { readJsonObject } from "../wire/read-body.ts";
import type { Route } from "./route.ts";

const TAKEN = { of: "POST /v1/discover", told: ["intent", "apis", "limit"] };

export const discover: Route = {
  method: "POST",
  path: "/v1/discover",
  name: "discover_capabilities",
  handle: async ({ engine, caller, request, note }) => {
    const body = await readJsonObject(request);
    refuseUnknown(Object.keys(body), TAKEN);
    const { intent, apis, limit } = body;
    const { text, meta } = await engine.discover(caller, { intent, apis, limit });
    note.text = text;
    return jsonResponse(meta);
  },
};
