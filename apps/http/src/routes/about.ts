import type { Engine } from "@plasm/agent-core";
import { fail, tenantOfScope } from "@plasm/agent-core/internal";
import { jsonResponse } from "../wire/responses.ts";
import type { Route } from "./route.ts";
import { openApiDocument } from "../contract/openapi.ts";

const UNKNOWN_CAUSE = "The store cannot be read and written now.";

/** Throws the problem that says why, where `work` on the store fails. */
async function needsStore<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const { code, text } = engine.problemOf(thrown);
    const known = code === "plasm-store-unavailable";
    throw fail("plasm-store-unavailable", known ? text : UNKNOWN_CAUSE);
  }
}

/**
 * `GET /v1/ready`: whether calls may be sent here. 503 with the cause while the store cannot be written, and from when the
 * server is told to stop (OPS-59). It reads no more than that, so that it may be asked often.
 */
export const ready: Route = {
  method: "GET",
  path: "/v1/ready",
  access: "public",
  handle: async ({ engine }) => {
    await needsStore(engine, () => engine.ping());
    return jsonResponse({ status: "ready" });
  },
};

/**
 * `GET /v1/health`: 503 with the cause while the store cannot be written (SESS-33), else how full it is, and how many
 * operations were set aside, if any were.
 */
export const health: Route = {
  method: "GET",
  path: "/v1/health",
  access: "public",
  handle: async ({ engine, operators }) => {
    const setAside = await needsStore(engine, async () => {
      await engine.ping();
      return operators.setAside.count();
    });
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

/** The document of routes, itself among them; made once it is asked for. */
export function openapi(routes: readonly Route[]): Route {
  let document: object | null = null;
  const route: Route = {
    method: "GET",
    path: "/v1/openapi.json",
    access: "public",
    handle: async () => {
      document ??= openApiDocument([...routes, route]);
      return jsonResponse(document);
    },
  };
  return route;
}

/** How callers prove who they are, for those who do not know yet (SURF-23). */
export const authStatus: Route = {
  method: "GET",
  path: "/v1/auth/status",
  access: "public",
  handle: async ({ auth: { mode, issuers } }) => jsonResponse({ mode, issuers }),
};

/** Who the caller is to this server, and how it knows. */
export const whoami: Route = {
  method: "GET",
  path: "/v1/whoami",
  access: "known",
  handle: async ({ identity: { method }, caller }) => {
    const { scope, subject } = caller;
    return jsonResponse({ tenant: tenantOfScope(scope), subject, method });
  },
};
