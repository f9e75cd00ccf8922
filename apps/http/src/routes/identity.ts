import { tenantOfScope } from "@plasm/agent-core";
import { jsonResponse } from "../wire/json-response.ts";
import type { Route } from "./route.ts";

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
