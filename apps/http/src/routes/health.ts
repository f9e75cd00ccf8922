import { fail } from "@plasm/agent-core";
import { jsonResponse } from "../wire/json-response.ts";
import type { Route } from "./route.ts";

const UNKNOWN_CAUSE = "The store cannot be read and written now.";

/**
 * `GET /v1/health`: 503 with the cause while the store cannot be written (SESS-33), else how full it is, and how many
 * operations were set aside, if any were.
 */
export const health: Route = {
  method: "GET",
  path: "/v1/health",
  access: "public",
  handle: async ({ engine, operators }) => {
    let setAside = 0;
    try {
      await engine.ping();
      setAside = await operators.setAside.count();
    } catch (thrown) {
      const { code, text } = engine.problemOf(thrown);
      const known = code === "plasm-store-unavailable";
      throw fail("plasm-store-unavailable", known ? text : UNKNOWN_CAUSE);
    }
    const held = await engine.storage();
    const { used, onDisk, limit, spilled } = held ?? {};
    const store = held && { used, on_disk: onDisk, limit, spilled };
    return jsonResponse({
      status: "ok",
      ...(store === null ? {} : { store }),
      ...(setAside === 0 ? {} : { set_aside: setAside }),
    });
  },
};
