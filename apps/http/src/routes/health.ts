import { fail } from "@plasm/agent-core";
import { jsonResponse } from "../wire/json-response.ts";
import type { Route } from "./route.ts";

const UNKNOWN_CAUSE = "The store cannot be read and written now.";

/** `GET /v1/health`: 503 with the cause while the store cannot be written (SESS-33), else how full it is. */
export const health: Route = {
  method: "GET",
  path: "/v1/health",
  access: "public",
  handle: async ({ engine }) => {
    try {
      await engine.ping();
    } catch (thrown) {
      const { code, text } = engine.problemOf(thrown);
      const known = code === "plasm-store-unavailable";
      throw fail("plasm-store-unavailable", known ? text : UNKNOWN_CAUSE);
    }
    const held = await engine.storage();
    const store = held && { used: held.used, on_disk: held.onDisk, limit: held.limit };
    return jsonResponse({ status: "ok", ...(store === null ? {} : { store }) });
  },
};
