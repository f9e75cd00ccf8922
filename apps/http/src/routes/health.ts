import { fail } from "@plasm/agent-core";
import { jsonResponse } from "../wire/json-response.ts";
import type { Route } from "./route.ts";

export const health: Route = {
  method: "GET",
  path: "/v1/health",
  access: "public",
  handle: async ({ engine }) => {
    try {
      await engine.ping();
    } catch {
      throw fail("plasm-store-unavailable", "The store cannot be read and written now.");
    }
    return jsonResponse({ status: "ok" });
  },
};
